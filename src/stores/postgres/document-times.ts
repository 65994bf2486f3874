import type { Rev } from "../../core/revision.ts";
import type { Database } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";

/** A document, the revision that it has, and when it was changed, in milliseconds since 1970. */
export interface DocumentTime {
  readonly path: string;
  readonly rev: Rev;
  readonly modified: number;
}

/** Of documents that still have the revision. How many were another. */
export async function setTimes(database: Database, space: string, times: readonly DocumentTime[]): Promise<number> {
  const update = {
    text: `UPDATE recollect.documents d SET modified = t.modified
      FROM unnest($2::text[], $3::text[], $4::timestamptz[]) AS t (path, rev, modified)
      WHERE d.space = $1 AND d.path = t.path AND d.rev = t.rev AND d.modified <> t.modified RETURNING 1`,
    values: [
      space,
      times.map(({ path }) => path),
      times.map(({ rev }) => rev),
      times.map(({ modified }) => new Date(modified).toISOString()),
    ],
  };
  try {
    return await database.transaction([space], async (transaction) => {
      const [changed = []] = await transaction.run(update);
      await transaction.commit();
      return changed.length;
    });
  } catch (error) {
    throw toDatabaseError(error, "copy into a space");
  }
}

export async function readTimes(
  database: Database,
  space: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, DocumentTime>> {
  try {
    const [rows = []] = await database.read([space], {
      text: "SELECT path, rev, modified FROM recollect.documents WHERE space = $1 AND path = ANY($2)",
      values: [space, paths],
    });
    const times = rows.map((row): DocumentTime => {
      const { path, rev, modified } = row as { readonly path: string; readonly rev: Rev; readonly modified: Date };
      return { path, rev, modified: modified.getTime() };
    });
    return new Map(times.map((time) => [time.path, time]));
  } catch (error) {
    throw toDatabaseError(error, "read the documents of a space");
  }
}
