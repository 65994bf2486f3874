import { statSync } from "node:fs";
import { homedir } from "node:os";
import { openFilesStore } from "../../backends/files/files-store.ts";
import { toStorageError } from "../../backends/files/storage-error.ts";
import type { Database } from "../../backends/postgres/database.ts";
import type { WakeUp } from "../../backends/postgres/wake-up.ts";
import { recordsInSpace } from "../../credentials/database-records.ts";
import { refusedInRecords } from "../../credentials/refused-in-records.ts";
import { purgedValuesIn } from "../../history/purged-form.ts";
import { openPurgedValues } from "../../history/purged-values.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { agentPlaces } from "../../roots/agent-places.ts";
import { listAgents } from "../../roots/list-agents.ts";
import { databaseSettingsOf } from "../../roots/workspace-database.ts";
import type { SettingFlags } from "../../settings/setting-texts.ts";
import { settleProject } from "../../settings/settle-project.ts";
import { userDataFolder } from "../../settings/user-folders.ts";
import type { CopyProgress, CopyReport } from "./copy-progress.ts";
import {
  type LeftOutRoot,
  type MigrationDirection,
  pairOfAgent,
  planMigration,
  type RootPair,
} from "./plan-migration.ts";

export interface MigrationOptions {
  readonly direction: MigrationDirection;
  /** True only says what would be copied. */
  readonly dryRun?: boolean;
  readonly project?: string;
  readonly flags?: SettingFlags;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly home?: string;
  readonly onProgress?: (root: string, progress: CopyProgress) => void;
}

/** What became of one root. Without counts where nothing was done yet. */
export interface MigratedRoot extends RootPair, Partial<CopyReport> {}

export interface MigrationReport {
  readonly direction: MigrationDirection;
  readonly roots: readonly MigratedRoot[];
  readonly leftOut: readonly LeftOutRoot[];
  /** How many purged values were not refused at the new place before, and are with this copy. */
  readonly refusedValues: number;
}

/** What is no document, and is not copied. */
const notCopied: readonly LeftOutRoot[] = [
  { name: "tokens", why: "only their holders know them: make new ones there with recollect token create" },
  { name: "what the guard allows", why: "it was decided for this place: allow it there with recollect guard allow" },
];

/**
 * Copies the roots of a workspace with their histories from folders into spaces of its database, or the other way
 * round. What is there stays there. Run again after a kill or a failure, it goes on where it was (PG-3).
 */
export async function migrateWorkspace(options: MigrationOptions): Promise<MigrationReport> {
  const { direction, cwd = process.cwd(), env = process.env, home = homedir() } = options;
  const { project, settings } = await settleProject({ ...options, cwd, env, home });
  const dataFolder = userDataFolder({ env, home });
  const plan = planMigration(settings, direction, { project: project?.folder, cwd, home, dataFolder });
  const { pairs, agents } = plan;
  const leftOut = [...plan.leftOut, ...notCopied];
  const { database, wakeUp } = await openTables(settings.values);
  try {
    const { spacesBelow, hasChanges } = await import("../../backends/postgres/find-spaces.ts");
    const place =
      direction === "to-postgres"
        ? { given: agents.folder, folder: agents.folder }
        : { given: agents.space, space: agents.space };
    const ids = await listAgents(place, { spacesBelow: (base) => spacesBelow(database, base) });
    const all = [...pairs, ...ids.map((id) => pairOfAgent(agents, id))];
    const isThere = async ({ folder, space }: RootPair) =>
      direction === "to-postgres" ? isFolder(folder) : hasChanges(database, space);
    const found: RootPair[] = [];
    for (const pair of all) if (await isThere(pair)) found.push(pair);
    // First: whatever becomes of the rest, what was purged is not written again at the new place.
    const refusedValues = await copyRefusals(options, {
      database,
      space: settings.values["database.space"],
      dataFolder,
    });
    if (options.dryRun) return { direction, roots: found, leftOut, refusedValues };
    const sealed = agentPlaces(settings.values, dataFolder).folders;
    const copied = await copyAll(found, sealed, { database, wakeUp }, { ...options, env });
    return { direction, roots: copied.roots, leftOut: [...leftOut, ...copied.leftOut], refusedValues };
  } finally {
    await wakeUp.close();
    await database.close();
  }
}

