import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Stands before a server and adds the token that the suite cannot send. Everything else goes through as it is. */
export async function startTokenProxy(): Promise<{
  readonly port: number;
  readonly leadTo: (target: { readonly port: number; readonly token: string }) => void;
  readonly close: () => void;
}> {
  let target: { readonly port: number; readonly token: string } | undefined;
  const server: Server = createServer((incoming, outgoing) => {
    if (!target) return outgoing.writeHead(503).end();
    const { url: path, method, headers } = incoming;
    const passed = request({
      host: "127.0.0.1",
      port: target.port,
      path,
      method,
      headers: { ...headers, authorization: `Bearer ${target.token}` },
    });
    passed.on("response", (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      outgoing.flushHeaders();
      response.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (next) => {
      target = next;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
