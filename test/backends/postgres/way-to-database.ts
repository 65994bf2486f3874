import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/**
 * Another address of a database. What goes over it is up to `link`, which gets both ends of each connection; whatever is open
 * ends with the test.
 */
export async function wayToDatabase(databaseUrl: string, link: (near: Socket, far: Socket) => void): Promise<URL> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const door = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) sockets.add(socket.on("error", () => {}));
    link(near, far);
  }).listen(0, "127.0.0.1");
  await once(door, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    door.close();
  });
  return Object.assign(new URL(databaseUrl), { port: String((door.address() as AddressInfo).port) });
}
