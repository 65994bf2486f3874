import { randomUUID } from "node:crypto";
import type { ExistingPath } from "../../kernel/document-path.ts";
import { type Rev, revisionOf } from "../../kernel/revision.ts";
import { sameCommits } from "./cut-history.ts";
import { commitHead, quotePath } from "./import-stream.ts";
import { forgetLost, type LostPart } from "./lost-note.ts";
import { isReadable, type MendContext } from "./mend-tip.ts";
import { type Message, outsideAuthor, parseMessage, toMessage } from "./message.ts";
import { readObjects } from "./read-objects.ts";
import { readCommits } from "./recorded-state.ts";
import { knownLines } from "./recorder.ts";
import type { Git } from "./run-git.ts";
import { toTipNote } from "./tip-note.ts";

const timeoutMs = 60 * 60_000;

/**
 * What was lost can be read again, because packs were put back or the mirror has them: what was recorded since goes on
 * from there, and nothing tells of a loss any more. Documents that only the lost part has were removed outside. Not
 * after a purge, since that part may hold what was purged. With the recorder's lock held.
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
  const made = kept.length === 0 ? end : await write(kept, await changedBetween(end, kept[0], context), context);
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
async function commitsSince(mark: string | undefined, tip: string, git: Git): Promise<Since[] | undefined> {
  const span = mark === undefined ? tip : `${mark}..${tip}`;
  const listed = await git.attempt(["rev-list", "--reverse", "--parents", span], { timeoutMs });
  const lines = listed.printed.toString("utf8").split("\n").filter(Boolean);
  const isAfter = tip === mark || lines[0]?.split(" ")[1] === mark;
  if (listed.code !== 0 || !isAfter) return undefined;
  const found: Since[] = [];
  const ids = lines.map((line) => line.slice(0, 40));
  for await (const { id, bytes } of readObjects(ids, git)) {
    const text = bytes.toString("utf8");
    const message = parseMessage(text.slice(text.indexOf("\n\n") + 2), () => found.length === 0);
    if (!message) return undefined;
    found.push({ id, tree: /^tree ([0-9a-f]{40})$/m.exec(text)?.[1], message });
  }
  return found;
}

/**
 * A commit on top of the lost part that tells of what changed outside until the first one that was recorded since, as
 * far as that does not tell of it itself: each commit of history tells of all that differs from the one before.
 */
async function changedBetween(end: string, first: Since | undefined, context: MendContext): Promise<string> {
  const { repository, git, now } = context;
  if (!first) return end;
  const [before, after] = [(await readCommits(end, git)).blobs, (await readCommits(first.id, git)).blobs];
  const told = new Set<string>(first.message.changes.map(({ path }) => path));
  const gone = [...before.keys()].filter((path) => !after.has(path) && !told.has(path));
  const other = [...after].filter(([path, blob]) => !told.has(path) && before.get(path) !== blob);
  if (gone.length + other.length === 0) return end;
  const blobsOf = (path: string) => [before.get(path), after.get(path)].filter((blob) => blob !== undefined);
  const blobs = new Set([...gone, ...other.map(([path]) => path)].flatMap((path) => blobsOf(path)));
  const revs = new Map<string | undefined, Rev>();
  for await (const { id, bytes } of readObjects([...blobs], git)) revs.set(id, revisionOf(bytes));
  const time = new Date(now()).toISOString();
  const changes = [...gone, ...other.map(([path]) => path)].map((path) => ({
    kind: "outside" as const,
    path: path as ExistingPath,
    rev: revs.get(after.get(path)),
    was: revs.get(before.get(path)),
  }));
  const subject = "changed outside while a part of history was missing";
  const message = toMessage({ subject, sighting: { kind: "outside", time }, changes, lines: [] });
  const when = `${Math.floor(Date.parse(time) / 1000)} +0000`;
  const people = `author ${outsideAuthor} <> ${when}\ncommitter Recollect <> ${when}\n`;
  const branch = repository.runBranch(randomUUID());
  const files = [
    ...gone.map((path) => `D ${quotePath(path)}`),
    ...other.map(([path, blob]) => `M 100644 ${blob} ${quotePath(path)}`),
  ];
  const input = [
    Buffer.from("feature done\n"),
    commitHead(branch.name, people, message),
    Buffer.from(`from ${end}\n${files.join("\n")}\n\ndone\n`),
  ];
  await git.run(["fast-import", "--quiet", "--done"], { input, timeoutMs });
  const made = branch.tip();
  if (made === undefined) throw new Error("git fast-import made no commit");
  branch.remove();
  return made;
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
