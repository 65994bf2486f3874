import { isUtf8 } from "node:buffer";
import { RecollectError } from "../../core/errors.ts";
import type { Rev } from "../../core/revision.ts";
import type { Written, WrittenOperation } from "../../history/operation-source.ts";
import type { DocumentChange } from "../../history/root-history.ts";
import type { Database, Statement, Transaction } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";
import type { WakeUp } from "./wake-up.ts";
import { toText } from "./write-effects.ts";

/** How far a space goes: its last change, and which operation that was of. */
interface SpaceStand {
  readonly change: number;
  /** Undefined where nothing was ever written there. */
  readonly operation: string | undefined;
}

/** The bytes of a part of what is written, and how to get them. */
type ContentPiece = () => Promise<ReadonlyMap<Rev, Uint8Array>>;

/** A space that is filled with what another history has. Nothing is judged: what was kept there is kept here. */
export interface SpaceFilling {
  stand(): Promise<SpaceStand>;
  /** All of it, or nothing where somebody else wrote there since. The number of the last change. */
  append(from: number, operations: readonly WrittenOperation[], pieces: readonly ContentPiece[]): Promise<number>;
}

export function openSpaceFilling(database: Database, space: string, wakeUp: Pick<WakeUp, "written">): SpaceFilling {
  const told = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      throw toDatabaseError(error, "copy into a space");
    }
  };

  async function stand(): Promise<SpaceStand> {
    const [[head] = [], [last] = []] = await database.read(
      [space],
      { text: "SELECT last_change FROM recollect.spaces WHERE space = $1", values: [space] },
      {
        text: "SELECT operation FROM recollect.changes WHERE space = $1 ORDER BY change DESC LIMIT 1",
        values: [space],
      },
    );
    return { change: Number(head?.["last_change"] ?? 0), operation: last && String(last["operation"]) };
  }

  async function append(
    from: number,
    operations: readonly WrittenOperation[],
    pieces: readonly ContentPiece[],
  ): Promise<number> {
    const rows = operations.flatMap(rowsOf).map((row, index) => ({ ...row, change: from + index + 1 }));
    const last = from + rows.length;
    await database.transaction([space], async (transaction) => {
      await holdSpace(transaction, space, from);
      const isText = new Map<Rev, boolean>();
      for (const piece of pieces) {
        const contents = [...(await piece())];
        for (const [rev, bytes] of contents) isText.set(rev, isUtf8(bytes));
        await transaction.run(insertContents(space, contents));
      }
      const { gone, kept } = endOf(operations, rows);
      await transaction.commit(
        insertChanges(space, rows),
        {
          text: "DELETE FROM recollect.documents WHERE space = $1 AND path = ANY($2)",
          values: [space, gone],
        },
        upsertDocuments(space, kept, isText),
        {
          // Who follows the changes looks at what is there: these are of another time.
          text: "UPDATE recollect.spaces SET last_change = $2, released = $2 WHERE space = $1",
          values: [space, last],
        },
      );
    });
    wakeUp.written([space]);
    return last;
  }

  return {
    stand: () => told(stand()),
    append: (...given) => told(append(...given)),
  };
}

interface ChangeRow extends DocumentChange {
  readonly operation: WrittenOperation;
  /** The other end of a move. */
  readonly other: string | undefined;
}

type NumberedRow = ChangeRow & { readonly change: number };

function rowsOf(operation: WrittenOperation): ChangeRow[] {
  const goals = new Map(operation.changes.flatMap(({ path, from }) => (from === undefined ? [] : [[from, path]])));
  return operation.changes.map((change) => {
    const other = change.rev === undefined ? (change.to ?? goals.get(change.path)) : change.from;
    return { ...change, operation, other };
  });
}

