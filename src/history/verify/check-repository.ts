import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isRecollectError } from "../../core/errors.ts";
import { halvedPacks, isRepacking } from "../git/mend-packs.ts";
import type { Repository } from "../git/repository.ts";
import type { Git } from "../git/run-git.ts";
import { checkStateFile } from "../git/state-file.ts";
import { parseTipNote } from "../git/tip-note.ts";

const timeoutMs = 60 * 60_000;

/** What is wrong with the files of the repository, as sentences. */
export async function checkRepository(repository: Repository, git: Git, note: string | undefined): Promise<string[]> {
  const settings = configFaults(repository);
  if (settings.some(isForeign)) return settings;
  try {
    return [...settings, ...(await contentFaults(repository, git, note))];
  } catch (error) {
    return [...settings, misplaced(error, repository)];
  }
}

async function contentFaults(repository: Repository, git: Git, note: string | undefined): Promise<string[]> {
  const faults = [...branchFaults(repository), ...stateFaults(repository)];
  faults.push(...(await tipFaults(repository, git, note)));
  faults.push(...(await commandFaults(git, ["fsck", "--strict", "--full", "--no-dangling", "--no-progress"])));
  faults.push(...(await graphFaults(repository, git)));
  if (existsSync(join(repository.folder, "objects/pack/multi-pack-index"))) {
    faults.push(...(await commandFaults(git, ["multi-pack-index", "verify", "--no-progress"])));
  }
  return [...faults, ...packFaults(repository)];
}

/** A folder in the place of a file, a file in that of a folder, or one that is gone: the system names what it met. */
export function misplaced(error: unknown, { folder }: Repository): string {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) throw error;
  const path = "path" in error ? relative(folder, String(error.path)) : "";
  const name = path === "" || path.startsWith("..") ? "A file of it" : `“${path}”`;
  return `${name} is missing, cannot be read, or has something else in its place.`;
}

/** Whether git must not even be started in it. */
export function isForeign(fault: string): boolean {
  return fault.startsWith("Its settings");
}

export function configFaults(repository: Repository): string[] {
  try {
    repository.check();
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return [`Its settings are not those that Recollect writes. ${error.message}`];
  }
  const missing = ["config", "HEAD"].filter((name) => !existsSync(join(repository.folder, name)));
  if (missing.length > 0) return [`Its settings are missing: “${missing.join("”, “")}”.`];
  const isHead = readFileSync(join(repository.folder, "HEAD"), "utf8") === "ref: refs/heads/history\n";
  return isHead ? [] : ["Its “HEAD” is not what Recollect writes."];
}

/** The file may be missing where somebody's `git gc` packed it. */
export function branchFaults(repository: Repository): string[] {
  const path = join(repository.folder, "refs/heads/history");
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return [];
  const text = stat.isFile() ? readFileSync(path, "latin1") : "";
  return /^[0-9a-f]{40}\n$/.test(text) ? [] : ["Its branch “refs/heads/history” is not as it was written."];
}

function stateFaults({ folder }: Repository): string[] {
  const isDamaged = checkStateFile(folder) === "damaged";
  return isDamaged ? ["The cache “recollect-state.json” is damaged. Delete it."] : [];
}

/** History only grows: what was noted as its end must be in it. */
export async function tipFaults(repository: Repository, git: Git, note: string | undefined): Promise<string[]> {
  const noted = note === undefined ? undefined : parseTipNote(note);
  if (note === undefined) return ["The note of its newest revision, “.recollect/history-tip”, is missing."];
  if (!noted) return ["The note of its newest revision, “.recollect/history-tip”, is damaged."];
  const tip = repository.tip();
  if (tip === undefined) return noted.tip === undefined ? [] : ["Its branch “refs/heads/history” is gone."];
  if (noted.tip === undefined || noted.tip === tip) return [];
  const { code } = await git.attempt(["merge-base", "--is-ancestor", noted.tip, tip]);
  return code === 0
    ? []
    : [`It was set back: its newest revision was ${noted.tip.slice(0, 10)}, which is not in it any more.`];
}

async function commandFaults(git: Git, args: readonly string[]): Promise<string[]> {
  const { code, printed, said } = await git.attempt(args, { timeoutMs });
  const lines = [...printed.toString("utf8").split("\n"), ...said.split("\n")].filter(
    // A branch that is not born yet is noticed, and no fault: one that was is known by what was noted of it.
    (line) => line.trim() !== "" && !/^(?:hint|notice):/.test(line),
  );
  if (code === 0 && lines.length === 0) return [];
  const what = lines.slice(0, 3).map(withoutHostPaths).join("; ");
  return [`git ${args[0]} finds: ${what || `an error without words (exit code ${code})`}.`];
}

/** KER-9: no path of the host in what we say. */
function withoutHostPaths(line: string): string {
  return line.replace(/(?:\/[^\s:'"]+)+\/(?=[^\s/:'"]+)/g, "…/").slice(0, 200);
}

/** A chain of graphs that names one which is not there is passed over by git, and a single one that is gone as well. */
async function graphFaults({ folder }: Repository, git: Git): Promise<string[]> {
  const info = join(folder, "objects/info");
  const chain = join(info, "commit-graphs/commit-graph-chain");
  const graphs = existsSync(join(info, "commit-graphs")) ? readdirSync(join(info, "commit-graphs")) : [];
  const hasChain = existsSync(chain);
  const hasAny = hasChain || existsSync(join(info, "commit-graph"));
  const isMarked = existsSync(join(folder, "recollect-graph"));
  const faults: string[] = [];
  if (isMarked && !hasAny) faults.push("The commit graph, which makes the log fast, is missing.");
  if (hasChain) {
    const text = readFileSync(chain, "latin1");
    const named = text.split("\n").slice(0, -1);
    const isWhole =
      named.length > 0 && text.endsWith("\n") && named.every((id) => graphs.includes(`graph-${id}.graph`));
    if (!isWhole) faults.push("The chain of commit graphs, which makes the log fast, is damaged.");
  } else if (graphs.some((name) => name.endsWith(".graph"))) {
    faults.push("The chain of commit graphs, which makes the log fast, is missing.");
  }
  return hasAny && faults.length === 0 ? commandFaults(git, ["commit-graph", "verify", "--no-progress"]) : faults;
}

/** Git does without a pack that has lost its other half, and says nothing where it finds its objects elsewhere. */
export function packFaults(repository: Repository): string[] {
  // What a repack that was killed left is no damage: it had put its objects elsewhere before.
  const halved = halvedPacks(repository).filter(({ lost }) => lost === "idx" || !isRepacking(repository));
  return halved.map(({ name, lost }) => {
    const short = `The pack “${name.slice(0, 15)}…” has lost`;
    return lost === "pack"
      ? `${short} its objects.`
      : `${short} its index. The next command that reads history makes it again.`;
  });
}
