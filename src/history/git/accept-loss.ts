import { randomUUID } from "node:crypto";
import type { Trail } from "../../kernel/trail.ts";
import { type Loss, parseMessage } from "./message.ts";
import type { Repository } from "./repository.ts";
import type { Git } from "./run-git.ts";
import { toTipNote } from "./tip-note.ts";
import { writeMark } from "./write-mark.ts";

/** What of history was lost that nobody has said to know of; undefined where nothing was. */
export async function findLoss(tip: string, git: Git): Promise<Loss | undefined> {
  const asked = ["log", "-z", "-n1", "--format=%B", "--grep=^lost {", "--grep=^lost-known {", tip];
  // Where a part cannot be read, what comes before it is printed all the same.
  const { printed } = await git.attempt(asked, { timeoutMs: 10 * 60_000 });
  const message = parseMessage(printed.toString("utf8").split("\0")[0] ?? "", () => false);
  return message?.lost;
}

/** From now on `verify` takes it as it is. With the recorder's lock held. */
export async function acceptLoss(
  author: string,
  {
    noteTip,
    repository,
    git,
    now,
  }: {
    readonly noteTip: Trail["noteTip"];
    readonly repository: Repository;
    readonly git: Git;
    readonly now: () => number;
  },
): Promise<void> {
  const time = new Date(now()).toISOString();
  const subject = "somebody knows of the loss";
  const branch = repository.runBranch(randomUUID());
  const made = await writeMark({ subject, lostKnown: { author, time } }, time, repository.tip(), { branch, git });
  await repository.moveTip(made);
  noteTip(toTipNote(made));
}
