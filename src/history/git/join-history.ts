import { randomUUID } from "node:crypto";
import { sameCommits } from "./cut-history.ts";
import { forgetLost, type LostPart } from "./lost-note.ts";
import { isReadable, type MendContext } from "./mend-tip.ts";
import { type Message, parseMessage } from "./message.ts";
import { readObjects } from "./read-objects.ts";
import { knownLines } from "./recorder.ts";
import type { Git } from "./run-git.ts";
import { toTipNote } from "./tip-note.ts";

const timeoutMs = 60 * 60_000;

/**
 * What was lost can be read again, because packs were put back or the mirror has them: what was recorded since goes on
 * from there, and nothing tells of a loss any more. Not after a purge, since that part may hold what was purged. With
 * the recorder's lock held.
 */
export async function joinLost({ mark, end }: LostPart, context: MendContext): Promise<void> {
  const { trail, repository, git, log } = context;
  const tip = repository.tip();
  if (tip === undefined || !(await isReadable(end, git))) return;
  const forget = () => forgetLost(repository.folder);
  const since = await commitsSince(mark, tip, git);
  if (!since || since.some(({ message }) => message.purge !== undefined || message.cut !== undefined)) return forget();
  const isKnown = await knownLines(end, git);
  // After a loss, journals are read again: what the lost part had of them is not told twice.
  const isRepeated = ({ message: { lines, lostKnown } }: Since, tree: string | undefined, before: string | undefined) =>
    lostKnown !== undefined || (tree === before && lines.length > 0 && lines.every(isKnown));
  const kept: Since[] = [];
  let before: string | undefined = await treeOf(end, git);
  for (const one of since) {
    if (isRepeated(one, one.tree, before)) continue;
    kept.push(one);
    before = one.tree;
  }
  const made = kept.length === 0 ? end : await write(kept, end, context);
  // What was noted will not be in history any more; in between, nothing is.
  trail.noteTip(toTipNote(undefined));
  await repository.moveTip(made);
  trail.noteTip(toTipNote(made));
  forget();
  const message = `What was lost of the history of “${trail.root}” can be read again, and was joined with what was recorded since.`;
  log("warning", "history", { message });
}

interface Since {
  readonly id: string;
  readonly tree: string | undefined;
  readonly message: Message;
}

/** Oldest first; undefined where the mark is not in this history. */
async function commitsSince(mark: string, tip: string, git: Git): Promise<Since[] | undefined> {
  const listed = await git.attempt(["rev-list", "--reverse", "--parents", `${mark}..${tip}`], { timeoutMs });
  const lines = listed.printed.toString("utf8").split("\n").filter(Boolean);
  const isAfter = tip === mark || lines[0]?.split(" ")[1] === mark;
  if (listed.code !== 0 || !isAfter) return undefined;
  const found: Since[] = [];
  const ids = lines.map((line) => line.slice(0, 40));
  for await (const { id, bytes } of readObjects(ids, git)) {
    const text = bytes.toString("utf8");
    const message = parseMessage(text.slice(text.indexOf("\n\n") + 2), () => false);
    if (!message) return undefined;
    found.push({ id, tree: /^tree ([0-9a-f]{40})$/m.exec(text)?.[1], message });
  }
  return found;
}

async function treeOf(commit: string, git: Git): Promise<string> {
  return (await git.run(["rev-parse", `${commit}^{tree}`])).toString("utf8").trim();
}

async function write(kept: readonly Since[], parent: string, { repository, git }: MendContext): Promise<string> {
  const branch = repository.runBranch(randomUUID());
  const ids = kept.map(({ id }) => id);
  async function* commands(): AsyncGenerator<Buffer> {
    yield Buffer.from("feature done\n");
    yield* sameCommits(ids, git, { branch: branch.name, parent });
    yield Buffer.from("done\n");
  }
  await git.run(["fast-import", "--quiet", "--done"], { input: commands(), timeoutMs });
  const made = branch.tip();
  if (made === undefined) throw new Error("git fast-import made no commit");
  branch.remove();
  return made;
}
