import { randomUUID } from "node:crypto";
import type { Log } from "../../core/log.ts";
import type { Trail } from "../../core/trail.ts";
import { type Loss, parseMessage } from "./message.ts";
import type { Repository } from "./repository.ts";
import type { Git } from "./run-git.ts";
import { parseTipNote, toTipNote } from "./tip-note.ts";
import { writeMark } from "./write-mark.ts";

export interface MendContext {
  readonly trail: Trail;
  readonly repository: Repository;
  readonly git: Git;
  readonly now: () => number;
  readonly log: Log;
}

/** What is tried where the end of history cannot be read: the newest that can. */
const mostTried = 200;
const timeoutMs = 10 * 60_000;

/**
 * Before anything is recorded: history must hold what was noted as its end, or it was taken away or set back, and what
 * is recorded on top would hide that for ever. What is still there is named again; of the rest a commit says that it is
 * lost. `isSuspect` where the end itself may be unreadable. With the recorder's lock held.
 */
export async function mendTip(context: MendContext, { isSuspect = false } = {}): Promise<void> {
  const { trail, repository, git, log } = context;
  const tip = repository.tip();
  const note = trail.notedTip();
  const noted = note === undefined ? undefined : parseTipNote(note);
  const expected = noted?.tip;
  if (tip === undefined && expected === undefined) {
    // Nobody noted anything yet, or the first run was killed.
    if (noted || (note === undefined && repository.packSizes().length === 0)) return;
    return goOnAfterLoss(undefined, undefined, context);
  }
  if (!isSuspect && tip !== undefined && (expected === undefined || expected === tip)) return;
  if (tip !== undefined && !(await isReadable(tip, git))) {
    const isOnlyNamed = expected !== undefined && expected !== tip && (await isReadable(expected, git));
    if (!isOnlyNamed) return goOnAfterLoss(undefined, expected ?? tip, context);
  } else if (tip !== undefined) {
    if (expected === undefined || (await isAncestor(expected, tip, git))) return;
    if (await isDeliberate(tip, expected, git)) return trail.noteTip(toTipNote(tip));
    if (!(await isAncestor(tip, expected, git)) || !(await isReadable(expected, git))) {
      return goOnAfterLoss(tip, expected, context);
    }
  } else if (expected === undefined || !(await isReadable(expected, git))) {
    return goOnAfterLoss(undefined, expected, context);
  }
  if (expected === undefined) return;
  await repository.moveTip(expected);
  const what = tip === undefined ? "had lost its branch" : "was set back";
  const message = `The history of “${trail.root}” ${what}. It was brought back to ${expected.slice(0, 10)}, as noted.`;
  log("warning", "history", { message });
}

/** On top of what can still be read. What nothing names stays on disk. */
async function goOnAfterLoss(
  tip: string | undefined,
  expected: string | undefined,
  { trail, repository, git, now, log }: MendContext,
): Promise<void> {
  const from = tip ?? (await newestReadable(git));
  const loss: Loss = { time: new Date(now()).toISOString(), ...(expected === undefined ? {} : { tip: expected }) };
  const made = await writeMark({ subject: "history before this was lost", lost: loss }, loss.time, from, {
    branch: repository.runBranch(randomUUID()),
    git,
  });
  await repository.moveTip(made);
  trail.noteTip(toTipNote(made));
  const rest = from === undefined ? "It begins anew" : `It goes on from ${from.slice(0, 10)}`;
  const message = `The history of “${trail.root}” was lost, or a part of it. ${rest}; see: recollect verify`;
  log("warning", "history", { message });
}

/** A purge that was killed before it noted its end, or a loss that is marked already. */
async function isDeliberate(tip: string, expected: string, git: Git): Promise<boolean> {
  const printed = await git.run(["log", "-1", "--format=%B", tip]);
  const message = parseMessage(printed.toString("utf8"), () => false);
  return message?.isPurge === true || message?.lost?.tip === expected;
}

async function isAncestor(one: string, of: string, git: Git): Promise<boolean> {
  return (await git.attempt(["merge-base", "--is-ancestor", one, of], { timeoutMs })).code === 0;
}

/** A commit and all its trees. */
export async function isReadable(commit: string, git: Git): Promise<boolean> {
  return (await git.attempt(["ls-tree", "-r", "-z", "--full-tree", `${commit}^{commit}`], { timeoutMs })).code === 0;
}

/** Of all commits on disk the newest that nothing goes on from; where its trees are damaged, one before it. */
async function newestReadable(git: Git): Promise<string | undefined> {
  const all = ["cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)"];
  const { printed } = await git.attempt(all, { timeoutMs });
  const ids = [...printed.toString("utf8").matchAll(/^commit ([0-9a-f]{40})$/gm)].map(([, id]) => id);
  if (ids.length === 0) return undefined;
  const input = [Buffer.from(`${ids.join("\n")}\n`)];
  const listed = await git.attempt(["log", "--no-walk=sorted", "--stdin", "--format=%H %P"], { input, timeoutMs });
  const commits = listed.printed
    .toString("utf8")
    .split("\n")
    .flatMap((line) => {
      const [id, ...parents] = line.split(" ");
      return id ? [{ id, parents }] : [];
    });
  const hasNext = new Set(commits.flatMap(({ parents }) => parents));
  const heads = commits.filter(({ id }) => !hasNext.has(id));
  const others = commits.filter(({ id }) => hasNext.has(id));
  for (const { id } of [...heads, ...others].slice(0, mostTried)) if (await isReadable(id, git)) return id;
  return undefined;
}
