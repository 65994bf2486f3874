import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { makeFolders } from "../../backends/files/make-folders.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { dropUnnamed } from "./drop-objects.ts";
import { isAncestor } from "./is-ancestor.ts";
import type { MirrorPlace } from "./mirror-place.ts";
import { openRepository, type Repository, replaceFile } from "./repository.ts";
import { createGit, type Git } from "./run-git.ts";

export interface OpenedRepository {
  readonly repository: Repository;
  readonly git: Git;
}

export interface MirroredHistory extends OpenedRepository {
  readonly tip: string;
}

/**
 * The mirrors in one place. `FIRST/` is a bare repository, named after the first commit of the history; each folder that
 * has this history has a branch of its own in it. `folders/KEY` says which mirror is the current one of a folder.
 */
export interface MirrorFolder {
  readonly place: MirrorPlace;
  /** The current mirror of the folder of documents. */
  open(): MirroredHistory | undefined;
  /** Every mirror that has a branch of the folder, the current one first. */
  having(): readonly MirroredHistory[];
  /** Every mirror with its branches: all of a repository; in the user's data folder those of this folder alone. */
  all(): readonly WholeMirror[];
  /** A mirror to copy a history to that begins with this commit, with the ends of what it has already. */
  make(first: string): OpenedRepository & { readonly ends: readonly string[] };
  /** Makes a mirror the folder's current one. */
  choose(first: string): void;
  /** Branches of folders that were moved here are dropped, where this history goes on from theirs. */
  dropMoved(opened: OpenedRepository, tip: string): Promise<void>;
  /** Drops the branch of the folder from one mirror, or from all, with all that only it named. */
  drop(from?: OpenedRepository): Promise<void>;
}

/** A mirror with the histories of all folders in it. */
export interface WholeMirror extends OpenedRepository {
  readonly branches: readonly MirroredBranch[];
}

/** The history of one folder in a mirror. */
interface MirroredBranch {
  readonly name: string;
  readonly repository: Repository;
  /** Whether it is that of the folder that was asked for. */
  readonly isOwn: boolean;
  /** Where its folder is or was, as the mirror names it; undefined where nothing says so. */
  readonly of: string | undefined;
}

interface Pointer {
  readonly first: string;
  readonly of: string;
}

const format = 1;
const isCommit = /^[0-9a-f]{40}$/;

