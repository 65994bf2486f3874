import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { counted } from "../../kernel/counted.ts";
import { isRecollectError } from "../../kernel/errors.ts";
import { halvedPacks, isRepacking } from "./mend-packs.ts";
import { isReadable } from "./mend-tip.ts";
import type { Repository } from "./repository.ts";
import type { Git } from "./run-git.ts";
import { checkStateFile } from "./state-file.ts";
import { parseTipNote } from "./tip-note.ts";

const timeoutMs = 60 * 60_000;

/** What is wrong with the files of the repository, and how that comes right again. */
export interface RepositoryFault {
  /** A sentence. */
  readonly says: string;
  readonly repair: Repair;
}

/**
 * - `record`: the next recording repairs it, with what is there.
 * - `move`: something that Recollect did not make must be moved away, as the sentence says; the rest follows by itself.
 * - `graph`: only the speed of the log depends on it, and it can be deleted.
 * - `objects`: what is gone is in the mirror or in a backup, or nowhere.
 */
export type Repair = "record" | "move" | "graph" | "objects";

export async function checkRepository(
  repository: Repository,
  git: Git,
  note: string | undefined,
): Promise<RepositoryFault[]> {
  const settings = configFaults(repository);
  if (settings.some(isForeign)) return settings;
  try {
    return [...settings, ...(await contentFaults(repository, git, note))];
  } catch (error) {
    return [...settings, misplaced(error, repository)];
  }
}

async function contentFaults(repository: Repository, git: Git, note: string | undefined): Promise<RepositoryFault[]> {
  const files = [...branchFaults(repository, note), ...packFaults(repository)];
  files.push(...(await tipFaults(repository, git, note)));
  const objects: string[] = [];
  const found = await commandSays(git, "fsck", ["--strict", "--full", "--no-dangling", "--no-progress"]);
  if (found !== undefined) objects.push(`Some of its objects are missing or unreadable (${found}).`);
  if (existsSync(join(repository.folder, "objects/pack/multi-pack-index"))) {
    const says = await commandSays(git, "multi-pack-index", ["verify", "--no-progress"]);
    if (says !== undefined) objects.push(`The index over its packs is damaged (${says}).`);
  }
  const graphs = await graphFaults(repository, git);
  // Without its HEAD, a branch, a graph or the index of a pack, git misses much that is there: those come first.
  const others = [...configFaults(repository), ...files, ...graphs];
  const repair = others.some((fault) => fault.repair !== "objects") ? "record" : "objects";
  return [...files, ...objects.map((says) => ({ says, repair }) as const), ...stateFaults(repository), ...graphs];
}

/** A folder in the place of a file, a file in that of a folder, or one that is gone: the system names what it met. */
export function misplaced(error: unknown, { folder }: Repository): RepositoryFault {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) throw error;
  const path = "path" in error ? relative(folder, String(error.path)) : "";
  const name = path === "" || path.startsWith("..") ? "A file of it" : `“${path}”`;
  return { says: `${name} is missing, cannot be read, or has something else in its place.`, repair: "objects" };
}

/** Whether git must not even be started in it. */
export function isForeign({ says }: RepositoryFault): boolean {
  return says.startsWith("Its settings");
}

export function configFaults(repository: Repository): RepositoryFault[] {
  try {
    repository.check();
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return [{ says: `Its settings are not those that Recollect writes. ${error.message}`, repair: "move" }];
  }
  const missing = ["config", "HEAD"].filter((name) => !existsSync(join(repository.folder, name)));
  if (missing.length > 0) return [{ says: `Its settings are missing: “${missing.join("”, “")}”.`, repair: "record" }];
  const isHead = readFileSync(join(repository.folder, "HEAD"), "utf8") === "ref: refs/heads/history\n";
  return isHead ? [] : [{ says: "Its “HEAD” is not what Recollect writes.", repair: "record" }];
}

/** The file may be missing where a `git gc` packed it. */
export function branchFaults(repository: Repository, note: string | undefined): RepositoryFault[] {
  const path = join(repository.folder, "refs/heads/history");
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return [];
  const text = stat.isFile() ? readFileSync(path, "latin1") : "";
  const says = "Its branch “refs/heads/history” is not as it was written.";
  return /^[0-9a-f]{40}\n$/.test(text) ? [] : [{ says, repair: branchRepair(note) }];
}

/** A branch is set again to what was noted as its end. */
function branchRepair(note: string | undefined): Repair {
  return parseTipNote(note ?? "")?.tip === undefined ? "objects" : "record";
}

