import type { RootPlan } from "./mount-roots.ts";

/** The roots that keep documents and can be written: what nobody writes here has no history here. */
export function historyRoots(plan: Pick<RootPlan, "folders" | "spaces">): string[] {
  const spaces = plan.spaces.filter(({ readOnly }) => !readOnly);
  return [...foldersWithHistory(plan), ...spaces].map(({ name }) => name);
}

/** Of those, the ones that lie in folders: their history is kept by git. */
export function foldersWithHistory({ folders }: Pick<RootPlan, "folders">): RootPlan["folders"] {
  return folders.filter(({ plain, readOnly }) => !plain && !readOnly);
}
