import { setTimeout as delay } from "node:timers/promises";
import type { Documents } from "../kernel/documents.ts";
import { isRecollectError, RecollectError } from "../kernel/errors.ts";
import type { TreeMerge } from "../kernel/merge/merge-trees.ts";
import type { MergeOfTrees } from "../kernel/merge/run-plan.ts";
import type { TreeConflict } from "../kernel/merge/tree-conflict.ts";
import type { Trail } from "../kernel/trail.ts";
import { explainFailure, findDamage } from "./blame-clone.ts";
import type { PurgedCheck } from "./find-purged.ts";
import { type PurgeCloneRequest, type PurgedClone, purgeClone } from "./purge-clone.ts";
import { defaultBranch, findRemote, type Remote } from "./remote.ts";
import { openSyncRepository, type SyncRepository, syncRefs } from "./repository.ts";
import { runRounds } from "./rounds.ts";
import { syncFailure } from "./sync-failure.ts";
import { createSyncGit, type SyncGit, type SyncLimits, type TalkOptions } from "./sync-git.ts";
import { openSyncStatus, type SyncStatus } from "./sync-status.ts";
import { isSameConflict } from "./unsettled.ts";
import { type LeftOut, openWorkingFolder, type WorkingFolder } from "./working-folder.ts";

/** What becomes of what the remote lacks since its history was rewritten. */
export type RewrittenChoice = "keep" | "drop";

export interface SyncMerge extends TreeMerge {
  /** Files of topics that are over their limits now. */
  readonly toPrune?: readonly string[];
}

export interface SyncOptions {
  /** Where the memory lies; the top of a repository. */
  readonly folder: string;
  readonly trail: Trail;
  /** The kernel over this folder, without a guard and for any name. */
  readonly documents: Documents;
  /** Which files of the folder are documents of this memory. */
  readonly isOurs: (path: string) => boolean;
  /** Which files of the repository would lie where agents keep theirs: they stay in git alone. */
  readonly isHidden?: ((path: string) => boolean) | undefined;
  /** Which of them are made from the others. */
  readonly isDerived: (path: string) => boolean;
  readonly merge: MergeOfTrees<SyncMerge>;
  /** After a merge: brings in order what is derived, and prunes these. */
  readonly tidy: (toPrune: readonly string[]) => Promise<void>;
  /** Brings into history what journals have, before a folder goes. */
  readonly record?: (() => Promise<unknown>) | undefined;
  /** Values that must not come back from the remote. */
  readonly purged?: (() => PurgedCheck | undefined) | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  readonly limits?: SyncLimits | undefined;
  /** True for a clone that is kept for the user: it takes the remote's own branch. */
  readonly isClone: boolean;
}

export interface SyncRequest extends TalkOptions {
  /** How long to wait while another process syncs; then SYNC_FAILED, busy. */
  readonly waitMs?: number | undefined;
  readonly rewritten?: RewrittenChoice | undefined;
  readonly acceptEmpty?: boolean | undefined;
}

export interface SyncReport {
  /** Its address; undefined where there is none, and everything stays here. */
  readonly remote: string | undefined;
  /** How many files changed here, and there. */
  readonly received: number;
  readonly sent: number;
  /** What a person should look at. Nothing of it is lost. */
  readonly conflicts: readonly TreeConflict[];
  /** Whether the remote's history had been rewritten. */
  readonly rewritten: boolean;
  /** What is not kept alike, though it lies in the folder or in git. */
  readonly leftOut: readonly LeftOut[];
}

/** One memory in a git repository, kept alike with its remote (HIST-4). */
export interface Sync {
  run(request?: SyncRequest): Promise<SyncReport>;
  /** How it stands, without asking the remote. */
  status(): Promise<SyncState>;
  /** What is wrong with the objects of the repository, as a sentence; undefined where nothing is. */
  check(): Promise<string | undefined>;
  /** A person looked at what a sync left to look at, and it is not to be shown any more. */
  dismiss(conflict: TreeConflict): Promise<void>;
  /** Takes a value out of a clone that is kept for the user (HIST-5); undefined where it holds none. */
  purge(request: PurgeCloneRequest): Promise<PurgedClone | undefined>;
}

export interface SyncState extends SyncStatus {
  readonly remote: string | undefined;
  readonly branch: string;
  /** Revisions, and documents changed since the last one, that the remote does not have yet. */
  readonly waiting: number;
  /** What a person should still look at, of all syncs, here and at other clones. */
  readonly unsettled: readonly TreeConflict[];
  readonly leftOut: readonly LeftOut[];
}

/** All that the parts of a sync work with. */
export interface SyncContext extends SyncOptions {
  readonly git: SyncGit;
  readonly repository: SyncRepository;
  readonly working: WorkingFolder;
}

const pollMs = 50;
const [purgeWaitMs, dismissWaitMs] = [60_000, 30_000];
/** Nearly always only a look whether it is time. */
const packing = ["-c", "gc.auto=2000", "-c", "gc.autoDetach=false", "gc", "--auto", "--quiet"];