interface Tables {
  readonly database: Database;
  readonly wakeUp: WakeUp;
}

async function openTables(values: Parameters<typeof databaseSettingsOf>[0]): Promise<Tables> {
  const settings = databaseSettingsOf(values);
  if (!settings) {
    throw new RecollectError("INVALID_ARGUMENT", "Which database? Give --database-url, or set RECOLLECT_DATABASE_URL.");
  }
  const { openDatabase } = await import("../../backends/postgres/database.ts");
  const { createWakeUp } = await import("../../backends/postgres/wake-up.ts");
  const { toDatabaseError } = await import("../../backends/postgres/database-error.ts");
  const statementTimeoutMs = settings.statementSeconds * 1000;
  const database = openDatabase({ url: settings.url, connections: settings.connections, statementTimeoutMs });
  try {
    await database.migrate();
    return { database, wakeUp: createWakeUp({ url: settings.url }) };
  } catch (error) {
    await database.close();
    throw toDatabaseError(error, "open the database");
  }
}

/** In one store: a root that lies in another one keeps its documents to itself, and so does what is sealed. */
async function copyAll(
  pairs: readonly RootPair[],
  sealed: readonly string[],
  tables: Tables,
  { direction, env = process.env, onProgress }: MigrationOptions,
): Promise<Pick<MigrationReport, "roots" | "leftOut">> {
  const copied = pairs.map(({ name, folder }) => ({ name, folder }));
  const seal = { create: false, readOnly: true, plain: true };
  const others = sealed.map((folder, index) => ({ name: `files of agents ${index}`, folder, ...seal }));
  const store = openFilesStore({ now: Date.now, roots: [...copied, ...others] });
  const roots: MigratedRoot[] = [];
  const leftOut: LeftOutRoot[] = [];
  try {
    const { copyToFolder } = await import("./copy-to-folder.ts");
    const { copyToSpace } = await import("./copy-to-space.ts");
    const copy = direction === "to-postgres" ? copyToSpace : copyToFolder;
    for (const pair of pairs) {
      const tell = (progress: CopyProgress) => onProgress?.(pair.name, progress);
      const shared = { ...tables, store, env, now: Date.now, onProgress: tell };
      try {
        roots.push({ ...pair, ...(await copy({ ...shared, root: pair.name, space: pair.space })) });
      } catch (error) {
        if (!isClosedToUser(error, pair)) throw toStorageError(error, `copy “${pair.name}”`);
        leftOut.push({ name: pair.name, why: error.message });
      }
    }
    return { roots, leftOut };
  } finally {
    await store.close();
  }
}

/** What others look after as well may be theirs alone to write; then it has no history to copy. */
function isClosedToUser(error: unknown, { name }: RootPair): error is RecollectError {
  return isRecollectError(error) && error.data["reason"] === "no-history" && ["templates", "global"].includes(name);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** What was purged at one place is refused at the other one too (HIST-5); of how many values that is news there. */
async function copyRefusals(
  { direction, dryRun = false }: { readonly direction: MigrationDirection; readonly dryRun?: boolean },
  place: { readonly database: Database; readonly space: string; readonly dataFolder: string },
): Promise<number> {
  const { openSpaceRecords } = await import("../../backends/postgres/space-records.ts");
  const inFolder = openPurgedValues({ folder: place.dataFolder });
  const inSpace = refusedInRecords(recordsInSpace(openSpaceRecords(place.database, place.space)));
  const [from, to] = direction === "to-postgres" ? [inFolder, inSpace] : [inSpace, inFolder];
  const known = new Set((await to.list()).map(({ fingerprint }) => fingerprint));
  const news = (await from.forms()).filter(({ fingerprint }) => !known.has(fingerprint));
  if (!dryRun) await to.take(news);
  return purgedValuesIn(news).length;
}
