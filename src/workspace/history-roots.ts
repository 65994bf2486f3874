import type { MirrorOptions } from "../history/git/mirror.ts";
import type { RootPlan } from "./mount-roots.ts";
import { realPathOf } from "./real-path.ts";

/** The roots that keep documents and can be written: what nobody writes here has no history here. */
export function historyRoots(plan: Pick<RootPlan, "folders" | "spaces">): string[] {
  return [...foldersWithHistory(plan), ...spacesWithHistory(plan)].map(({ name }) => name);
}

/** Where the history of such a folder has its second copy (ONE-3). */
export function mirrorOf({ folder }: { readonly folder: string }, dataFolder: string): MirrorOptions {
  return { folder: realPathOf(folder), dataFolder };
}

/** Of those, the ones that lie in folders: their history is kept by git. */
export function foldersWithHistory({ folders }: Pick<RootPlan, "folders">): RootPlan["folders"] {
  return folders.filter(({ plain, readOnly }) => !plain && !readOnly);
}

/** And those that lie in a database, which keeps it. */
export function spacesWithHistory({ spaces }: Pick<RootPlan, "spaces">): RootPlan["spaces"] {
  return spaces.filter(({ readOnly }) => !readOnly);
}
