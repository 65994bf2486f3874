import type { Hono } from "hono";
import type { AllowList, Log, Tokens, Workspace } from "../../app.ts";
import type { HttpEnv } from "../principal.ts";
import type { GuardReport } from "./guard-report.ts";
import type { Overviews } from "./overview/overviews.ts";

/** What the routes work on, beside the session of whoever asks. */
export interface ApiServices {
  readonly version: string;
  readonly workspace: Workspace;
  readonly tokens: Tokens;
  readonly allowList: AllowList;
  readonly overviews: Overviews;
  readonly guardReport: GuardReport;
  readonly log: Log;
}

export type Api = Hono<HttpEnv>;
