import { type ExistingPath, isExistingPath } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { LogRequest } from "../../kernel/root-history.ts";

/** Where a log goes on: below a change, and what the document was called then. */
export interface LogPlace {
  readonly below: bigint;
  readonly path: ExistingPath | undefined;
}

export function toPageToken({ below, path }: LogPlace): string {
  return Buffer.from(JSON.stringify({ below: String(below), path })).toString("base64url");
}

/** It comes back from a caller, who may have made it up. */
export function parsePageToken(token: string, request: LogRequest): LogPlace {
  const { below, path } = fieldsOf(token);
  const isOfDocument = typeof path === "string" && isExistingPath(path);
  // No change has a number that the tables cannot take.
  const isPlace = typeof below === "string" && /^\d{1,18}$/.test(below) && (path === undefined || isOfDocument);
  if (isPlace && isOfDocument === (request.path !== undefined))
    return { below: BigInt(below), path: isOfDocument ? path : undefined };
  throw new RecollectError("INVALID_ARGUMENT", "This is no page of this log. Begin without one.");
}

function fieldsOf(token: string): { readonly below?: unknown; readonly path?: unknown } {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
