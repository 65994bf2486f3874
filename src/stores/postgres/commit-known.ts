import { isUtf8 } from "node:buffer";
import type { Stamp } from "../../core/store.ts";
import type { Database } from "./database.ts";
import { foldersOf } from "./not-a-document.ts";
import { columnsOfChanges, type Effect, newOperation, replacing, stampOf } from "./write-effects.ts";

/**
 * Writes one document in one round trip, if it still is what the caller believes, and says when; undefined where it is
 * not, and nothing was written. The space is held by the same statement, which sees everything as it was when it began: so it also makes
 * sure that nothing was changed there while it waited.
 */
export async function commitKnown(
  database: Database,
  space: string,
  { at: { path }, kind, before, after }: Effect,
  stamp: Stamp,
): Promise<Date | undefined> {
  if (!after) return undefined;
  const believed = before ? stillTheSame : stillNone;
  const [[row] = []] = await database.transaction([space], (transaction) =>
    transaction.commit({
      name: before ? "recollect replace" : "recollect create",
      text: `WITH held AS (
          UPDATE recollect.spaces s SET last_change = s.last_change + 1
          WHERE s.space = $1 AND (s.last_change, s.purges) = (
            SELECT seen.last_change, seen.purges FROM recollect.spaces seen WHERE seen.space = $1)
            AND ${believed}
          RETURNING s.last_change AS change, clock_timestamp() AS time),
        fresh AS (INSERT INTO recollect.contents (space, rev, content)
          SELECT $1::text, $4::text, $5::bytea FROM held ON CONFLICT DO NOTHING),
        kept AS (INSERT INTO recollect.documents (space, path, rev, size, is_text, modified, change)
          SELECT $1::text, $2::text, $4::text, $6::integer, $7::boolean, time, change FROM held ${replacing}),
        noted AS (INSERT INTO recollect.changes (${columnsOfChanges})
          SELECT $1::text, change, $2::text, $8::text, $4::text, $9::text, NULL, NULL, time,
            $10::text, $11::text, $12::text, NULL, $13::text FROM held)
        SELECT time FROM held`,
      values: [
        ...[space, path, before?.rev ?? foldersOf(path), after.rev, after.bytes, after.bytes.length],
        ...[isUtf8(after.bytes), kind, before?.rev ?? null, ...stampOf(stamp), newOperation()],
      ],
    }),
  );
  return row && (row["time"] as Date);
}

const stillTheSame = "EXISTS (SELECT 1 FROM recollect.documents d WHERE d.space = $1 AND d.path = $2 AND d.rev = $3)";

/** Neither a document nor a folder, and below none. */
const stillNone = `NOT EXISTS (SELECT 1 FROM recollect.documents d WHERE d.space = $1 AND d.path = $2)
  AND NOT EXISTS (SELECT 1 FROM recollect.documents b WHERE b.space = $1 AND b.path > $2 || '/' AND b.path < $2 || '0')
  AND NOT EXISTS (SELECT 1 FROM recollect.documents a WHERE a.space = $1 AND a.path = ANY($3::text[]))`;
