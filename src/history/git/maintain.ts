import type { Repository } from "./repository.ts";
import type { Git } from "./run-git.ts";

/** Each run leaves a pack. Over so many, the small ones become one. */
const manyPacks = 16;
const timeoutMs = 30 * 60_000;

/**
 * Joins small packs into larger ones, so that each object is written a few times in its life and not each time; where
 * all would become one anyway, deltas are looked for anew, which is what makes it as small as `git gc` does. Nothing
 * that no branch names is dropped: a recorder at work may be about to name it.
 */
export async function maintainRepository(repository: Repository, git: Git): Promise<boolean> {
  const packs = repository.packSizes();
  const total = packs.reduce((sum, size) => sum + size, 0);
  const largest = Math.max(0, ...packs);
  if (packs.length <= manyPacks && (packs.length <= 1 || total < 2 * largest)) return false;
  const isWhole = total >= 2 * largest;
  await git.run(
    isWhole ? ["repack", "-a", "-d", "-k", "-f", "-q", "--window=20"] : ["repack", "-d", "-q", "--geometric=2"],
    { timeoutMs },
  );
  await git.run(
    ["commit-graph", "write", "--reachable", "--changed-paths", "--no-progress", ...(isWhole ? [] : ["--split"])],
    { timeoutMs },
  );
  return true;
}
