import { isUtf8 } from "node:buffer";
import type { SyncRepository } from "./repository.ts";
import { changedPaths, type EntryTree, isRegular } from "./tree-entries.ts";

/**
 * Documents of which one revision holds lines that another one holds nowhere. What was only moved, as into an archive,
 * is not missing.
 */
export async function findMissing(
  before: EntryTree,
  after: EntryTree,
  repository: Pick<SyncRepository, "contentsOf">,
  { isDerived, isWanted }: { isDerived: (path: string) => boolean; isWanted: (line: string) => boolean },
): Promise<string[]> {
  const paths = changedPaths(before, after).filter((path) => !isDerived(path));
  const linesIn = async (tree: EntryTree) => {
    const entries = paths.flatMap((path) => {
      const entry = tree.get(path);
      return entry && isRegular(entry) ? [{ path, id: entry.id }] : [];
    });
    const contents = await repository.contentsOf([...new Set(entries.map(({ id }) => id))]);
    return entries.map(({ path, id }) => ({ path, lines: linesOf(contents.get(id)) }));
  };
  const left = new Set((await linesIn(after)).flatMap(({ lines }) => lines));
  const found = await linesIn(before);
  return found.filter(({ lines }) => lines.some((line) => !left.has(line) && isWanted(line))).map(({ path }) => path);
}

/** What is no text is one line. */
function linesOf(bytes: Buffer | undefined): string[] {
  if (bytes === undefined) return [];
  if (!isUtf8(bytes)) return [bytes.toString("latin1")];
  return bytes
    .toString("utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && line !== "---");
}
