import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { isRecollectError, RecollectError } from "../../core/errors.ts";
import { dropUnnamed } from "../purge/drop-objects.ts";
import { isAncestor } from "./is-ancestor.ts";
import { repack } from "./mend-packs.ts";
import { findMirrorPlace } from "./mirror-place.ts";
import { openRepository, type Repository, replaceFile } from "./repository.ts";
import { createGit, type Git } from "./run-git.ts";

/**
 * A second copy of a history, out of reach of whatever clears the documents' folder (`git clean -fdx`, `rm -rf`).
 *
 * - Where: `recollect/` in the common git directory around the documents, else `mirrors/` in the user's data folder.
 * - `FIRST/` there is a bare repository, named after the first commit of the history. Each folder that has this history
 *   (worktrees, copies) has a branch of its own in it. `folders/KEY` says which mirror is the folder's current one.
 * - After each run the recorder has git copy the new commits as one pack (`follow`), then moves the branch. No transport
 *   and no shell: git packs in the mirror, and reads objects of the history as borrowed ones.
 * - Where the history beside the documents is missing or unreadable, the same is done the other way round (`pull`).
 * - A purge and `history.keep` leave commits that do not go on from the mirror's: then what it had is dropped.
 * - Nothing here ever fails a recording: what went wrong is a remark of `doctor`, and the next run tries again.
 */
export interface Mirror {
  /** How far the mirror of this folder goes; undefined where there is none. */
  tip(): string | undefined;
  /** To read from where there is no history beside the documents. */
  open(): MirroredHistory | undefined;
  /** Copies all that the mirror has into a history. False where that cannot be read. */
  pull(into: OpenedRepository): Promise<boolean>;
  /** Brings the mirror up to where a history is, which goes on from `since` if that is given. With the recorder's lock held. */
  follow(history: OpenedRepository, since?: string | undefined): Promise<void>;
  /** Joins small packs; for the background. */
  maintain(): Promise<void>;
  /**
   * Each mirror with its branches, for a purge: all of the same repository, or the one that this folder has; those of
   * other projects are not ours to rewrite.
   */
  all(): readonly (OpenedRepository & { readonly branches: readonly MirroredBranch[] })[];
  /** The branch of this folder, and all that only it named, is gone from every mirror. */
  forget(): Promise<void>;
  /** What keeps the mirror from being written, as a sentence; undefined where nothing does. */
  remark(tip: string | undefined): string | undefined;
}

