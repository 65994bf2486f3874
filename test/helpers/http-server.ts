import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type NewToken, openWorkspace, type SettingFlags, type Tokens, type Workspace } from "../../src/app.ts";
import { type RunningServer, type ServeOptions, serveHttp } from "../../src/http/serve.ts";
import type { MemoryWorld } from "./memory-world.ts";

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface HttpRequest {
  readonly method?: string;
  readonly path?: string;
  /** As they are sent; Host is the server's own unless it is given. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

/** A server on a free port of this machine, and its workspace. */
export interface HttpWorld {
  readonly server: RunningServer;
  readonly origin: string;
  readonly host: string;
  readonly workspace: Workspace;
  readonly tokens: Tokens;
  /** Makes a token and gives its secret. */
  token(about?: Partial<NewToken>): Promise<string>;
  /** Without a secret nobody says who asks, unless the headers do. */
  ask(request: HttpRequest, secret?: string): Promise<HttpAnswer>;
  /** A client of the official SDK; `pin` is a revision of the era without sessions. */
  connect(secret: string, pin?: string): Promise<Client>;
  close(): Promise<void>;
}

const generous = { bodyBytes: 1_048_576, requestsPerMinute: 600_000, requestMs: 30_000, atOnce: 16, mostWaiting: 256 };

/** With a workspace of its own, which is closed with it. */
export async function httpWorld(
  world: MemoryWorld,
  options: Partial<ServeOptions> & { readonly flags?: SettingFlags } = {},
): Promise<HttpWorld> {
  const { project, home } = world;
  const { flags, ...others } = options;
  const place = { env: { XDG_CACHE_HOME: world.env["XDG_CACHE_HOME"] ?? "" }, home };
  const workspace = await openWorkspace({ project, ...place, stays: true, ...(flags ? { flags } : {}) });
  const served = await serveWorkspace(workspace, others);
  const close = async () => {
    await served.close();
    await workspace.close();
  };
  return { ...served, close };
}

/** With a workspace that somebody else closes. */
export async function serveWorkspace(workspace: Workspace, options: Partial<ServeOptions> = {}): Promise<HttpWorld> {
  const { tokens } = workspace;
  const server = await serveHttp({
    workspace,
    version: "1.2.3",
    host: "127.0.0.1",
    port: 0,
    addresses: [],
    oauth: undefined,
    makesToken: true,
    ...options,
    limits: { ...generous, ...options.limits },
  });
  const { origin } = server;
  const { host } = new URL(origin);
  const clients: Client[] = [];
  return {
    server,
    origin,
    host,
    workspace,
    tokens,
    token: async (about = {}) => (await tokens.create({ name: "somebody", scopes: ["*:all"], ...about })).secret,
    ask: (asked, secret) => {
      const credential = secret === undefined ? {} : bearer(secret);
      return send(origin, { ...asked, headers: { host, ...credential, ...asked.headers } });
    },
    connect: async (secret, pin) => {
      const client = new Client(
        { name: "recollect-test", version: "1.0.0" },
        pin === undefined ? {} : { versionNegotiation: { mode: { pin } } },
      );
      clients.push(client);
      const requestInit = { headers: bearer(secret) };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }));
      return client;
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
      await server.close();
    },
  };
}

/** One request, byte for byte as it is given: `fetch` would put Host and Origin right. */
export function send(origin: string, { method = "GET", path = "/", headers, body }: HttpRequest): Promise<HttpAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: hostname, port, method, path, headers, setHost: false }, async (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: await text(response) });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

export function bearer(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}` };
}

export function asJson(body: unknown): Pick<HttpRequest, "headers" | "body"> {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** A request of MCP in the era without sessions. */
export function modernCall(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Pick<HttpRequest, "method" | "path" | "headers" | "body"> {
  const name = params["name"] ?? params["uri"];
  return {
    method: "POST",
    path: "/mcp",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  };
}

/** The greeting of the era with sessions. */
export function initialize(): Pick<HttpRequest, "method" | "path" | "headers" | "body"> {
  return {
    method: "POST",
    path: "/mcp",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    }),
  };
}
