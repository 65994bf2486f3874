import { randomUUID } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExistingPath } from "../../kernel/document-path.ts";
import { revisionOf } from "../../kernel/revision.ts";
import type { Trail } from "../../kernel/trail.ts";
import { dropUnnamed } from "./drop-objects.ts";
import { commitHead, quotePath } from "./import-stream.ts";
import { linesLeft } from "./lines-left.ts";
import { outsideAuthor, toMessage } from "./message.ts";
import { readObjects } from "./read-objects.ts";
import { readCommits } from "./recorded-state.ts";
import type { Repository } from "./repository.ts";
import type { Git } from "./run-git.ts";
import { toTipNote } from "./tip-note.ts";

export interface CutContext {
  readonly trail: Trail;
  readonly repository: Repository;
  readonly git: Git;
  readonly now: () => number;
}

const dayMs = 86_400_000;
const timeoutMs = 60 * 60_000;
/** As when a root is imported: a log of one document reads the whole message of each commit that has it. */
const documentsAtOnce = 1000;
/** There while objects that nothing names any more are still to be dropped. */
const droppingFile = "recollect-dropping";

/**
 * Drops what is older than that (HIST-3b): the state of that time becomes the first commit, and those after it stay as
 * they are, on top of it. At most once a day, since all of them are written anew. With the recorder's lock held.
 * How many operations went.
 */
export async function cutHistory(keepMs: number, context: CutContext): Promise<number> {
  const { repository, git } = context;
  // Somebody was killed after the cut.
  if (existsSync(join(repository.folder, droppingFile))) await drop(repository, git);
  const tip = repository.tip();
  const cut = tip === undefined ? undefined : await findCut(tip, context.now() - keepMs, git);
  if (tip === undefined || !cut) return 0;
  const cutoff = new Date(context.now() - keepMs).toISOString();
  const branch = repository.runBranch(randomUUID());
  const input = commandsFor(cut, { ...context, tip, cutoff, branch: branch.name });
  await git.run(["fast-import", "--quiet", "--done"], { input, timeoutMs });
  const made = branch.tip();
  if (made === undefined) throw new Error("git fast-import made no commit");
  writeFileSync(join(repository.folder, droppingFile), "");
  // What was noted will not be in history any more; in between, nothing is.
  context.trail.noteTip(toTipNote(undefined));
  await repository.moveTip(made);
  context.trail.noteTip(toTipNote(made));
  branch.remove();
  await drop(repository, git);
  return cut.dropped.length;
}

async function drop(repository: Repository, git: Git): Promise<void> {
  await dropUnnamed(repository, git);
  rmSync(join(repository.folder, droppingFile), { force: true });
}

interface Cut {
  /** Oldest first; the last of them is the state that stays. */
  readonly dropped: readonly string[];
  readonly kept: readonly string[];
}

/** Undefined where nothing is old enough, or only what was there at the beginning. */
async function findCut(tip: string, cutoffMs: number, git: Git): Promise<Cut | undefined> {
  const printed = await git.run(["log", "--reverse", "--format=%H %ct %an", tip], { timeoutMs });
  const commits = printed
    .toString("utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [id = "", seconds, ...author] = line.split(" ");
      return { id, ms: Number(seconds) * 1000, author: author.join(" ") };
    });
  const young = commits.findIndex(({ ms }) => ms >= cutoffMs);
  const end = young === -1 ? commits.length : young;
  const isBeginning = ({ ms, author }: (typeof commits)[number]) => ms === commits[0]?.ms && author === outsideAuthor;
  const isWorthIt = commits.slice(0, end).some((one) => !isBeginning(one) && one.ms < cutoffMs - dayMs);
  if (!isWorthIt) return undefined;
  const ids = commits.map(({ id }) => id);
  return { dropped: ids.slice(0, end), kept: ids.slice(end) };
}

interface CommandContext extends CutContext {
  readonly tip: string;
  readonly cutoff: string;
  readonly branch: string;
}

async function* commandsFor(cut: Cut, context: CommandContext): AsyncGenerator<Buffer> {
  const { git, branch } = context;
  yield Buffer.from("feature done\n");
  yield* beginning(cut, context);
  yield* sameCommits(cut.kept, git, { branch });
  yield Buffer.from("done\n");
}

/** Commits with the trees, people and messages that they have, on top of what was just written, or of `parent`. */
export async function* sameCommits(
  ids: readonly string[],
  git: Git,
  { branch, parent }: { readonly branch: string; readonly parent?: string | undefined },
): AsyncGenerator<Buffer> {
  let written = 0;
  for await (const { bytes } of readObjects(ids, git)) {
    const text = bytes.toString("utf8");
    const [, tree, people] =
      /^tree ([0-9a-f]{40})\n(?:parent [0-9a-f]{40}\n)*(author .*\ncommitter .*\n)/.exec(text) ?? [];
    if (tree === undefined || people === undefined)
      throw new Error("a commit of history is not as Recollect writes them");
    yield commitHead(branch, people, text.slice(text.indexOf("\n\n") + 2));
    const from = written === 0 && parent !== undefined ? `from ${parent}\n` : "";
    yield Buffer.from(`${from}M 040000 ${tree} ""\n\n`);
    written += 1;
  }
  if (written !== ids.length) throw new Error("a commit of history cannot be read");
}

/** What was there then, as if recording had begun with it, and a record of the cut. */
async function* beginning(cut: Cut, context: CommandContext): AsyncGenerator<Buffer> {
  const { git, branch, trail } = context;
  const last = cut.dropped.at(-1) ?? "";
  const { blobs, positions } = await readCommits(last, git);
  const revs = new Map<string, ReturnType<typeof revisionOf>>();
  for await (const { id, bytes } of readObjects([...new Set(blobs.values())], git)) revs.set(id, revisionOf(bytes));
  const seconds = Number(
    await git.run(["log", "-1", "--format=%ct", last]).then((printed) => printed.toString("utf8")),
  );
  const time = new Date(seconds * 1000).toISOString();
  const tipPositions = (await readCommits(context.tip, git)).positions;
  const onDisk = new Set((await trail.inspect(tipPositions)).flatMap(({ recorded }) => recorded));
  const { lines, links } = await linesLeft(cut.dropped, onDisk, git);
  const documents = [...blobs];
  for (let from = 0; from === 0 || from < documents.length; from += documentsAtOnce) {
    const part = documents.slice(from, from + documentsAtOnce);
    const isFirst = from === 0;
    const isLast = from + documentsAtOnce >= documents.length;
    const record = {
      time: new Date(context.now()).toISOString(),
      before: context.cutoff,
      operations: cut.dropped.length,
      links,
    };
    const message = toMessage({
      subject: "import what was there",
      sighting: { kind: "import", time },
      ...(isFirst ? { cut: record } : {}),
      changes: part.map(([path, blob]) => ({
        path: path as ExistingPath,
        kind: "import",
        rev: revs.get(blob),
        was: undefined,
      })),
      lines: isFirst ? lines : [],
      ...(isLast ? { end: { positions, depth: 0 } } : {}),
    });
    const when = `${seconds} +0000`;
    yield commitHead(branch, `author ${outsideAuthor} <> ${when}\ncommitter Recollect <> ${when}\n`, message);
    yield Buffer.from(`${part.map(([path, blob]) => `M 100644 ${blob} ${quotePath(path)}\n`).join("")}\n`);
  }
}
