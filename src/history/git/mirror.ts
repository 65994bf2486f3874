import { accessSync, constants, lstatSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { dropUnnamed } from "./drop-objects.ts";
import { isAncestor } from "./is-ancestor.ts";
import { damagedFolder, mendPacks, remakeDerived, repack } from "./mend-packs.ts";
import {
  type MirroredHistory,
  type MirrorFolder,
  type OpenedRepository,
  openMirrorFolder,
  type WholeMirror,
} from "./mirror-folder.ts";
import { findMirrorPlaces, type MirroredFolder } from "./mirror-place.ts";
import type { Git } from "./run-git.ts";

/**
 * A second copy of a history, out of reach of whatever clears the documents' folder (`git clean -fdx`, `rm -rf`).
 *
 * - `mirror-place.ts` says where it is, `mirror-folder.ts` what is there.
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
  /** Copies all that mirrors of this folder have into a history. False where the current one cannot be read. */
  pull(into: OpenedRepository): Promise<boolean>;
  /** Whether a mirror of this folder has a commit. */
  has(commit: string): Promise<boolean>;
  /** Makes again what git derives in the mirror, after which more of it may be readable. */
  repair(): Promise<void>;
  /** Brings the mirror up to where a history is, which goes on from `since` if that is given. With the recorder's lock held. */
  follow(history: OpenedRepository, since?: string | undefined): Promise<void>;
  /** Joins small packs; for the background. */
  maintain(): Promise<void>;
  /**
   * Each mirror with its branches, for a purge: all of the same repository, or the one that this folder has; those of
   * other projects are not ours to rewrite. Places where the mirror was kept before are among them.
   */
  all(): readonly WholeMirror[];
  /** The branch of this folder, and all that only it named, is gone from every mirror. */
  forget(): Promise<void>;
  /** What keeps the mirror from being written, as a sentence; undefined where nothing does. */
  remark(tip: string | undefined): string | undefined;
}

export type { OpenedRepository } from "./mirror-folder.ts";

/** What a process must know to keep a mirror. */
export type MirrorOptions = MirroredFolder;

const timeoutMs = 30 * 60_000;
const manyPacks = 16;

