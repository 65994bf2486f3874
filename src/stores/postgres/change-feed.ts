import type { ExistingPath } from "../../core/document-path.ts";
import type { Rev } from "../../core/revision.ts";
import type { ChangeKind, ChangePage, ChangeRecord, Cursor } from "../../core/store.ts";
import type { Database, Row } from "./database.ts";
import { beginning, type FeedPosition, parseCursor, toCursor } from "./feed-cursor.ts";
import type { Spaces } from "./spaces.ts";

export async function readChanges(
  database: Database,
  spaces: Spaces,
  { after, limit }: { readonly after?: Cursor | undefined; readonly limit: number },
): Promise<ChangePage> {
  const positions = after === undefined ? new Map<string, FeedPosition>() : parseCursor(after);
  const reached = new Map(positions);
  const records: ChangeRecord[] = [];
  let [more, gap] = [false, false];
  for (const root of spaces.names) {
    const space = spaces.of(root);
    const from = positions.get(space);
    const room = limit - records.length;
    const asked = await pageAfter(database, space, from ?? beginning, room + 1);
    const isLost = from !== undefined && isSetBack(from, asked);
    gap ||= isLost || (from !== undefined && from.change < asked.released);
    // What was written since it was set back has numbers that the cursor stands for already.
    const page = isLost ? await pageAfter(database, space, beginning, room + 1) : asked;
    const taken = page.rows.slice(0, room);
    records.push(...taken.map((row) => toRecord(row, root, spaces)));
    more ||= page.rows.length > room;
    const last = taken.at(-1);
    reached.set(space, last ? positionOf(last) : page.stand);
  }
  return { records, cursor: toCursor(reached), more, gap };
}

/** A cursor says which change it was; one that is not there any more was lost with all after it, or grew old. */
function isSetBack({ change, operation }: FeedPosition, { last, seen }: FeedPage): boolean {
  return change > last || (change > 0n && operation !== undefined && operation !== seen);
}

/** History has taken what lies up to the cursor. Nothing goes: history itself is made of these rows. */
export async function releaseChanges(database: Database, spaces: Spaces, upTo: Cursor): Promise<void> {
  const own = [...parseCursor(upTo)].filter(([space]) => spaces.rootOf(space) !== undefined);
  if (own.length === 0) return;
  const names = own.map(([space]) => space);
  await database.transaction(names, (transaction) =>
    transaction.commit({
      text: `UPDATE recollect.spaces s SET released = greatest(s.released, upto.change)
        FROM unnest($1::text[], $2::bigint[], $3::text[]) AS upto (space, change, operation)
        WHERE s.space = upto.space AND upto.change <= s.last_change
          AND (upto.operation IS NULL OR upto.operation = (SELECT c.operation FROM recollect.changes c
            WHERE c.space = upto.space AND c.change = upto.change))`,
      values: [names, own.map(([, { change }]) => change), own.map(([, { operation }]) => operation ?? null)],
    }),
  );
}

/** What one look at a space finds after a change. */
interface FeedPage {
  readonly released: bigint;
  readonly last: bigint;
  /** The operation that the change was of. */
  readonly seen: string | undefined;
  /** Where a follower stands who was told of none of the rows. */
  readonly stand: FeedPosition;
  readonly rows: readonly Row[];
}

/** In one statement: to another one, changes may be released that this one has not told. */
async function pageAfter(
  database: Database,
  space: string,
  { change: after }: FeedPosition,
  limit: number,
): Promise<FeedPage> {
  const [rows = []] = await database.read([space], {
    text: `SELECT s.released, s.last_change,
        (SELECT operation FROM recollect.changes WHERE space = $1 AND change = $2) AS seen,
        CASE WHEN later.change IS NULL THEN
          (SELECT operation FROM recollect.changes WHERE space = $1 AND change = s.released) END AS released_by,
        later.*
      FROM recollect.spaces s LEFT JOIN LATERAL (SELECT * FROM recollect.changes c
        WHERE c.space = $1 AND c.change > $2 AND c.change > s.released ORDER BY c.change LIMIT $3) AS later ON true
      WHERE s.space = $1 ORDER BY later.change`,
    values: [space, after, limit],
  });
  const [head] = rows;
  const released = BigInt(String(head?.["released"] ?? 0));
  const seen = toOperation(head?.["seen"]);
  return {
    released,
    last: BigInt(String(head?.["last_change"] ?? 0)),
    seen,
    stand:
      released > after
        ? { change: released, operation: toOperation(head?.["released_by"]) }
        : { change: after, operation: seen },
    rows: rows.filter(({ change }) => change !== null),
  };
}

function positionOf({ change, operation }: Row): FeedPosition {
  return { change: BigInt(String(change)), operation: toOperation(operation) };
}

function toOperation(operation: unknown): string | undefined {
  return typeof operation === "string" ? operation : undefined;
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
