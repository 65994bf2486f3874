import { type JSONRPCMessage, ProtocolErrorCode, type SubscriptionFilter } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Log } from "../app.ts";
import { createBoundedLines } from "./bounded-lines.ts";
import { clientNameIn, completeGreeting } from "./client-author.ts";
import { createMemoryWatch } from "./memory-watch.ts";
import { createMcpServer, type McpServerOptions } from "./server.ts";

/** As much as the protocol's own transport takes. */
const mostMessageBytes = 10 * 1024 * 1024;

export interface StdioOptions extends Pick<McpServerOptions, "version" | "warnings"> {
  readonly log: Log;
  /** What is served to the client of this name, which it gives with its first message. */
  readonly toolsFor: (clientName: string | undefined) => Omit<McpServerOptions, "version">;
}

/** Serves until the client closes stdin. What is being written then is still written to its end. */
export function serveOverStdio({ toolsFor, log, ...options }: StdioOptions): { close(): Promise<void> } {
  const lines = createBoundedLines({ mostBytes: mostMessageBytes, onTooLong: (id) => void refuse(id) });
  const limits = { maxBufferSize: mostMessageBytes + 1 };
  const transport = new StdioServerTransport(process.stdin.pipe(lines), process.stdout, limits);
  const closeTransport = transport.close.bind(transport);
  transport.close = async () => {
    // Otherwise the pipe would keep the process alive.
    process.stdin.unpipe(lines).pause();
    await closeTransport();
  };
  const refuse = async (id: string | number | null) => {
    const says = `The message is larger than ${mostMessageBytes} bytes, so it was not read. Send less at once.`;
    const refusal = { jsonrpc: "2.0", id, error: { code: ProtocolErrorCode.InvalidRequest, message: says } };
    // One of null is what the protocol has for a request whose id is not known.
    await transport.send(refusal as JSONRPCMessage).catch(() => {});
  };
  const filters: SubscriptionFilter[] = [];
  const hearers: Hear[] = [];
  const onListen = (hear: Hear) => {
    hearers.push(hear);
    for (const filter of filters) void tell([hear], filter);
  };
  let clientName: string | undefined;
  const makeServer = () => {
    const tools = toolsFor(clientName);
    const watch = tools.memories && createMemoryWatch(tools.memories);
    return createMcpServer({ ...options, ...tools, watch, onListen });
  };
  const handle = serveStdio(makeServer, {
    transport,
    onerror: (error) => log("error", "mcp transport", { message: error.message }),
  });
  // The SDK keeps to itself what a modern client listens for; who looks for changes has to know it too.
  const deliver = transport.onmessage;
  transport.onmessage = (received: JSONRPCMessage) => {
    const message = completeGreeting(received);
    // A server is made for the first message, and one process has one client.
    clientName ??= clientNameIn(message);
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
