import { join } from "node:path";
import { Hono } from "hono";
import { afterEach } from "vitest";
import { type Bearer, openWorkspace, type SettingFlags, type Workspace } from "../../../src/app.ts";
import { createApi } from "../../../src/http/api/api.ts";
import type { ApiFailure } from "../../../src/http/api/contract/failure.ts";
import type { HttpEnv } from "../../../src/http/principal.ts";
import { type MemoryWorld, memoryWorld } from "../../helpers/memory-world.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";

/** Who asks, by the word that stands for a token. */
interface Asker extends Bearer {
  readonly isAdmin?: boolean;
}

interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
  /** Byte for byte. */
  readonly text: string;
  readonly headers: Headers;
}

/** A real workspace behind the API, as whoever has found out who asks would serve it. */
export interface ApiWorld extends MemoryWorld {
  readonly workspace: Workspace;
  readonly data: string;
  /** As the admin, unless another one is named. */
  get<Body>(path: string, query?: Record<string, string>, who?: string): Promise<Answer<Body>>;
  send<Body>(method: string, path: string, body?: unknown, who?: string): Promise<Answer<Body>>;
  request(path: string, init?: RequestInit, who?: string): Promise<Response>;
  failure(answer: Promise<Answer<unknown>>): Promise<{ status: number } & ApiFailure["error"]>;
}

export interface ApiWorldOptions {
  /** Asked for after `before`. */
  readonly flags?: SettingFlags | (() => SettingFlags);
  readonly askers?: Readonly<Record<string, Asker>>;
  /** Files that are there before the workspace is opened. */
  readonly before?: (world: MemoryWorld) => void;
}

export function apiWorlds(): (options?: ApiWorldOptions) => Promise<ApiWorld> {
  const folders = temporaryFolders();
  const open: Workspace[] = [];
  afterEach(async () => {
    for (const workspace of open.splice(0)) await workspace.close();
  });
  return async ({ flags = {}, askers = {}, before } = {}) => {
    const world = memoryWorld(folders.make());
    before?.(world);
    const workspace = await openWorkspace({
      cwd: world.project,
      env: { ...world.env },
      home: world.home,
      flags: typeof flags === "function" ? flags() : flags,
      stays: true,
      log: () => {},
    });
    open.push(workspace);
    const all: Readonly<Record<string, Asker>> = { admin: { author: "person:ada", isAdmin: true }, ...askers };
    const data = join(world.home, ".local/share/recollect");
    const app = host(workspace, all);

    const request = async (path: string, init: RequestInit = {}, who = "admin") =>
      app.request(`/api${path}`, { ...init, headers: { authorization: `Bearer ${who}`, ...init.headers } });
    const answer = async <Body>(response: Response): Promise<Answer<Body>> => {
      const text = await response.text();
      return { status: response.status, body: JSON.parse(text) as Body, text, headers: response.headers };
    };
    return {
      ...world,
      workspace,
      data,
      request,
      get: async (path, query = {}, who) => answer(await request(`${path}?${new URLSearchParams(query)}`, {}, who)),
      send: async (method, path, body, who) => {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
        return answer(await request(path, { method, headers, ...sent }, who));
      },
      failure: async (given) => {
        const { status, body } = await given;
        return { status, ...(body as ApiFailure).error };
      },
    };
  };
}

function host(workspace: Workspace, askers: Readonly<Record<string, Asker>>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const sessions = new Map(Object.entries(askers).map(([who, bearer]) => [who, workspace.session(bearer)]));
  app.use("/api/*", async (c, next) => {
    const who = c.req.header("authorization")?.slice("Bearer ".length) ?? "";
    const [asker, session] = [askers[who], sessions.get(who)];
    if (!asker || !session) return c.text("no such asker in this test", 401);
    c.set("principal", { key: who, credential: who, bearer: asker, isAdmin: asker.isAdmin ?? false });
    c.set("session", session);
    return next();
  });
  app.route("/api", createApi({ version: "1.2.3", workspace }));
  return app;
}
