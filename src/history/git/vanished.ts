import { existsSync } from "node:fs";
import { counted } from "../../kernel/counted.ts";
import type { Trail } from "../../kernel/trail.ts";
import { areNotCheckedOut } from "./find-remotes.ts";
import { type Message, parseMessage } from "./message.ts";
import type { Mirror, OpenedRepository } from "./mirror.ts";
import { readCommits } from "./recorded-state.ts";
import type { Git } from "./run-git.ts";

/** The mirror of a root's history, and where its documents are, for a look at what vanished. */
export interface Mirrored {
  readonly mirror: Mirror;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Vanished {
  readonly says: string;
  readonly remedy: string;
  /** Whether git has the documents, and the branch that is checked out does not: somebody switched branches. */
  readonly isOnOtherBranch: boolean;
}

const timeoutMs = 10 * 60_000;
/** Commits that change no document are few, one after the other. */
const mostMarks = 64;

/**
 * Whether all documents of a root, or its history, went away without Recollect (ONE-3): by `git clean -fdx`, by
 * `rm -rf`.
 */
export async function findVanished(
  trail: Trail,
  history: OpenedRepository | undefined,
  mirrored: Mirrored | undefined,
): Promise<Vanished | undefined> {
  const kept = history ?? mirrored?.mirror.open();
  const tip = kept?.repository.tip();
  if (!kept || tip === undefined) return undefined;
  const isFolderGone = mirrored !== undefined && !existsSync(mirrored.folder);
  const isEmpty = [...firstOf(trail.survey())].length === 0;
  const gone = await (isEmpty ? goneNow : goneBefore)(tip, kept.git, trail);
  // With the history beside it, one document that is gone is an edit by hand; without it, something took everything.
  if (gone.length > 1 || (!history && gone.length > 0)) {
    const [are, them] = gone.length === 1 ? ["is", "it"] : ["are", "them"];
    const documents = counted(gone.length, "document");
    if (mirrored !== undefined && (await areNotCheckedOut(mirrored.folder, gone, mirrored.env))) {
      const says = `${documents} of this folder ${are} not checked out.`;
      return { says, remedy: `Nothing is lost: git has ${them}.`, isOnOtherBranch: true };
    }
    const remedy = `Bring ${them} back: recollect restore --all. If you removed ${them} yourself: recollect verify --accept-loss.`;
    const what = isEmpty ? "none is left in the folder" : "nothing was left in the folder then";
    return {
      says: `${documents} vanished with no record of a deletion: ${what}.`,
      remedy,
      isOnOtherBranch: false,
    };
  }
  if (history || isFolderGone || isEmpty) return undefined;
  const says = "The history, “.recollect/history”, is gone from beside the documents. Its mirror has it.";
  return {
    says,
    remedy: "The next command that records brings it back, for example: recollect log.",
    isOnOtherBranch: false,
  };
}

/** The documents there were, as history has it; none where they were deleted through Recollect, or the user knows. */
async function goneNow(tip: string, git: Git, trail: Trail): Promise<readonly string[]> {
  const { blobs, positions } = await readCommits(tip, git);
  const waiting = (await trail.inspect(positions)).flatMap(({ pending }) => pending);
  if (waiting.length > 0) return [];
  const last = await lastChange(tip, git);
  if (!last || last.lostKnown) return [];
  if (blobs.size > 0) return [...blobs.keys()];
  return last.sighting?.kind === "outside" ? removedBy(last) : [];
}

/**
 * The documents that vanished together, where others were written since: the newest run that found all documents of the
 * run before it removed. Those that are back are not counted.
 */
async function goneBefore(tip: string, git: Git, trail: Trail): Promise<readonly string[]> {
  const asked = [
    "log",
    "-z",
    `-n${mostMarks}`,
    "--format=%H%n%B",
    '--grep=^seen {"kind":"outside"',
    "--grep=^lost-known",
  ];
  for (const text of (await git.run([...asked, tip], { timeoutMs })).toString("utf8").split("\0")) {
    const [id = "", ...body] = text.split("\n");
    const message = parseMessage(body.join("\n"));
    if (message?.lostKnown) return [];
    const removed = message ? removedBy(message) : [];
    if (removed.length < 2 || removed.length !== message?.changes.length) continue;
    const before = await git.attempt(["log", "-n1", "--format=%H", "--grep=^end {", `${id}^`], { timeoutMs });
    const end = before.printed.toString("utf8").trim();
    if (before.code !== 0 || end === "") continue;
    const had = [...(await readCommits(end, git)).blobs.keys()];
    const took = new Set<string>(removed);
    if (!had.every((path) => took.has(path))) continue;
    const existing = new Set<string>([...trail.survey()].map(({ path }) => path));
    return removed.filter((path) => !existing.has(path));
  }
  return [];
}

function removedBy({ changes }: Pick<Message, "changes">): string[] {
  return changes.filter(({ rev }) => rev === undefined).map(({ path }) => path);
}

async function lastChange(tip: string, git: Git) {
  const printed = await git.run(["log", "-z", `-n${mostMarks}`, "--format=%B", tip], { timeoutMs });
  const messages = printed
    .toString("utf8")
    .split("\0")
    .flatMap((text) => parseMessage(text) ?? []);
  return messages.find(({ changes, lostKnown }) => changes.length > 0 || lostKnown !== undefined);
}

function* firstOf<Value>(values: Iterable<Value>): Generator<Value> {
  for (const value of values) return yield value;
}
