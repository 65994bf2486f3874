import { mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AskChanged } from "../core/source.ts";
import { safeArguments, secludedEnvironment } from "../history/git/git-safety.ts";
import { spawnGit } from "../history/git/spawn-git.ts";

export interface AskChangedOptions {
  /** Where an empty repository is made for git, which insists on one. */
  readonly folder: string;
  /** Where programs are found. */
  readonly env: NodeJS.ProcessEnv;
}

/** It goes by all that it can see of a file, and looks at files with several threads. */
const settings = [
  ["core.preloadIndex", "true"],
  ["core.trustCtime", "true"],
  ["core.checkStat", "default"],
  ["core.fileMode", "true"],
  ["core.symlinks", "true"],
  ["core.ignoreCase", "false"],
  ["core.splitIndex", "false"],
] as const;

/** It takes what it cannot look at for unchanged, and says so here. Beside that there is what it says of every look. */
const saysNothing = /^(?:ignoring RCLT extension\n)?$/;
const longestMs = 60_000;
const noticedMs = 20;

/**
 * Lets git compare files with what a look says of them, which is an index of git. Node takes twice as long for the same
 * system calls, and a thread of ours would have to start first.
 */
export function createAskChanged({ folder, env }: AskChangedOptions): AskChanged {
  const repository = join(folder, "empty.git");
  const args = [...safeArguments(settings), "diff-files", "--name-only", "--no-renames", "-z"];

  return async (look, workTree, signal) => {
    if (signal.aborted) return undefined;
    makeRepository(repository);
    const own = { GIT_DIR: repository, GIT_INDEX_FILE: look, GIT_WORK_TREE: workTree };
    const tooLate = new AbortController();
    const running = spawnGit({
      args,
      env: { ...secludedEnvironment(env), ...own },
      // Not among the notes: a program could lie there that is called git.
      cwd: repository,
      timeoutMs: longestMs,
      withGroup: true,
      signal: tooLate.signal,
    }).catch(() => undefined);
    const ended = await orAborted(running, signal);
    // One that is ended need not be gone: it may be waiting for a disk.
    if (!ended) tooLate.abort();
    if (ended?.code !== 0 || ended.limit !== undefined || !saysNothing.test(ended.said)) return undefined;
    return ended.printed.toString().split("\0").slice(0, -1);
  };
}

/** Undefined where it is not done by then. What is done may not have been noticed yet, where this thread was busy. */
async function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  const done = new AbortController();
  const aborted = new Promise<undefined>((resolve) => {
    const giveUp = () => setTimeout(resolve, noticedMs, undefined);
    signal.addEventListener("abort", giveUp, { signal: done.signal });
  });
  return Promise.race([work, aborted]).finally(() => done.abort());
}

/** As little as git takes for a repository. Somebody may have tidied up, or there was no space for it. */
function makeRepository(folder: string): void {
  for (const name of ["objects", "refs"]) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  const head = join(folder, "HEAD");
  if (statSync(head, { throwIfNoEntry: false })?.size) return;
  const draft = `${head}.${process.pid}`;
  writeFileSync(draft, "ref: refs/heads/none\n", { mode: 0o600 });
  renameSync(draft, head);
}
