import type { RootPlan } from "./mount-roots.ts";

/** The folders that keep documents and can be written: what nobody writes here has no history here. */
export function historyRoots({ folders }: Pick<RootPlan, "folders">): string[] {
  return folders.filter(({ plain, readOnly }) => !plain && !readOnly).map(({ name }) => name);
}
