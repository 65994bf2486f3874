import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { rpcFailure } from "./failure.ts";

/** A session of the protocol's era that has them (2025-11-25 and before). */
interface LegacySession {
  /** The credential that opened it: for every other one it does not exist. */
  readonly key: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  lastUsed: number;
}

export interface LegacySessions {
  handle(request: LegacyRequest): Promise<Response>;
  readonly count: number;
  close(): Promise<void>;
}

interface LegacyRequest {
  readonly request: Request;
  readonly key: string;
  /** Undefined for a request without a body. */
  readonly body: unknown;
  /** A server of its own for a new session. */
  readonly makeServer: () => Promise<McpServer>;
}

export interface LegacySessionsOptions {
  readonly most: number;
  readonly mostEach: number;
  readonly idleMs: number;
  readonly now: () => number;
}

const lookEveryMs = 60_000;
const header = "mcp-session-id";

export function createLegacySessions({ most, mostEach, idleMs, now }: LegacySessionsOptions): LegacySessions {
  const sessions = new Map<string, LegacySession>();
  const timer = setInterval(endIdle, lookEveryMs).unref();

  function endIdle(): void {
    for (const [id, { lastUsed }] of sessions) if (now() - lastUsed > idleMs) void end(id);
  }

  async function end(id: string): Promise<void> {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.transport.close();
  }

  /** The one that was not used for longest makes room: its client begins anew. */
  async function makeRoom(key: string): Promise<void> {
    const byUse = [...sessions].toSorted(([, left], [, right]) => left.lastUsed - right.lastUsed);
    const own = byUse.filter(([, session]) => session.key === key);
    const [oldest] = own.length >= mostEach ? own : byUse;
    if (oldest && (own.length >= mostEach || sessions.size >= most)) await end(oldest[0]);
  }

  async function open({ request, key, body, makeServer }: LegacyRequest): Promise<Response> {
    await makeRoom(key);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { key, transport, lastUsed: now() }),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const server = await makeServer();
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: body });
    // Refused before it was a session.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  return {
    handle: async (asked) => {
      const { request, key, body } = asked;
      const id = request.headers.get(header);
      if (id === null) {
        if (request.method === "POST" && beginsSession(body)) return open(asked);
        return rpcFailure(400, -32_000, `Bad Request: ${header} is required.`);
      }
      const session = sessions.get(id);
      if (session?.key !== key) return rpcFailure(404, -32_001, "Session not found");
      session.lastUsed = now();
      return session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
    },
    get count() {
      return sessions.size;
    },
    close: async () => {
      clearInterval(timer);
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}

function beginsSession(body: unknown): boolean {
  return Array.isArray(body) ? body.some(isInitializeRequest) : isInitializeRequest(body);
}
