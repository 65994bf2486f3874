import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A wire between a program and its database that can be cut, or made slow. */
export interface DatabaseProxy {
  readonly url: string;
  /** How many have got through so far, and how many of them are still there. */
  connections(): { readonly made: number; readonly open: number };
  /** Nobody gets through any more, and who was through is thrown out. */
  cut(): void;
  mend(): void;
  /** The next answer of the database does not arrive: who waits for it is cut off instead. */
  swallow(): void;
  /** Each answer of the database waits for so long. */
  delay(ms: number): void;
  close(): Promise<void>;
}

export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let made = 0;
  let isCut = false;
  let delayMs = 0;
  let isSwallowing = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    made += 1;
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes) => {
      if (!isSwallowing) return void setTimeout(() => near.write(bytes), delayMs);
      isSwallowing = false;
      near.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  const url = new URL(databaseUrl);
  url.port = String(address.port);
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    connections: () => ({ made, open: sockets.size / 2 }),
    cut: () => {
      isCut = true;
      drop();
    },
    mend: () => {
      isCut = false;
    },
    swallow: () => {
      isSwallowing = true;
    },
    delay: (ms) => {
      delayMs = ms;
    },
    close: async () => {
      drop();
      server.close();
      await once(server, "close");
    },
  };
}
