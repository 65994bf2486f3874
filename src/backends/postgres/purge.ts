import type { PurgeForms } from "../../kernel/purge-forms.ts";
import { revisionOf } from "../../kernel/revision.ts";
import type { Stamp } from "../../kernel/store.ts";
import { cleanNames } from "./clean-names.ts";
import { cleanTexts } from "./clean-texts.ts";
import type { Database, Row, Statement, Transaction } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";
import { findHolding, type HoldingContent, holdingSince, toHolding } from "./find-value.ts";
import { insertChanges, insertContents, sizeAndText, timeAfter } from "./insert-rows.ts";
import { inBatches } from "./space-reader.ts";
import { newOperation } from "./write-effects.ts";

export interface PurgeSpaceOptions {
  readonly database: Database;
  readonly space: string;
  readonly forms: PurgeForms;
  /** Who does it, and why. */
  readonly stamp: Stamp;
}

export interface PurgedSpace {
  /** In how many revisions each document had it. */
  readonly revisions: ReadonlyMap<string, number>;
  /** Whether anything had to be written anew. */
  readonly isRewritten: boolean;
}

/** A content without the value. */
interface Cleaned {
  readonly before: string;
  readonly rev: string;
  readonly size: number;
  readonly isText: boolean;
}

const bytesAtOnce = 8 * 1024 * 1024;
const nothing: PurgedSpace = { revisions: new Map(), isRewritten: false };

/**
 * Takes a value out of everything that a space keeps: contents get other bytes and so another revision, by which
 * documents and changes call them from then on. All of it happens at once, and nobody writes there meanwhile; what is
 * there before that is looked through before, so that nobody waits for it.
 */
export async function purgeSpace({ database, space, forms, stamp }: PurgeSpaceOptions): Promise<PurgedSpace> {
  try {
    const lookAt = { text: "SELECT last_change FROM recollect.spaces WHERE space = $1", values: [space] };
    const [[head] = []] = await database.read([space], lookAt);
    if (!head) return nothing;
    const before = BigInt(String(head["last_change"]));
    const known = await findHolding((...statements) => database.read([space], ...statements), space, forms);
    return await database.transaction([space], async (transaction) => {
      const [[held] = [], late = []] = await transaction.run(
        {
          text: `SELECT last_change, ${timeAfter("last_time")} AS time FROM recollect.spaces WHERE space = $1 FOR UPDATE`,
          values: [space],
        },
        holdingSince(space, before, forms),
      );
      const holding = new Map([...known, ...late.map(toHolding)].map((one) => [one.rev, one]));
      const cleaned = await cleanContents(transaction, space, forms, [...holding.values()]);
      const names = await cleanNames(transaction, space, forms);
      const texts = await cleanTexts(transaction, space, forms);
      if (cleaned.length + names.size + texts === 0) return nothing;
      const [counts = []] = await transaction.run(countRevisions(space, cleaned));
      const touched = await touchedDocuments(transaction, space, cleaned, names);
      const last = BigInt(String(held?.["last_change"] ?? 0));
      const time = held?.["time"] as Date;
      const revisions = new Map(cleaned.map((one) => [one.before, one.rev]));
      await transaction.commit(
        ...replaceIn(space, "path", names),
        ...replaceIn(space, "other_path", names, "other_space = $1"),
        ...["rev", "was"].flatMap((column) => replaceIn(space, column, revisions)),
        ...recordTouched({ space, last, touched, time, stamp: cleanStamp(stamp, forms) }),
        { text: "DELETE FROM recollect.contents WHERE space = $1 AND rev = ANY($2)", values: [space, revsOf(cleaned)] },
        {
          text: "UPDATE recollect.spaces SET last_change = $2, last_time = $3, purges = purges + 1 WHERE space = $1",
          values: [space, last + BigInt(touched.length), time],
        },
      );
      return { revisions: new Map(counts.map(toCount)), isRewritten: true };
    });
  } catch (error) {
    throw toDatabaseError(error, "purge a space");
  }
}

/** Whoever purges may be called by it. */
function cleanStamp({ author, run, reason }: Stamp, { cleanText }: PurgeForms): Stamp {
  return {
    author: cleanText(author),
    ...(run === undefined ? {} : { run: cleanText(run) }),
    ...(reason === undefined ? {} : { reason: cleanText(reason) }),
  };
}

function revsOf(cleaned: readonly Cleaned[]): string[] {
  return cleaned.map(({ before }) => before);
}

