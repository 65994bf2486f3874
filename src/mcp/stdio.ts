import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Log } from "../index.ts";
import { createMcpServer, type McpServerOptions } from "./server.ts";

/** Serves until the client closes stdin. What is being written then is still written to its end. */
export function serveOverStdio(options: McpServerOptions & { readonly log: Log }): { close(): Promise<void> } {
  return serveStdio(() => createMcpServer(options), {
    onerror: (error) => options.log("error", "mcp transport", { message: error.message }),
  });
}
