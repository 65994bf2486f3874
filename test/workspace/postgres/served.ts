import { onTestFinished } from "vitest";
import { serveHttp } from "../../../src/http/serve.ts";
import type { Workspace, WorkspaceOptions } from "../../../src/index.ts";
import { bearer, type HttpAnswer, type HttpRequest, send } from "../../helpers/http-server.ts";
import type { DatabaseWorld } from "./open-workspaces.ts";

const limits = { bodyBytes: 1_048_576, requestsPerMinute: 600_000, requestMs: 30_000, atOnce: 16, mostWaiting: 256 };

/** One of several servers of the same memory. */
export interface Served {
  readonly workspace: Workspace;
  /** Of whoever started it, who may do everything. */
  readonly own: string;
  ask(request: HttpRequest, secret?: string): Promise<HttpAnswer>;
}

export async function serve(world: DatabaseWorld, options: WorkspaceOptions & { machine: string }): Promise<Served> {
  const workspace = await world.open({ stays: true, ...options });
  const server = await serveHttp({
    workspace,
    version: "1.2.3",
    host: "127.0.0.1",
    port: 0,
    addresses: [],
    oauth: undefined,
    makesToken: true,
    limits,
  });
  onTestFinished(() => server.close());
  const { host } = new URL(server.origin);
  return {
    workspace,
    own: server.secret ?? "",
    ask: (request, secret) => {
      const credential = secret === undefined ? {} : bearer(secret);
      return send(server.origin, { ...request, headers: { host, ...credential, ...request.headers } });
    },
  };
}

export function asJson(body: unknown): Pick<HttpRequest, "headers" | "body"> {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
