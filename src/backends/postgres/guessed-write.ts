import { isUtf8 } from "node:buffer";
import type { Stamp } from "../../kernel/store.ts";
import type { Row, Statement } from "./database.ts";
import { columnsOfChanges, replacing, stampColumns, timeAfter } from "./insert-rows.ts";
import { type Kept, keptOf } from "./kept-document.ts";
import { largestKnownBytes } from "./known-documents.ts";
import { foldersOf } from "./place.ts";
import { type Effect, newOperation } from "./write-effects.ts";

/** A write of one document, for the case that everything is as this process knows it. */
export interface GuessedWrite {
  readonly space: string;
  readonly operation: string;
  readonly effect: Effect & { readonly after: Kept };
  readonly stamp: Stamp;
  /** See `KnownDocuments.doubts`. */
  readonly doubts: bigint;
}

/** Undefined where there is nothing to write. */
export function guessedWrite(
  space: string,
  { after, ...effect }: Effect,
  { stamp, doubts }: Pick<GuessedWrite, "stamp" | "doubts">,
): GuessedWrite | undefined {
  return after && { space, operation: newOperation(), effect: { ...effect, after }, stamp, doubts };
}

/**
 * Writes documents in one space where they are as believed, and tells of those that it wrote. The space is held by the
 * same statement, which sees everything as it was when it began: so it also makes sure that nothing was changed there
 * meanwhile. It waits for nobody: whoever holds the space is about to change it. Most come alone: what writes many takes
 * 2.5 times as long for one.
 *
 * Of documents that are not as believed, it tells what they are: a process that has not seen them, or not lately, guesses
 * right after that, and still shares transactions with others. To hold the space and look takes one of its own, which was
 * measured to take twice to four times as long.
 */
export function writeGuessed(writes: readonly [GuessedWrite, ...GuessedWrite[]]): Statement {
  return writes.length === 1 ? writeOne(writes[0]) : writeMany(writes);
}

/**
 * What became of a guessed write. A mistaken one was told what there is instead of what was believed; where nothing is
 * told, something else was in the way, and another guess would be as vain.
 */
export type Attempt =
  | { readonly kind: "written"; readonly time: Date }
  | { readonly kind: "mistaken"; readonly found: Kept }
  | { readonly kind: "unwritten" };

/** In the order of the writes. */
export function attemptsOf(writes: readonly GuessedWrite[], rows: readonly Row[]): readonly Attempt[] {
  const byNumber = new Map(rows.map((row) => [Number(row["number"]), row]));
  return writes.map((_, at) => {
    const row = byNumber.get(at + 1);
    if (row && row["time"] !== null) return { kind: "written", time: row["time"] as Date };
    // One that has lost its content is for who looks.
    return row && row["content"] !== null ? { kind: "mistaken", found: keptOf(row) } : { kind: "unwritten" };
  });
}

function writeOne({ space, operation, effect, stamp, doubts }: GuessedWrite): Statement {
  const { at, kind, before, after } = effect;
  return {
    ...(before ? replaceOne : createOne),
    values: [
      ...[space, at.path, before?.rev ?? [...foldersOf(at.path), at.path], after.rev, after.bytes, after.bytes.length],
      ...[isUtf8(after.bytes), kind, before?.rev ?? null, ...stampColumns([stamp]).flat(), operation, doubts],
    ],
  };
}

const replaceOne = {
  name: "recollect replace",
  text: textOfOne({
    believed: "EXISTS (SELECT 1 FROM recollect.documents d WHERE d.space = $1 AND d.path = $2 AND d.rev = $3)",
    keep: `UPDATE recollect.documents d SET rev = $4, size = $6, is_text = $7, modified = time, change = held.change
      FROM held WHERE d.space = $1 AND d.path = $2`,
  }),
};

/** Neither a document nor a folder, and below none. */
const createOne = {
  name: "recollect create",
  text: textOfOne({
    believed: `NOT EXISTS (SELECT 1 FROM recollect.documents a WHERE a.space = $1 AND a.path = ANY($3::text[]))
      AND NOT EXISTS (SELECT 1 FROM recollect.documents b WHERE b.space = $1 AND b.path > $2 || '/' AND b.path < $2 || '0')`,
    keep: `INSERT INTO recollect.documents (space, path, rev, size, is_text, modified, change)
      SELECT $1::text, $2::text, $4::text, $6::integer, $7::boolean, time, change FROM held`,
  }),
};

