import type { Ended } from "../history/git/spawn-git.ts";
import { isRecollectError } from "../kernel/errors.ts";
import type { Remote } from "./remote.ts";
import { syncFailure } from "./sync-failure.ts";
import type { SyncGit, TalkOptions } from "./sync-git.ts";

/** What a failure of git may be called by its words alone, though the remote is fine. */
const doubtful = ["unreachable", "missing"];

/**
 * A git that cannot read its own objects fails to fetch and to push in words that look like a remote which cannot be
 * reached. So the remote is asked once more, and where it answers, the objects here are checked before it is blamed.
 */
export async function explainFailure(
  error: unknown,
  git: SyncGit,
  remote: Remote | undefined,
  options: TalkOptions,
): Promise<unknown> {
  // A branch that cannot be read is never as a sync expects it, as if another process moved it each time.
  if (isRecollectError(error) && error.data["reason"] === "busy") {
    const damage = await findDamage(git);
    return damage === undefined ? error : syncFailure("git", { more: damage, cause: error });
  }
  const isDoubtful = isRecollectError(error) && doubtful.includes(String(error.data["reason"]));
  if (!isDoubtful || error.data["timeout"] === true || !remote || options.signal?.aborted) return error;
  const asked = await git.talk(["ls-remote", "--", remote.name], { signal: options.signal });
  if (asked.code !== 0) return error;
  const damage = await findDamage(git);
  return damage === undefined
    ? syncFailure("broken", { cause: error })
    : syncFailure("git", { more: `The remote answers. ${damage} See: recollect doctor`, cause: error });
}

/** What is wrong with the objects of a repository, as a sentence; undefined where nothing is, or where it takes too long. */
export async function findDamage(git: SyncGit): Promise<string | undefined> {
  const checked = await git.attempt(["fsck", "--full", "--no-dangling", "--no-progress"]);
  if (checked.code === 0 || checked.limit !== undefined) return undefined;
  const count = linesOf(checked).length;
  return `Its clone here is damaged: git fsck reports ${count === 1 ? "an error" : `${Math.max(count, 1)} errors`}.`;
}

function linesOf({ printed, said }: Ended): string[] {
  return `${printed.toString("utf8")}\n${said}`
    .split("\n")
    .filter((line) => /^(error|fatal|missing|broken)\b/.test(line));
}