function stateFaults({ folder }: Repository): RepositoryFault[] {
  const isDamaged = checkStateFile(folder) === "damaged";
  return isDamaged ? [{ says: "The cache “recollect-state.json” is damaged.", repair: "record" }] : [];
}

/** History only grows: what was noted as its end must be in it. */
export async function tipFaults(
  repository: Repository,
  git: Git,
  note: string | undefined,
): Promise<RepositoryFault[]> {
  const noted = note === undefined ? undefined : parseTipNote(note);
  const tip = repository.tip();
  if (!noted) {
    const what = note === undefined ? "missing" : "damaged";
    const says = `The note of its newest revision, “.recollect/history-tip”, is ${what}.`;
    return [{ says, repair: tip === undefined ? "objects" : "record" }];
  }
  if (tip === undefined) {
    const says = "Its branch “refs/heads/history” is gone.";
    return noted.tip === undefined ? [] : [{ says, repair: branchRepair(note) }];
  }
  if (noted.tip === undefined || noted.tip === tip) return [];
  const { code } = await git.attempt(["merge-base", "--is-ancestor", noted.tip, tip]);
  if (code === 0) return [];
  const says = `It was set back: its newest revision was ${noted.tip.slice(0, 10)}, which is not in it any more.`;
  return [{ says, repair: (await isReadable(noted.tip, git)) ? "record" : "objects" }];
}

const mostSaid = 120;

/** What git says first, short: the words before it are for people, and these for a search on the web. */
async function commandSays(git: Git, name: string, args: readonly string[]): Promise<string | undefined> {
  const { code, printed, said } = await git.attempt([name, ...args], { timeoutMs });
  const lines = [...printed.toString("utf8").split("\n"), ...said.split("\n")].filter(
    // A branch that is not born yet is noticed, and no fault: one that was is known by what was noted of it.
    (line) => line.trim() !== "" && !/^(?:hint|notice):/.test(line),
  );
  if (code === 0 && lines.length === 0) return undefined;
  const [first = `exit code ${code}`, ...others] = lines.map(withoutHostPaths);
  return `git ${name}: ${first}${others.length === 0 ? "" : `, and ${counted(others.length, "more line", "more lines")}`}`;
}

/** KER-9: no path of the host in what we say. */
function withoutHostPaths(line: string): string {
  return line.replace(/(?:\/[^\s:'"]+)+\/(?=[^\s/:'"]+)/g, "…/").slice(0, mostSaid);
}

/** A chain of graphs that names one which is not there is passed over by git, and a single one that is gone as well. */
async function graphFaults({ folder }: Repository, git: Git): Promise<RepositoryFault[]> {
  const info = join(folder, "objects/info");
  const chain = join(info, "commit-graphs/commit-graph-chain");
  const graphs = existsSync(join(info, "commit-graphs")) ? readdirSync(join(info, "commit-graphs")) : [];
  const hasChain = existsSync(chain);
  const hasAny = hasChain || existsSync(join(info, "commit-graph"));
  const isMarked = existsSync(join(folder, "recollect-graph"));
  const faults: string[] = [];
  // The next recording takes the mark away, too.
  if (isMarked && !hasAny) {
    return [{ says: "The commit graph, which makes the log fast, is missing.", repair: "record" }];
  }
  if (hasChain) {
    const text = readFileSync(chain, "latin1");
    const named = text.split("\n").slice(0, -1);
    const isWhole =
      named.length > 0 && text.endsWith("\n") && named.every((id) => graphs.includes(`graph-${id}.graph`));
    if (!isWhole) faults.push("The chain of commit graphs, which makes the log fast, is damaged.");
  } else if (graphs.some((name) => name.endsWith(".graph"))) {
    faults.push("The chain of commit graphs, which makes the log fast, is missing.");
  }
  if (hasAny && faults.length === 0) {
    const says = await commandSays(git, "commit-graph", ["verify", "--no-progress"]);
    if (says !== undefined) faults.push(`The commit graph, which makes the log fast, is damaged (${says}).`);
  }
  return faults.map((says) => ({ says, repair: "graph" }));
}

/** Git does without a pack that has lost its other half, and says nothing where it finds its objects elsewhere. */
export function packFaults(repository: Repository): RepositoryFault[] {
  // What a repack that was killed left is no damage: it had put its objects elsewhere before.
  const halved = halvedPacks(repository).filter(({ lost }) => lost === "idx" || !isRepacking(repository));
  return halved.map(({ name, lost }) => {
    const short = `The pack “${name.slice(0, 15)}…” has lost`;
    return lost === "pack"
      ? { says: `${short} its objects.`, repair: "objects" }
      : { says: `${short} its index.`, repair: "record" };
  });
}
