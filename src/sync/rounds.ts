import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { counted } from "../kernel/counted.ts";
import type { TreeConflict } from "../kernel/merge/tree-conflict.ts";
import { cleanUnsent, ownMessage } from "./clean-unsent.ts";
import { dropUnnamed } from "./drop-unnamed.ts";
import { assertUnpurged } from "./find-purged.ts";
import { type Joined, joinRevisions } from "./join-revisions.ts";
import { assertNothingMissing, isGone, joinRewritten } from "./join-rewritten.ts";
import { fetchBranch, pushCommit, type Remote } from "./remote.ts";
import { type RefChange, type RepositoryState, syncRefs } from "./repository.ts";
import type { SyncContext, SyncReport, SyncRequest } from "./sync.ts";
import { syncFailure } from "./sync-failure.ts";
import { openSyncStatus } from "./sync-status.ts";
import { changedPaths } from "./tree-entries.ts";
import { joinUnsettled, toldConflicts } from "./unsettled.ts";

/** So often others may be quicker, or write meanwhile, before this gives up until the next time. */
const maxRounds = 20;
const firstPauseMs = 20;
const untidy = "refs/recollect/untidy";

interface Totals {
  received: number;
  sent: number;
  readonly conflicts: TreeConflict[];
  rewritten: boolean;
}

/** One sync, with its lock held. */
export async function runRounds(
  context: SyncContext,
  begun: { readonly state: RepositoryState; readonly remote: Remote | undefined },
  request: SyncRequest,
): Promise<SyncReport> {
  const { repository, working } = context;
  const totals: Totals = { received: 0, sent: 0, conflicts: [], rewritten: false };
  const { remote } = begun;
  let state = await resume(context, begun.state);
  try {
    for (let round = 0; round < maxRounds; round += 1) {
      state = await snapshot(context, state, request);
      if (!remote) return await reportOf(context, state, totals, undefined);
      const { state: now, isDone } = await exchange(context, state, { remote, request, totals });
      state = now;
      if (isDone) return await reportOf(context, state, totals, remote.shown);
      await delay(Math.random() * firstPauseMs * 2 ** Math.min(round, 7));
    }
  } finally {
    const { head, refs } = await repository.state();
    await working.followIndex(await repository.treeOf(head));
    const fetched = [...refs.keys()].filter((ref) => ref.startsWith(syncRefs.incoming("")));
    await repository.moveRefs(fetched.map(without));
  }
  throw syncFailure("busy", { more: "Others were quicker again and again." });
}

async function reportOf(
  { repository, working }: SyncContext,
  { head }: RepositoryState,
  totals: Totals,
  remote: string | undefined,
): Promise<SyncReport> {
  return { ...totals, remote, leftOut: working.leftOut(await repository.treeOf(head)) };
}

/** Ends what a killed process began. */
export async function resume(context: SyncContext, state: RepositoryState): Promise<RepositoryState> {
  const { repository, working } = context;
  const to = state.refs.get(syncRefs.merging);
  if (to === undefined && !state.refs.has(untidy)) return state;
  if (to !== undefined) {
    const from = state.refs.get(syncRefs.mergingFrom);
    const isOurs = from === state.head;
    const trees = isOurs ? await Promise.all([repository.treeOf(from), repository.treeOf(to)]) : undefined;
    const applied = trees && (await working.apply(...trees, true));
    // Otherwise it is merged anew, with what was written since.
    const moved = applied?.kind === "applied" ? [...moveHead(state, to), { ref: untidy, to }] : [];
    await repository.moveRefs([...moved, ...withoutMerging]);
  }
  await tidy(context, []);
  return repository.state();
}

interface Exchange {
  readonly remote: Remote;
  readonly request: SyncRequest;
  readonly totals: Totals;
}

/** Fetches, merges and sends once; done where both sides are alike then. */
async function exchange(
  context: SyncContext,
  before: RepositoryState,
  { remote, request, totals }: Exchange,
): Promise<{ readonly state: RepositoryState; readonly isDone: boolean }> {
  const { git, repository } = context;
  const theirs = await fetchTip(context, remote, request);
  let state = before;
  if (theirs !== state.head) {
    const head = await takeOver(context, state, theirs, { request, totals });
    if (head === "changed") return { state: await repository.state(), isDone: false };
    const refs = new Map([...state.refs, ...(theirs === undefined ? [] : [[syncRefs.known, theirs] as const])]);
    if (head !== state.head) state = await snapshot(context, { ...state, head, refs }, request);
  }
  if (state.head !== theirs) state = await cleanUnsent(context, state, theirs);
  const { head } = state;
  if (head === undefined) return { state, isDone: true };
  if (head !== theirs) {
    const [here, there] = await Promise.all([repository.treeOf(head), repository.treeOf(theirs)]);
    if ((await pushCommit(git, remote, head, request)) === "behind") return { state, isDone: false };
    totals.sent += changedPaths(here, there).length;
  }
  await repository.moveRefs([
    { ref: syncRefs.known, to: head },
    { ref: `refs/remotes/${remote.name}/${remote.branch}`, to: head },
  ]);
  // What a remote was cleaned of is not kept here.
  if (totals.rewritten && context.purged?.()) await dropUnnamed(context);
  return { state, isDone: true };
}

