import { type ErrorCode, isRecollectError, type Log, type RecollectError } from "../../app.ts";
import type { ApiConflictData } from "./contract/document.ts";
import type { ApiFailure } from "./contract/failure.ts";
import type { ApiGuardFinding } from "./contract/guard.ts";
import { toGuardFindings } from "./guard-finding.ts";

/** The one place where an error becomes a status. */
export const statusOf: Readonly<Record<ErrorCode, number>> = {
  INVALID_PATH: 400,
  INVALID_CONTENT: 400,
  INVALID_ARGUMENT: 400,
  READ_ONLY: 403,
  NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  TOO_LARGE: 413,
  SENSITIVE_CONTENT: 422,
  NOT_A_DOCUMENT: 422,
  NOT_UTF8: 422,
  PERMISSION_DENIED: 500,
  STORAGE_FAILED: 500,
  UNSUPPORTED_FORMAT: 500,
  RECOVERY_NEEDED: 500,
  SYNC_FAILED: 502,
  BUSY: 503,
  TOO_MANY_OPEN_FILES: 503,
  DISK_FULL: 507,
};

const retrySeconds = "1";

/** Somebody else's change came first; shows what is there now, to who may read it. */
export class SaveConflict extends Error {
  readonly current: ApiConflictData["current"];

  constructor(message: string, current: ApiConflictData["current"]) {
    super(message);
    this.current = current;
  }
}

export function toFailure(error: unknown, log: Log): Response {
  if (error instanceof SaveConflict) {
    return respond(409, "CONFLICT", error.message, { current: error.current });
  }
  if (!isRecollectError(error)) {
    log("error", "http api", { message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    return respond(500, "INTERNAL", "Something went wrong here. The server's log says what.");
  }
  const status = statusOf[error.code];
  if (status >= 500) log("warning", "http api", { code: error.code, message: error.message });
  return respond(status, error.code, messageOf(error), dataOf(error), status === 503);
}

/** A path that there is, with another method, or none at all. */
export function notHere(methods: readonly string[]): Response {
  if (methods.length === 0) return respond(404, "NOT_FOUND", "There is nothing here.");
  const response = respond(405, "METHOD_NOT_ALLOWED", `Use ${methods.join(" or ")}.`);
  response.headers.set("allow", methods.join(", "));
  return response;
}

/** For what only an admin may know of: to others there is no such path. */
export function hidden(): Response {
  return notHere([]);
}

function respond(
  status: number,
  code: string,
  message: string,
  data?: Readonly<Record<string, unknown>>,
  mayRetry = false,
): Response {
  const body: ApiFailure = { error: { code, message, ...(data === undefined ? {} : { data }) } };
  return Response.json(body, { status, headers: mayRetry ? { "retry-after": retrySeconds } : {} });
}

/** A record of the server's own lies in a folder that is nobody's business here. */
function messageOf({ message, data }: RecollectError): string {
  if (typeof data["record"] !== "string") return message;
  return "The server cannot read one of its own records. Who runs it finds out more with: recollect doctor";
}

/** Only what is known to be fit for everybody: other data may name places of the host. */
function dataOf({ code, data }: RecollectError): Readonly<Record<string, unknown>> | undefined {
  switch (code) {
    case "SENSITIVE_CONTENT":
      return { findings: findingsIn(data["findings"]) };
    case "TOO_LARGE":
      return pick(data, ["size", "limit"]);
    case "INVALID_PATH":
      return pick(data, ["rule"]);
    case "INVALID_ARGUMENT":
      return pick(data, ["parameter"]);
    default:
      return undefined;
  }
}

function findingsIn(findings: unknown): readonly ApiGuardFinding[] {
  return Array.isArray(findings) ? toGuardFindings(findings) : [];
}

function pick(data: RecollectError["data"], names: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  const found = names.filter((name) => data[name] !== undefined);
  return found.length === 0 ? undefined : Object.fromEntries(found.map((name) => [name, data[name]]));
}
