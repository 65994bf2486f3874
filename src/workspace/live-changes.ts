import { agentRoot } from "../agents/agent-root.ts";
import type { ExistingPath } from "../core/document-path.ts";
import { isRecollectError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Rev } from "../core/revision.ts";
import type { Source } from "../core/source.ts";
import type { Outcome, Stamp } from "../core/store.ts";
import type { FilesStore } from "../stores/files/files-store.ts";
import { agentFiles } from "./searched-roots.ts";
import type { Session } from "./session.ts";
import { type WatchedRoot, watchRoot } from "./watched-root.ts";

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
  /** Committed by this process: told at once. */
  committed(outcomes: readonly Outcome[], stamp: Stamp): void;
  close(): Promise<void>;
}

export interface Listening {
  /** From here on nothing is missed. */
  readonly ready: Promise<void>;
  stop(): void;
}

export interface LiveChangesOptions {
  readonly store: FilesStore;
  readonly appCacheDir: string;
  readonly log: Log;
  readonly now: () => number;
  readonly everyMs?: number;
}

/** A look costs some system calls for each root, as long as the kernel tells of changes. */
const usuallyEveryMs = 250;

interface Followed {
  readonly root: string;
  readonly watched: WatchedRoot;
  readonly authorOf: (path: string, rev: Rev | undefined) => string | undefined;
  readonly listeners: Set<(news: LiveNews) => void>;
  close(): Promise<void>;
}

export function createLiveChanges(options: LiveChangesOptions): LiveChanges {
  const { store, appCacheDir, log, now, everyMs = usuallyEveryMs } = options;
  /** By the name of a root, or by agent. */
  const followed = new Map<string, Followed>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  function follow(root: string, agentId: string | undefined): Followed | undefined {
    const key = keyOf(root, agentId);
    const known = followed.get(key);
    if (known) return known;
    const opened = agentId === undefined ? openRoot(root) : openAgent(agentId);
    if (!opened) return undefined;
    const { source, authorOf, close } = opened;
    const one: Followed = { root, watched: watchRoot(source, now), authorOf, listeners: new Set(), close };
    followed.set(key, one);
    return one;
  }

  function openRoot(root: string): Opened {
    const source = store.source(root);
    return {
      source,
      authorOf: (path, rev) => store.authorOf({ root, path: path as ExistingPath }, rev),
      close: async () => source.close(),
    };
  }

  function openAgent(id: string): Opened | undefined {
    const stores: FilesStore[] = [];
    const [files] = agentFiles({ id, appCacheDir }, stores);
    if (!files) return undefined;
    return {
      source: files.source,
      // Nobody else writes there.
      authorOf: () => `agent:${id}`,
      close: async () => {
        files.source.close();
        for (const one of stores) await one.close();
      },
    };
  }

  /** One at a time. */
  function look(): Promise<void> {
    clearTimeout(timer);
    looking ??= Promise.all([...followed.values()].map(lookAt)).then(() => {
      looking = undefined;
      if (followed.size > 0) timer = setTimeout(() => void look(), everyMs).unref();
    });
    return looking;
  }

  async function lookAt({ root, watched, authorOf, listeners }: Followed): Promise<void> {
    try {
      const found = await watched.look();
      if (found === "stale") return tellAll(listeners, { kind: "stale" });
      if (found.length === 0) return;
      const changes = found.map(({ path, rev }) => ({ root, path, rev, author: authorOf(path, rev) }));
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

  async function release(key: string, tell: (news: LiveNews) => void): Promise<void> {
    const one = followed.get(key);
    one?.listeners.delete(tell);
    if (!one || one.listeners.size > 0) return;
    followed.delete(key);
    // Not under a look that is under way.
    await looking;
    await one.close();
  }

  return {
    listen: ({ roots, agent }, tell) => {
      const keys: string[] = [];
      for (const { name, kind, operations } of roots) {
        const agentId = kind === "agent" ? agent?.agentId : undefined;
        if (!operations.has("read") || (kind === "agent" && agentId === undefined)) continue;
        follow(name, agentId)?.listeners.add(tell);
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
    committed,
    close: async () => {
      clearTimeout(timer);
      const all = [...followed.values()];
      followed.clear();
      await looking;
      for (const one of all) await one.close();
    },
  };
}

interface Opened {
  readonly source: Source;
  readonly authorOf: Followed["authorOf"];
  close(): Promise<void>;
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