export function openMirrorFolder(
  place: MirrorPlace,
  /** The mode of the folder of documents: a mirror is as private as that. */
  mode: () => number,
  env: { readonly env: Readonly<Record<string, string | undefined>>; readonly over?: AbortSignal | undefined },
): MirrorFolder {
  const key = basename(place.branch);
  const pointers = join(place.folder, "folders");

  function openAt(first: string, branch = place.branch): OpenedRepository {
    const folder = join(place.folder, first);
    const shownAs = place.isByPath ? `mirrors/${first}` : `.git/recollect/${first}`;
    const repository = openRepository(folder, { branch, mode: mode(), shownAs });
    return { repository, git: createGit({ folder, ...env, isShared: repository.isShared }) };
  }

  function mirrors(): string[] {
    const names = isFolder(place.folder) ? readdirSync(place.folder) : [];
    return names.filter((name) => isCommit.test(name) && isFolder(join(place.folder, name)));
  }

  function branchesOf(first: string): string[] {
    const heads = join(place.folder, first, "refs/heads");
    const names = isFolder(heads) ? readdirSync(heads) : [];
    return names.filter((name) => /^[0-9a-f]{32}$/.test(name)).map((name) => `refs/heads/${name}`);
  }

  function pointerOf(name: string): Pointer | undefined {
    const file = join(pointers, name);
    if (!isFolder(pointers) || !lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
    const { format: found, first, of } = parse(readFileSync(file, "utf8"));
    if (typeof found === "number" && found > format) throw tooNew();
    return typeof first === "string" && isCommit.test(first) ? { first, of: String(of) } : undefined;
  }

  /** The one that the pointer names first; then, where that is gone or damaged, by when the branch was written. */
  function mirrorsHaving(): string[] {
    const pointed = pointerOf(key)?.first;
    const writtenMs = (first: string) =>
      first === pointed ? Number.POSITIVE_INFINITY : statSync(join(place.folder, first, place.branch)).mtimeMs;
    const having = mirrors().filter((first) => branchesOf(first).includes(place.branch));
    return having.sort((one, other) => writtenMs(other) - writtenMs(one));
  }

  function openChecked(first: string): MirroredHistory | undefined {
    const opened = openAt(first);
    opened.repository.check();
    const tip = opened.repository.tip();
    return tip === undefined ? undefined : { ...opened, tip };
  }

  return {
    place,
    open: () => mirrorsHaving().slice(0, 1).map(openChecked)[0],
    having: () => mirrorsHaving().flatMap((first) => openChecked(first) ?? []),
    all: () =>
      mirrors()
        .filter((first) => !place.isByPath || branchesOf(first).includes(place.branch))
        .map((first) => {
          const branches = branchesOf(first).map((branch) => ({
            name: branch,
            repository: openAt(first, branch).repository,
            isOwn: branch === place.branch,
            of: pointerOf(basename(branch))?.of,
          }));
          return { ...openAt(first), branches };
        }),
    make: (first) => {
      for (const folder of [place.folder, pointers]) makeFolder(folder);
      const opened = openAt(first);
      opened.repository.ensure();
      opened.repository.sweep();
      const ends = branchesOf(first).flatMap((branch) => openAt(first, branch).repository.tip() ?? []);
      return { ...opened, ends };
    },
    choose: (first) => {
      const pointer = { recollect: "mirror", format, first, of: place.of };
      replaceFile(join(pointers, key), `${JSON.stringify(pointer)}\n`, statSync(pointers).mode);
    },
    dropMoved: async ({ repository, git }, tip) => {
      const first = basename(repository.folder);
      for (const branch of place.isByPath ? branchesOf(first) : []) {
        const name = basename(branch);
        const pointer = pointerOf(name);
        const at = openAt(first, branch).repository.tip();
        const isMoved = pointer !== undefined && (pointer.of === place.of || !existsSync(pointer.of));
        if (name === key || !isMoved || at === undefined || !(await isAncestor(at, tip, git))) continue;
        for (const file of [join(pointers, name), join(place.folder, first, branch)]) rmSync(file, { force: true });
      }
    },
    drop: async (from) => {
      if (!from) rmSync(join(pointers, key), { force: true });
      const firsts = mirrors().filter((one) => branchesOf(one).includes(place.branch));
      for (const first of from ? [basename(from.repository.folder)] : firsts) {
        rmSync(join(place.folder, first, place.branch), { force: true });
        const { repository, git } = openAt(first);
        if (branchesOf(first).length === 0) rmSync(repository.folder, { recursive: true, force: true });
        else await dropUnnamed(repository, git);
      }
    },
  };
}

/** Folders outside of any repository that had a mirror and are gone, of those that a path of this machine contains. */
export function formerFolders(dataFolder: string, isMeant: (folder: string) => boolean): string[] {
  const pointers = join(dataFolder, "mirrors/folders");
  const names = isFolder(pointers) ? readdirSync(pointers) : [];
  return names
    .map((name) => String(parse(readFileSync(join(pointers, name), "utf8"))["of"]))
    .filter((folder) => isAbsolute(folder) && isMeant(folder) && !existsSync(folder));
}

/** Every user who may write in the folder around it may keep mirrors in it; a data folder that has to be made is private. */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (lstatSync(path, { throwIfNoEntry: false })) {
    throw new RecollectError("NOT_ALLOWED", `“${basename(path)}” is no folder`);
  }
  const around = statSync(dirname(path), { throwIfNoEntry: false });
  makeFolders(path, 0o700);
  if (around) chmodSync(path, around.mode & 0o2777);
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function tooNew(): RecollectError {
  return new RecollectError("UNSUPPORTED_FORMAT", "a newer Recollect made it, which this one cannot read");
}
