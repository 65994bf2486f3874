import { createHash } from "node:crypto";
import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

/** Where the mirrors of a folder's history are, and which of their branches is its own. */
export interface MirrorPlace {
  /** Holds the mirrors; it need not be there yet. */
  readonly folder: string;
  /** Where the folder of documents is, as a mirror names it: inside of its repository, or on this machine. */
  readonly of: string;
  /** Whether that is a path of this machine, which a folder loses when it is moved. */
  readonly isByPath: boolean;
  readonly branch: string;
}

/** A `.git` file, a `commondir` or a `gitdir` is one short line. */
const mostBytes = 16 * 1024;

/**
 * Inside the common git directory of the repository that contains the documents, which moves with them and which
 * `git clean` leaves alone; otherwise in the user's data folder. `documents` is a real path, and may be gone.
 */
export function findMirrorPlace(documents: string, dataFolder: string): MirrorPlace {
  const repository = repositoryAround(documents);
  if (!repository) return placeAt(join(dataFolder, "mirrors"), documents, true);
  const { top, common, worktree } = repository;
  const below = relative(top, documents).split(sep).join("/");
  return placeAt(join(common, "recollect"), worktree === "" ? below : `${worktree}: ${below}`, false);
}

function placeAt(folder: string, of: string, isByPath: boolean): MirrorPlace {
  const key = createHash("sha256").update(of).digest("hex").slice(0, 32);
  return { folder, of, isByPath, branch: `refs/heads/${key}` };
}

interface Around {
  readonly top: string;
  readonly common: string;
  /** The name of a linked worktree; "" for the main one. */
  readonly worktree: string;
}

/** By its files and not by git, which would read settings that are not ours to apply. */
function repositoryAround(folder: string): Around | undefined {
  const kind = kindOf(join(folder, ".git"));
  if (kind === "folder" && isGitFolder(join(folder, ".git"))) {
    return { top: folder, common: join(folder, ".git"), worktree: "" };
  }
  if (kind === "file") return linkedFrom(folder);
  return dirname(folder) === folder ? undefined : repositoryAround(dirname(folder));
}

/**
 * A linked worktree, or a submodule. An archive can bring a `.git` file that names any repository of the user, so the
 * repository has to name this folder as well; where it does not, the folder counts as one without a repository.
 */
function linkedFrom(top: string): Around | undefined {
  const named = /^gitdir: (.+)$/.exec(lineOf(join(top, ".git")) ?? "")?.[1];
  if (named === undefined) return undefined;
  const own = resolve(top, named);
  const [back, common] = [lineOf(join(own, "gitdir")), lineOf(join(own, "commondir"))];
  if (back !== undefined && common !== undefined) {
    const shared = resolve(own, common);
    const isNamed = isSame(resolve(own, back), join(top, ".git")) && isGitFolder(shared);
    return isNamed ? { top, common: realOf(shared) ?? shared, worktree: basename(own) } : undefined;
  }
  const tree = /^\s*worktree = "?([^"\n]+)"?$/m.exec(textOf(join(own, "config")) ?? "")?.[1];
  const isNamed = tree !== undefined && isSame(resolve(own, tree), top) && isGitFolder(own);
  return isNamed ? { top, common: realOf(own) ?? own, worktree: "" } : undefined;
}

function isGitFolder(folder: string): boolean {
  const isFolder = (name: string) => kindOf(join(folder, name)) === "folder";
  return kindOf(join(folder, "HEAD")) === "file" && isFolder("objects") && isFolder("refs");
}

/** A link is neither: it may lead anywhere. */
function kindOf(path: string): "file" | "folder" | undefined {
  const stat = attempt(() => lstatSync(path, { throwIfNoEntry: false }));
  return stat?.isFile() ? "file" : stat?.isDirectory() ? "folder" : undefined;
}

function lineOf(path: string): string | undefined {
  const text = textOf(path)?.trim();
  return text === undefined || /[\0\n]/.test(text) ? undefined : text;
}

function textOf(path: string): string | undefined {
  const isShort = (attempt(() => lstatSync(path).size) ?? mostBytes) < mostBytes;
  return kindOf(path) === "file" && isShort ? attempt(() => readFileSync(path, "utf8")) : undefined;
}

function isSame(one: string, other: string): boolean {
  const real = realOf(one);
  return real !== undefined && real === realOf(other);
}

function realOf(path: string): string | undefined {
  return attempt(() => realpathSync.native(path));
}

/** What is gone, forbidden or no path at all is not there for us. */
function attempt<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
