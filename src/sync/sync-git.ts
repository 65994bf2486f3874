import { dirname } from "node:path";
import { hasCode } from "../backends/files/storage-error.ts";
import { safeArguments, safeEnvironment } from "../history/git/git-safety.ts";
import { type Ended, spawnGit } from "../history/git/spawn-git.ts";
import { RecollectError } from "../kernel/errors.ts";
import { allowedProtocols } from "./remote-address.ts";
import { failureOf } from "./sync-failure.ts";

export interface SyncGit {
  /** What the command prints. Throws SYNC_FAILED where it fails. */
  run(args: readonly string[], options?: SyncGitOptions): Promise<Buffer>;
  /** The same for a command whose failure is an answer. */
  attempt(args: readonly string[], options?: SyncGitOptions): Promise<Ended>;
  /** One that talks to a remote: by the user's own settings of git, with all limits. */
  talk(args: readonly string[], options?: TalkOptions): Promise<Ended>;
}

export interface TalkOptions {
  readonly onProgress?: ((text: string) => void) | undefined;
  /** Gives it up. */
  readonly signal?: AbortSignal | undefined;
}

interface SyncGitOptions {
  readonly input?: Iterable<Uint8Array> | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

export interface SyncLimits {
  /** For a command that stays on this machine. */
  readonly localMs: number;
  /** For one that talks to a remote, from its beginning to its end. */
  readonly remoteMs: number;
  /** The same where the remote says nothing. */
  readonly silenceMs: number;
}

const defaultSyncLimits: SyncLimits = { localMs: 120_000, remoteMs: 15 * 60_000, silenceMs: 30_000 };

/** Of git's variables those by which a user reaches a remote; the others would lead to another repository. */
const kept =
  /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|SSL_\w+|HTTP_\w+|PROXY_\w+|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|EXEC_PATH)$/;

export function createSyncGit(options: {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limits?: SyncLimits | undefined;
}): SyncGit {
  const { folder, limits = defaultSyncLimits } = options;
  const environment = {
    ...safeEnvironment(options.env, kept),
    // The repository is the one that lies here: none further up.
    GIT_CEILING_DIRECTORIES: dirname(folder),
    GIT_NO_REPLACE_OBJECTS: "1",
  };
  const chosen = safeArguments([["fetch.writeCommitGraph", "false"]]);

  async function attempt(
    args: readonly string[],
    { input, env }: SyncGitOptions = {},
    remote?: TalkOptions,
  ): Promise<Ended> {
    try {
      return await spawnGit({
        args: [...chosen, ...args],
        env: { ...environment, ...env, ...(remote ? { GIT_ALLOW_PROTOCOL: allowedProtocols } : {}) },
        cwd: folder,
        input,
        withGroup: true,
        onSaid: remote?.onProgress,
        signal: remote?.signal,
        timeoutMs: remote ? limits.remoteMs : limits.localMs,
        silenceMs: remote ? limits.silenceMs : undefined,
      });
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
      const says = "Sync needs git, which is not installed here. Install git.";
      throw new RecollectError("SYNC_FAILED", says, { data: { reason: "git", missing: "git" }, cause: error });
    }
  }

  return {
    attempt,
    run: async (args, given) => {
      const ended = await attempt(args, given);
      if (ended.code !== 0) throw failureOf(ended, false);
      return ended.printed;
    },
    talk: (args, options = {}) => attempt(args, {}, options),
  };
}
