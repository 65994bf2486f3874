import { spawn } from "node:child_process";
import { RecollectError } from "../../core/errors.ts";

export interface Git {
  /** What the command prints. Throws STORAGE_FAILED where it fails. */
  run(args: readonly string[], options?: RunOptions): Promise<Buffer>;
}

interface RunOptions {
  /** Written to its input as it takes it; what it throws ends the command. */
  readonly input?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  readonly timeoutMs?: number;
}

export interface GitOptions {
  /** The folder of the repository. */
  readonly folder: string;
  /** Where programs are found. Everything that would steer git is left out. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the group of the folder works in it too. */
  readonly isShared: boolean;
}

const defaultTimeoutMs = 60_000;

/**
 * What a repository's own settings, which may have come with a clone, could make git run or write elsewhere is off;
 * so are the settings of the user and of the system. The repository's own file is compared byte by byte (repository.ts).
 */
const settings: readonly (readonly [string, string])[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.attributesFile", "/dev/null"],
  ["core.excludesFile", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.quotePath", "false"],
  ["core.logAllRefUpdates", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["commit.gpgSign", "false"],
  ["log.showSignature", "false"],
  // Small runs too become a pack: loose objects take a block each.
  ["fastimport.unpackLimit", "0"],
  ["pack.threads", "1"],
];

export function createGit({ folder, env, isShared }: GitOptions): Git {
  const all = [...settings, ...(isShared ? ([["core.sharedRepository", "group"]] as const) : [])];
  const kept = Object.entries(env).filter(([name]) => !/^(GIT|SSH|LC_|LANG|PAGER|EDITOR)/i.test(name));
  const environment = {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_DIR: folder,
    GIT_COMMON_DIR: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_GRAFT_FILE: "/dev/null",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_PAGER: "cat",
    // Older versions than 2.32 know no other way to leave the user's own settings out.
    HOME: "/dev/null",
    XDG_CONFIG_HOME: "/dev/null",
  };
  const chosen = all.flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  return { run: (args, options = {}) => runGit(args, options, { environment, chosen, folder }) };
}

async function runGit(
  args: readonly string[],
  { input, timeoutMs = defaultTimeoutMs }: RunOptions,
  { environment, chosen, folder }: { environment: NodeJS.ProcessEnv; chosen: readonly string[]; folder: string },
): Promise<Buffer> {
  const child = spawn("git", [...chosen, ...args], {
    env: environment,
    cwd: folder,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const printed: Buffer[] = [];
  const said: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => said.length < 100 && said.push(chunk));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  // Not spawn's own: that one stays where the program could not be started, and keeps the process alive.
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  ended.catch(() => {}).finally(() => clearTimeout(timer));
  // Where it ends before it has read everything, its own words tell more than a broken pipe.
  child.stdin.on("error", () => {});
  let failure: unknown;
  try {
    for await (const chunk of input ?? []) {
      if (child.stdin.destroyed || !child.stdin.writable) break;
      if (!child.stdin.write(chunk)) await drained(child.stdin, ended);
    }
    child.stdin.end();
  } catch (error) {
    failure = error;
    child.kill("SIGKILL");
  }
  let code: number | null;
  try {
    code = await ended;
  } catch (error) {
    throw isMissing(error) ? noGit(error) : gitFailed(args, "it could not be started", error);
  }
  if (failure !== undefined) throw failure;
  if (code === 0) return Buffer.concat(printed);
  throw gitFailed(args, code === null ? "it was ended" : `it ended with ${code}`, Buffer.concat(said).toString("utf8"));
}

function drained(stream: NodeJS.WritableStream, ended: Promise<unknown>): Promise<unknown> {
  return Promise.race([new Promise((resolve) => stream.once("drain", resolve)), ended.catch(() => {})]);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function noGit(cause: unknown): RecollectError {
  return new RecollectError("STORAGE_FAILED", "History needs git, which is not installed here. Install git.", {
    data: { missing: "git" },
    cause,
  });
}

/** What git says may hold paths of the host: it stays in `cause`. */
function gitFailed(args: readonly string[], what: string, cause: unknown): RecollectError {
  const isFull = /No space left|Disk quota exceeded/i.test(String(cause));
  const why = isFull ? "there is no space left on the device" : `git ${args[0] ?? ""}: ${what}`;
  return new RecollectError(isFull ? "DISK_FULL" : "STORAGE_FAILED", `History could not be read or written: ${why}.`, {
    cause,
  });
}
