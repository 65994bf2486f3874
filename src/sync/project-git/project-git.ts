import { isAbsolute, join } from "node:path";
import { safeArguments, safeEnvironment } from "../../history/git/git-safety.ts";
import { type Ended, spawnGit } from "../../history/git/spawn-git.ts";
import { RecollectError } from "../../kernel/errors.ts";

/** Git in the repository that a project lies in: the user's own, with the user's own settings. */
export interface ProjectGit {
  /** What the command prints. Throws STORAGE_FAILED where it fails. */
  run(args: readonly string[], options?: ProjectGitOptions): Promise<string>;
  /** The same for a command whose failure is an answer. */
  attempt(args: readonly string[], options?: ProjectGitOptions): Promise<Ended>;
}

interface ProjectGitOptions {
  readonly input?: string | Iterable<Uint8Array> | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

export interface WorkTree {
  /** Its top. */
  readonly folder: string;
  /** Where git keeps what belongs to this work tree. */
  readonly gitDir: string;
}

const timeoutMs = 60_000;

/** The user's own settings count, wherever they say that they lie. */
const keeps = /^GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$/;

export function createProjectGit(options: {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): ProjectGit {
  const { folder } = options;
  // Git tells a merge driver, or a hook that runs us, where the repository is; here the folder says it.
  const environment = safeEnvironment(options.env, keeps);
  const chosen = safeArguments();

  async function attempt(args: readonly string[], { input, env }: ProjectGitOptions = {}): Promise<Ended> {
    try {
      return await spawnGit({
        args: [...chosen, ...args],
        env: { ...environment, ...env },
        cwd: folder,
        input: typeof input === "string" ? [Buffer.from(input)] : input,
        timeoutMs,
      });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
      throw new RecollectError("STORAGE_FAILED", "This needs git, which is not installed here. Install git.", {
        data: { missing: "git" },
        cause: error,
      });
    }
  }

  return {
    attempt,
    run: async (args, given) => {
      const { code, printed, said } = await attempt(args, given);
      if (code === 0) return printed.toString("utf8");
      const command = args[0] === "-C" ? args[2] : args[0];
      throw new RecollectError("STORAGE_FAILED", `git ${command ?? ""} failed in the project's repository.`, {
        cause: said,
      });
    },
  };
}

/** Undefined where the folder lies in no work tree. */
export async function findWorkTree(git: ProjectGit): Promise<WorkTree | undefined> {
  const ended = await git.attempt(["rev-parse", "--show-toplevel", "--absolute-git-dir"]);
  const [folder, gitDir] = ended.printed.toString("utf8").split("\n");
  if (ended.code !== 0 || !folder || !gitDir) return undefined;
  return { folder, gitDir: isAbsolute(gitDir) ? gitDir : join(folder, gitDir) };
}

/** Whether the repository's rules leave a file out that nobody has added yet. */
export async function isIgnored(git: ProjectGit, { folder }: WorkTree, path: string): Promise<boolean> {
  // It knows no literal pathspecs, and takes what it reads as they are.
  const options = { input: `${path}\0`, env: { GIT_LITERAL_PATHSPECS: "0" } };
  return (await git.attempt(["-C", folder, "check-ignore", "--quiet", "-z", "--stdin"], options)).code === 0;
}
