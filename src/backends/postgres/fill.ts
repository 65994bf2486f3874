import { isUtf8 } from "node:buffer";
import type { FillReport, FillRequest } from "../../kernel/backend.ts";
import { inBatches, inPieces, readPiece } from "../../kernel/content-pieces.ts";
import { RecollectError } from "../../kernel/errors.ts";
import {
  type DocumentTime,
  findResumePoint,
  type Written,
  type WrittenOperation,
} from "../../kernel/operation-source.ts";
import type { Rev } from "../../kernel/revision.ts";
import type { Database, Transaction } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";
import { insertChanges, insertContents, makeSpaces, putDocuments, removeDocuments, toText } from "./insert-rows.ts";
import type { WakeUp } from "./wake-up.ts";

/**
 * Fills a space with all that another history has. Each transaction holds whole operations, so the last one in the space
 * says where to go on after a kill (PG-3).
 */
export async function fillSpace(
  filling: SpaceFilling,
  { database, space }: { readonly database: Database; readonly space: string },
  { source, times, onProgress = () => {}, atOnce }: FillRequest,
): Promise<FillReport> {
  const stand = await filling.stand();
  const begin = await findResumePoint(source, stand.operation, `The space “${space}”`);
  let [change, operations, documents, done] = [stand.change, 0, 0, 0];
  onProgress({ stage: "history", done: begin, total: source.end });
  for await (const batch of inBatches(source.operations(begin), atOnce)) {
    const pieces = inPieces(batch.flatMap(({ written }) => written)).map((piece) => () => readPiece(source, piece));
    change = await filling.append(change, batch, pieces);
    operations += batch.length;
    onProgress({ stage: "history", done: batch.at(-1)?.position ?? begin, total: source.end });
  }
  for await (const some of times()) {
    if (some.length > 0) documents += await setTimes(database, space, some);
    done += some.length;
    onProgress({ stage: "documents", done, total: done });
  }
  return { operations, documents };
}

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

export function openSpaceFilling(database: Database, space: string, written: WakeUp["written"]): SpaceFilling {
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
    const rows = operations
      .flatMap((operation) => rowsOf(space, operation))
      .map((row, index) => ({ ...row, change: from + index + 1 }));
    const last = from + rows.length;
    await database.transaction([space], async (transaction) => {
      await holdSpace(transaction, space, from);
      const isText = new Map<Rev, boolean>();
      for (const piece of pieces) {
        const contents = [...(await piece())];
        for (const [rev, bytes] of contents) isText.set(rev, isUtf8(bytes));
        await transaction.run(
          ...insertContents(
            space,
            contents.map(([rev, bytes]) => ({ rev, bytes: Buffer.from(bytes) })),
          ),
        );
      }
      const { gone, kept } = endOf(operations, rows);
      await transaction.commit(
        ...insertChanges(space, rows),
        ...removeDocuments(space, gone),
        ...putDocuments(
          space,
          kept.map((row) => ({ ...row, isText: isText.get(row.rev) ?? true })),
        ),
        {
          // What was before the first of these may not have come along: see `faultsOf`.
          text: `UPDATE recollect.spaces SET last_change = $2, released = $2, last_time = greatest(last_time, $3)
            WHERE space = $1`,
          values: [space, last, rows.at(-1)?.time],
        },
      );
    });
    written([space]);
    return last;
  }

  return {
    stand: () => told(stand()),
    append: (...given) => told(append(...given)),
  };
}

function rowsOf(space: string, { id, position, time, changes, ...operation }: WrittenOperation) {
  const goals = new Map(changes.flatMap(({ path, from }) => (from === undefined ? [] : [[from, path]])));
  return changes.map(({ path, kind, rev, was, from, to }) => {
    const other = rev === undefined ? (to ?? goals.get(path)) : from;
    return {
      ...{ operation: id, position, path, kind, rev, was, time, stamp: operation, batch: toText(operation.batch) },
      other: other === undefined ? undefined : { space, path: other },
    };
  });
}

/** Whoever wrote there meanwhile has taken the next number. */
async function holdSpace(transaction: Transaction, space: string, expected: number): Promise<void> {
  const [, [row] = []] = await transaction.run(makeSpaces([space]), {
    text: "SELECT last_change FROM recollect.spaces WHERE space = $1 FOR UPDATE",
    values: [space],
  });
  if (Number(row?.["last_change"]) === expected) return;
  throw new RecollectError(
    "CONFLICT",
    `Somebody else writes in the space “${space}” while it is copied to. Stop what uses it, then start again.`,
    { data: { space } },
  );
}

interface KeptRow extends Written {
  readonly change: number;
  readonly modified: string;
}

/** What all of them together leave: which documents are there, and which are gone. */
function endOf(
  operations: readonly WrittenOperation[],
  rows: readonly { readonly position: number; readonly path: string; readonly change: number }[],
) {
  const kept = new Map<string, KeptRow>();
  const gone = new Set<string>();
  const numbers = new Map(rows.map(({ position, path, change }) => [`${position}\0${path}`, change]));
  for (const { changes, written, position, time } of operations) {
    for (const { path } of changes) {
      kept.delete(path);
      gone.add(path);
    }
    for (const one of written) {
      kept.set(one.path, { ...one, modified: time, change: numbers.get(`${position}\0${one.path}`) ?? 0 });
      gone.delete(one.path);
    }
  }
  return { kept: [...kept.values()], gone: [...gone] };
}

/** Of documents that still have the revision. How many were another. */
async function setTimes(database: Database, space: string, times: readonly DocumentTime[]): Promise<number> {
  // One look at each document that is named, whatever is known of how many there are: a join may look at all for each.
  const update = {
    text: `UPDATE recollect.documents SET modified = ($2::jsonb -> path ->> 1)::timestamptz
      WHERE space = $1 AND path = ANY($3) AND rev = $2::jsonb -> path ->> 0
        AND modified <> ($2::jsonb -> path ->> 1)::timestamptz RETURNING 1`,
    values: [
      space,
      JSON.stringify(
        Object.fromEntries(times.map(({ path, rev, modified }) => [path, [rev, new Date(modified).toISOString()]])),
      ),
      times.map(({ path }) => path),
    ],
  };
  try {
    return await database.transaction([space], async (transaction) => {
      // The space first, as everybody does who writes: whoever has that waits for nobody.
      await transaction.run({
        text: "SELECT 1 FROM recollect.spaces WHERE space = $1 FOR UPDATE",
        values: [space],
      });
      const [changed = []] = await transaction.run(update);
      await transaction.commit();
      return changed.length;
    });
  } catch (error) {
    throw toDatabaseError(error, "copy into a space");
  }
}