export interface OpenedRepository {
  readonly repository: Repository;
  readonly git: Git;
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

interface MirroredHistory extends OpenedRepository {
  readonly tip: string;
}

/** What a process must know to keep a mirror. */
export interface MirrorOptions {
  /** The real path of the folder of documents, which may be gone. */
  readonly folder: string;
  /** Where the user's own data is kept. */
  readonly dataFolder: string;
}

interface Pointer {
  readonly first: string;
  readonly of: string;
}

const timeoutMs = 30 * 60_000;
const manyPacks = 16;
const format = 1;
const isCommit = /^[0-9a-f]{40}$/;

export function openMirror(
  { folder: documents, dataFolder }: MirrorOptions,
  {
    env,
    over,
  }: { readonly env: Readonly<Record<string, string | undefined>>; readonly over?: AbortSignal | undefined },
): Mirror {
  const place = findMirrorPlace(documents, dataFolder);
  const key = basename(place.branch);
  const pointers = join(place.folder, "folders");
  let fault: string | undefined;

  function openAt(first: string, branch = place.branch): OpenedRepository {
    const folder = join(place.folder, first);
    const repository = openRepository(folder, { branch, mode: modeOf(documents) });
    return { repository, git: createGit({ folder, env, isShared: repository.isShared, over }) };
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

  /** What the pointer says; where it is gone or damaged, the mirror whose branch was written last. */
  function current(): string | undefined {
    const pointed = pointerOf(key)?.first;
    if (pointed !== undefined && branchesOf(pointed).includes(place.branch)) return pointed;
    const writtenMs = (first: string) => statSync(join(place.folder, first, place.branch)).mtimeMs;
    const having = mirrors().filter((first) => branchesOf(first).includes(place.branch));
    return having.sort((one, other) => writtenMs(other) - writtenMs(one))[0];
  }

  function open(): MirroredHistory | undefined {
    const first = current();
    const opened = first === undefined ? undefined : openAt(first);
    opened?.repository.check();
    const tip = opened?.repository.tip();
    return opened && tip !== undefined ? { ...opened, tip } : undefined;
  }

  /** What cannot be read is as good as none: the history beside the documents is what counts. */
  function openOrNone(): MirroredHistory | undefined {
    try {
      return open();
    } catch (error) {
      fault = wordsOf(error);
      return undefined;
    }
  }

  async function follow(history: OpenedRepository, since?: string): Promise<void> {
    const tip = history.repository.tip();
    const known = openOrNone();
    if (tip === undefined || known?.tip === tip) return;
    try {
      const goesOn = async (from: string) => from === since || (await isAncestor(from, tip, history.git));
      const isNext = known !== undefined && (await hasCommit(known.tip, known)) && (await goesOn(known.tip));
      if (isNext && (await copyCommits(tip, history, known, [known.tip]))) await known.repository.moveTip(tip);
      else await begin(tip, history, known);
      fault = undefined;
    } catch (error) {
      if (!isExpected(error)) throw error;
      fault = wordsOf(error);
    }
  }

  /** The first copy, or one of a history that does not go on from what the mirror has. */
  async function begin(tip: string, history: OpenedRepository, known: MirroredHistory | undefined): Promise<void> {
    const listed = await history.git.run(["rev-list", "--max-parents=0", tip], { timeoutMs });
    const first = listed.toString("utf8").trim().split("\n").at(-1) ?? "";
    const isRewritten = known !== undefined && (await hasRewriting(tip, history.git));
    for (const folder of [place.folder, pointers]) makeFolder(folder);
    const to = openAt(first);
    to.repository.ensure();
    to.repository.sweep();
    const had: string[] = [];
    for (const branch of branchesOf(first)) {
      const at = openAt(first, branch).repository.tip();
      if (at !== undefined && (await hasCommit(at, to))) had.push(at);
    }
    if (!(await copyCommits(tip, history, to, had)))
      throw new RecollectError("STORAGE_FAILED", "git could not copy it");
    await to.repository.moveTip(tip);
    const pointer = { recollect: "mirror", format, first, of: place.of };
    replaceFile(join(pointers, key), `${JSON.stringify(pointer)}\n`, statSync(pointers).mode);
    if (isRewritten) await leave(known, first);
    if (place.isByPath) await leaveMoved(first, tip, to.git);
  }

  /** What was rewritten on purpose must not stay. */
  async function leave(known: OpenedRepository, first: string): Promise<void> {
    const left = basename(known.repository.folder);
    if (left !== first) rmSync(join(known.repository.folder, place.branch), { force: true });
    await tidy(left, known);
  }

  async function tidy(first: string, { repository, git }: OpenedRepository): Promise<void> {
    if (branchesOf(first).length === 0) rmSync(repository.folder, { recursive: true, force: true });
    else await dropUnnamed(repository, git);
  }

  /** A folder outside of any repository that was moved here: its former path may be another project's by and by. */
  async function leaveMoved(first: string, tip: string, git: Git): Promise<void> {
    for (const branch of branchesOf(first)) {
      const name = basename(branch);
      const pointer = pointerOf(name);
      const at = openAt(first, branch).repository.tip();
      if (name === key || !pointer || existsSync(pointer.of) || at === undefined) continue;
      if (!(await isAncestor(at, tip, git))) continue;
      for (const file of [join(pointers, name), join(place.folder, first, branch)]) rmSync(file, { force: true });
    }
  }

  return {
    tip: () => openOrNone()?.tip,
    open: openOrNone,
    pull: async (into) => {
      const known = openOrNone();
      return known !== undefined && (await copyCommits(known.tip, known, into, []));
    },
    follow,
    maintain: async () => {
      const known = openOrNone();
      if (!known || known.repository.packSizes().length <= manyPacks) return;
      try {
        await repack(known.repository, known.git, ["-d", "-q", "--geometric=2"], { timeoutMs, isPatient: true });
      } catch (error) {
        // Another folder with this mirror joined the same packs first.
        if (!isExpected(error)) throw error;
      }
    },
    all: () =>
      mirrors()
        .filter((first) => !place.isByPath || branchesOf(first).includes(place.branch))
        .map((first) => ({
          ...openAt(first),
          branches: branchesOf(first).map((branch) => ({
            name: branch,
            repository: openAt(first, branch).repository,
            isOwn: branch === place.branch,
            of: pointerOf(basename(branch))?.of,
          })),
        })),
    forget: async () => {
      rmSync(join(pointers, key), { force: true });
      for (const first of mirrors().filter((one) => branchesOf(one).includes(place.branch))) {
        rmSync(join(place.folder, first, place.branch), { force: true });
        await tidy(first, openAt(first));
      }
    },
    remark: (tip) => {
      const at = openOrNone()?.tip;
      if (tip === undefined || at === tip) return undefined;
      const why = fault ?? whyNotWritable(place.folder);
      if (why !== undefined) return `History has no second copy of what was recorded last: ${why}.`;
      return "The second copy of history is behind; the next recollect log brings it up to date.";
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

/** Commits and all that they name, as one pack of the target, which reads them from where they are. */
async function copyCommits(
  tip: string,
  from: OpenedRepository,
  { git }: OpenedRepository,
  has: readonly string[],
): Promise<boolean> {
  const wanted = [tip, ...has.map((one) => `^${one}`), ""].join("\n");
  // A commit graph may be damaged where the objects are not.
  const args = ["-c", "core.commitGraph=false", "pack-objects", "-q", "--revs", "--delta-base-offset"];
  const { code } = await git.attempt([...args, "objects/pack/pack"], {
    input: [Buffer.from(wanted)],
    borrows: join(from.repository.folder, "objects"),
    timeoutMs,
    // A few commits are done in a moment, for which the end of a command waits.
    isPatient: has.length === 0,
  });
  return code === 0;
}

/** Whether a repository has a commit itself: a purge beside this process, or a fault of the disk, may have taken it. */
async function hasCommit(id: string, { git }: OpenedRepository): Promise<boolean> {
  return (await git.attempt(["cat-file", "-e", `${id}^{tree}`])).code === 0;
}

/** Whether a history says of itself that it was written anew: without a leaked value, or without what is old. */
async function hasRewriting(tip: string, git: Git): Promise<boolean> {
  const asked = ["log", "-n1", "--format=%H", "--grep=^purge {", "--grep=^cut {", tip];
  return (await git.run(asked, { timeoutMs })).length > 0;
}

/** As private as the documents are. */
function modeOf(documents: string): number {
  const found = statSync(documents, { throwIfNoEntry: false });
  return (found?.mode ?? 0o700) & 0o2777;
}

/** Every user who may write in the folder around it may keep mirrors in it; a data folder that has to be made is private. */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (lstatSync(path, { throwIfNoEntry: false })) {
    throw new RecollectError("NOT_ALLOWED", `“${basename(path)}” is no folder`);
  }
  const around = statSync(dirname(path), { throwIfNoEntry: false });
  makePrivate(path);
  if (around) chmodSync(path, around.mode & 0o2777);
}

/** One by one: Node's recursive way never returns on file systems that take no folders, such as /proc. */
function makePrivate(path: string): void {
  if (existsSync(path)) return;
  makePrivate(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it just now.
    if (!isFolder(path)) throw error;
  }
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
  return new RecollectError("STORAGE_FAILED", "a newer Recollect made it, which this one cannot read");
}

/** Of the disk, or of git; everything else is a mistake of ours. */
function isExpected(error: unknown): boolean {
  return isRecollectError(error) || (error instanceof Error && "code" in error);
}

function wordsOf(error: unknown): string {
  if (isRecollectError(error)) return error.message.replace(/\.$/, "");
  if (!(error instanceof Error) || !("code" in error)) throw error;
  const full = ["ENOSPC", "EDQUOT"].includes(String(error.code));
  return full ? "the disk is full" : "its folder cannot be written";
}

function whyNotWritable(folder: string): string | undefined {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return dirname(folder) === folder ? undefined : whyNotWritable(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return found.isDirectory() ? undefined : `“${basename(folder)}” is no folder`;
  } catch (error) {
    return wordsOf(error);
  }
}
