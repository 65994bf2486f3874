import { isRecollectError } from "../../kernel/errors.ts";
import { realPathOf } from "../../settings/real-path.ts";
import { isDriverMissing } from "../../sync/project-git/driver-setup.ts";
import { createProjectGit, findWorkTree } from "../../sync/project-git/project-git.ts";
import { findUntidy } from "../../sync/project-git/untidy-note.ts";
import type { Finding } from "./diagnose.ts";
import type { Diagnosed } from "./open-unbroken.ts";

/** What names our driver comes with a clone, what starts it does not: git merges by lines then, with markers (HIST-4). */
export async function mergeDriverFindings({ project }: Diagnosed): Promise<Finding[]> {
  if (!project) return [];
  try {
    const git = createProjectGit({ folder: project.folder, env: process.env });
    const tree = await findWorkTree(git);
    if (!tree || !(await isDriverMissing(git, tree))) return [];
    const says =
      ".gitattributes names Recollect's merge driver, which this clone does not have, so git merges memory by lines";
    return [{ level: "problem", about: "merging", says, remedy: "recollect merge-driver --install" }];
  } catch (error) {
    // Without git nothing is merged here.
    if (isRecollectError(error)) return [];
    throw error;
  }
}

/** Whether git merged files of the topics, so that the next entry brings their index in order. */
export function isMergedByGit({ settings }: Pick<Diagnosed, "settings">): boolean {
  const { folder } = settings.values.memory_path;
  try {
    return folder !== undefined && findUntidy(realPathOf(folder)) !== undefined;
  } catch (error) {
    // No such folder, or nobody may look.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
