import { nameOfPath } from "../notes/memories/memory-name.ts";
import type { RootPlan } from "./mount-roots.ts";

/** What people call a document: a memory's name, or folder and path of anything else. */
export type NameOf = (at: { readonly root: string; readonly path: string }) => string;

export function createNameOf({ memoryFolders }: Pick<RootPlan, "memoryFolders">): NameOf {
  const kinds = new Map(memoryFolders.map(({ root, kind }) => [root, kind]));
  return ({ root, path }) => {
    const kind = kinds.get(root);
    return (kind === undefined ? undefined : nameOfPath(path, kind === "global")) ?? `${root}/${path}`;
  };
}
