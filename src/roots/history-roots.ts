import { dirname } from "node:path";
import type { MirrorOptions } from "../history/git/mirror.ts";
import { isInside, realPathOf } from "../settings/real-path.ts";
import type { RootPlan } from "./mount-roots.ts";

/** The roots that keep documents and can be written: what nobody writes here has no history here. */
export function historyRoots({ roots }: Pick<RootPlan, "roots">): string[] {
  return roots.filter(({ plain, readOnly }) => !plain && !readOnly).map(({ name }) => name);
}

/** What says where the histories of a workspace have their second copies. */
export interface MirrorBase {
  readonly dataFolder: string;
  readonly home: string;
  readonly project?: { readonly folder: string } | undefined;
}

/** Where the history of such a folder has its second copy (ONE-3). */
export function mirrorOf(root: { readonly folder: string }, { dataFolder, home, project }: MirrorBase): MirrorOptions {
  const folder = realPathOf(root.folder);
  const around = [project?.folder, home].flatMap((one) => (one === undefined ? [] : [realPathOf(one)]));
  return { folder, anchor: around.find((one) => isInside(one, folder)) ?? dirname(folder), dataFolder };
}

/** Of those, the ones that lie in folders: their history is kept by git. */
export function foldersWithHistory({ folders }: Pick<RootPlan, "folders">): RootPlan["folders"] {
  return folders.filter(({ plain, readOnly }) => !plain && !readOnly);
}
