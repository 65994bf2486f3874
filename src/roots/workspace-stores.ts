import { type FilesStore, openFilesStore } from "../backends/files/files-store.ts";
import type { Rev } from "../kernel/revision.ts";
import type { Address, Outcome, RecoveryReport, Store } from "../kernel/store.ts";
import type { ConfiguredPlace } from "../settings/setting-types.ts";
import type { SettingValues } from "../settings/settings.ts";
import { closeOnFailure } from "./close-on-failure.ts";
import type { RootPlan } from "./mount-roots.ts";
import { createRootSources, type RootSources } from "./root-sources.ts";
import {
  type DatabaseSettings,
  databaseSettingsOf,
  openWorkspaceDatabase,
  type WorkspaceDatabase,
} from "./workspace-database.ts";

/** What keeps the roots of a workspace: folders of this machine, and spaces of a database. */
export interface WorkspaceStores {
  /** What keeps a root. */
  of(root: string): Store;
  /** Of the roots that lie in folders. */
  readonly files: FilesStore;
  readonly sources: RootSources;
  readonly database: WorkspaceDatabase | undefined;
  readonly databaseSettings: DatabaseSettings | undefined;
  /** The space of a root; undefined where it lies in a folder. */
  spaceOf(root: string): string | undefined;
  /** Who made a revision of a document, where that is still known; nobody of ours otherwise. */
  authorOf(at: Address, rev: Rev | undefined): Promise<string | undefined>;
  /** Somebody here wrote these: servers beside this one are told. */
  committed(outcomes: readonly Outcome[]): void;
  recover(): Promise<RecoveryReport>;
  close(): Promise<void>;
}

export interface WorkspaceStoresOptions {
  readonly plan: Pick<RootPlan, "folders" | "spaces">;
  /** Where the files of all agents lie. */
  readonly agents: ConfiguredPlace;
  readonly values: SettingValues;
  readonly lockTimeoutMs: number | undefined;
  /** See `FilesStoreOptions`. */
  readonly blockingSync: boolean;
}

export async function openWorkspaceStores(options: WorkspaceStoresOptions): Promise<WorkspaceStores> {
  const { plan, agents, values } = options;
  const inSpace = plan.spaces[0]?.name ?? (agents.space === undefined ? undefined : agents.given);
  const databaseSettings = databaseSettingsOf(values, inSpace);
  const database = databaseSettings && (await openWorkspaceDatabase(databaseSettings));
  return closeOnFailure(database, () => storesOf(options, databaseSettings, database));
}

function storesOf(
  { plan, agents, lockTimeoutMs, blockingSync }: WorkspaceStoresOptions,
  databaseSettings: DatabaseSettings | undefined,
  database: WorkspaceDatabase | undefined,
): WorkspaceStores {
  const files = openFilesStore({
    roots: plan.folders,
    now: Date.now,
    blockingSync,
    ...(lockTimeoutMs === undefined ? {} : { lockTimeoutMs }),
  });
  const spaces = new Map(plan.spaces.map(({ name, space }) => [name, space]));
  const inDatabase = database?.store(plan.spaces);
  return {
    of: (root) => (inDatabase && spaces.has(root) ? inDatabase : files),
    files,
    sources: createRootSources({ files, spaces: plan.spaces, agents, database }),
    database,
    databaseSettings,
    spaceOf: (root) => spaces.get(root),
    authorOf: async (at, rev) => {
      const space = spaces.get(at.root);
      return space === undefined ? files.authorOf(at, rev) : database?.authorOf(space, at.path, rev);
    },
    committed: (outcomes) => {
      const written = new Set(outcomes.flatMap(({ at }) => spaces.get(at.root) ?? []));
      if (written.size > 0) database?.written([...written]);
    },
    recover: () => files.recover(),
    close: async () => void (await Promise.all([files.close(), inDatabase?.close(), database?.close()])),
  };
}
