import { randomUUID } from "node:crypto";
import { findLoss } from "./accept-loss.ts";
import { isAncestor } from "./is-ancestor.ts";
import { noteLost } from "./lost-note.ts";
import type { MendContext } from "./mend-tip.ts";
import type { Mirror } from "./mirror.ts";
import { readCommits } from "./recorded-state.ts";
import { parseTipNote, toTipNote } from "./tip-note.ts";
import { writeMark } from "./write-mark.ts";

/**
 * Before anything is recorded: a history that is gone, or was set back together with the note of its end, goes on from
 * what its mirror has. What cannot be read of one that is there is left to `mendTip`. With the recorder's lock held.
 */
export async function bringBack(mirror: Mirror, context: MendContext): Promise<void> {
  const { trail, repository, git, log } = context;
  const tip = repository.tip();
  const known = mirror.open();
  if (!known || known.tip === tip) return;
  if (tip === undefined) {
    const isNoted = parseTipNote(trail.notedTip() ?? "")?.tip !== undefined;
    if (!isNoted && (await mirror.pull(context))) await goOn("was gone", await withoutJournals(known.tip));
    return;
  }
  // The usual case: a process was killed before it had copied what it recorded.
  if (await isAncestor(known.tip, tip, git)) return;
  if (await isAncestor(tip, known.tip, known.git)) {
    if (await mirror.pull(context)) await goOn("was set back", known.tip);
    return;
  }
  await findLostPart();

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

  /** A version that knew of no mirror went on without what was lost, which the mirror has. */
  async function findLostPart(): Promise<void> {
    const loss = tip === undefined ? undefined : await findLoss(tip, git);
    const end = loss?.tip;
    if (!known || !loss || end === undefined || !(await isAncestor(end, known.tip, known.git))) return;
    const asked = ["log", "-n1", "--format=%H", `--grep=^lost .*${end}`, tip ?? ""];
    const mark = (await git.run(asked, { timeoutMs: 600_000 })).toString("utf8").trim();
    if (mark === "" || !(await mirror.pull(context))) return;
    noteLost(repository.folder, { mark, end });
  }
}
