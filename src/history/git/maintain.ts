import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "./repository.ts";
import type { Git } from "./run-git.ts";

/** Each run leaves a pack. Over so many, the small ones become one. */
const manyPacks = 16;
/** What grew by less than this since deltas were last looked for among all is not worth it. */
const worthwhileBytes = 1024 * 1024;
const timeoutMs = 30 * 60_000;
const packedFile = "recollect-packed";

/**
 * Joins small packs into larger ones, so that each object is written a few times in its life and not each time. Where
 * all of it has doubled, deltas are looked for anew among all objects, which is what makes it as small as `git gc` does.
 * Nothing that no branch names is dropped: a recorder at work may be about to name it.
 */
export async function maintainRepository(repository: Repository, git: Git): Promise<boolean> {
  const isMany = repository.packSizes().length > manyPacks;
  if (isMany) await git.run(["repack", "-d", "-q", "--geometric=2"], { timeoutMs });
  const total = repository.packSizes().reduce((sum, size) => sum + size, 0);
  const isDoubled = total > 2 * bytesWhenPacked(repository) + worthwhileBytes;
  if (isDoubled) {
    await git.run(["repack", "-a", "-d", "-k", "-f", "-q", "--window=20", "--depth=50"], { timeoutMs });
    const packed = repository.packSizes().reduce((sum, size) => sum + size, 0);
    writeFileSync(join(repository.folder, packedFile), `${packed}\n`);
  }
  if (!isMany && !isDoubled) return false;
  // With the paths that each commit changed, a log of one document need not look into every tree.
  const split = isDoubled ? [] : ["--split"];
  await git.run(["commit-graph", "write", "--reachable", "--changed-paths", "--no-progress", ...split], { timeoutMs });
  return true;
}

/** 0 where it never was; the file is derived, and may be deleted. */
function bytesWhenPacked({ folder }: Repository): number {
  try {
    return Number(readFileSync(join(folder, packedFile), "utf8")) || 0;
  } catch {
    return 0;
  }
}