function textOfOne({ believed, keep }: { readonly believed: string; readonly keep: string }): string {
  return `WITH held AS (
      UPDATE recollect.spaces s SET last_change = s.last_change + 1, last_time = ${timeAfter("s.last_time")}
      WHERE s.space = (SELECT f.space FROM recollect.spaces f WHERE f.space = $1 FOR UPDATE SKIP LOCKED)
        AND (s.last_change, s.purges) = (
          SELECT seen.last_change, seen.purges FROM recollect.spaces seen WHERE seen.space = $1)
        AND s.doubts = $14 AND ${believed}
      RETURNING s.last_change AS change, s.last_time AS time),
    fresh AS (INSERT INTO recollect.contents (space, rev, content)
      SELECT $1::text, $4::text, $5::bytea FROM held ON CONFLICT DO NOTHING),
    kept AS (${keep}),
    noted AS (INSERT INTO recollect.changes (${columnsOfChanges})
      SELECT $1::text, change, $2::text, $8::text, $4::text, $9::text, NULL, NULL, time,
        $10::text, $11::text, $12::text, NULL, $13::text FROM held)
    SELECT 1 AS number, time, NULL AS rev, NULL::timestamptz AS modified, NULL::bytea AS content FROM held
    UNION ALL SELECT 1, NULL, d.rev, d.modified, ${contentOf("d.rev")} FROM recollect.documents d
    WHERE d.space = $1 AND d.path = $2 AND d.rev IS DISTINCT FROM $9::text AND d.size <= ${largestKnownBytes}
      AND NOT EXISTS (SELECT 1 FROM held)`;
}

/** Looked up by itself: of a join, the database may think that it is best done by reading all contents. */
function contentOf(rev: string): string {
  return `(SELECT c.content FROM recollect.contents c WHERE c.space = $1 AND c.rev = ${rev})`;
}

function writeMany(writes: readonly [GuessedWrite, ...GuessedWrite[]]): Statement {
  const [{ space, doubts }] = writes;
  const each = <Value>(pick: (write: GuessedWrite) => Value) => writes.map(pick);
  const made = writes.filter(({ effect }) => !effect.before);
  return {
    ...many,
    values: [
      ...[space, doubts, [...new Set(made.flatMap(({ effect }) => foldersOf(effect.at.path)))]],
      each(({ effect }) => effect.at.path),
      each(({ effect }) => effect.after.rev),
      each(({ effect }) => effect.after.bytes),
      each(({ effect }) => effect.after.bytes.length),
      each(({ effect }) => isUtf8(effect.after.bytes)),
      each(({ effect }) => effect.kind),
      each(({ effect }) => effect.before?.rev ?? null),
      ...stampColumns(each(({ stamp }) => stamp)),
      each(({ operation }) => operation),
    ],
  };
}

/**
 * Where a document is in the way of a folder, nothing is written: that is for somebody who looks at each by itself. The
 * documents are looked up one by one: of "exists", the database may think that it is best to read all of them.
 */
const many = {
  name: "recollect write many",
  text: `WITH held AS MATERIALIZED (
      SELECT f.last_change, f.last_time, f.purges, f.doubts FROM recollect.spaces f WHERE f.space = $1 FOR UPDATE SKIP LOCKED),
    timed AS MATERIALIZED (SELECT ${timeAfter("held.last_time")} AS time FROM held),
    good AS MATERIALIZED (
      SELECT asked.*, held.last_change + row_number() OVER (ORDER BY asked.number) AS change, timed.time
      FROM held, timed, unnest($4::text[], $5::text[], $6::bytea[], $7::integer[], $8::boolean[], $9::text[], $10::text[],
          $11::text[], $12::text[], $13::text[], $14::text[]) WITH ORDINALITY
        AS asked (path, rev, content, size, is_text, kind, was, author, run, reason, operation, number)
      WHERE held.doubts = $2
        AND (held.last_change, held.purges) = (
          SELECT seen.last_change, seen.purges FROM recollect.spaces seen WHERE seen.space = $1)
        AND NOT EXISTS (SELECT 1 FROM recollect.documents a WHERE a.space = $1 AND a.path = ANY($3::text[]))
        AND (SELECT d.rev FROM recollect.documents d WHERE d.space = $1 AND d.path = asked.path)
          IS NOT DISTINCT FROM asked.was
        AND (asked.was IS NOT NULL OR (SELECT true FROM recollect.documents b
          WHERE b.space = $1 AND b.path > asked.path || '/' AND b.path < asked.path || '0' LIMIT 1) IS NULL)),
    counted AS (UPDATE recollect.spaces s SET last_change = last.change, last_time = last.time
      FROM (SELECT max(change) AS change, max(time) AS time FROM good) AS last WHERE s.space = $1 AND last.change IS NOT NULL),
    fresh AS (INSERT INTO recollect.contents (space, rev, content)
      SELECT $1::text, rev, content FROM good ON CONFLICT DO NOTHING),
    kept AS (INSERT INTO recollect.documents (space, path, rev, size, is_text, modified, change)
      SELECT $1::text, path, rev, size, is_text, time, change FROM good ${replacing}),
    noted AS (INSERT INTO recollect.changes (${columnsOfChanges})
      SELECT $1::text, change, path, kind, rev, was, NULL, NULL, time, author, run, reason, NULL, operation FROM good)
    SELECT number, time, NULL AS rev, NULL::timestamptz AS modified, NULL::bytea AS content FROM good
    UNION ALL SELECT asked.number, NULL, found.rev, found.modified, ${contentOf("found.rev")}
    FROM unnest($4::text[], $10::text[]) WITH ORDINALITY AS asked (path, was, number),
      LATERAL (SELECT d.rev, d.modified FROM recollect.documents d WHERE d.space = $1 AND d.path = asked.path
        AND d.rev IS DISTINCT FROM asked.was AND d.size <= ${largestKnownBytes} LIMIT 1) AS found
    WHERE (SELECT count(*) FROM good) < cardinality($4::text[])`,
};
