import { Hono } from "hono";
import { createGuard, type Workspace } from "../../app.ts";
import type { HttpEnv } from "../principal.ts";
import { registerAgents } from "./agents.ts";
import { notHere, toFailure } from "./api-failure.ts";
import { registerConflicts } from "./conflicts.ts";
import { registerDocument } from "./document.ts";
import { registerEvents } from "./events.ts";
import { registerFolder } from "./folder.ts";
import { registerGuard } from "./guard.ts";
import { createGuardReport } from "./guard-report.ts";
import { registerHistory } from "./history.ts";
import { createOverviews } from "./overview/overviews.ts";
import { registerOverview } from "./overview.ts";
import { registerSearch } from "./search.ts";
import type { ApiServices } from "./services.ts";
import { registerSession } from "./session.ts";
import { registerTokens } from "./tokens.ts";
import { registerTopics } from "./topics.ts";

export interface ApiOptions {
  readonly version: string;
  readonly workspace: Workspace;
}

/**
 * The JSON API that contract/ describes, to be mounted at `/api`. Whoever mounts it has asked for a credential first
 * and put `principal` and `session` into the context.
 */
export function createApi({ version, workspace }: ApiOptions): Hono<HttpEnv> {
  const { tokens, allowList } = workspace;
  const { "guard.policy": policy } = workspace.settings.values;
  const services: ApiServices = {
    version,
    workspace,
    tokens,
    allowList,
    overviews: createOverviews(workspace),
    guardReport: createGuardReport(workspace, { guard: createGuard({ policy, allowed: new Set() }) }),
    log: workspace.log,
  };
  const api = new Hono<HttpEnv>();
  api.use(async (c, next) => {
    await next();
    c.res.headers.set("cache-control", "no-store");
  });
  for (const register of [
    registerSession,
    registerOverview,
    registerFolder,
    registerDocument,
    registerSearch,
    registerHistory,
    registerTopics,
    registerConflicts,
    registerGuard,
    registerAgents,
    registerTokens,
    registerEvents,
  ]) {
    register(api, services);
  }
  const methods = Map.groupBy(api.routes, ({ path }) => path);
  api.all("*", (c) => notHere(methodsAt(methods, c.req.path)));
  api.onError((error) => toFailure(error, workspace.log));
  return api;
}

/** Of the route that a path ends with, wherever this is mounted. */
function methodsAt(routes: ReadonlyMap<string, readonly { readonly method: string }[]>, path: string): string[] {
  const found = [...routes].find(([route]) => route !== "/*" && path.replace(/^\/api(?=\/)/, "") === route);
  // What is asked by every method comes before the handlers, and is none.
  return found?.[1].map(({ method }) => method).filter((method) => method !== "ALL") ?? [];
}
