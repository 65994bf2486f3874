import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repack } from "./mend-packs.ts";
import type { Repository } from "./repository.ts";
import type { Git } from "./run-git.ts";

/** Each run leaves a pack. Over so many, the small ones become one. */
const manyPacks = 16;
/** What grew by less than this since deltas were last looked for among all is not worth it. */
const worthwhileBytes = 1024 * 1024;
const timeoutMs = 30 * 60_000;
const packedFile = "recollect-packed";
const graphFile = "recollect-graph";
/** So many commits that the graph does not know yet cost a log some milliseconds. */
const manyCommits = 500;

/**
 * Joins small packs into larger ones, so that each object is written a few times in its life and not each time. Where
 * all of it has doubled, deltas are looked for anew among all objects, which is what makes it as small as `git gc` does.
 * Nothing that no branch names is dropped: a recorder at work may be about to name it.
 */
export async function maintainRepository(repository: Repository, git: Git): Promise<boolean> {
  const isMany = repository.packSizes().length > manyPacks;
  const patiently = { timeoutMs, isPatient: true };
  if (isMany) await repack(repository, git, ["-d", "-q", "--geometric=2"], patiently);
  const total = repository.packSizes().reduce((sum, size) => sum + size, 0);
  const isDoubled = total > 2 * bytesWhenPacked(repository) + worthwhileBytes;
  if (isDoubled) {
    await repack(repository, git, ["-a", "-d", "-k", "-f", "-q", "--window=20", "--depth=50"], patiently);
    const packed = repository.packSizes().reduce((sum, size) => sum + size, 0);
    note(repository, packedFile, packed);
  }
  const isUnknown = isMany || isDoubled || (await countUnknown(repository, git)) > manyCommits;
  if (!isUnknown) return false;
  // Nothing but speed depends on it, and the next time comes.
  if (!repository.freeGraph()) return isMany || isDoubled;
  // With the paths that each commit changed, a log of one document need not look into every tree.
  const split = isDoubled ? [] : ["--split"];
  const tip = repository.tip();
  await git.run(["commit-graph", "write", "--reachable", "--changed-paths", "--no-progress", ...split], patiently);
  note(repository, graphFile, tip);
  return true;
}

/** As a new file: a backup by hard links has the old one too. */
function note({ folder }: Repository, name: string, what: number | string | undefined): void {
  rmSync(join(folder, name), { force: true });
  writeFileSync(join(folder, name), `${what}\n`);
}

/** How many commits came since the graph was written. */
async function countUnknown(repository: Repository, git: Git): Promise<number> {
  const tip = repository.tip();
  const known = readLine(repository, graphFile);
  if (tip === undefined || known === tip) return 0;
  const range = /^[0-9a-f]{40}$/.test(known) ? [tip, `^${known}`] : [tip];
  const printed = await git.run(["rev-list", "--count", `--max-count=${manyCommits + 1}`, ...range]);
  return Number(printed.toString("utf8"));
}

/** 0 where it never was; the file is derived, and may be deleted. */
function bytesWhenPacked(repository: Repository): number {
  return Number(readLine(repository, packedFile)) || 0;
}

function readLine({ folder }: Repository, name: string): string {
  try {
    return readFileSync(join(folder, name), "utf8").trim();
  } catch {
    return "";
  }
}
