import { comparePaths } from "../document-path.ts";
import { revisionOf } from "../revision.ts";
import { bytesOf, type Content, type Tree } from "./tree.ts";

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** Documents that one side has under another name, with every byte as it was. What also changed is not found. */
export function findRenames(base: Tree, side: Tree): Rename[] {
  const gone = [...base.keys()].filter((path) => !side.has(path));
  const fresh = gone.length === 0 ? [] : [...side.keys()].filter((path) => !base.has(path));
  const sources = byContent(base, gone);
  const targets = byContent(side, fresh);
  return [...sources].flatMap(([rev, from]) => pairUp(from, targets.get(rev) ?? []));
}

/** Empty documents are all alike. */
function byContent(tree: Tree, paths: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths.toSorted(comparePaths)) {
    const content = tree.get(path) as Content;
    if (content.length === 0) continue;
    const rev = revisionOf(bytesOf(content));
    const group = groups.get(rev);
    if (group) group.push(path);
    else groups.set(rev, [path]);
  }
  return groups;
}

/** Of several with the same content, those that kept their file name belong together; then the first with the first. */
function pairUp(from: readonly string[], to: readonly string[]): Rename[] {
  const byName = Map.groupBy(to.toReversed(), nameOf);
  const pairs: Rename[] = [];
  const left = from.filter((source) => {
    const target = byName.get(nameOf(source))?.pop();
    if (target !== undefined) pairs.push({ from: source, to: target });
    return target === undefined;
  });
  const taken = new Set(pairs.map((pair) => pair.to));
  const free = to.filter((target) => !taken.has(target));
  for (const [index, target] of free.slice(0, left.length).entries()) {
    pairs.push({ from: left[index] as string, to: target });
  }
  return pairs;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
