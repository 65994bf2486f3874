import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { PurgeForms } from "../../kernel/purge-forms.ts";
import { damagedFolder, repack } from "./mend-packs.ts";
import { readObjects } from "./read-objects.ts";
import type { Repository } from "./repository.ts";
import type { Git } from "./run-git.ts";

const timeoutMs = 60 * 60_000;
const mostRounds = 3;

/** Leaves nothing in a repository but what its branch names. With the recorder's lock held. */
export async function dropUnnamed(repository: Repository, git: Git): Promise<void> {
  const { folder } = repository;
  const remove = (...names: string[]) => {
    for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
  };
  // Which documents there are, by name; and what a crash of git writes down.
  remove(
    "recollect-state.json",
    "recollect-state.json.new",
    "recollect-packed",
    "recollect-graph",
    "logs",
    "info/refs",
  );
  remove(...readdirSync(folder).filter((name) => /^(fast_import_crash_|[A-Z]+_HEAD$)/.test(name)));
  remove(...readdirSync(join(folder, "refs/recollect")).map((name) => `refs/recollect/${name}`));
  remove("objects/info/commit-graph", "objects/info/commit-graphs", "objects/info/packs");
  // An import that was killed leaves one beside its pack, and a pack with one is never packed anew.
  const inPacks = (isMeant: (name: string) => boolean) =>
    readdirSync(join(folder, "objects/pack"))
      .filter(isMeant)
      .map((name) => `objects/pack/${name}`);
  remove(...inPacks((name) => name.endsWith(".keep")));
  await repack(repository, git, ["-a", "-d", "-f", "-q", "--window=20", "--depth=50"], { timeoutMs });
  await git.run(["prune", "--expire=now"], { timeoutMs });
  removeUnfinished(folder);
}

/**
 * Leaves no object that holds the value. More than once, since somebody's repack may have been at work; not at all where
 * nothing was rewritten and nothing holds it, since it takes as long as packing everything anew.
 */
export async function dropAll(
  { repository, git, forms }: { readonly repository: Repository; readonly git: Git; readonly forms: PurgeForms },
  isRewritten: boolean,
): Promise<boolean> {
  // Not listed among the objects, and compressed: what a killed git left may hold it.
  removeUnfinished(repository.folder);
  // Nothing can tell whether packs that git cannot read hold it.
  rmSync(join(repository.folder, damagedFolder), { recursive: true, force: true });
  if (!isRewritten && !(await holdsValue(git, forms))) return true;
  for (let round = 0; round < mostRounds; round += 1) {
    await dropUnnamed(repository, git);
    if (!(await holdsValue(git, forms))) return true;
  }
  return false;
}

function removeUnfinished(folder: string): void {
  const objects = join(folder, "objects");
  for (const name of readdirSync(objects).filter((one) => one === "pack" || /^[0-9a-f]{2}$/.test(one))) {
    for (const file of readdirSync(join(objects, name)).filter((one) => one.startsWith("tmp_"))) {
      rmSync(join(objects, name, file), { force: true });
    }
  }
}

/** Every object that there is, also those that nothing names. */
export async function holdsValue(git: Git, forms: PurgeForms): Promise<boolean> {
  const listed = await git.run(["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"], { timeoutMs });
  const ids = listed.toString("utf8").split("\n").filter(Boolean);
  for await (const { bytes } of readObjects(ids, git)) if (forms.isIn(bytes)) return true;
  return false;
}
