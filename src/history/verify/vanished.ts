import { existsSync } from "node:fs";
import { counted } from "../../core/counted.ts";
import type { Trail } from "../../core/trail.ts";
import { parseMessage } from "../git/message.ts";
import type { Mirror, OpenedRepository } from "../git/mirror.ts";
import { readCommits } from "../git/recorded-state.ts";
import type { Git } from "../git/run-git.ts";
import { isOnOtherBranch } from "../purge/find-remotes.ts";

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
  const isEmpty = [...firstOf(trail.survey())].length === 0;
  const isFolderGone = mirrored !== undefined && !existsSync(mirrored.folder);
  const count = isEmpty ? await countVanished(tip, kept.git, trail) : 0;
  // With the history beside it, one document that is gone is an edit by hand; without it, something took everything.
  if (count > 1 || (!history && count > 0)) {
    const gone = counted(count, "document");
    if (mirrored !== undefined && (await isOnOtherBranch(mirrored.folder, mirrored.env))) {
      const says = `${gone} of this folder ${count === 1 ? "is" : "are"} not on the branch that is checked out.`;
      return { says, remedy: "Nothing is lost: git has them on another branch.", isOnOtherBranch: true };
    }
    const them = count === 1 ? "it" : "them";
    const remedy = `Bring ${them} back: recollect restore --all. If you removed ${them} yourself: recollect verify --accept-loss.`;
    const says = `${gone} vanished with no record of a deletion: none is left in the folder.`;
    return { says, remedy, isOnOtherBranch: false };
  }
  if (history || isFolderGone || isEmpty) return undefined;
  const says = "The history, “.recollect/history”, is gone from beside the documents. Its mirror has it.";
  return {
    says,
    remedy: "The next command that records brings it back, for example: recollect log.",
    isOnOtherBranch: false,
  };
}

/** How many there were, as history has it; 0 where somebody deleted them through Recollect, or knows of it. */
async function countVanished(tip: string, git: Git, trail: Trail): Promise<number> {
  const { blobs, positions } = await readCommits(tip, git);
  const waiting = (await trail.inspect(positions)).flatMap(({ pending }) => pending);
  if (waiting.length > 0) return 0;
  const last = await lastChange(tip, git);
  if (!last || last.lostKnown) return 0;
  if (blobs.size > 0) return blobs.size;
  return last.sighting?.kind === "outside" ? last.changes.filter(({ rev }) => rev === undefined).length : 0;
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
