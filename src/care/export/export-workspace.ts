import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type FilesStore, openFilesStore } from "../../backends/files/files-store.ts";
import { makeFolders } from "../../backends/files/make-folders.ts";
import { toStorageError } from "../../backends/files/storage-error.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { agentRoot } from "../../notes/agents/agent-root.ts";
import { bankRoots } from "../../notes/bank/bank-roots.ts";
import { listAgents } from "../../roots/list-agents.ts";
import { planRoots, type RootPlan } from "../../roots/mount-roots.ts";
import { resolveTopicsFolder } from "../../roots/topics-folder.ts";
import { openWorkspaceStores, type WorkspaceStores } from "../../roots/workspace-stores.ts";
import { isInside, realPathOf } from "../../settings/real-path.ts";
import type { SettingFlags } from "../../settings/setting-texts.ts";
import type { ConfiguredPlace } from "../../settings/setting-types.ts";
import { settleProject } from "../../settings/settle-project.ts";
import { userDataFolder } from "../../settings/user-folders.ts";
import { type ExportedRoot, type ExportReport, exportRoots } from "./export-roots.ts";

export interface ExportWorkspaceOptions {
  /** Must be empty or missing. */
  readonly folder: string;
  readonly project?: string;
  readonly flags?: SettingFlags;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly home?: string;
  readonly onProgress?: (done: number) => void;
}

/** Plain folders of all documents as they are now, wherever they lie; a folder for each root and each agent. */
export async function exportWorkspace(options: ExportWorkspaceOptions): Promise<ExportReport> {
  const { cwd = process.cwd(), env = process.env, home = homedir(), onProgress } = options;
  const { project, settings, files } = await settleProject({ ...options, cwd, env, home });
  const { values } = settings;
  const dataFolder = userDataFolder({ env, home });
  const topics = resolveTopicsFolder(values, { project: project?.folder, cwd, home, dataFolder });
  const plan = planRoots(settings, { project: project?.folder, files, topics, dataFolder });
  const agents = values["agent.app_cache_dir"];
  const folder = resolve(cwd, options.folder);
  assertOutside(folder, plan, agents);
  const stores = await openWorkspaceStores({ plan, agents, values, lockTimeoutMs: undefined, blockingSync: true });
  const ofAgents = await openAgents(agents, stores);
  try {
    const roots = [...rootsOf(plan, stores), ...ofAgents.roots];
    makeFolders(folder);
    return await exportRoots({ roots, folder: realPathOf(folder), onProgress });
  } catch (error) {
    throw toStorageError(error, "export");
  } finally {
    await ofAgents.close();
    await stores.close();
  }
}

/** What is exported into a root would be exported again. */
function assertOutside(folder: string, { folders }: RootPlan, agents: ConfiguredPlace): void {
  const own = folders.filter(({ plain }) => !plain).map((root) => root.folder);
  const all = agents.folder === undefined ? own : [...own, join(agents.folder, agentRoot)];
  try {
    if (!all.some((root) => isInside(realPathOf(root), realPathOf(folder)))) return;
  } catch (error) {
    throw toStorageError(error, "export");
  }
  throw new RecollectError("NOT_ALLOWED", "The folder for the export is inside a memory. Give another one.");
}

function rootsOf(plan: RootPlan, stores: WorkspaceStores): ExportedRoot[] {
  const names = new Map<string, string>();
  for (const { root, kind, baseName } of plan.memoryFolders) {
    const isMain = kind === "primary" || kind === "global";
    names.set(root, isMain ? (kind === "primary" ? "memories" : kind) : freeName(baseName, [...names.values()]));
  }
  if (plan.topics !== undefined) names.set(plan.topics, "topics");
  const areas = [bankRoots.bank, bankRoots.templates].filter((area) => plan.mounted.some(({ name }) => name === area));
  for (const area of areas) names.set(area, area);
  return [...names].map(([root, name]) => {
    const space = stores.spaceOf(root);
    return { name, root, store: stores.of(root), readBytes: readerOf(space, stores) };
  });
}

function readerOf(space: string | undefined, { files, database }: WorkspaceStores): ExportedRoot["readBytes"] {
  if (space === undefined || !database) return files.readBytes;
  return ({ path }) => database.readBytes(space, path);
}

/** The base name of a folder may be none that a document can have, or taken already. */
function freeName(baseName: string, taken: readonly string[]): string {
  const plain = `additional-${baseName.replace(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 60)}`.replace(/-+$/, "");
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? plain : `${plain}-${number}`;
    if (!taken.includes(name)) return name;
  }
}

async function openAgents(
  place: ConfiguredPlace,
  { database }: WorkspaceStores,
): Promise<{ readonly roots: readonly ExportedRoot[]; close(): Promise<void> }> {
  const ids = await listAgents(place, database);
  const named = ids.map((id) => ({ name: `agents/${id}`, id }));
  if (place.folder !== undefined) {
    const folder = join(place.folder, agentRoot);
    const store: FilesStore = openFilesStore({
      now: Date.now,
      roots: named.map(({ name, id }) => ({ name, folder: join(folder, id), readOnly: true })),
    });
    const roots = named.map(({ name }) => ({ name, root: name, store, readBytes: store.readBytes }));
    return { roots, close: () => store.close() };
  }
  const spaceOf = (id: string) => `${place.space}/${id}`;
  const store = database?.store(named.map(({ name, id }) => ({ name, space: spaceOf(id) })));
  const roots = named.flatMap(({ name, id }): ExportedRoot[] =>
    store && database
      ? [{ name, root: name, store, readBytes: ({ path }) => database.readBytes(spaceOf(id), path) }]
      : [],
  );
  return { roots, close: async () => store?.close() };
}
