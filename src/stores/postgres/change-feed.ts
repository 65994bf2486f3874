import type { ExistingPath } from "../../core/document-path.ts";
import { RecollectError } from "../../core/errors.ts";
import type { Rev } from "../../core/revision.ts";
import type { ChangeKind, ChangePage, ChangeRecord, Cursor } from "../../core/store.ts";
import type { Database, Row, Statement } from "./database.ts";
import type { Spaces } from "./spaces.ts";

/** The number of the last change that a follower has seen, for each space. */
type Positions = ReadonlyMap<string, bigint>;

export async function readChanges(
  database: Database,
  spaces: Spaces,
  { after, limit }: { readonly after?: Cursor | undefined; readonly limit: number },
): Promise<ChangePage> {
  const positions = after === undefined ? new Map<string, bigint>() : parseCursor(after);
  const reached = new Map(positions);
  const records: ChangeRecord[] = [];
  let [more, gap] = [false, false];
  for (const root of spaces.names) {
    const space = spaces.of(root);
    const from = positions.get(space);
    const room = limit - records.length;
    const [[head] = [], rows = []] = await database.read(
      [space],
      headOf(space),
      changesOf(space, from ?? 0n, room + 1),
    );
    const released = BigInt(String(head?.["released"] ?? 0));
    gap ||= from !== undefined && from < released;
    const later = rows.filter(({ change }) => BigInt(String(change)) > released);
    records.push(...later.slice(0, room).map((row) => toRecord(row, root, spaces)));
    more ||= later.length > room;
    const last = later.slice(0, room).at(-1);
    reached.set(space, last ? BigInt(String(last["change"])) : max(from ?? 0n, released));
  }
  return { records, cursor: toCursor(reached), more, gap };
}

/** History has taken what lies up to the cursor. Nothing goes: history itself is made of these rows. */
export async function releaseChanges(database: Database, spaces: Spaces, upTo: Cursor): Promise<void> {
  const own = [...parseCursor(upTo)].filter(([space]) => spaces.rootOf(space) !== undefined);
  if (own.length === 0) return;
  const names = own.map(([space]) => space);
  await database.transaction(names, (transaction) =>
    transaction.commit({
      text: `UPDATE recollect.spaces s SET released = greatest(s.released, upto.change)
        FROM unnest($1::text[], $2::bigint[]) AS upto (space, change)
        WHERE s.space = upto.space AND upto.change <= s.last_change`,
      values: [names, own.map(([, change]) => change)],
    }),
  );
}

function headOf(space: string): Statement {
  return { text: "SELECT released FROM recollect.spaces WHERE space = $1", values: [space] };
}

function changesOf(space: string, after: bigint, limit: number): Statement {
  return {
    text: `SELECT c.* FROM recollect.changes c JOIN recollect.spaces s ON s.space = c.space
      WHERE c.space = $1 AND c.change > $2 AND c.change > s.released ORDER BY c.change LIMIT $3`,
    values: [space, after, limit],
  };
}

function toRecord(row: Row, root: string, spaces: Spaces): ChangeRecord {
  const { path, kind, rev, was, other_space, other_path, time, author, run, reason, batch } = row as {
    readonly path: ExistingPath;
    readonly kind: ChangeKind;
    readonly rev: Rev | null;
    readonly was: Rev | null;
    readonly other_space: string | null;
    readonly other_path: ExistingPath | null;
    readonly time: Date;
    readonly author: string;
    readonly run: string | null;
    readonly reason: string | null;
    readonly batch: string | null;
  };
  const otherRoot = other_space === null ? undefined : spaces.rootOf(other_space);
  return {
    at: { root, path },
    kind,
    rev: rev ?? undefined,
    was: was ?? undefined,
    ...(otherRoot === undefined || other_path === null ? {} : { other: { root: otherRoot, path: other_path } }),
    time: time.toISOString(),
    author,
    ...(run === null ? {} : { run }),
    ...(reason === null ? {} : { reason }),
    ...(batch === null ? {} : { batch }),
  };
}

function toCursor(positions: Positions): Cursor {
  const numbers = Object.fromEntries([...positions].map(([space, change]) => [space, String(change)]));
  return Buffer.from(JSON.stringify({ format: 1, changes: numbers })).toString("base64url") as Cursor;
}

/** A cursor comes back from a caller, who may have made it up. */
function parseCursor(cursor: Cursor): Map<string, bigint> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(String(cursor), "base64url").toString("utf8"));
    const { format, changes } = parsed as { format?: unknown; changes?: unknown };
    if (format !== 1 || typeof changes !== "object" || changes === null) throw new SyntaxError("no cursor");
    return new Map(Object.entries(changes).map(([space, change]) => [space, toNumber(change)]));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    throw new RecollectError("INVALID_ARGUMENT", "This is not a cursor of the change feed. Begin without one.");
  }
}

function toNumber(change: unknown): bigint {
  if (typeof change !== "string" || !/^\d{1,18}$/.test(change)) throw new SyntaxError("no number of a change");
  return BigInt(change);
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
