import type { RootFolderOptions } from "../backends/files/root-folders.ts";
import type { BackendRoot } from "../kernel/backend.ts";
import { agentRoot } from "../notes/agents/agent-root.ts";
import type { BackendName, ConfiguredPlace } from "../settings/setting-types.ts";
import type { RootPlan } from "./mount-roots.ts";

/** Where roots lie: in which backend, and where there. */
export interface RootPlace {
  readonly backend: BackendName;
  readonly place: string;
}

/** A root of a workspace. */
export interface PlacedRoot extends BackendRoot, RootPlace {}

/** A configured place, or a part of one. */
export type PlaceParts = Partial<Record<"folder" | "space", string | undefined>> & {
  readonly backend?: BackendName | undefined;
};

export function toRootPlace({ folder, space = "", backend = "files" }: PlaceParts): RootPlace {
  return folder === undefined ? { backend, place: space } : { backend: "files", place: folder };
}

/** Undefined for what lies in no folder. */
export function folderOf({ backend, place }: RootPlace): string | undefined {
  return backend === "files" ? place : undefined;
}

/** The roots that lie in folders, for what only folders can do. */
export function rootFolders(roots: readonly PlacedRoot[]): RootFolderOptions[] {
  return roots.flatMap(({ backend, place, ...root }) => {
    const folder = folderOf({ backend, place });
    return folder === undefined ? [] : [{ ...root, folder }];
  });
}

/** As it is written in settings. */
export function placeText({ backend, place }: RootPlace): string {
  return backend === "files" ? place : `${backend}:${place}`;
}

/** Where a root lies, as text; agents' own files are named by the agent. */
export function rootPlaceOf(
  root: string,
  { roots }: Pick<RootPlan, "roots">,
  agents: ConfiguredPlace,
): string | undefined {
  const found = roots.find(({ name }) => name === root);
  if (found) return placeText(found);
  if (!root.startsWith(`${agentRoot}/`)) return undefined;
  const { backend, place } = toRootPlace(agents);
  return placeText({ backend, place: `${place}/${root}` });
}
