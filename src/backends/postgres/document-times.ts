import type { DocumentTime } from "../../kernel/operation-source.ts";
import type { Database } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";

/** Of documents that still have the revision. How many were another. */
export async function setTimes(database: Database, space: string, times: readonly DocumentTime[]): Promise<number> {
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
