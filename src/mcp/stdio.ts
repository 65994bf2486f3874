import type { JSONRPCMessage, SubscriptionFilter } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Log } from "../index.ts";
import { createMemoryWatch } from "./memory-watch.ts";
import { createMcpServer, type McpServerOptions } from "./server.ts";

/** Serves until the client closes stdin. What is being written then is still written to its end. */
export function serveOverStdio(options: McpServerOptions & { readonly log: Log }): { close(): Promise<void> } {
  const transport = new StdioServerTransport();
  const filters: SubscriptionFilter[] = [];
  const hearers: Hear[] = [];
  const onListen = (hear: Hear) => {
    hearers.push(hear);
    for (const filter of filters) void tell([hear], filter);
  };
  const watch = options.memories && createMemoryWatch(options.memories);
  const handle = serveStdio(() => createMcpServer({ ...options, watch, onListen }), {
    transport,
    onerror: (error) => options.log("error", "mcp transport", { message: error.message }),
  });
  // The SDK keeps to itself what a modern client listens for; who looks for changes has to know it too.
  const deliver = transport.onmessage;
  transport.onmessage = (message: JSONRPCMessage) => {
    const filter = filterIn(message);
    if (!filter) return deliver?.(message);
    if (hearers.length === 0) filters.push(filter);
    // Known before it is acknowledged, so that no change after that is missed.
    void tell(hearers, filter).then(() => deliver?.(message));
  };
  return handle;
}

type Hear = (filter: SubscriptionFilter) => Promise<void>;

/** A filter that makes no sense is for the protocol to answer. */
async function tell(hearers: readonly Hear[], filter: SubscriptionFilter): Promise<void> {
  await Promise.allSettled(hearers.map((hear) => hear(filter)));
}

function filterIn(message: JSONRPCMessage): SubscriptionFilter | undefined {
  if (!("method" in message) || message.method !== "subscriptions/listen") return undefined;
  return message.params?.["notifications"] as SubscriptionFilter | undefined;
}
