import type { McpServer } from "@modelcontextprotocol/server";

/** Called for each request that a server works on; it begins the work, and gives back what came of it. */
export type AroundWork = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Has everything that is registered so far worked on inside `around`. The protocol does not tell when work has ended: a
 * call that was cancelled, or whose client has gone, is worked on to its end all the same. The SDK has no way in for
 * this, hence its own table of handlers; without it nothing would be counted, so that is no server at all.
 */
export function workInside({ server }: McpServer, around: AroundWork): void {
  const handlers: unknown = Reflect.get(server, "_requestHandlers");
  if (!(handlers instanceof Map)) throw new TypeError("The MCP SDK keeps its request handlers elsewhere.");
  for (const [method, handler] of [...handlers]) {
    handlers.set(method, (...given: unknown[]) => around(async () => Reflect.apply(handler, undefined, given)));
  }
}
