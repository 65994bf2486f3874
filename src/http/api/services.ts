import type { Hono } from "hono";
import type { AllowList, GuardReport, Log, Overviews, Tokens, Workspace } from "../../index.ts";
import type { HttpEnv } from "../principal.ts";

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
