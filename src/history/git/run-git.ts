import { RecollectError } from "../../kernel/errors.ts";
import { safeArguments, secludedEnvironment } from "./git-safety.ts";
import { spawnGit } from "./spawn-git.ts";

export interface Git {
  /** What the command prints. Throws STORAGE_FAILED where it fails. */
  run(args: readonly string[], options?: RunOptions): Promise<Buffer>;
  /** The same for a command whose failure is an answer: what it printed and said. Throws where it cannot be started. */
  attempt(args: readonly string[], options?: RunOptions): Promise<Attempt>;
}

interface Attempt {
  /** Null where it was ended. */
  readonly code: number | null;
  readonly printed: Buffer;
  readonly said: string;
}

export interface RunOptions {
  /** Written to its input as it takes it; what it throws ends the command. */
  readonly input?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  readonly timeoutMs?: number;
  /** True for work that nobody waits for: whatever else wants a processor goes first. */
  readonly isPatient?: boolean;
  /** A folder of objects of another repository, which are read as if they were here. */
  readonly borrows?: string | undefined;
}

export interface GitOptions {
  /** The folder of the repository. */
  readonly folder: string;
  /** Where programs are found. Everything that would steer git is left out. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the group of the folder works in it too. */
  readonly isShared: boolean;
  /** Ends whatever runs then. */
  readonly over?: AbortSignal | undefined;
}

const defaultTimeoutMs = 60_000;
const borrowed = "GIT_ALTERNATE_OBJECT_DIRECTORIES";

/** Besides what all of our gits have; the repository's own file is compared byte by byte (repository.ts). */
const settings: readonly (readonly [string, string])[] = [
  ["core.attributesFile", "/dev/null"],
  ["core.excludesFile", "/dev/null"],
  ["core.logAllRefUpdates", "false"],
  // Small runs too become a pack: loose objects take a block each.
  ["fastimport.unpackLimit", "0"],
  ["pack.threads", "1"],
  // For servers without git, and stale after every run.
  ["repack.updateServerInfo", "false"],
];

export function createGit({ folder, env, isShared, over }: GitOptions): Git {
  const all = [...settings, ...(isShared ? ([["core.sharedRepository", "group"]] as const) : [])];
  const kept = Object.entries(env).filter(([name]) => !/^(GIT|SSH|PAGER|EDITOR)/i.test(name));
  const environment = {
    ...secludedEnvironment(Object.fromEntries(kept)),
    GIT_DIR: folder,
    GIT_COMMON_DIR: folder,
  };
  const chosen = safeArguments(all);
  const attempt: Git["attempt"] = (args, options = {}) => runGit(args, options, { environment, chosen, folder, over });
  return {
    attempt,
    run: async (args, options) => {
      const { code, printed, said } = await attempt(args, options);
      if (code === 0) return printed;
      throw gitFailed(args, code === null ? "it was ended" : `it ended with ${code}`, said);
    },
  };
}

interface Chosen {
  readonly environment: NodeJS.ProcessEnv;
  readonly chosen: readonly string[];
}

async function runGit(
  args: readonly string[],
  { input, timeoutMs = defaultTimeoutMs, isPatient, borrows }: RunOptions,
  { environment, chosen, folder, over }: Pick<GitOptions, "folder" | "over"> & Chosen,
): Promise<Attempt> {
  const all = [...chosen, ...args];
  // Quoted as git reads it: a path may hold the sign that separates paths.
  const env = borrows === undefined ? environment : { ...environment, [borrowed]: JSON.stringify(borrows) };
  try {
    return await spawnGit({ args: all, env, cwd: folder, input, timeoutMs, isPatient, signal: over });
  } catch (error) {
    if (isMissing(error)) throw noGit(error);
    throw isOfSystem(error) ? gitFailed(args, "it could not be started", error) : error;
  }
}

/** Of starting it; everything else was thrown by whoever feeds it. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && String(error.syscall).startsWith("spawn");
}

function isMissing(error: unknown): boolean {
  return isOfSystem(error) && error instanceof Error && "code" in error && error.code === "ENOENT";
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
