import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AskChanged } from "../core/source.ts";
import { safeArguments, secludedEnvironment } from "../history/git/git-safety.ts";

export interface AskChangedOptions {
  /** Where an empty repository is made for git, which insists on one. */
  readonly folder: string;
  /** Where programs are found. */
  readonly env: NodeJS.ProcessEnv;
  /** How long it is waited for. */
  readonly limitMs?: number;
}

/** Looking at a million files takes a second or two. */
const usualLimitMs = 5000;
/** Settings of git by which it looks at files with several threads, and goes by all that it can see of one. */
const settings = [
  ["core.preloadIndex", "true"],
  ["core.trustCtime", "true"],
  ["core.checkStat", "default"],
  ["core.fileMode", "true"],
  ["core.symlinks", "true"],
  ["core.ignoreCase", "false"],
  ["core.splitIndex", "false"],
] as const;

/**
 * Lets git compare files with what its index says of them. Node takes twice as long for the same system calls, and a
 * thread of ours would have to start first.
 */
export function createAskChanged({ folder, env, limitMs = usualLimitMs }: AskChangedOptions): AskChanged {
  const repository = join(folder, "empty.git");
  const args = [...safeArguments(settings), "diff-files", "--name-only", "--no-renames", "-z"];

  return async (index, workTree) => {
    makeRepository(repository);
    const own = { GIT_DIR: repository, GIT_INDEX_FILE: index, GIT_WORK_TREE: workTree };
    const printed = await run(args, { cwd: workTree, env: { ...secludedEnvironment(env), ...own }, limitMs });
    return printed?.toString().split("\0").slice(0, -1);
  };
}

/** As little as git takes for a repository. */
function makeRepository(folder: string): void {
  if (existsSync(join(folder, "HEAD"))) return;
  for (const name of ["objects", "refs"]) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "HEAD"), "ref: refs/heads/none\n");
}

interface Running {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly limitMs: number;
}

/** What it prints; undefined where it fails. */
function run(args: readonly string[], { limitMs, ...where }: Running): Promise<Buffer | undefined> {
  // Not with the rest of search: it would take a third of the time of a look at a few notes.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn("git", [...args], { ...where, stdio: ["ignore", "pipe", "ignore"] });
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  const printed: Buffer[] = [];
  return new Promise<Buffer | undefined>((resolve) => {
    // There is no git, or no room for another process; then it may have no output either.
    child.once("error", () => resolve(undefined));
    child.once("close", (code) => resolve(code === 0 ? Buffer.concat(printed) : undefined));
    child.stdout?.on("data", (chunk: Buffer) => printed.push(chunk));
  }).finally(() => clearTimeout(timer));
}