export function createSync(options: SyncOptions): Sync {
  let opened: Promise<SyncContext> | undefined;

  function open(): Promise<SyncContext> {
    opened ??= (async () => {
      const git = createSyncGit(options);
      const repository = await openSyncRepository(options.folder, git);
      return { ...options, git, repository, working: openWorkingFolder({ ...options, repository }) };
    })();
    // A repository that cannot be opened now may be mended later.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  }

  async function takeTurn(waitMs: number): Promise<{ release(): void }> {
    for (const until = performance.now() + waitMs; ; await delay(pollMs)) {
      const alone = options.trail.tryAlone("sync");
      if (alone) return alone;
      if (performance.now() >= until) throw syncFailure("busy");
    }
  }

  async function run(request: SyncRequest = {}): Promise<SyncReport> {
    const context = await open();
    const alone = await takeTurn(request.waitMs ?? 0);
    const status = openSyncStatus(context.repository.gitDir);
    try {
      context.working.sweep();
      await options.documents.recover({ root: options.trail.root });
      const begun = await begin(context, status.read().lastSuccess !== undefined, request);
      const report = await runRounds(context, begun, request);
      status.succeeded(options.now(), report.conflicts.length);
      // Only what is kept for this alone; in a repository of theirs the user's own git does it.
      if (options.isClone) await context.git.attempt(packing);
      return report;
    } catch (failed) {
      const error = await explainFailure(failed, context.git, await remoteOf(context), request);
      status.failed(options.now(), error);
      throw error;
    } finally {
      alone.release();
    }
  }

  async function status(): Promise<SyncState> {
    const { git, repository, working } = await open();
    const { branch, head, refs } = await repository.state();
    const remote = await findRemote(git, branch);
    const known = refs.get(syncRefs.known);
    const range = known === undefined ? [] : [`^${known}`];
    const commits =
      head === undefined ? "0" : (await git.run(["rev-list", "--count", head, ...range])).toString("utf8");
    const tree = await repository.treeOf(head);
    const waiting = remote ? Number(commits) + working.changesSince(tree, true).size : 0;
    const leftOut = working.leftOut(tree);
    const { unsettled: kept = [], checked: _, ...told } = openSyncStatus(repository.gitDir).read();
    const unsettled = working.unsettled(kept).map(({ conflict }) => conflict as TreeConflict);
    return { ...told, remote: remote?.shown, branch, waiting, unsettled, leftOut };
  }

  async function purge(request: PurgeCloneRequest): Promise<PurgedClone | undefined> {
    if (!options.isClone) return undefined;
    const context = await open();
    const alone = await takeTurn(purgeWaitMs);
    try {
      return await purgeClone(context, request);
    } finally {
      alone.release();
    }
  }

  async function dismiss(conflict: TreeConflict): Promise<void> {
    const { repository } = await open();
    const alone = await takeTurn(dismissWaitMs);
    try {
      const kept = openSyncStatus(repository.gitDir);
      const others = (kept.read().unsettled ?? []).filter((one) => !isSameConflict(one.conflict, conflict));
      kept.noteUnsettled(others);
    } finally {
      alone.release();
    }
  }

  return {
    run: (request) => run(request).catch((error: unknown) => Promise.reject(withAdvice(error))),
    status,
    dismiss,
    purge,
    check: async () => findDamage((await open()).git),
  };
}

/** Doctor shows the same failure with the commands that repair it. */
function withAdvice(error: unknown): unknown {
  const isOfGit = isRecollectError(error) && error.data["reason"] === "git" && error.data["missing"] === undefined;
  if (!isOfGit || error.message.includes("recollect doctor")) return error;
  const says = `${error.message} Run recollect doctor: it says how to repair this.`;
  return new RecollectError("SYNC_FAILED", says, { data: error.data, cause: error });
}

/** Undefined also where the repository is too damaged to say. */
async function remoteOf({ git, repository }: SyncContext): Promise<Remote | undefined> {
  try {
    return await findRemote(git, (await repository.state()).branch);
  } catch (error) {
    if (isRecollectError(error)) return undefined;
    throw error;
  }
}

/** A clone that was never filled takes the branch that the remote begins with. */
async function begin({ git, repository, isClone }: SyncContext, wasReached: boolean, request: SyncRequest) {
  const state = await repository.state();
  const { branch, head } = state;
  const remote = await findRemote(git, branch);
  if (!remote || !isClone || wasReached) return { state, remote };
  const there = (await defaultBranch(git, remote, request)) ?? branch;
  if (there === branch) return { state, remote };
  if (head !== undefined) await repository.moveRefs([{ ref: `refs/heads/${there}`, to: head }]);
  await git.run(["symbolic-ref", "HEAD", `refs/heads/${there}`]);
  return { state: await repository.state(), remote: { ...remote, branch: there } };
}