export function openMirror(
  options: MirrorOptions,
  env: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly over?: AbortSignal | undefined;
    readonly log?: Log | undefined;
  },
): Mirror {
  const { log = () => {} } = env;
  const modeOf = () => (statSync(options.folder, { throwIfNoEntry: false })?.mode ?? 0o700) & 0o2777;
  const places = findMirrorPlaces(options).map((place) => openMirrorFolder(place, modeOf, env));
  const [own, ...former] = places as [MirrorFolder, ...MirrorFolder[]];
  let fault: string | undefined;

  /** What cannot be read is as good as none: the history beside the documents is what counts. */
  function orFault<Answer>(read: () => Answer): Answer | undefined {
    try {
      return read();
    } catch (error) {
      if (!isExpected(error)) throw error;
      fault = wordsOf(error);
      return undefined;
    }
  }

  /** Where there is none yet, the one of a place where it was kept before: no recording has brought it here yet. */
  function open(): MirroredHistory | undefined {
    for (const place of places) {
      const found = orFault(place.open);
      if (found) return found;
    }
    return undefined;
  }

  const having = () => places.flatMap((place) => orFault(place.having) ?? []);

  async function follow(history: OpenedRepository, since?: string): Promise<void> {
    try {
      await followOrThrow(history, since);
      fault = undefined;
    } catch (error) {
      if (!isExpected(error)) throw error;
      fault = wordsOf(error);
    }
  }

  /** One that is not ours to write is left alone, and another one is begun; one of a newer format ends it here. */
  function ownOrNone(): MirroredHistory | undefined {
    try {
      return own.open();
    } catch (error) {
      if (isRecollectError(error) && error.code === "NOT_ALLOWED") return undefined;
      throw error;
    }
  }

  async function followOrThrow(history: OpenedRepository, since: string | undefined): Promise<void> {
    const tip = history.repository.tip();
    const known = ownOrNone();
    if (tip === undefined || known?.tip === tip) return;
    if (known && !(await hasCommit(known.tip, known))) {
      await repairMirror(known, log);
      // All of it is copied again; what no purge could look through must not stay in a copy.
      rmSync(join(known.repository.folder, damagedFolder), { recursive: true, force: true });
    }
    const goesOn = async (from: string) => from === since || (await isAncestor(from, tip, history.git));
    const isNext = known !== undefined && (await hasCommit(known.tip, known)) && (await goesOn(known.tip));
    if (isNext && (await copyCommits(tip, history, known, [known.tip]))) await known.repository.moveTip(tip);
    else await begin(tip, history, known);
  }

  /** The first copy, or one of a history that does not go on from what the mirror has. */
  async function begin(tip: string, history: OpenedRepository, known: MirroredHistory | undefined): Promise<void> {
    const listed = await history.git.run(["rev-list", "--max-parents=0", tip], { timeoutMs });
    const first = listed.toString("utf8").trim().split("\n").at(-1) ?? "";
    const to = own.make(first);
    const had: string[] = [];
    for (const end of to.ends) if (await hasCommit(end, to)) had.push(end);
    if (!(await copyCommits(tip, history, to, had))) {
      throw new RecollectError("STORAGE_FAILED", "git could not copy it");
    }
    await to.repository.moveTip(tip);
    own.choose(first);
    await dropFormer({ ...to, tip }, known);
  }

  /** What was rewritten on purpose must not stay, and one copy of the same history does. */
  async function dropFormer(now: MirroredHistory, known: MirroredHistory | undefined): Promise<void> {
    const isRewritten = await hasRewriting(now.tip, now.git);
    if (known && isRewritten) {
      const isOther = known.repository.folder !== now.repository.folder;
      await (isOther ? own.drop(known) : dropUnnamed(known.repository, known.git));
    }
    await own.dropMoved(now, now.tip);
    for (const place of former) {
      const left = orFault(place.open);
      if (left && (isRewritten || (await isAncestor(left.tip, now.tip, now.git)))) await place.drop();
    }
  }

  async function copyRepaired(from: MirroredHistory, into: OpenedRepository): Promise<boolean> {
    if (await copyCommits(from.tip, from, into, [])) return true;
    await repairMirror(from, log);
    return copyCommits(from.tip, from, into, []);
  }

  return {
    tip: () => open()?.tip,
    open,
    pull: async (into) => {
      let isPulled: boolean | undefined;
      for (const one of having()) {
        // The first one is what `open` gives.
        const isCopied = await copyRepaired(one, into);
        isPulled ??= isCopied;
      }
      return isPulled ?? false;
    },
    has: async (commit) => {
      for (const one of having()) if (await hasCommit(commit, one)) return true;
      return false;
    },
    repair: async () => {
      const known = open();
      if (known) await repairMirror(known, log);
    },
    follow,
    maintain: async () => {
      const known = orFault(own.open);
      if (!known || known.repository.packSizes().length <= manyPacks) return;
      try {
        await repack(known.repository, known.git, ["-d", "-q", "--geometric=2"], { timeoutMs, isPatient: true });
      } catch (error) {
        // Another folder with this mirror joined the same packs first.
        if (!isExpected(error)) throw error;
      }
    },
    all: () => places.flatMap((place) => place.all()),
    forget: async () => {
      for (const place of places) await place.drop();
    },
    remark: (tip) => {
      const at = orFault(own.open)?.tip;
      if (tip === undefined || at === tip) return undefined;
      const why = fault ?? whyNotWritable(own.place.folder);
      if (why !== undefined) return `History has no second copy of what was recorded last: ${why}.`;
      return "The second copy of history is behind; the next recollect log brings it up to date.";
    },
  };
}

async function repairMirror({ repository, git }: OpenedRepository, log: Log): Promise<void> {
  repository.ensure();
  await mendPacks(repository, git, log);
  await remakeDerived(repository, git);
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
