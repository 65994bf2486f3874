import { setTimeout as delay } from "node:timers/promises";
import { textOf } from "../../history/document-text.ts";
import { isExistingPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError } from "../../kernel/errors.ts";
import type { Trail } from "../../kernel/trail.ts";
import type { RootPlan } from "../../roots/mount-roots.ts";
import type { Backends } from "../../roots/open-backends.ts";
import { isInside, realPathOf } from "../../settings/real-path.ts";
import type { ResolvedSettings } from "../../settings/resolve-settings.ts";
import type { ProjectCommit } from "../project-git/commit-documents.ts";

const dayMs = 86_400_000;
const [mostWaitMs, pollMs] = [20_000, 25];

interface HistorySettings {
  readonly settings: ResolvedSettings;
  readonly plan: RootPlan;
  readonly project: string | undefined;
}

/** What a project says of history is about its own folders: others may share those outside of it. */
export function keepMsOf({ settings, plan, project }: HistorySettings): (root: string) => number | undefined {
  const keep = settings.values["history.keep"];
  const isOfProject = settings.origins["history.keep"].source === "project";
  return (root) => {
    if (keep === "all") return undefined;
    const folder = plan.folders.find(({ name }) => name === root)?.folder;
    const isOwn = project !== undefined && folder !== undefined && isInside(realPathOf(project), realPathOf(folder));
    return isOfProject && !isOwn ? undefined : keep * dayMs;
  };
}

export type CommitToProject = (options?: { readonly dryRun?: boolean }) => Promise<ProjectCommit>;

/** Undefined where nobody asked for it (HIST-3b). */
export function createProjectCommits({
  settings,
  plan,
  project,
  trailOf,
  documents,
  env,
}: HistorySettings & {
  readonly trailOf: Backends["trail"];
  readonly documents: () => Documents;
  readonly env: NodeJS.ProcessEnv;
}): CommitToProject | undefined {
  if (!settings.values["history.commit_to_project"] || project === undefined) return undefined;
  return async ({ dryRun } = {}) => {
    const { commitDocuments } = await import("../project-git/commit-documents.ts");
    const roots = plan.folders.filter(({ plain, readOnly }) => !plain && !readOnly);
    const folders = roots.map(({ name, folder }) => ({
      folder: realPathOf(folder),
      documents: () => [...trailOf(name).survey()].map(({ path }) => path),
      accepts: (path: string, bytes: Uint8Array) => isAccepted(documents(), { root: name, path }, bytes),
    }));
    const commit = () => commitDocuments({ project, env, dryRun, folders });
    const own = roots.find((_, index) => isInside(realPathOf(project), folders[index]?.folder ?? ""));
    return dryRun || !own ? commit() : alone(trailOf(own.name), commit);
  };
}

/** One process at a time: one that lost against another would leave older text in the index. */
async function alone(trail: Trail, commit: () => Promise<ProjectCommit>): Promise<ProjectCommit> {
  try {
    for (let waited = 0; waited < mostWaitMs; waited += pollMs) {
      const held = trail.tryAlone();
      if (!held) {
        await delay(pollMs);
        continue;
      }
      try {
        return await commit();
      } finally {
        held.release();
      }
    }
    return { kind: "skipped", why: "another process of Recollect is at work" };
  } catch (error) {
    if (isRecollectError(error)) return { kind: "skipped", why: error.message };
    throw error;
  }
}

/** What is no text holds nothing that the guard could know. */
async function isAccepted(documents: Documents, { root, path }: { root: string; path: string }, bytes: Uint8Array) {
  if (!isExistingPath(path)) return false;
  const text = textOf(bytes);
  return text === undefined || documents.accepts({ root, path }, text);
}
