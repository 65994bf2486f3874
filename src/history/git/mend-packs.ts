import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../core/log.ts";
import type { Repository } from "./repository.ts";
import type { Git, RunOptions } from "./run-git.ts";

const timeoutMs = 30 * 60_000;

/** Packs of which one half is gone: without its index nothing in a pack is found, without the pack nothing is there. */
export function halvedPacks({ folder }: Repository): { readonly name: string; readonly lost: "idx" | "pack" }[] {
  const names = new Set(readdirSync(join(folder, "objects/pack")));
  const bases = new Set([...names].flatMap((name) => /^(pack-[0-9a-f]{40})\.(?:pack|idx|rev)$/.exec(name)?.[1] ?? []));
  return [...bases].flatMap((name) => {
    const [hasPack, hasIndex] = [names.has(`${name}.pack`), names.has(`${name}.idx`)];
    return hasPack === hasIndex ? [] : [{ name, lost: hasPack ? ("idx" as const) : ("pack" as const) }];
  });
}

/** There while git replaces packs: it takes the old ones away file by file, and whoever kills it leaves halves. */
const repackingFile = "recollect-repacking";

/** `git repack`, after which no half of a pack is left, wherever one before it was killed. */
export async function repack(
  repository: Repository,
  git: Git,
  args: readonly string[],
  options: RunOptions,
): Promise<void> {
  writeFileSync(join(repository.folder, repackingFile), "");
  await git.run(["repack", ...args], options);
  removeHalves(repository);
  rmSync(join(repository.folder, repackingFile), { force: true });
}

/** Halves that do not tell of damage: a repack that replaces them was killed, or is under way. */
export function isRepacking({ folder }: Repository): boolean {
  return existsSync(join(folder, repackingFile));
}

/** An index comes into its place after its pack: one without a pack belongs to none that is being made. */
function removeHalves(repository: Repository): void {
  const halves = new Set(halvedPacks(repository).flatMap(({ name, lost }) => (lost === "pack" ? [name] : [])));
  const folder = join(repository.folder, "objects/pack");
  for (const name of readdirSync(folder)) {
    if (halves.has(name.slice(0, name.lastIndexOf(".")))) rmSync(join(folder, name), { force: true });
  }
}

/** An index that is gone is made of its pack again. With the recorder's lock held. */
export async function mendPacks(repository: Repository, git: Git, log: Log): Promise<void> {
  for (const { name, lost } of halvedPacks(repository)) {
    if (lost !== "idx") continue;
    const { code } = await git.attempt(["index-pack", `objects/pack/${name}.pack`], { timeoutMs });
    const end = code === 0 ? "was made again" : "cannot be made again; see: recollect verify";
    log("warning", "history", { message: `The index of a pack of history was gone, and ${end}.` });
  }
}
