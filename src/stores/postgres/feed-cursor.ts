import { RecollectError } from "../../core/errors.ts";
import type { Cursor } from "../../core/store.ts";

/** The last change of a space that a follower has seen. */
export interface FeedPosition {
  readonly change: bigint;
  /** What it was of: a database that was set back gives its number to another one. Cursors did not always have it. */
  readonly operation: string | undefined;
}

/** By the names of the spaces. */
type FeedPositions = ReadonlyMap<string, FeedPosition>;

export const beginning: FeedPosition = { change: 0n, operation: undefined };

const longestOperation = 200;

/** Whoever knows only the numbers reads it as well. */
export function toCursor(positions: FeedPositions): Cursor {
  const all = [...positions];
  const changes = Object.fromEntries(all.map(([space, { change }]) => [space, String(change)]));
  const operations = Object.fromEntries(all.map(([space, { operation }]) => [space, operation]));
  return Buffer.from(JSON.stringify({ format: 1, changes, operations })).toString("base64url") as Cursor;
}

/** A cursor comes back from a caller, who may have made it up. */
export function parseCursor(cursor: Cursor): Map<string, FeedPosition> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(String(cursor), "base64url").toString("utf8"));
    const { format, changes, operations } = parsed as { format?: unknown; changes?: unknown; operations?: unknown };
    if (format !== 1) throw new SyntaxError("no cursor");
    const operationOf = entriesOf(operations ?? {});
    return new Map(
      [...entriesOf(changes)].map(([space, change]) => [
        space,
        { change: toNumber(change), operation: toOperation(operationOf.get(space)) },
      ]),
    );
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    throw new RecollectError("INVALID_ARGUMENT", "This is not a cursor of the change feed. Begin without one.");
  }
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== "object" || value === null) throw new SyntaxError("no cursor");
  return new Map(Object.entries(value));
}

function toNumber(change: unknown): bigint {
  if (typeof change !== "string" || !/^\d{1,18}$/.test(change)) throw new SyntaxError("no number of a change");
  return BigInt(change);
}

/** No text in the database holds a NUL. */
function toOperation(operation: unknown): string | undefined {
  if (operation === undefined) return undefined;
  const isText = typeof operation === "string" && operation.length <= longestOperation && !operation.includes("\0");
  if (!isText) throw new SyntaxError("no operation");
  return operation;
}
