import { randomUUID } from "node:crypto";
import { findLoss } from "./accept-loss.ts";
import { isAncestor } from "./is-ancestor.ts";
import { noteLost, readLost } from "./lost-note.ts";
import { isReadable, type MendContext } from "./mend-tip.ts";
import type { Mirror } from "./mirror.ts";
import { readCommits } from "./recorded-state.ts";
import { parseTipNote, toTipNote } from "./tip-note.ts";
import { writeMark } from "./write-mark.ts";

const timeoutMs = 10 * 60_000;

/**
 * Before anything is recorded: a history that is gone, or was set back together with the note of its end, goes on from
 * what its mirror has; one that went on without that part is joined with it next (`joinLost`). What cannot be read of
 * one that is there is left to `mendTip`. With the recorder's lock held.
 */
export async function bringBack(mirror: Mirror, context: MendContext): Promise<void> {
  const { trail, repository, git, log } = context;
  const tip = repository.tip();
  const known = mirror.open();
  if (!known || known.tip === tip) return;
  if (tip === undefined) {
    const isNoted = parseTipNote(trail.notedTip() ?? "")?.tip !== undefined;
    if (isNoted) return;
    if (await mirror.pull(context)) return goOn("was gone", await withoutJournals(known.tip));
    return noteUnreadable(known.tip);
  }
  // The usual case: a process was killed before it had copied what it recorded.
  if (await isAncestor(known.tip, tip, git)) return;
  if (await isAncestor(tip, known.tip, known.git)) {
    if (await mirror.pull(context)) return goOn("was set back", known.tip);
    return noteUnreadable(known.tip);
  }
  const lost = readLost(repository.folder);
  if (!lost) await findPartApart(tip, known.tip);
  else if (!(await isReadable(lost.end, git)) && (await mirror.has(lost.end))) await mirror.pull(context);

  /** What even the mirror has lost is told of by `mendTip`, as what history ended with and cannot be read. */
  function noteUnreadable(end: string): void {
    trail.noteTip(toTipNote(end));
  }

  async function goOn(what: string, to: string): Promise<void> {
    await repository.moveTip(to);
    trail.noteTip(toTipNote(to));
    const end = `It was brought back from its mirror, up to ${to.slice(0, 10)}.`;
    log("warning", "history", { message: `The history of “${trail.root}” ${what}. ${end}` });
  }

  /** What took the history away took journals along: a commit says where the recorder stands in those that are left. */
  async function withoutJournals(from: string): Promise<string> {
    const { positions } = await readCommits(from, git);
    const left = new Set((await trail.inspect(positions)).map(({ folder }) => folder));
    const stays = Object.fromEntries(Object.entries(positions).filter(([folder]) => left.has(folder)));
    const mark = { subject: "history brought back from its mirror", end: { positions: stays, depth: 0 } };
    const branch = repository.runBranch(randomUUID());
    return writeMark(mark, new Date(context.now()).toISOString(), from, { branch, git });
  }

  /**
   * History went on without what the mirror has: a version that knows of no mirror recorded, or the mirror was out of
   * reach for a while. Not after a purge or a cut, which `joinLost` sees.
   */
  async function findPartApart(end: string, mirrored: string): Promise<void> {
    const loss = await findLoss(end, git);
    const lostEnd = loss?.tip;
    const isMarked = lostEnd !== undefined && (await isAncestor(lostEnd, mirrored, known?.git ?? git));
    const mark = isMarked ? await commitOfLoss(lostEnd, end) : undefined;
    if ((isMarked && mark === undefined) || !(await mirror.pull(context))) return;
    if (mark !== undefined && lostEnd !== undefined) return noteLost(repository.folder, { mark, end: lostEnd });
    const base = await git.attempt(["merge-base", end, mirrored], { timeoutMs });
    const shared = base.code === 0 ? base.printed.toString("utf8").trim() : undefined;
    noteLost(repository.folder, { mark: shared, end: mirrored });
  }

  async function commitOfLoss(lostEnd: string, end: string): Promise<string | undefined> {
    const asked = ["log", "-n1", "--format=%H", `--grep=^lost .*${lostEnd}`, end];
    return (await git.run(asked, { timeoutMs })).toString("utf8").trim() || undefined;
  }
}
