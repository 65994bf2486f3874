import type { ExistingPath } from "../kernel/document-path.ts";
import { isRecollectError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { Rev } from "../kernel/revision.ts";
import type { Outcome, Stamp } from "../kernel/store.ts";
import { agentRoot } from "../notes/agents/agent-root.ts";
import type { Backends } from "../roots/open-backends.ts";
import type { Session } from "./session.ts";
import { type WatchedRoot, watchRoot } from "./watched-root.ts";
import type { ChangeListener } from "./workspace.ts";

export interface LiveChange {
  /** As the session names it; the path of an agent's file is relative to the agent's own folder. */
  readonly root: string;
  readonly path: string;
  /** Undefined where it is gone. */
  readonly rev: Rev | undefined;
  /** Undefined where it was changed by hand, or nobody knows any more. */
  readonly author: string | undefined;
}

export type LiveNews =
  | { readonly kind: "changed"; readonly changes: readonly LiveChange[] }
  /** Something was changed that is not known in detail. */
  | { readonly kind: "stale" };

/** What anybody changes, in whatever process or by hand, for those who listen; without them nothing is watched. */
export interface LiveChanges {
  /** Tells of what this session may read. */
  listen(session: Pick<Session, "roots" | "agent">, tell: (news: LiveNews) => void): Listening;
  close(): Promise<void>;
}

export interface Listening {
  /** From here on nothing is missed. */
  readonly ready: Promise<void>;
  stop(): void;
}

export interface LiveChangesOptions {
  readonly backends: Pick<Backends, "of" | "feedOfAgent">;
  /** What this process commits is told at once. */
  readonly onChanged: (listener: ChangeListener) => () => void;
  readonly log: Log;
  readonly now: () => number;
  readonly everyMs?: number;
}

/** A look costs some system calls for each root, as long as the kernel tells of changes. */
const usuallyEveryMs = 250;
/** Of a source that tells of writes by itself; what it did not tell is found by then. */
const untoldMs = 5000;

interface Followed {
  readonly root: string;
  readonly watched: WatchedRoot;
  readonly authorOf: (path: ExistingPath, rev: Rev | undefined) => Promise<string | undefined>;
  readonly listeners: Set<(news: LiveNews) => void>;
  /** How long it need not be looked at, where nothing tells of a change. */
  readonly restMs: number;
  /** When to look at it next. */
  dueAt: number;
  close(): void;
}

export function createLiveChanges(options: LiveChangesOptions): LiveChanges {
  const { backends, log, now, everyMs = usuallyEveryMs } = options;
  /** By the name of a root, or by agent. */
  const followed = new Map<string, Followed>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let stopHearing: (() => void) | undefined;

  function follow(root: string, agentId: string | undefined): Followed {
    const key = keyOf(root, agentId);
    const known = followed.get(key);
    if (known) return known;
    const source = agentId === undefined ? backends.of(root).feed(root) : backends.feedOfAgent(agentId);
    const one: Followed = {
      root,
      watched: watchRoot(source, now),
      // Only the agent writes to its own files.
      authorOf: async (path, rev) =>
        agentId === undefined ? backends.of(root).documents.authorOf({ root, path }, rev) : `agent:${agentId}`,
      listeners: new Set(),
      restMs: source.onWritten ? untoldMs : 0,
      dueAt: 0,
      close: () => {
        stop?.();
        source.close();
      },
    };
    const stop = source.onWritten?.(() => {
      one.dueAt = 0;
    });
    followed.set(key, one);
    stopHearing ??= options.onChanged(committed);
    return one;
  }

  /** One at a time. */
  function look(): Promise<void> {
    clearTimeout(timer);
    const due = [...followed.values()].filter(({ dueAt }) => dueAt <= now());
    looking ??= Promise.all(due.map(lookAt)).then(() => {
      looking = undefined;
      if (followed.size > 0) timer = setTimeout(() => void look(), everyMs).unref();
    });
    return looking;
  }

  async function lookAt(one: Followed): Promise<void> {
    const { root, watched, authorOf, listeners } = one;
    one.dueAt = now() + one.restMs;
    try {
      const found = await watched.look();
      if (found === "stale") return tellAll(listeners, { kind: "stale" });
      if (found.length === 0) return;
      // Better of nobody than not at all.
      const authorAt = (path: string, rev: Rev | undefined) =>
        authorOf(path as ExistingPath, rev).catch(() => undefined);
      const told = found.map(async ({ path, rev }) => ({ root, path, rev, author: await authorAt(path, rev) }));
      const changes = await Promise.all(told);
      tellAll(listeners, { kind: "changed", changes });
    } catch (error) {
      // A root that cannot be looked at now may be some other time.
      if (!isRecollectError(error)) log("error", "live changes", { message: String(error) });
    }
  }

  function committed(outcomes: readonly Outcome[], { author }: Stamp): void {
    for (const [{ watched, listeners }, some] of Map.groupBy(outcomes, followedOf)) {
      const changes = some.map(({ at, rev }) => ({ ...nameOf(at), rev, author })).filter((one) => watched.told(one));
      if (changes.length > 0) tellAll(listeners, { kind: "changed", changes });
    }
  }

  const unfollowed: Pick<Followed, "watched" | "listeners"> = {
    watched: { look: async () => [], told: () => false },
    listeners: new Set(),
  };

  function followedOf({ at }: Outcome): Pick<Followed, "watched" | "listeners"> {
    const [agentId] = at.root === agentRoot ? at.path.split("/", 1) : [];
    return followed.get(keyOf(at.root, agentId)) ?? unfollowed;
  }

  function hearNoMore(): void {
    stopHearing?.();
    stopHearing = undefined;
  }

  async function release(key: string, tell: (news: LiveNews) => void): Promise<void> {
    const one = followed.get(key);
    one?.listeners.delete(tell);
    if (!one || one.listeners.size > 0) return;
    followed.delete(key);
    if (followed.size === 0) hearNoMore();
    // Not under a look that is under way.
    await looking;
    one.close();
  }

  return {
    listen: ({ roots, agent }, tell) => {
      const keys: string[] = [];
      for (const { name, kind, operations } of roots) {
        const agentId = kind === "agent" ? agent?.agentId : undefined;
        if (!operations.has("read") || (kind === "agent" && agentId === undefined)) continue;
        follow(name, agentId).listeners.add(tell);
        keys.push(keyOf(name, agentId));
      }
      return {
        // One that is under way may not have begun with these roots.
        ready: looking ? looking.then(look) : look(),
        stop: () => {
          for (const key of keys) void release(key, tell);
        },
      };
    },
    close: async () => {
      clearTimeout(timer);
      const all = [...followed.values()];
      followed.clear();
      hearNoMore();
      await looking;
      for (const one of all) one.close();
    },
  };
}

function keyOf(root: string, agentId: string | undefined): string {
  return JSON.stringify([root, agentId]);
}

/** In the files of agents, what comes first is the agent. */
function nameOf({ root, path }: Outcome["at"]): { readonly root: string; readonly path: string } {
  return { root, path: root === agentRoot ? path.slice(path.indexOf("/") + 1) : path };
}

function tellAll(listeners: ReadonlySet<(news: LiveNews) => void>, news: LiveNews): void {
  for (const tell of listeners) tell(news);
}
