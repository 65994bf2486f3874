import type { Database, Row, Statement } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";

/** How many old changes are looked at in one go: whoever writes meanwhile waits for no more than that. */
const changesAtOnce = 20_000;

/** Changes by their numbers: after `from`, up to `to`, and older than `before`. */
interface Part {
  readonly space: string;
  readonly before: Date;
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Drops changes that are older, and the contents that nothing names any more. What each document had become by then,
 * also that it was gone, stays as what was so when history began: nobody can undo it, or ask for what was before it
 * (HIST-3b). So the last change of every path is always there.
 *
 * The oldest go first, in parts that are whole by themselves: where one fails, those before it are done. Sets are
 * compared as such: that is done by hashing or sorting, while a join may go through all of them for each, where the
 * database has no figures of the space yet.
 */
export async function trimChanges(
  database: Database,
  space: string,
  asked: Date,
  atOnce: number = changesAtOnce,
): Promise<number> {
  const operations = new Set<string>();
  try {
    const [[old] = []] = await database.read([space], oldEnough(asked));
    const before = old?.["before"] as Date;
    for (let from = 0n; ; ) {
      const [[next] = []] = await database.read([space], nextPart(space, before, from, atOnce));
      if (next?.["last"] == null) return operations.size;
      const part = { space, before, from, to: BigInt(String(next["last"])) };
      // Mostly there is nothing to do, and nobody is to wait for that.
      const { last } = toOld(await database.read([space], ...oldChanges(part)));
      if (last) for (const one of await trimPart(database, part)) operations.add(one);
      from = part.to;
    }
  } catch (error) {
    throw toDatabaseError(error, "drop old history of a space");
  }
}

/** The operations of which something was dropped. */
async function trimPart(database: Database, part: Part): Promise<readonly string[]> {
  const { space } = part;
  return database.transaction([space], async (transaction) => {
    const [, ...found] = await transaction.run(
      { text: "SELECT 1 FROM recollect.spaces WHERE space = $1 FOR UPDATE", values: [space] },
      ...oldChanges(part),
    );
    const { dropped, begun, last } = toOld(found);
    if (!last) return [];
    const named = [...dropped.flatMap(({ rev, was }) => [rev, was]), ...begun.map(({ was }) => was)];
    await transaction.commit(
      {
        text: "DELETE FROM recollect.changes WHERE space = $1 AND change = ANY($2)",
        values: [space, dropped.map(({ change }) => change)],
      },
      {
        text: `UPDATE recollect.changes SET kind = 'import', author = 'outside', was = NULL,
            other_space = NULL, other_path = NULL, run = NULL, reason = NULL, batch = NULL
          WHERE space = $1 AND change = ANY($2)`,
        values: [space, begun.map(({ change }) => change)],
      },
      // Up to there, a missing number is no loss: see `gapsIn`.
      {
        text: "UPDATE recollect.spaces SET released = greatest(released, $2) WHERE space = $1",
        values: [space, last["change"]],
      },
      dropUnnamed(
        space,
        [...new Set(named)].filter((rev) => rev !== null),
      ),
    );
    return dropped.map(({ operation }) => String(operation));
  });
}

/** By the clock that the changes were written by. Who lost an answer looks for what is younger: see `createSettleDoubt`. */
function oldEnough(asked: Date): Statement {
  const text = "SELECT least($1::timestamptz, clock_timestamp() - interval '1 hour') AS before";
  return { text, values: [asked] };
}

function nextPart(space: string, before: Date, from: bigint, atOnce: number): Statement {
  return {
    text: `SELECT max(change) AS last FROM (SELECT change FROM recollect.changes
        WHERE space = $1 AND time < $2 AND change > $3 ORDER BY change LIMIT $4) AS old`,
    values: [space, before, from, atOnce],
  };
}

/** Those of a part, and which of their paths have older ones than `before` also after it. */
function oldChanges({ space, before, from, to }: Part): readonly Statement[] {
  const old = "FROM recollect.changes WHERE space = $1 AND time < $2 AND change";
  return [
    {
      text: `SELECT change, operation, path, kind, rev, was ${old} > $3 AND change <= $4 ORDER BY change`,
      values: [space, before, from, to],
    },
    {
      text: `SELECT path ${old} > $3 AND change <= $4 INTERSECT SELECT path ${old} > $4`,
      values: [space, before, from, to],
    },
  ];
}

interface Old {
  /** Another one of the same document followed before that time. */
  readonly dropped: readonly Row[];
  /** The last of its document before that time, as far as it is not yet what history began with. */
  readonly begun: readonly Row[];
  /** Of both. */
  readonly last: Row | undefined;
}

function toOld([rows = [], later = []]: readonly (readonly Row[])[]): Old {
  const goesOn = new Set(later.map(({ path }) => path));
  const last = new Map(rows.map(({ path, change }) => [path, change]));
  const isFollowed = ({ path, change }: Row) => goesOn.has(path) || last.get(path) !== change;
  const concerned = rows.filter((row) => isFollowed(row) || row["kind"] !== "import");
  return {
    dropped: concerned.filter(isFollowed),
    begun: concerned.filter((row) => !isFollowed(row)),
    last: concerned.at(-1),
  };
}

/** No index knows who names a revision. */
function dropUnnamed(space: string, revs: readonly unknown[]): Statement {
  return {
    text: `DELETE FROM recollect.contents WHERE space = $1 AND rev = ANY(ARRAY(
        SELECT unnest($2::text[])
        EXCEPT SELECT rev FROM recollect.documents WHERE space = $1
        EXCEPT SELECT unnest(ARRAY[rev, was]) FROM recollect.changes WHERE space = $1))`,
    values: [space, revs],
  };
}
