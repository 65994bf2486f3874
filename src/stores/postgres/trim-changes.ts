import type { Database } from "./database.ts";

/**
 * Drops changes that are older, and the contents that nothing names any more. The last change of each document stays:
 * it says how the document became what it is.
 */
export async function trimChanges(database: Database, space: string, before: Date): Promise<number> {
  return database.transaction([space], async (transaction) => {
    const [, dropped = []] = await transaction.run(
      { text: "SELECT 1 FROM recollect.spaces WHERE space = $1 FOR UPDATE", values: [space] },
      {
        text: `DELETE FROM recollect.changes c WHERE c.space = $1 AND c.time < $2 AND EXISTS (
          SELECT 1 FROM recollect.changes later
            WHERE later.space = c.space AND later.path = c.path AND later.change > c.change)
          RETURNING c.operation`,
        values: [space, before],
      },
    );
    if (dropped.length === 0) return 0;
    await transaction.commit({
      text: `DELETE FROM recollect.contents k WHERE k.space = $1
        AND NOT EXISTS (SELECT 1 FROM recollect.documents d WHERE d.space = k.space AND d.rev = k.rev)
        AND NOT EXISTS (SELECT 1 FROM recollect.changes c WHERE c.space = k.space AND (c.rev = k.rev OR c.was = k.rev))`,
      values: [space],
    });
    return new Set(dropped.map(({ operation }) => operation)).size;
  });
}
