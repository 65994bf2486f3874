import { homedir } from "node:os";
import { toStorageError } from "../../backends/files/storage-error.ts";
import type { Backend, FillProgress, FillReport, FillRequest } from "../../kernel/backend.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import type { DocumentTime } from "../../kernel/operation-source.ts";
import { purgedValuesIn } from "../../kernel/purged-form.ts";
import type { RecordPlace } from "../../kernel/records.ts";
import { agentPlaces, agentsIn } from "../../roots/agent-places.ts";
import { type Backends, openBackends } from "../../roots/open-backends.ts";
import { folderOf, type RootPlace } from "../../roots/root-place.ts";
import type { SettingFlags } from "../../settings/setting-texts.ts";
import type { BackendName } from "../../settings/setting-types.ts";
import { settleProject } from "../../settings/settle-project.ts";
import { userDataFolder } from "../../settings/user-folders.ts";
import {
  agentsOf,
  type LeftOutRoot,
  type MigrationDirection,
  pairOfAgent,
  planMigration,
  type RootPair,
} from "./plan-migration.ts";

/** What a copy of a root did. */
export interface CopyReport extends FillReport {
  /** Documents that no history has, since they are too large: they stay where they are. */
  readonly leftOut: readonly string[];
}

export interface MigrationOptions {
  readonly direction: MigrationDirection;
  /** True only says what would be copied. */
  readonly dryRun?: boolean;
  readonly project?: string;
  readonly flags?: SettingFlags;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly home?: string;
  readonly onProgress?: (root: string, progress: FillProgress) => void;
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
  const backends = await openBackends({ values: settings.values, env, home, dataFolder, project }, []);
  try {
    const ends = endsOf(backends, direction);
    const { from } = ends;
    const ids = await agentsIn(from.backend, from.placeOf(agentsOf(agents)));
    const found: RootPair[] = [];
    for (const pair of [...pairs, ...ids.map((id) => pairOfAgent(agents, id))]) {
      if (await from.backend.has(from.placeOf(pair))) found.push(pair);
    }
    // First: whatever becomes of the rest, what was purged is not written again at the new place.
    const refusedValues = await copyRefusals(ends, options.dryRun);
    if (options.dryRun) return { direction, roots: found, leftOut, refusedValues };
    const copied = await copyAll(found, ends, agentPlaces(settings.values, dataFolder), options);
    return { direction, roots: copied.roots, leftOut: [...leftOut, ...copied.leftOut], refusedValues };
  } finally {
    await backends.close();
  }
}

/** One side of a migration. */
interface End {
  readonly name: BackendName;
  readonly backend: Backend;
  readonly records: RecordPlace;
  placeOf(pair: Pick<RootPair, "folder" | "space">): string;
}

type Ends = Readonly<Record<"from" | "to", End>>;

function endsOf(backends: Backends, direction: MigrationDirection): Ends {
  const endOf = (name: BackendName, placeOf: End["placeOf"]): End => {
    const backend = backends.at({ backend: name });
    const records = backends.recordsIn(name);
    if (backend && records) return { name, backend, records, placeOf };
    throw new RecollectError("INVALID_ARGUMENT", "Which database? Give --database-url, or set RECOLLECT_DATABASE_URL.");
  };
  const folders = endOf("files", ({ folder }) => folder);
  const spaces = endOf("postgres", ({ space }) => space);
  return direction === "to-postgres" ? { from: folders, to: spaces } : { from: spaces, to: folders };
}

/** In one backend: a root that lies in another one keeps its documents to itself, and so does what is sealed. */
async function copyAll(
  pairs: readonly RootPair[],
  { from, to }: Ends,
  sealed: readonly RootPlace[],
  { onProgress }: MigrationOptions,
): Promise<Pick<MigrationReport, "roots" | "leftOut">> {
  const open = ({ name, backend, placeOf }: End) => {
    const own = pairs.map((pair) => ({ name: pair.name, place: placeOf(pair) }));
    const others = sealed
      .filter((one) => folderOf(one) !== undefined && one.backend === name)
      .map(({ place }, index) => ({
        ...{ name: `files of agents ${index}`, place, create: false, readOnly: true, plain: true },
      }));
    return backend.beside([...own, ...others]);
  };
  const [source, target] = [open(from), open(to)];
  const roots: MigratedRoot[] = [];
  const leftOut: LeftOutRoot[] = [];
  try {
    for (const pair of pairs) {
      try {
        const tell = (progress: FillProgress) => onProgress?.(pair.name, progress);
        roots.push({ ...pair, ...(await copyRoot(pair.name, source, target, { onProgress: tell })) });
      } catch (error) {
        if (!isClosedToUser(error, pair)) throw toStorageError(error, `copy “${pair.name}”`);
        leftOut.push({ name: pair.name, why: error.message });
      }
    }
    return { roots, leftOut };
  } finally {
    await source.close();
    await target.close();
  }
}

/** A root with all that its history has. */
export async function copyRoot(
  root: string,
  from: Backend,
  to: Backend,
  options: Pick<FillRequest, "onProgress" | "atOnce"> = {},
): Promise<CopyReport> {
  const [here, there] = [await from.care?.(root), await to.care?.(root)];
  if (!here || !there) throw new RangeError(`“${root}” cannot be copied.`);
  const source = await here.operations();
  const report = await there.fill({ ...options, source, times: () => timesOf(from, root) });
  return { ...report, leftOut: source.leftOut ?? [] };
}

const listedAtOnce = 2000;

async function* timesOf({ documents }: Backend, root: string): AsyncGenerator<readonly DocumentTime[]> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const { entries, next } = await documents.list({ root, limit: listedAtOnce, details: true, after });
    yield entries.flatMap(({ path, owner, details }): DocumentTime[] =>
      owner === root && details?.rev !== undefined ? [{ path, rev: details.rev, modified: details.modified }] : [],
    );
    after = next;
  }
}

/** A root that is shared may be closed to this user; then it has no history to copy. */
function isClosedToUser(error: unknown, { name }: RootPair): error is RecollectError {
  return isRecollectError(error) && error.data["reason"] === "no-history" && ["templates", "global"].includes(name);
}

/** What was purged at one place is refused at the other one too (HIST-5); of how many values that is news there. */
async function copyRefusals({ from, to }: Ends, dryRun = false): Promise<number> {
  const [here, there] = [from.records.purgedValues, to.records.purgedValues];
  const known = new Set((await there.list()).map(({ fingerprint }) => fingerprint));
  const news = (await here.forms()).filter(({ fingerprint }) => !known.has(fingerprint));
  if (!dryRun) await there.take(news);
  return purgedValuesIn(news).length;
}
