import { findProject, type Project } from "./find-project.ts";
import { type ResolvedSettings, resolveSettings } from "./resolve-settings.ts";
import type { SettingFlags } from "./setting-texts.ts";
import { openTrust } from "./trust.ts";
import { userDataFolder } from "./user-folders.ts";

export interface SettleOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly project?: string;
  readonly flags?: SettingFlags;
}

export interface SettledProject {
  readonly project: Project | undefined;
  readonly settings: ResolvedSettings;
  readonly files: string | undefined;
}

/**
 * The project, its settings, and where its own files lie. A worktree that shares uses the memories of the main one, by
 * the settings of its own file; what is being worked on are still the files of the worktree.
 */
export async function settleProject(options: SettleOptions): Promise<SettledProject> {
  const { cwd, env, home, project: given, flags = {} } = options;
  const project = findProject({ cwd, home, ...(given === undefined ? {} : { given }) });
  const trust = openTrust({ folder: userDataFolder({ env, home }) });
  const resolve = (folder: string | undefined) => resolveSettings({ project: folder, cwd, env, home, flags, trust });
  const settings = await resolve(project?.folder);
  if (!project?.mainWorktree || !settings.values.share_worktrees) return { project, settings, files: project?.folder };
  const main = project.mainWorktree;
  return { project: { folder: main }, settings: await resolve(main), files: project.folder };
}
