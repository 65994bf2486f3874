import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Outcome } from "../../kernel/store.ts";
import type { TopicsFolder } from "../../roots/topics-folder.ts";
import type { SyncFollower, SyncStrategy } from "../follow-sync.ts";
import type { Sync, SyncReport, SyncRequest } from "../sync.ts";
import { nextAttempt, openSyncStatus, type SyncStatusFile } from "../sync-status.ts";
import type { OpenSyncOptions } from "./open-sync.ts";

export interface WorkspaceSyncOptions extends Omit<OpenSyncOptions, "root" | "folder" | "isClone" | "limits"> {
  readonly topics: TopicsFolder | undefined;
  readonly strategy: SyncStrategy;
  readonly intervalMs: number;
  /** Whether a remote that was never reached makes the topics fail. */
  readonly mustBeReached: boolean;
  readonly log: Log;
  readonly stays: boolean;
  readonly onProgress: ((text: string) => void) | undefined;
}

/** A memory in a git repository. */
export interface MemorySync extends Sync {
  readonly strategy: SyncStrategy;
  /** Where the clone lies that is kept of a remote; undefined for a folder of the user. */
  readonly clone: string | undefined;
  readonly folder: string;
}

export interface WorkspaceSync {
  /** Throws where the topics lie in no repository. */
  sync(): Promise<MemorySync>;
  /** To be told of what was just written, and acknowledged; undefined where writes are not synced as they happen. */
  readonly committed: ((outcomes: readonly Outcome[]) => void) | undefined;
  /** What every answer says until it is mended: one sentence, or none. */
  warnings(): readonly string[];
  /** Throws where the topics may not be used before the remote was reached. */
  assertReached(): void;
  /** Fills a clone that is new; a process that stays does it beside its work. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

/** Whoever waits for an answer does not wait as long as a server can. */
const briefLimits = { localMs: 120_000, remoteMs: 15 * 60_000, silenceMs: 15_000 };
/** Offline is normal, and nothing to be told with every answer. */
const quietReasons = ["unreachable", "busy"];

export function createWorkspaceSync(options: WorkspaceSyncOptions): WorkspaceSync {
  const { plan, topics, strategy, stays, log } = options;
  const root = plan.topics;
  const inGit =
    topics?.git && topics.folder !== undefined && root !== undefined
      ? { folder: topics.folder, root, isClone: topics.git.isClone }
      : undefined;
  const status = inGit && statusIn(inGit.folder);
  let loaded: Promise<MemorySync> | undefined;
  let following: Promise<SyncFollower | undefined> | undefined;
  /** Of the sync that filled a new clone, which nobody has been told of yet. */
  let begun: SyncReport | undefined;

  function sync(): Promise<MemorySync> {
    if (!inGit) throw noRepository();
    loaded ??= import("./open-sync.ts").then(({ openSync }) => {
      const limits = stays ? undefined : briefLimits;
      const clone = inGit.isClone ? inGit.folder : undefined;
      const opened = openSync({ ...options, ...inGit, limits });
      const run = async (request?: SyncRequest) => {
        await options.purged.refresh();
        return withBegun(await opened.run(request));
      };
      return { ...opened, run, strategy, clone, folder: inGit.folder };
    });
    return loaded;
  }

  function withBegun(report: SyncReport): SyncReport {
    if (!begun) return report;
    const { received, sent, conflicts } = begun;
    begun = undefined;
    return {
      ...report,
      received: report.received + received,
      sent: report.sent + sent,
      conflicts: [...conflicts, ...report.conflicts],
    };
  }

  function follow(): Promise<SyncFollower | undefined> {
    following ??= (async () => {
      const { followSync } = await import("../follow-sync.ts");
      const { intervalMs } = options;
      const due = () => (status ? nextAttempt(status.read()) : 0);
      return followSync({ sync: await sync(), strategy, intervalMs, nextAttempt: due, now: Date.now, log, stays });
    })().catch((error: unknown) => {
      log("warning", "sync", { message: error instanceof Error ? error.message : String(error) });
      return undefined;
    });
    return following;
  }

  const isReached = () => !inGit?.isClone || status?.read().lastSuccess !== undefined;

  function unreached(): string {
    const why = status?.read().failure?.message ?? "It is being asked for the first time.";
    return `The remote of this memory was not reached yet. ${why}`;
  }

  async function attempt(request: SyncRequest): Promise<void> {
    try {
      begun = await (await sync()).run(request);
    } catch (error) {
      if (!isRecollectError(error)) throw error;
      log("warning", "sync", { message: error.message });
    }
  }

  return {
    sync: async () => sync(),
    committed:
      inGit && strategy === "on_write"
        ? (outcomes) => {
            if (!outcomes.some(({ at }) => at.root === inGit.root)) return;
            void follow().then((follower) => follower?.written());
          }
        : undefined,
    warnings: () => {
      if (!isReached()) return [`${unreached()} Entries are kept in a copy here, and joined with it then.`];
      const failure = status?.read().failure;
      if (!failure || quietReasons.includes(failure.reason ?? "")) return [];
      return [`This memory is not in step with its remote: ${failure.message}`];
    },
    assertReached: () => {
      if (!options.mustBeReached || isReached()) return;
      throw new RecollectError("SYNC_FAILED", unreached(), { data: { reason: "unreachable" } });
    },
    begin: async () => {
      if (!inGit) return;
      const isDue = !isReached() && status !== undefined && nextAttempt(status.read()) <= Date.now();
      const join = () => attempt({ waitMs: 30_000, onProgress: options.onProgress });
      if (!stays) return isDue ? join() : undefined;
      if (strategy !== "manual") void follow();
      else if (isDue) void join();
    },
    close: async () => {
      await (await following)?.close();
    },
  };
}

/** Undefined for a folder that says itself that its repository lies elsewhere, and that cannot be followed there. */
function statusIn(folder: string): SyncStatusFile | undefined {
  const place = join(folder, ".git");
  try {
    const stat = statSync(place);
    if (stat.isDirectory()) return openSyncStatus(place);
    if (!stat.isFile()) return undefined;
    const [, elsewhere] = /^gitdir: (.+)$/m.exec(readFileSync(place, "utf8")) ?? [];
    return elsewhere === undefined ? undefined : openSyncStatus(resolve(folder, elsewhere));
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function noRepository(): RecollectError {
  return new RecollectError(
    "NOT_FOUND",
    "The topics lie in no git repository here. Set memory_configuration.external_memory_enabled, memory_type: git_repo and memory_path.",
  );
}
