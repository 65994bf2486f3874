import { homedir } from "node:os";
import { resolve } from "node:path";
import { makeFolders } from "../../backends/files/make-folders.ts";
import { toStorageError } from "../../backends/files/storage-error.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { bankRoots } from "../../notes/bank/bank-roots.ts";
import { placeOfAgents } from "../../roots/agent-places.ts";
import { planRoots, type RootPlan } from "../../roots/mount-roots.ts";
import { type Backends, openBackends } from "../../roots/open-backends.ts";
import { folderOf, type RootPlace } from "../../roots/root-place.ts";
import { resolveTopicsFolder } from "../../roots/topics-folder.ts";
import { isInside, realPathOf } from "../../settings/real-path.ts";
import type { SettingFlags } from "../../settings/setting-texts.ts";
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
  const place = placeOfAgents(agents);
  const folder = resolve(cwd, options.folder);
  assertOutside(folder, plan, place);
  const backends = await openBackends({ values, agents, env, home, dataFolder, project }, plan.roots);
  const closing: (() => Promise<void>)[] = [backends.close];
  try {
    const ofAgents = (await backends.listAgents()).map((id) => ({
      name: `agents/${id}`,
      place: `${place.place}/${id}`,
      readOnly: true,
    }));
    const agentsBackend = backends.at(place)?.beside(ofAgents);
    if (agentsBackend) closing.unshift(agentsBackend.close);
    const roots = rootsOf(plan, backends);
    if (agentsBackend)
      roots.push(...ofAgents.map(({ name }) => ({ name, root: name, documents: agentsBackend.documents })));
    makeFolders(folder);
    return await exportRoots({ roots, folder: realPathOf(folder), onProgress });
  } catch (error) {
    throw toStorageError(error, "export");
  } finally {
    for (const close of closing) await close();
  }
}

/** What is exported into a root would be exported again. */
function assertOutside(folder: string, { folders }: RootPlan, agents: RootPlace): void {
  const own = folders.filter(({ plain }) => !plain).map((root) => root.folder);
  const all = [...own, folderOf(agents) ?? []].flat();
  try {
    if (!all.some((root) => isInside(realPathOf(root), realPathOf(folder)))) return;
  } catch (error) {
    throw toStorageError(error, "export");
  }
  throw new RecollectError("NOT_ALLOWED", "The folder for the export is inside a memory. Give another one.");
}

function rootsOf(plan: RootPlan, backends: Backends): ExportedRoot[] {
  const names = new Map<string, string>();
  for (const { root, kind, baseName } of plan.memoryFolders) {
    const isMain = kind === "primary" || kind === "global";
    names.set(root, isMain ? (kind === "primary" ? "memories" : kind) : freeName(baseName, [...names.values()]));
  }
  if (plan.topics !== undefined) names.set(plan.topics, "topics");
  const areas = [bankRoots.bank, bankRoots.templates].filter((area) => plan.mounted.some(({ name }) => name === area));
  for (const area of areas) names.set(area, area);
  return [...names].map(([root, name]) => ({ name, root, documents: backends.of(root).documents }));
}

/** The base name of a folder may be none that a document can have, or taken already. */
function freeName(baseName: string, taken: readonly string[]): string {
  const plain = `additional-${baseName.replace(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 60)}`.replace(/-+$/, "");
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? plain : `${plain}-${number}`;
    if (!taken.includes(name)) return name;
  }
}
