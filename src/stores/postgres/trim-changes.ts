import type { Database } from "./database.ts";

/**
 * Drops changes that are older, and the contents that nothing names any more. What each document had become by then,
 * also that it was gone, stays as what was so when history began: nobody can undo it, or ask for what was before it
 * (HIST-3b). So the last change of every path is there, whenever a follower asks.
 */
export async function trimChanges(database: Database, space: string, before: Date): Promise<number> {
  return database.transaction([space], async (transaction) => {
    const values = [space, before];
    const [, dropped = [], begun = []] = await transaction.run(
      { text: "SELECT 1 FROM recollect.spaces WHERE space = $1 FOR UPDATE", values: [space] },
      {
        text: `DELETE FROM recollect.changes c WHERE c.space = $1 AND c.time < $2 AND EXISTS (
            SELECT 1 FROM recollect.changes later WHERE later.space = c.space AND later.path = c.path
              AND later.change > c.change AND later.time < $2)
          RETURNING c.operation, c.change`,
        values,
      },
      {
        text: `UPDATE recollect.changes c SET kind = 'import', author = 'outside', was = NULL,
            other_space = NULL, other_path = NULL, run = NULL, reason = NULL, batch = NULL
          WHERE c.space = $1 AND c.time < $2 AND c.kind <> 'import' RETURNING c.change`,
        values,
      },
    );
    if (dropped.length + begun.length === 0) return 0;
    const last = [...dropped, ...begun]
      .map(({ change }) => BigInt(String(change)))
      .toSorted(compareNumbers)
      .at(-1);
    await transaction.commit(
      // A follower of the changes who has not come so far is told that some are gone.
      {
        text: "UPDATE recollect.spaces SET released = greatest(released, $2) WHERE space = $1",
        values: [space, last],
      },
      {
        text: `DELETE FROM recollect.contents k WHERE k.space = $1
        AND NOT EXISTS (SELECT 1 FROM recollect.documents d WHERE d.space = k.space AND d.rev = k.rev)
        AND NOT EXISTS (SELECT 1 FROM recollect.changes c WHERE c.space = k.space AND (c.rev = k.rev OR c.was = k.rev))`,
        values: [space],
      },
    );
    return new Set(dropped.map(({ operation }) => operation)).size;
  });
}

function compareNumbers(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