function toCount({ path, revisions }: Row): readonly [string, number] {
  return [String(path), Number(revisions)];
}

async function cleanContents(
  transaction: Transaction,
  space: string,
  forms: PurgeForms,
  holding: readonly HoldingContent[],
): Promise<Cleaned[]> {
  const cleaned: Cleaned[] = [];
  for (const batch of inBatches(holding, bytesAtOnce)) {
    const [rows = []] = await transaction.run({
      text: "SELECT rev, content FROM recollect.contents WHERE space = $1 AND rev = ANY($2)",
      values: [space, batch.map(({ rev }) => rev)],
    });
    const fresh = rows.flatMap(({ rev, content }) => {
      const bytes = forms.clean(content as Buffer);
      return bytes ? [{ before: String(rev), rev: revisionOf(bytes), bytes }] : [];
    });
    await transaction.run(...insertContents(space, fresh));
    cleaned.push(...fresh.map(({ bytes, ...one }) => ({ ...one, ...sizeAndText(bytes) })));
  }
  return cleaned;
}

function countRevisions(space: string, cleaned: readonly Cleaned[]): Statement {
  return {
    text: `SELECT path, count(*) AS revisions FROM recollect.changes
      WHERE space = $1 AND rev = ANY($2) GROUP BY path`,
    values: [space, revsOf(cleaned)],
  };
}

/** A document that is there, as it will be. */
interface Touched {
  readonly before: string;
  readonly path: string;
  readonly rev: string;
  /** Null where its content stays. */
  readonly size: number | null;
  readonly isText: boolean | null;
}

async function touchedDocuments(
  transaction: Transaction,
  space: string,
  cleaned: readonly Cleaned[],
  names: ReadonlyMap<string, string>,
): Promise<Touched[]> {
  const [rows = []] = await transaction.run({
    text: `SELECT path, rev FROM recollect.documents WHERE space = $1 AND (rev = ANY($2) OR path = ANY($3)) ORDER BY path`,
    values: [space, revsOf(cleaned), [...names.keys()]],
  });
  const byRev = new Map(cleaned.map((one) => [one.before, one]));
  return rows.map((row) => {
    const [before, rev] = [String(row["path"]), String(row["rev"])];
    const now = byRev.get(rev);
    const path = names.get(before) ?? before;
    return { before, path, rev: now?.rev ?? rev, size: now?.size ?? null, isText: now?.isText ?? null };
  });
}

/** One look at each change, whatever is known of how many there are: a join would be as slow as both together. */
function replaceIn(space: string, column: string, names: ReadonlyMap<string, string>, where = "true"): Statement[] {
  if (names.size === 0) return [];
  return [
    {
      text: `UPDATE recollect.changes SET ${column} = $2::jsonb ->> ${column}
        WHERE space = $1 AND ${where} AND $2::jsonb ? ${column}`,
      values: [space, JSON.stringify(Object.fromEntries(names))],
    },
  ];
}

/** What is there has changed, and history says by whom; what it was before is clean, too. */
function recordTouched(what: {
  readonly space: string;
  readonly last: bigint;
  readonly touched: readonly Touched[];
  readonly time: Date;
  readonly stamp: Stamp;
}): Statement[] {
  const { space, last, touched, time, stamp } = what;
  if (touched.length === 0) return [];
  const operation = newOperation();
  const numberOf = (index: number) => last + BigInt(index) + 1n;
  const madeOf = ({ before, ...made }: Touched, index: number) => [
    before,
    { ...made, change: String(numberOf(index)) },
  ];
  return [
    {
      text: `UPDATE recollect.documents SET path = $2::jsonb -> path ->> 'path', rev = $2::jsonb -> path ->> 'rev',
          size = coalesce(($2::jsonb -> path ->> 'size')::integer, size),
          is_text = coalesce(($2::jsonb -> path ->> 'isText')::boolean, is_text),
          modified = $3, change = ($2::jsonb -> path ->> 'change')::bigint
        WHERE space = $1 AND $2::jsonb ? path`,
      values: [space, JSON.stringify(Object.fromEntries(touched.map(madeOf))), time],
    },
    ...insertChanges(
      space,
      touched.map(({ path, rev }, index) => ({
        ...{ change: numberOf(index), operation, path, kind: "put", rev, was: rev, time, stamp },
        batch: touched.length > 1 ? operation : undefined,
      })),
    ),
  ];
}
