import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { BackendHealth } from "../app.ts";
import { type Admission, createAdmission } from "./admission.ts";
import type { Arrivals } from "./arrivals.ts";
import type { Authenticated } from "./authenticate.ts";
import type { DashboardFiles } from "./dashboard-files.ts";
import { failure, tooOften } from "./failure.ts";
import { identify } from "./identify.ts";
import { type McpEndpoint, opensStream } from "./mcp-endpoint.ts";
import { createMetrics } from "./metrics.ts";
import type { OAuthOptions } from "./oauth.ts";
import { createOriginGuard } from "./origin-guard.ts";
import type { HttpEnv } from "./principal.ts";
import { createRateLimit } from "./rate-limit.ts";
import { createBudget } from "./request-body.ts";
import { endInTime, keepStream, takeBody, takeTurn } from "./request-limits.ts";
import { metadataPath, metadataUrlOf, resourceMetadata } from "./resource-metadata.ts";
import type { Seats } from "./seats.ts";
import { addSecurityHeaders } from "./security-headers.ts";
import { createSignIns } from "./sign-ins.ts";
import type { Streams } from "./streams.ts";

/** How much is taken on (WEB-1). */
export interface HttpLimits {
  readonly bodyBytes: number;
  readonly requestsPerMinute: number;
  readonly requestMs: number;
  /** How many requests are worked on at once. */
  readonly atOnce: number;
  readonly mostWaiting: number;
}

export interface AppOptions {
  readonly version: string;
  /** Under which addresses it is reached, such as http://127.0.0.1:7325. */
  readonly origins: readonly string[];
  readonly limits: HttpLimits;
  readonly arrivals: Arrivals;
  readonly authenticate: (authorization: string | undefined | null) => Promise<Authenticated>;
  readonly oauth: OAuthOptions | undefined;
  readonly seats: Seats;
  readonly streams: Streams;
  readonly mcp: McpEndpoint;
  readonly api: Hono<HttpEnv>;
  readonly dashboard: DashboardFiles;
  /** Whether new work is taken on. */
  readonly isReady: () => boolean;
  /** How the database is that the memory lies in; undefined where it lies in none. */
  readonly databaseHealth: () => Promise<BackendHealth | undefined>;
  /** Told of an address from which too many credentials come that are none. */
  readonly onManyStrangers: (address: string) => void;
  /** Told of what no handler expected. */
  readonly onError: (error: unknown) => void;
}

export interface App {
  readonly fetch: Hono<HttpEnv>["fetch"];
  readonly request: Hono<HttpEnv>["request"];
  /** How many requests are worked on or wait for it. */
  busy(): number;
}

/** A request waits at most so long for its turn. */
const waitMs = 5000;
/** All bodies that are held at once, and those of one credential. */
const heldBytes = { most: 128 * 1024 * 1024, mostEach: 32 * 1024 * 1024 };
/** All bodies that are on their way at once, and those of one credential. */
const bodiesUnderWay = { most: 1024, mostEach: 256 };
/** A body arrives within this time, before the connection as a whole is ended. */
const arriveMs = 20_000;
const eventsPath = "/api/events";

