import { comparePaths } from "../document-path.ts";
import type { DraftTree } from "./draft-tree.ts";
import { type Content, foldersOf, foldPath, isSame, type Tree } from "./tree.ts";
import type { TreeConflict } from "./tree-conflict.ts";

/**
 * Names that each side could have and the two together cannot: a document where the other has a folder, and names that
 * some file systems take for one. What a side already held like that is its own business, and stays.
 */
export function resolveNameClashes(draft: DraftTree, base: Tree, sides: readonly Tree[]): TreeConflict[] {
  return [...resolveSpellings(draft, base, sides), ...resolveFolders(draft, sides)];
}

function resolveSpellings({ documents, placeBeside }: DraftTree, base: Tree, sides: readonly Tree[]): TreeConflict[] {
  const groups = Map.groupBy([...documents.keys()].toSorted(comparePaths), foldPath);
  return [...groups.values()].flatMap((paths): TreeConflict[] => {
    if (paths.length === 1 || sides.some((side) => paths.every((path) => side.has(path)))) return [];
    const path = paths.find((one) => base.has(one)) ?? (paths[0] as string);
    return paths
      .filter((other) => other !== path)
      .map((other) => {
        const content = documents.get(other) as Content;
        documents.delete(other);
        const beside = isSame(content, documents.get(path)) ? undefined : placeBeside(other, content);
        return { kind: "same-name", path, other, beside };
      });
  });
}

function resolveFolders({ documents, placeBeside }: DraftTree, sides: readonly Tree[]): TreeConflict[] {
  const byFold = new Map([...documents.keys()].map((path) => [foldPath(path), path]));
  const clashing = new Map<string, Set<string>>();
  for (const path of documents.keys()) {
    for (const folder of foldersOf(path)) {
      const document = byFold.get(foldPath(folder));
      if (document !== undefined) clashing.set(document, (clashing.get(document) ?? new Set()).add(path));
    }
  }
  return [...clashing].flatMap(([path, inside]): TreeConflict[] => {
    const isOwn = sides.some((side) => side.has(path) && [...inside].some((one) => side.has(one)));
    if (isOwn) return [];
    const content = documents.get(path) as Content;
    documents.delete(path);
    return [{ kind: "document-and-folder", path, beside: placeBeside(path, content) }];
  });
}
