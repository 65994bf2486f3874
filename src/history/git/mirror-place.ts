import { createHash } from "node:crypto";
import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { attempt } from "../../kernel/attempt.ts";

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

/** Where a folder of documents is, for its mirror. */
export interface MirroredFolder {
  /** The real path of the folder of documents, which may be gone. */
  readonly folder: string;
  /**
   * The folder that stays when the documents are cleared: the project, or what is around them. Where another one is put
   * in its place, another project began, which must not inherit what this one wrote. By default what is around them.
   */
  readonly anchor?: string | undefined;
  /** Where the user's own data is kept. */
  readonly dataFolder: string;
}

/**
 * First where the mirror is kept: inside the common git directory of the repository that contains the documents, which
 * moves with them and which `git clean` leaves alone; otherwise in the user's data folder. Then where it was kept if a
 * repository was made, or removed, since: those of repositories further up, and the data folder.
 */
export function findMirrorPlaces({
  folder,
  anchor = dirname(folder),
  dataFolder,
}: MirroredFolder): readonly MirrorPlace[] {
  const inRepositories = [...repositoriesAround(folder)].map(({ top, common, worktree, identity }) => {
    const below = relative(top, folder).split(sep).join("/");
    const of = worktree === "" ? below : `${worktree}: ${below}`;
    return placeAt(join(common, "recollect"), { of, identity, isByPath: false });
  });
  return [
    ...inRepositories,
    placeAt(join(dataFolder, "mirrors"), { of: folder, identity: identityOf(anchor), isByPath: true }),
  ];
}

function placeAt(
  folder: string,
  { of, identity, isByPath }: { readonly of: string; readonly identity: string; readonly isByPath: boolean },
): MirrorPlace {
  const key = createHash("sha256").update(`${of}\0${identity}`).digest("hex").slice(0, 32);
  return { folder, of, isByPath, branch: `refs/heads/${key}` };
}

/** A folder that is made again has another one, also where the system gives it the same inode. */
function identityOf(folder: string): string {
  const stat = attempt(() => statSync(folder, { bigint: true }));
  return stat ? `${stat.ino} ${stat.birthtimeNs}` : "";
}

interface Around {
  readonly top: string;
  readonly common: string;
  /** The name of a linked worktree; "" for the main one. */
  readonly worktree: string;
  /** Which of the worktrees that had this name, one after the other; "" for the main one. */
  readonly identity: string;
}

/** From the folder upwards. By their files and not by git, which would read settings that are not ours to apply. */
function* repositoriesAround(folder: string): Generator<Around> {
  const own = join(folder, ".git");
  const kind = kindOf(own);
  if (kind === "folder" && isGitFolder(own)) yield { top: folder, common: own, worktree: "", identity: "" };
  const linked = kind === "file" ? linkedFrom(folder) : undefined;
  if (linked) yield linked;
  // A `.git` file that nothing confirms hides what is further up: the folder counts as one without a repository.
  if ((kind === "file" && !linked) || dirname(folder) === folder) return;
  yield* repositoriesAround(dirname(folder));
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
    const identity = identityOf(own);
    return isNamed ? { top, common: realOf(shared) ?? shared, worktree: basename(own), identity } : undefined;
  }
  const tree = /^\s*worktree = "?([^"\n]+)"?$/m.exec(textOf(join(own, "config")) ?? "")?.[1];
  const isNamed = tree !== undefined && isSame(resolve(own, tree), top) && isGitFolder(own);
  return isNamed ? { top, common: realOf(own) ?? own, worktree: "", identity: "" } : undefined;
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
