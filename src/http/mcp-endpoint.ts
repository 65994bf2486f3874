import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
  type SubscriptionFilter,
} from "@modelcontextprotocol/server";
import type { Log } from "../index.ts";
import { follow, toUri } from "../mcp/memory-resources.ts";
import type { MemoryListener } from "../mcp/memory-watch.ts";
import { createMcpServer, type McpFixtures } from "../mcp/server.ts";
import { createLegacySessions } from "./legacy-sessions.ts";
import { withEnd } from "./response-end.ts";
import { rpcFailure } from "./rpc-failure.ts";
import type { Seat } from "./seats.ts";

export interface McpEndpoint {
  /** What a request with a body asks; a failure where it is none of the protocol. */
  parse(request: Request, text: string): { readonly body: unknown } | Response;
  handle(request: Request, seat: Seat, body: unknown): Promise<Response>;
  readonly sessions: number;
  close(): Promise<void>;
}

export interface McpEndpointOptions {
  readonly version: string;
  readonly log: Log;
  readonly fixtures: McpFixtures | undefined;
}

/** What is open for one credential in the era without sessions. */
interface Modern {
  readonly handler: McpHttpHandler;
  listener: MemoryListener | undefined;
  listening: number;
}

const legacyLimits = { most: 1000, mostEach: 100, idleMs: 30 * 60_000 };
const mostSubscriptions = 64;

/**
 * MCP over streamable HTTP for both eras. A handler of the SDK, with all that it tells of changes, belongs to one
 * credential: one that is shared leaks answers between its clients.
 */
export function createMcpEndpoint({ version, log, fixtures }: McpEndpointOptions): McpEndpoint {
  const legacy = createLegacySessions({ ...legacyLimits, now: Date.now });
  const handlers = new WeakMap<Seat, Modern>();
  const open = new Set<Modern>();

  function makeServer(seat: Seat, about: { isForOneRequest: boolean; saysWhatThereIs: boolean }) {
    return createMcpServer({ version, ...seat.tools, watch: seat.watch, fixtures, ...about });
  }

  function modernOf(seat: Seat): Modern {
    const known = handlers.get(seat);
    if (known) return known;
    const handler = createMcpHandler(
      ({ authInfo }) =>
        makeServer(seat, { isForOneRequest: true, saysWhatThereIs: authInfo?.extra?.["saysWhatThereIs"] === true }),
      {
        legacy: "reject",
        maxSubscriptions: mostSubscriptions,
        onerror: (error) => log("debug", "mcp over http", { message: error.message }),
      },
    );
    const modern: Modern = { handler, listener: undefined, listening: 0 };
    handlers.set(seat, modern);
    return modern;
  }

  /** Known before it is acknowledged, so that no change after that is missed. */
  async function listen(modern: Modern, seat: Seat, filter: SubscriptionFilter): Promise<() => void> {
    const { notify } = modern.handler;
    modern.listener ??= seat.watch.listen({
      updated: (name) => notify.resourceUpdated(toUri(name)),
      listChanged: () => notify.resourcesChanged(),
    });
    modern.listening += 1;
    open.add(modern);
    await follow(modern.listener, filter);
    return () => {
      modern.listening -= 1;
      if (modern.listening > 0) return;
      modern.listener?.end();
      modern.listener = undefined;
      open.delete(modern);
    };
  }

  async function handleModern(request: Request, seat: Seat, body: unknown): Promise<Response> {
    const modern = modernOf(seat);
    const method = methodIn(body);
    const filter = method === listenMethod ? filterIn(body) : undefined;
    const end = filter && (await listen(modern, seat, filter));
    const extra = { saysWhatThereIs: method === "server/discover" };
    // Who it is, and never by what it was known.
    const authInfo = { token: "", clientId: seat.principal.key, scopes: [], extra };
    const response = await modern.handler.fetch(request, { authInfo, parsedBody: body });
    return end ? withEnd(response, end).response : response;
  }

  return {
    parse: (request, text) => {
      if (request.method !== "POST") return { body: undefined };
      if (!isJsonContentType(request.headers.get("content-type"))) {
        return rpcFailure(415, -32_000, "Unsupported Media Type: Content-Type must be application/json");
      }
      try {
        return { body: JSON.parse(text) };
      } catch {
        return rpcFailure(400, -32_700, "Parse error: the request body is not valid JSON");
      }
    },
    handle: async (request, seat, body) => {
      const isLegacy = request.method !== "POST" || (await isLegacyRequest(request, body));
      if (!isLegacy) return handleModern(request, seat, body);
      const own = () => makeServer(seat, { isForOneRequest: false, saysWhatThereIs: true });
      return legacy.handle({ request, key: seat.principal.key, body, makeServer: own });
    },
    get sessions() {
      return legacy.count;
    },
    close: async () => {
      await Promise.all([...open].map(({ handler }) => handler.close()));
      await legacy.close();
    },
  };
}

const listenMethod = "subscriptions/listen";

/** Whether it is answered for as long as the client listens. */
export function opensStream(request: Request, body: unknown): boolean {
  return request.method === "GET" || methodIn(body) === listenMethod;
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