/** Whoever wrote there meanwhile has taken the next number. */
async function holdSpace(transaction: Transaction, space: string, expected: number): Promise<void> {
  const [, [row] = []] = await transaction.run(
    { text: "INSERT INTO recollect.spaces (space) VALUES ($1) ON CONFLICT DO NOTHING", values: [space] },
    { text: "SELECT last_change FROM recollect.spaces WHERE space = $1 FOR UPDATE", values: [space] },
  );
  if (Number(row?.["last_change"]) === expected) return;
  throw new RecollectError(
    "CONFLICT",
    `Somebody else writes in the space “${space}” while it is copied to. Stop what uses it, then start again.`,
    { data: { space } },
  );
}

interface KeptRow extends Written {
  readonly change: number;
  readonly time: string;
}

/** What all of them together leave: which documents are there, and which are gone. */
function endOf(operations: readonly WrittenOperation[], rows: readonly NumberedRow[]) {
  const kept = new Map<string, KeptRow>();
  const gone = new Set<string>();
  const numbers = new Map(rows.map(({ operation, path, change }) => [`${operation.position}\0${path}`, change]));
  for (const { changes, written, position, time } of operations) {
    for (const { path } of changes) {
      kept.delete(path);
      gone.add(path);
    }
    for (const one of written) {
      kept.set(one.path, { ...one, time, change: numbers.get(`${position}\0${one.path}`) ?? 0 });
      gone.delete(one.path);
    }
  }
  return { kept: [...kept.values()], gone: [...gone] };
}

function insertContents(space: string, contents: readonly (readonly [Rev, Uint8Array])[]): Statement {
  return {
    text: `INSERT INTO recollect.contents (space, rev, content)
      SELECT $1, rev, content FROM unnest($2::text[], $3::bytea[]) AS made (rev, content) ON CONFLICT DO NOTHING`,
    values: [space, contents.map(([rev]) => rev), contents.map(([, bytes]) => Buffer.from(bytes))],
  };
}

function insertChanges(space: string, rows: readonly NumberedRow[]): Statement {
  const column = (of: (row: NumberedRow) => unknown) => rows.map(of);
  return {
    text: `INSERT INTO recollect.changes
        (space, change, operation, path, kind, rev, was, other_space, other_path, time, author, run, reason, batch)
      SELECT $1, change, operation, path, kind, rev, was, CASE WHEN other IS NULL THEN NULL ELSE $1 END, other,
          time, author, run, reason, batch
      FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
          $9::timestamptz[], $10::text[], $11::text[], $12::text[], $13::text[])
        AS done (change, operation, path, kind, rev, was, other, time, author, run, reason, batch)`,
    values: [
      space,
      column(({ change }) => change),
      column(({ operation }) => operation.id),
      column(({ path }) => path),
      column(({ kind }) => kind),
      column(({ rev }) => rev ?? null),
      column(({ was }) => was ?? null),
      column(({ other }) => other ?? null),
      column(({ operation }) => operation.time),
      column(({ operation }) => toText(operation.author)),
      column(({ operation }) => toText(operation.run)),
      column(({ operation }) => toText(operation.reason)),
      column(({ operation }) => toText(operation.batch)),
    ],
  };
}

function upsertDocuments(space: string, kept: readonly KeptRow[], isText: ReadonlyMap<Rev, boolean>): Statement {
  const column = (of: (row: KeptRow) => unknown) => kept.map(of);
  return {
    text: `INSERT INTO recollect.documents (space, path, rev, size, is_text, modified, change)
      SELECT $1, made.* FROM unnest($2::text[], $3::text[], $4::integer[], $5::boolean[], $6::timestamptz[],
          $7::bigint[]) AS made (path, rev, size, is_text, modified, change)
      ON CONFLICT (space, path) DO UPDATE SET rev = excluded.rev, size = excluded.size, is_text = excluded.is_text,
        modified = excluded.modified, change = excluded.change`,
    values: [
      space,
      column(({ path }) => path),
      column(({ rev }) => rev),
      column(({ size }) => size),
      column(({ rev }) => isText.get(rev) ?? true),
      column(({ time }) => time),
      column(({ change }) => change),
    ],
  };
}
