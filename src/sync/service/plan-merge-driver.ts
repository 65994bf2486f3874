import { RecollectError } from "../../kernel/errors.ts";
import { findForeignFile } from "../../roots/foreign-topics.ts";
import type { RootPlan } from "../../roots/mount-roots.ts";
import type { Project } from "../../settings/find-project.ts";
import { realPathOf } from "../../settings/real-path.ts";
import type { ResolvedSettings } from "../../settings/resolve-settings.ts";
import { type DriverSetup, planDriver, planDriverRemoval } from "../project-git/driver-setup.ts";
import { createProjectGit, findWorkTree } from "../project-git/project-git.ts";

/** What of a workspace may lie in the repository of its project. */
export interface MergedFolders {
  readonly project: Project | undefined;
  readonly settings: ResolvedSettings;
  readonly memoryFolders: RootPlan["memoryFolders"];
  readonly bankAreas: RootPlan["areas"];
}

/** How the repository that the project lies in gets our merge driver for its folders of memory, or loses it. */
export async function planMergeDriver(
  workspace: MergedFolders,
  options: {
    /** How a shell starts Recollect; undefined takes the driver out. */
    readonly command: readonly string[] | undefined;
    readonly env: NodeJS.ProcessEnv;
  },
): Promise<DriverSetup> {
  const { project, settings, memoryFolders, bankAreas } = workspace;
  const git = project && createProjectGit({ folder: project.folder, env: options.env });
  const tree = git && (await findWorkTree(git));
  if (!git || !tree) {
    throw new RecollectError("NOT_FOUND", "This project lies in no git repository, so nothing is merged here by git.");
  }
  if (options.command === undefined) return planDriverRemoval(git, tree);
  const { folder } = settings.values.memory_path;
  const topics = folder === undefined || findForeignFile(settings) !== undefined ? [] : [realPathOf(folder)];
  const memories = memoryFolders.filter(({ kind }) => kind !== "global").flatMap(({ path }) => path ?? []);
  const folders = [...memories, ...(bankAreas?.bank.slice(0, 1) ?? [])].map((one) => realPathOf(one));
  return planDriver({ git, tree, folders: [...folders, ...topics], topics, command: options.command });
}
