import { randomBytes } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { RecollectError, type Workspace } from "../app.ts";
import { inTime } from "../kernel/in-time.ts";
import { authorOfClient } from "../mcp/client-author.ts";
import type { McpFixtures } from "../mcp/server.ts";
import { createApi } from "./api/api.ts";
import { createApp, type HttpLimits } from "./app.ts";
import { createArrivals } from "./arrivals.ts";
import { createAuthenticate } from "./authenticate.ts";
import { loadDashboardFiles } from "./dashboard-files.ts";
import { createMcpEndpoint } from "./mcp-endpoint.ts";
import { createJwtCheck, type OAuthOptions } from "./oauth.ts";
import type { Principal } from "./principal.ts";
import { createSeats } from "./seats.ts";
import { servedOrigins } from "./served-origins.ts";
import { createStreams } from "./streams.ts";

export interface ServeOptions {
  readonly workspace: Workspace;
  readonly version: string;
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
  readonly limits: HttpLimits;
  readonly oauth: OAuthOptions | undefined;
  /** Whether whoever starts it is given a token that may do everything; it is kept in memory alone. */
  readonly makesToken: boolean;
  /** Where the dashboard was built; by default where a build puts it. */
  readonly dashboardFolder?: string;
  /** For the conformance suite of the protocol alone. */
  readonly fixtures?: McpFixtures;
}

export interface RunningServer {
  /** Such as http://127.0.0.1:7325. */
  readonly origin: string;
  readonly secret: string | undefined;
  /** Ends what is under way, for as long as that may take, and then everything. */
  close(): Promise<void>;
}

/** Against clients that send slowly, or nothing, and hold a connection with it. */
const connectionLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 2000,
  maxHeaderSize: 16_384,
};
const mostConnections = 2048;
/** Streams say something every 15 s; what is silent for longer than any answer takes is gone, or does not read. */
const silentMs = 60_000;
const drainMs = 10_000;
const drainLookMs = 20;
const streamLimits = { most: 512, mostEach: 64, checkEveryMs: 1000, checkMs: 5000 };

/** `recollect serve`: MCP over HTTP, the JSON API and the dashboard on one port (WEB-1). */
export async function serveHttp(options: ServeOptions): Promise<RunningServer> {
  const { workspace, version, limits, oauth } = options;
  const { log } = workspace;
  const { server, port, handleWith } = await listen(options);
  const origins = servedOrigins(options.host, port, options.addresses);
  const secret = options.makesToken ? `rcl_${randomBytes(32).toString("base64url")}` : undefined;
  const seats = createSeats(workspace);
  const streams = createStreams(streamLimits);
  const mcp = createMcpEndpoint({ version, log, fixtures: options.fixtures });
  const arrivals = createArrivals();
  server.on("connection", arrivals.arrived);
  let isReady = true;
  const app = createApp({
    version,
    origins,
    limits,
    arrivals,
    oauth,
    seats,
    streams,
    mcp,
    authenticate: createAuthenticate({
      tokens: workspace.tokens,
      own: secret === undefined ? undefined : { secret, principal: ownPrincipal(workspace) },
      jwt: oauth && { check: createJwtCheck(oauth), agentClaim: oauth.agentClaim },
      memoryRoots: workspace.roots.filter(({ kind }) => kind !== "agent").map(({ name }) => name),
      onUnavailable: (message) => log("warning", "tokens", { message }),
    }),
    api: createApi({ version, workspace }),
    dashboard: loadDashboardFiles(options.dashboardFolder === undefined ? undefined : [options.dashboardFolder]),
    isReady: () => isReady,
    databaseHealth: workspace.databaseHealth,
    onManyStrangers: (address) => log("warning", "many unknown tokens", { address }),
    onError: (error) => log("error", "http", { message: error instanceof Error ? (error.stack ?? "") : String(error) }),
  });
  const stopWatching = workspace.onChanged(() => seats.changed());
  handleWith(app.fetch);
  return {
    origin: origins[0] ?? "",
    secret,
    close: async () => {
      isReady = false;
      stopWatching();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      streams.endAll();
      await drained();
      await mcp.close();
      server.closeIdleConnections();
      await inTime(closed, 1000, () => undefined);
      server.closeAllConnections();
      await closed;
    },
  };

  /** An answer that was begun is sent to its end. */
  async function drained(): Promise<void> {
    const until = Date.now() + drainMs;
    while (app.busy() > 0 && Date.now() < until) await setTimeout(drainLookMs);
  }
}

/** Listens before there is an app: under which port it is reached, it has to know. */
async function listen({ host, port, limits }: Pick<ServeOptions, "host" | "port" | "limits">) {
  let handle: ReturnType<typeof getRequestListener> | undefined;
  const answer: RequestListener = (request, response) => void handle?.(request, response);
  const server: Server = createServer(connectionLimits, answer);
  // Whoever asks first whether to send is told so once it is known who that is.
  server.on("checkContinue", answer);
  server.maxConnections = mostConnections;
  server.setTimeout(silentMs + limits.requestMs);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
    server.listen({ host, port }, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    server,
    port: address.port,
    handleWith: (fetch: Parameters<typeof getRequestListener>[0]) => {
      handle = getRequestListener(fetch, { errorHandler: () => new Response(null, { status: 400 }) });
    },
  };
}

function cannotListen({ code }: NodeJS.ErrnoException, host: string, port: number): RecollectError {
  const says: Readonly<Record<string, string>> = {
    EADDRINUSE: "another program listens there. Choose another port with --port, or a free one with --port 0",
    EACCES: "this user may not use that port. Choose one above 1023 with --port",
    EADDRNOTAVAIL: "this machine has no such address. Give one of its own with --host",
    ENOTFOUND: "this machine has no such name. Give one of its own with --host",
  };
  const why = says[code ?? ""] ?? `the system says ${code}`;
  return new RecollectError("INVALID_ARGUMENT", `Cannot listen on ${host}, port ${port}: ${why}.`);
}

/** The person who starts a server may do with it what they may do without. Their clients write under their own names. */
function ownPrincipal({ bearer, person }: Workspace): Principal {
  return {
    key: "own",
    credential: "who started the server",
    bearer: { ...bearer, author: person, run: undefined },
    authorOfClient: (name) => authorOfClient(bearer, name),
    isAdmin: true,
  };
}