/** The documents as they are now become a revision, where they are not one yet. */
export async function snapshot(
  { repository, working }: SyncContext,
  state: RepositoryState,
  request: SyncRequest,
): Promise<RepositoryState> {
  const changes = working.changesSince(await repository.treeOf(state.head), request.acceptEmpty ?? false);
  if (changes.size === 0) return state;
  const count = counted(changes.size, "document");
  const parents = state.head === undefined ? [] : [state.head];
  const head = await repository.commit({ changes, parents, message: () => `${ownMessage}sync ${count}\n` });
  // Where the user was quicker with a revision of their own, the next attempt builds on that.
  if (!(await repository.moveRefs([...moveHead(state, head), without(syncRefs.making)]))) throw syncFailure("busy");
  return { ...state, head };
}

async function fetchTip(context: SyncContext, remote: Remote, request: SyncRequest): Promise<string | undefined> {
  const { git, repository } = context;
  const ref = syncRefs.incoming(randomUUID());
  if (!(await fetchBranch(git, remote, ref, request))) return undefined;
  const theirs = (await repository.state()).refs.get(ref);
  if (theirs === undefined) return undefined;
  const status = openSyncStatus(repository.gitDir);
  const before = status.read().checked;
  try {
    const checked = await assertUnpurged(context, theirs, before);
    if (checked && checked !== before) status.noteChecked(checked);
  } catch (error) {
    await repository.moveRefs([without(ref)]);
    await dropUnnamed(context);
    throw error;
  }
  return theirs;
}

interface TakingOver {
  readonly request: SyncRequest;
  readonly totals: Totals;
}

/** What the branch is then; “changed” where somebody wrote meanwhile. */
type TakenOver = string | undefined | "changed";

/** Makes what the remote has part of what is here. */
async function takeOver(
  context: SyncContext,
  state: RepositoryState,
  theirs: string | undefined,
  { request, totals }: TakingOver,
): Promise<TakenOver> {
  const { head } = state;
  const known = state.refs.get(syncRefs.known);
  const isRewritten = known !== undefined && head !== undefined && (await isGone(context.git, known, theirs));
  if (isRewritten) totals.rewritten = true;
  if (theirs === undefined) {
    if (isRewritten) await assertNothingMissing(context, { known, theirs }, request.rewritten);
    return head;
  }
  if (head === undefined) return moveTo(context, state, { to: theirs }, { totals, theirs });
  const joined = isRewritten
    ? await joinRewritten(context, { head, known, theirs }, request.rewritten)
    : await joinRevisions(context, head, theirs);
  return joined.to === head ? head : moveTo(context, state, joined, { totals, theirs });
}

interface MoveOptions {
  readonly totals: Totals;
  /** What the remote has, all of which is in it. */
  readonly theirs: string;
}

/** Puts a revision into the folder, then lets the branch follow. A kill in between is seen by the next sync. */
async function moveTo(
  context: SyncContext,
  state: RepositoryState,
  { to, merged }: Joined,
  { totals, theirs }: MoveOptions,
): Promise<TakenOver> {
  const { repository, working } = context;
  const { head } = state;
  const [ours, next] = await Promise.all([repository.treeOf(head), repository.treeOf(to)]);
  const marks = [{ ref: syncRefs.merging, to }, { ref: syncRefs.mergingFrom, to: head }, without(syncRefs.making)];
  await repository.moveRefs(marks);
  const applied = await working.apply(ours, next, false).catch(async (error: unknown) => {
    await repository.moveRefs(withoutMerging);
    throw error;
  });
  const after = [{ ref: syncRefs.known, to: theirs }, ...(merged ? [{ ref: untidy, to }] : [])];
  const moved = applied.kind === "applied" ? [...moveHead(state, to), ...after] : [];
  if (!(await repository.moveRefs([...moved, ...withoutMerging]))) throw syncFailure("busy");
  if (applied.kind === "changed") return "changed";
  totals.received += changedPaths(ours, next).length;
  const conflicts = [...(merged?.conflicts ?? []), ...applied.moved];
  totals.conflicts.push(...conflicts);
  const told = head === undefined ? [] : await toldConflicts(context.git, theirs, head);
  const status = openSyncStatus(repository.gitDir);
  const all = joinUnsettled(status.read().unsettled ?? [], [...conflicts, ...told], next);
  status.noteUnsettled(working.unsettled(all));
  if (merged) await tidy(context, merged.toPrune ?? []);
  return to;
}

async function tidy({ repository, tidy: bringInOrder }: SyncContext, toPrune: readonly string[]): Promise<void> {
  await bringInOrder(toPrune);
  await repository.moveRefs([without(untidy)]);
}

function moveHead({ branch, head }: RepositoryState, to: string): RefChange[] {
  return [{ ref: `refs/heads/${branch}`, to, from: head ?? null }];
}

function without(ref: string): RefChange {
  return { ref, to: undefined };
}

const withoutMerging = [syncRefs.merging, syncRefs.mergingFrom, syncRefs.making].map(without);
