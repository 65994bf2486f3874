import { purgedValuesIn } from "../history/purged-form.ts";
import { openPurgedValues } from "../history/purged-values.ts";
import type { Database } from "../stores/postgres/database.ts";
import { recordsInSpace } from "./database-records.ts";
import type { MigrationDirection } from "./plan-migration.ts";
import { refusedInRecords } from "./refused-in-records.ts";

/** What was purged at one place is refused at the other one too (HIST-5); of how many values that is news there. */
export async function copyRefusals(
  { direction, dryRun = false }: { readonly direction: MigrationDirection; readonly dryRun?: boolean },
  place: { readonly database: Database; readonly space: string; readonly dataFolder: string },
): Promise<number> {
  const { openSpaceRecords } = await import("../stores/postgres/space-records.ts");
  const inFolder = openPurgedValues({ folder: place.dataFolder });
  const inSpace = refusedInRecords(recordsInSpace(openSpaceRecords(place.database, place.space)));
  const [from, to] = direction === "to-postgres" ? [inFolder, inSpace] : [inSpace, inFolder];
  const known = new Set((await to.list()).map(({ fingerprint }) => fingerprint));
  const news = (await from.forms()).filter(({ fingerprint }) => !known.has(fingerprint));
  if (!dryRun) await to.take(news);
  return purgedValuesIn(news).length;
}
