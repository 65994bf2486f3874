import type { JSONRPCMessage, SubscriptionFilter } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Log } from "../index.ts";
import { createMcpServer, type McpServerOptions } from "./server.ts";

/** Serves until the client closes stdin. What is being written then is still written to its end. */
export function serveOverStdio(options: McpServerOptions & { readonly log: Log }): { close(): Promise<void> } {
  const transport = new StdioServerTransport();
  const filters: SubscriptionFilter[] = [];
  const hearers: ((filter: SubscriptionFilter) => void)[] = [];
  const onListen = (hear: (filter: SubscriptionFilter) => void) => {
    hearers.push(hear);
    for (const filter of filters) hear(filter);
  };
  const handle = serveStdio(() => createMcpServer({ ...options, onListen }), {
    transport,
    onerror: (error) => options.log("error", "mcp transport", { message: error.message }),
  });
  // The SDK keeps to itself what a modern client listens for; who looks for changes has to know it too.
  const deliver = transport.onmessage;
  transport.onmessage = (message: JSONRPCMessage) => {
    const filter = filterIn(message);
    if (filter) {
      filters.push(filter);
      for (const hear of hearers) hear(filter);
    }
    deliver?.(message);
  };
  return handle;
}

function filterIn(message: JSONRPCMessage): SubscriptionFilter | undefined {
  if (!("method" in message) || message.method !== "subscriptions/listen") return undefined;
  return message.params?.["notifications"] as SubscriptionFilter | undefined;
}
