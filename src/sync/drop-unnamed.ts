import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SyncContext } from "./sync.ts";

/**
 * Leaves nothing in a clone of ours but what its references name: what was purged must not lie about in it. In a
 * repository of the user nothing is dropped.
 */
export async function dropUnnamed({ git, repository, working, isClone }: SyncContext): Promise<void> {
  if (!isClone) return;
  // What is staged counts as named.
  await working.followIndex(await repository.treeOf((await repository.state()).head));
  const { gitDir } = repository;
  const leftovers = readdirSync(gitDir).filter((name) => /^(fast_import_crash_|[A-Z]+_HEAD$)/.test(name));
  for (const name of leftovers) rmSync(join(gitDir, name), { force: true });
  await git.attempt(["reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all"]);
  await git.run(["repack", "-a", "-d", "-q"]);
  await git.run(["prune", "--expire=now"]);
}
