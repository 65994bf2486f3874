import { Transform, type TransformCallback } from "node:stream";
import { type JSONRPCMessage, ProtocolErrorCode, type SubscriptionFilter } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Log } from "../app.ts";
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
    // A server is made for the first message, and one process has one client, which says once what it is called.
    const message = clientName === undefined ? completeGreeting(received) : received;
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

interface BoundedLinesOptions {
  /** How many bytes a line may have, without its end. */
  readonly mostBytes: number;
  /** Told of each line that has more, once it ends: the id of the request in it, or null where that is not easily found. */
  readonly onTooLong: (id: string | number | null) => void;
}

const newline = 0x0a;
const endBytes = 1024;

/**
 * Passes lines on whole, and leaves out those that are too long, so that one of them does not end the connection for
 * all others. Holds at most one line of the allowed size.
 */
export function createBoundedLines({ mostBytes, onTooLong }: BoundedLinesOptions): Transform {
  let held: Buffer[] = [];
  let size = 0;
  /** The beginning and the end of a line that is left out. */
  let skipped: { readonly head: string; tail: Buffer } | undefined;

  function take(part: Buffer): void {
    size += part.length;
    if (skipped) skipped.tail = Buffer.concat([skipped.tail, part]).subarray(-endBytes);
    else held.push(part);
    if (skipped || size <= mostBytes) return;
    const line = Buffer.concat(held);
    skipped = { head: line.toString("latin1", 0, endBytes), tail: Buffer.from(line.subarray(-endBytes)) };
    held = [];
  }

  /** The line that has just ended; undefined where it is left out. */
  function endLine(): Buffer | undefined {
    const line = skipped ? undefined : Buffer.concat([...held, Buffer.of(newline)]);
    if (skipped) onTooLong(idIn(skipped.head, skipped.tail.toString("latin1")));
    [held, size, skipped] = [[], 0, undefined];
    return line;
  }

  return new Transform({
    transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback) {
      let at = 0;
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, at)) {
        take(chunk.subarray(at, end));
        const line = endLine();
        if (line) this.push(line);
        at = end + 1;
      }
      if (at < chunk.length) take(chunk.subarray(at));
      done();
    },
    flush(done: TransformCallback) {
      if (skipped) endLine();
      done();
    },
  });
}

const idForm = '("[\\w.:-]{1,200}"|-?\\d{1,15})';
const idAtFirst = new RegExp(
  `^\\s*\\{\\s*(?:"(?:jsonrpc|method)"\\s*:\\s*"[^"\\\\]*"\\s*,\\s*)*"id"\\s*:\\s*${idForm}\\s*[,}]`,
);
/** A single brace after it: it is a member of the message itself. */
const idAtLast = new RegExp(
  `,\\s*"id"\\s*:\\s*${idForm}\\s*(?:,\\s*"(?:jsonrpc|method)"\\s*:\\s*"[^"\\\\]*"\\s*)*\\}\\s*$`,
);

/** Where clients put it: before the parameters, or after them. */
function idIn(head: string, tail: string): string | number | null {
  const found = (idAtFirst.exec(head) ?? idAtLast.exec(tail))?.[1];
  return found === undefined ? null : (JSON.parse(found) as string | number);
}
