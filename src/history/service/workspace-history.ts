import { toStorageError } from "../../backends/files/storage-error.ts";
import type { Documents } from "../../kernel/documents.ts";
import type { Log } from "../../kernel/log.ts";
import type { RootHistory } from "../../kernel/root-history.ts";
import type { Stamp } from "../../kernel/store.ts";
import { historyRoots } from "../../roots/history-roots.ts";
import type { RootPlan } from "../../roots/mount-roots.ts";
import type { Backends } from "../../roots/open-backends.ts";
import type { ProjectCommit } from "../../sync/project-git/commit-documents.ts";
import type { HistoryFollower } from "../follow-history.ts";
import type { MemoryHistory } from "./view-history.ts";

interface HistoriesOptions {
  readonly backendOf: Backends["of"];
  readonly plan: RootPlan;
  readonly log: Log;
  /** How long what was is kept, in the folder of a root; undefined for ever. */
  readonly keepMs: (root: string) => number | undefined;
  /** True for a process that stays: it takes over what is written, some time after. */
  readonly stays: boolean;
  /** The process is about to end: what may take long is left to others. */
  readonly closing: AbortSignal;
  /** It waits no longer, also not for what is under way. */
  readonly over: AbortSignal;
}

/** Who looks at what was: the folders that they see, and whose name stands at what they restore. */
export interface HistoryViewer {
  readonly plan: RootPlan;
  readonly documents: Documents;
  readonly stamp: Stamp;
  /** The index of topics follows what is restored. */
  readonly reindexTopics: () => Promise<unknown>;
}

export interface WorkspaceHistoryOptions extends Omit<HistoriesOptions, "closing" | "over"> {
  /** What was, for who opened the workspace. */
  readonly history: () => MemoryHistory;
  /** Whether there is more urgent work, so that to begin can wait. */
  readonly isBusy: () => boolean;
  /** Whether somebody waits for answers just now: to take over what was written can wait a while for that. */
  readonly isAsked: () => boolean;
  /** Commits documents to the project's own repository; undefined where nobody asked for it. */
  readonly commitToProject: (() => Promise<ProjectCommit>) | undefined;
}

/** The histories of a workspace's roots, which several sessions read: each what it sees, and under its own name. */
export interface OpenedHistories {
  readonly roots: readonly RootHistory[];
  readonly log: Log;
  readonly notices: () => readonly string[];
}

export interface WorkspaceHistory {
  /** What was, as somebody sees it; loaded when it is first needed. */
  viewedBy(viewer: HistoryViewer): Promise<MemoryHistory>;
  /** Something was just written, and acknowledged, in these roots. */
  committed(roots: Iterable<string>): void;
  /** What was found damaged, was mended, or could not be recorded so far. */
  notices(): readonly string[];
  close(): Promise<void>;
}

/** What is not recorded goes with its folder where that is deleted, so it does not wait long. */
const beginAfterMs = 1000;
/** At the end, for others who record just now and may have begun before the last write. */
const endWaitMs = 1000;
/** So long an end takes at most, whatever git does. */
const longestEndMs = 3000;

/** History of the folders that keep documents, loaded when it is first needed. */
export function createWorkspaceHistory(options: WorkspaceHistoryOptions): WorkspaceHistory {
  let following: Promise<HistoryFollower | undefined> | undefined;
  const written = new Set<string>();
  const closing = new AbortController();
  const over = new AbortController();
  const failures: string[] = [];
  let opened: OpenedHistories | undefined;
  let opening: Promise<OpenedHistories> | undefined;
  let begin: NodeJS.Timeout | undefined;
  if (options.stays) beginAfter(beginAfterMs);

  function beginAfter(ms: number): void {
    clearTimeout(begin);
    begin = setTimeout(() => {
      if (options.isBusy() && written.size === 0) beginAfter(beginAfterMs);
      else void follow();
    }, ms).unref();
  }

  async function open(): Promise<OpenedHistories> {
    opening ??= openHistories({ ...options, closing: closing.signal, over: over.signal });
    opened = await opening;
    return opened;
  }

  async function viewedBy(viewer: HistoryViewer): Promise<MemoryHistory> {
    const [{ viewHistory }, histories] = await Promise.all([import("./view-history.ts"), open()]);
    return viewHistory(histories, viewer);
  }

  function follow(): Promise<HistoryFollower | undefined> {
    following ??= (async () => {
      const { followHistory } = await import("../follow-history.ts");
      await open();
      const { catchUp, maintain, trim } = options.history();
      return followHistory({
        history: {
          catchUp: async (asked) => {
            const caught = await catchUp(asked);
            await commitToProject();
            return caught;
          },
          maintain: async () => {
            await maintain();
            await trim();
          },
        },
        log: options.log,
        isAsked: options.isAsked,
      });
    })().catch((error: unknown) => {
      options.log("warning", "history", { message: error instanceof Error ? error.message : String(error) });
      return undefined;
    });
    return following;
  }

  async function commitToProject(): Promise<void> {
    const done = await options.commitToProject?.();
    if (done?.kind === "committed") options.log("info", "history", { message: `committed ${done.commit}` });
    if (done?.kind === "skipped") options.log("warning", "history", { message: `not committed: ${done.why}` });
  }

  /** Where nobody records it later. What was written is done whatever becomes of this. */
  async function finish(): Promise<void> {
    const hasLooked = opened !== undefined;
    try {
      if (written.size > 0) await recordWritten();
      if (hasLooked && !options.stays) await options.history().trim();
    } catch (error) {
      // Git may be missing, broken or slow, and the disk full: the next one who looks at history says so.
      const { message: why } = toStorageError(error, "record history");
      const message = over.signal.aborted ? "git took too long. The next command goes on with it." : why;
      failures.push(`What was written was not recorded in history: ${message}`);
      options.log("warning", "history", { message });
    }
  }

  async function recordWritten(): Promise<void> {
    if (options.commitToProject) {
      await options.history().catchUp();
      await commitToProject();
      return;
    }
    for (const root of (await open()).roots) {
      if (!written.has(root.root)) continue;
      await root.catchUp({ waitMs: endWaitMs, leavesMuch: true });
      await root.maintain();
    }
  }

  return {
    viewedBy,
    notices: () => [...(opened?.notices() ?? []), ...failures],
    // Before the follower begins there is nothing to tell: it begins with all that is there.
    committed: (roots) => {
      const isFirst = written.size === 0;
      for (const root of roots) written.add(root);
      if (following) void following.then((follower) => follower?.written());
      else if (options.stays && isFirst) beginAfter(beginAfterMs);
    },
    close: async () => {
      clearTimeout(begin);
      closing.abort();
      const timer = setTimeout(() => over.abort(), longestEndMs);
      try {
        if (following) await (await following)?.close();
        else await finish();
      } finally {
        clearTimeout(timer);
      }
      for (const one of opened?.roots ?? []) await one.close();
    },
  };
}

async function openHistories(options: HistoriesOptions): Promise<OpenedHistories> {
  const { keepMs, backendOf, plan, stays, closing, over } = options;
  const notices = new Set<string>();
  const log: Log = (level, event, fields = {}) => {
    if (typeof fields["message"] === "string") notices.add(fields["message"]);
    options.log(level, event, fields);
  };
  const roots: RootHistory[] = [];
  for (const root of historyRoots(plan)) {
    const about = { now: Date.now, keepMs: keepMs(root), log, stays, closing, over };
    const history = await backendOf(root).history?.(root, about);
    if (history) roots.push(history);
  }
  return { roots, log, notices: () => [...notices] };
}