/** From a request to its answer, without a socket. What it serves, and in which order doors are passed, is said here. */
export function createApp(options: AppOptions): App {
  const { limits, oauth, streams, mcp, arrivals } = options;
  const app = new Hono<HttpEnv>();
  const guard = createOriginGuard(options.origins);
  const metrics = createMetrics({ version: options.version, now: Date.now });
  const rate = createRateLimit({ perMinute: limits.requestsPerMinute, now: Date.now });
  const admission = createAdmission({ atOnce: limits.atOnce, mostWaiting: limits.mostWaiting, waitMs });
  const bytes = createBudget({
    most: Math.max(heldBytes.most, limits.bodyBytes),
    mostEach: Math.max(heldBytes.mostEach, limits.bodyBytes),
  });
  const metadataUrl = oauth && metadataUrlOf(oauth, options.origins);
  const signIns = createSignIns({ now: Date.now, onMany: options.onManyStrangers });
  const passIdentity = identify({ ...options, rate, signIns, metadataUrl });
  const passReady: MiddlewareHandler<HttpEnv> = async (_, next) => {
    if (!options.isReady()) return failure(503, "STOPPING", "The server stops.", { connection: "close" });
    await next();
  };
  const passBody = takeBody({
    mostBytes: limits.bodyBytes,
    arriveMs,
    bytes,
    underWay: createBudget(bodiesUnderWay),
  });
  const passStream = keepStream(streams);
  const passInTime = endInTime(limits.requestMs);
  const passTurn = takeTurn({ admission, arrivals, mostMs: limits.requestMs });

  app.use(async (c, next) => {
    const begun = performance.now();
    const refused = guard(c.req.raw);
    if (refused) c.res = refused;
    else await next();
    addSecurityHeaders(c.res);
    const seconds = (performance.now() - begun) / 1000;
    metrics.answered({ route: routeOf(c.req.path), status: c.res.status, seconds });
  });
  app.onError((error) => {
    options.onError(error);
    return failure(500, "INTERNAL", "Something went wrong here. The server's log says what.");
  });
  app.notFound(() => failure(404, "NOT_FOUND", "There is nothing here."));

  app.get("/healthz", (c) => c.text("alive\n"));
  app.get("/readyz", async (c) => {
    if (!options.isReady()) return c.text("stopping\n", 503);
    const health = await options.databaseHealth();
    if (health?.kind === "down") return c.text("the database cannot be reached\n", 503);
    return c.text(health?.kind === "slow" ? `ready, but the database is slow (${health.ms} ms)\n` : "ready\n");
  });
  if (oauth) {
    // RFC 9728 puts the path of the resource behind it.
    for (const path of [metadataPath, `${metadataPath}/mcp`]) app.get(path, (c) => c.json(resourceMetadata(oauth)));
  }

  app.use("/mcp", passReady, passIdentity, passBody);
  app.on(["GET", "POST", "DELETE"], "/mcp", async (c) => {
    const request = c.req.raw;
    const parsed = mcp.parse(request, c.get("body"));
    if (parsed instanceof Response) return parsed;
    const { body, messages } = parsed;
    // The first was counted at the door.
    const wait = messages > 1 ? rate.take(c.get("principal").key, messages - 1) : 0;
    if (wait > 0) return tooOften(wait);
    const door = opensStream(request, body) ? passStream : passInTime;
    return passBoth(c, [door, passTurn], async () => {
      c.res = await mcp.handle(request, c.get("seat"), { body, turn: c.get("turn") });
    });
  });
  app.all("/mcp", () => failure(405, "METHOD_NOT_ALLOWED", "Use POST, GET or DELETE.", { allow: "GET, POST, DELETE" }));

  app.use("/api/*", passReady, passIdentity, passBody);
  app.use("/api/*", (c, next) => (c.req.path === eventsPath ? passStream : passTurn)(c, next));
  app.route("/api", options.api);
  app.use("/metrics", passIdentity);
  app.get("/metrics", async (c) => {
    // They tell of everybody.
    if (!c.get("principal").isAdmin) return c.notFound();
    const ofDatabase = databaseGauges(await options.databaseHealth());
    const figures = metrics.render({ ...gauges(admission, streams, mcp), ...ofDatabase });
    return c.body(figures, 200, { "content-type": "text/plain; version=0.0.4" });
  });
  app.on(["GET", "HEAD"], "*", (c) => options.dashboard.answer(c.req.raw) ?? c.notFound());
  return { fetch: app.fetch, request: app.request, busy: () => admission.working + admission.waiting };
}

/** The outer door sees what the inner one answers. */
async function passBoth(
  c: Context<HttpEnv>,
  [outer, inner]: readonly [MiddlewareHandler<HttpEnv>, MiddlewareHandler<HttpEnv>],
  work: () => Promise<void>,
): Promise<Response> {
  const refused = await outer(c, async () => {
    const answered = await inner(c, work);
    if (answered) c.res = answered;
  });
  return refused ?? c.res;
}

function gauges(admission: Admission, streams: Streams, mcp: McpEndpoint): Record<string, number> {
  return {
    recollect_http_requests_working: admission.working,
    recollect_http_requests_waiting: admission.waiting,
    recollect_http_streams_open: streams.count,
    recollect_mcp_sessions_open: mcp.sessions,
  };
}

function databaseGauges(health: BackendHealth | undefined): Record<string, number> {
  if (!health) return {};
  return {
    recollect_database_up: health.kind === "down" ? 0 : 1,
    recollect_database_slow: health.kind === "slow" ? 1 : 0,
    recollect_database_latency_seconds: health.ms / 1000,
  };
}

/** One of few: what a client asks for must not become a label. */
function routeOf(path: string): string {
  if (path === "/mcp" || path === "/metrics" || path === "/healthz" || path === "/readyz") return path;
  return path.startsWith("/api/") ? "/api" : "other";
}
