import { randomUUID } from "node:crypto";
import type { Log } from "../../kernel/log.ts";
import type { Trail } from "../../kernel/trail.ts";
import { isAncestor } from "./is-ancestor.ts";
import { noteLost } from "./lost-note.ts";
import { remakeDerived } from "./mend-packs.ts";
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
  /** Copies what a mirror has into the repository; false where there is none that can be read. */
  readonly pull?: (() => Promise<boolean>) | undefined;
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
  const { trail, repository, log } = context;
  const tip = repository.tip();
  const note = trail.notedTip();
  const noted = note === undefined ? undefined : parseTipNote(note);
  const verdict = await judgeRepaired(context, () =>
    tip === undefined ? judgeWithout(note, noted, context) : judge(tip, noted?.tip, { git: context.git, isSuspect }),
  );
  if (verdict.kind === "lost") return goOnAfterLoss(verdict.from, noted?.tip ?? tip, context);
  if (verdict.kind === "not noted") return trail.noteTip(toTipNote(tip));
  if (verdict.kind === "fine") return;
  await repository.moveTip(verdict.to);
  const what = tip === undefined ? "had lost its branch" : "was set back";
  const end = `It was brought back to ${verdict.to.slice(0, 10)}, as noted.`;
  log("warning", "history", { message: `The history of “${trail.root}” ${what}. ${end}` });
}

type Verdict =
  | { readonly kind: "fine" }
  /** It was rewritten on purpose. */
  | { readonly kind: "not noted" }
  | { readonly kind: "behind"; readonly to: string }
  /** What it can go on from, where that is known. */
  | { readonly kind: "lost"; readonly from?: string };

/** Nothing is given up before what git derives was made again, and what a mirror has was copied. */
async function judgeRepaired(context: MendContext, judgeNow: () => Promise<Verdict>): Promise<Verdict> {
  const { repository, git, trail, log, pull } = context;
  const found = await judgeNow();
  if (found.kind !== "lost") return found;
  await remakeDerived(repository, git);
  const remade = await judgeNow();
  if (remade.kind !== "lost" || !(await pull?.())) return remade;
  const message = `What could not be read of the history of “${trail.root}” was copied from its mirror.`;
  log("warning", "history", { message });
  return judgeNow();
}

async function judgeWithout(
  note: string | undefined,
  noted: ReturnType<typeof parseTipNote>,
  { repository, git }: MendContext,
): Promise<Verdict> {
  if (noted?.tip !== undefined) {
    return (await isReadable(noted.tip, git)) ? { kind: "behind", to: noted.tip } : { kind: "lost" };
  }
  // Nobody noted anything yet, or the first run was killed.
  const isBeginning = noted !== undefined || (note === undefined && repository.packSizes().length === 0);
  return { kind: isBeginning ? "fine" : "lost" };
}

async function judge(
  tip: string,
  noted: string | undefined,
  { git, isSuspect }: { readonly git: Git; readonly isSuspect: boolean },
): Promise<Verdict> {
  const isOther = noted !== undefined && noted !== tip;
  if (!isSuspect && !isOther) return { kind: "fine" };
  const canReadNoted = isOther && (await isReadable(noted, git));
  if (!(await isReadable(tip, git))) return canReadNoted ? { kind: "behind", to: noted } : { kind: "lost" };
  // Who was killed before it noted how far it went.
  if (!isOther || (await isAncestor(noted, tip, git))) return { kind: "fine" };
  if (await isDeliberate(tip, noted, git)) return { kind: "not noted" };
  const isBehind = canReadNoted && (await isAncestor(tip, noted, git));
  return isBehind ? { kind: "behind", to: noted } : { kind: "lost", from: tip };
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
  if (expected !== undefined) noteLost(repository.folder, { mark: made, end: expected });
  const rest = from === undefined ? "It begins anew" : `It goes on from ${from.slice(0, 10)}`;
  const message = `The history of “${trail.root}” was lost, or a part of it. ${rest}; see: recollect verify`;
  log("warning", "history", { message });
}

/** A purge that was killed before it noted its end, or a loss that is marked already. */
async function isDeliberate(tip: string, expected: string, git: Git): Promise<boolean> {
  const printed = await git.run(["log", "-1", "--format=%B", tip]);
  const message = parseMessage(printed.toString("utf8"), () => false);
  return message?.purge !== undefined || message?.lost?.tip === expected;
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
