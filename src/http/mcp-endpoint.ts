import { AsyncLocalStorage } from "node:async_hooks";
import {
  type AuthInfo,
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
  type SubscriptionFilter,
} from "@modelcontextprotocol/server";
import { isRecollectError, type Log } from "../app.ts";
import { clientNameIn, completeGreeting } from "../mcp/client-author.ts";
import { follow, toUri } from "../mcp/memory-resources.ts";
import { createMcpServer, type McpFixtures, type McpServerOptions } from "../mcp/server.ts";
import type { Turn } from "./admission.ts";
import { createClientSessions, newRun } from "./client-sessions.ts";
import { rpcFailure } from "./failure.ts";
import { createLegacySessions } from "./legacy-sessions.ts";
import type { Seat } from "./seats.ts";
import { isEventStream, withEnd } from "./streams.ts";

export interface McpEndpoint {
  /** What a request with a body asks; a failure where it is none of the protocol. */
  parse(request: Request, text: string): McpMessages | Response;
  handle(request: Request, seat: Seat, asked: { readonly body: unknown; readonly turn: Turn }): Promise<Response>;
  readonly sessions: number;
  close(): Promise<void>;
}

interface McpMessages {
  /** Undefined for a request without one. */
  readonly body: unknown;
  /** How many there are in it: a batch has several. */
  readonly messages: number;
}

export interface McpEndpointOptions {
  readonly version: string;
  readonly log: Log;
  readonly fixtures: McpFixtures | undefined;
}

const idleMs = 30 * 60_000;
const legacyLimits = { most: 1000, mostEach: 100, idleMs };
const modernLimits = { mostEach: 100, idleMs };
/** They are worked on one after the other, and each counts as a request. */
const mostInBatch = 20;

/**
 * MCP over streamable HTTP for both eras. A handler of the SDK, with all that it tells of changes, belongs to one
 * credential: one that is shared leaks answers between its clients.
 */
export function createMcpEndpoint({ version, log, fixtures }: McpEndpointOptions): McpEndpoint {
  const legacy = createLegacySessions({ ...legacyLimits, now: Date.now });
  const modern = createClientSessions({ ...modernLimits, now: Date.now });
  const handlers = new WeakMap<Seat, McpHttpHandler>();
  const listening = new Set<McpHttpHandler>();
  /** In whose turn a server works: one with a session works for many requests. */
  const turns = new AsyncLocalStorage<Turn>();

  function makeServer({ watch }: Seat, served: Omit<McpServerOptions, "version">) {
    const around = <T>(work: () => Promise<T>) => turns.getStore()?.inOrder(work) ?? work();
    return createMcpServer({ version, ...served, watch, fixtures, around });
  }

  function makeHandler(seat: Seat): McpHttpHandler {
    return createMcpHandler(
      ({ authInfo }) => {
        const asked = authInfo?.extra?.["asked"];
        const tools = modern.toolsOf(seat, clientNameIn(asked));
        return makeServer(seat, { ...tools, isForOneRequest: true, ...neededFor(asked) });
      },
      {
        legacy: "reject",
        onerror: (error) => log("debug", "mcp over http", { message: error.message }),
      },
    );
  }

  function handlerOf(seat: Seat): McpHttpHandler {
    const handler = handlers.get(seat) ?? makeHandler(seat);
    handlers.set(seat, handler);
    return handler;
  }

  /** With a handler and a listener of its own: what one client listens for is nothing to another of its credential. */
  async function listen(request: Request, seat: Seat, body: unknown, filter: SubscriptionFilter): Promise<Response> {
    const handler = makeHandler(seat);
    const { notify } = handler;
    const listener = seat.watch.listen({
      updated: (name) => notify.resourceUpdated(toUri(name)),
      listChanged: () => notify.resourcesChanged(),
    });
    listening.add(handler);
    const end = () => {
      listener.end();
      listening.delete(handler);
    };
    try {
      // Known before it is acknowledged, so that no change after that is missed.
      await follow(listener, filter);
      const response = await handler.fetch(request, { authInfo: authInfoOf(seat), parsedBody: body });
      if (isEventStream(response)) return withEnd(response, end).response;
      end();
      return response;
    } catch (error) {
      end();
      if (isRecollectError(error) && error.code === "BUSY") return rpcFailure(503, -32_000, error.message);
      throw error;
    }
  }

  async function handleModern(request: Request, seat: Seat, body: unknown): Promise<Response> {
    const method = methodIn(body);
    const filter = method === listenMethod ? filterIn(body) : undefined;
    if (filter) return listen(request, seat, body, filter);
    return handlerOf(seat).fetch(request, { authInfo: authInfoOf(seat, { asked: body }), parsedBody: body });
  }

  return {
    parse: (request, text) => {
      if (request.method !== "POST") return { body: undefined, messages: 1 };
      if (!isJsonContentType(request.headers.get("content-type"))) {
        return rpcFailure(415, -32_000, "Unsupported Media Type: Content-Type must be application/json");
      }
      try {
        const body: unknown = JSON.parse(text);
        const messages = Array.isArray(body) ? body.length : 1;
        return messages > mostInBatch ? tooManyInBatch() : { body, messages };
      } catch {
        return rpcFailure(400, -32_700, "Parse error: the request body is not valid JSON");
      }
    },
    handle: (request, seat, { body, turn }) =>
      turns.run(turn, async () => {
        const isLegacy = request.method !== "POST" || (await isLegacyRequest(request, body));
        if (!isLegacy) return handleModern(request, seat, body);
        const own = () => makeServer(seat, seat.toolsFor({ name: clientNameIn(body), run: newRun() }));
        return legacy.handle({ request, key: seat.principal.key, body: completeGreeting(body), makeServer: own });
      }),
    get sessions() {
      return legacy.count;
    },
    close: async () => {
      await Promise.all([...listening].map((handler) => handler.close()));
      await legacy.close();
    },
  };
}

const listenMethod = "subscriptions/listen";

/** Whether it is answered for as long as the client listens. */
export function opensStream(request: Request, body: unknown): boolean {
  return request.method === "GET" || methodIn(body) === listenMethod;
}

/** Who it is, and never by what it was known. */
function authInfoOf({ principal }: Seat, extra: Record<string, unknown> = {}): AuthInfo {
  return { token: "", clientId: principal.key, scopes: [], extra };
}

/** How much of a server it takes to answer this. */
function neededFor(asked: unknown): Pick<McpServerOptions, "saysWhatThereIs" | "tool"> {
  const method = methodIn(asked);
  const name = method === "tools/call" ? (asked as { params?: { name?: unknown } }).params?.name : undefined;
  return { saysWhatThereIs: method === "server/discover", tool: typeof name === "string" ? name : undefined };
}

function tooManyInBatch(): Response {
  return rpcFailure(400, -32_600, `Invalid Request: a batch has at most ${mostInBatch} messages. Send several.`);
}

function methodIn(body: unknown): unknown {
  return typeof body === "object" && body !== null && "method" in body ? body.method : undefined;
}

/** What makes no sense is for the protocol to refuse. */
function filterIn(body: unknown): SubscriptionFilter | undefined {
  const filter = (body as { params?: { notifications?: SubscriptionFilter } }).params?.notifications;
  if (typeof filter !== "object" || filter === null) return undefined;
  const { resourceSubscriptions: uris, resourcesListChanged } = filter;
  return {
    resourceSubscriptions: Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [],
    resourcesListChanged: resourcesListChanged === true,
  };
}
