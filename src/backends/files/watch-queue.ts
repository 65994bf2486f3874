import { randomUUID } from "node:crypto";
import { closeSync, fchmodSync, openSync, readFileSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasCode } from "./storage-error.ts";

type WatchListener = (kind: "rename" | "change", name: string | undefined) => void;

export interface Closable {
  close(): void;
}

/**
 * The one queue in which the kernel tells this event loop of changes, in the order in which they happened, whatever
 * folder they happened in (inotify; libuv opens one for all watches of a loop).
 */
export interface WatchQueue {
  /** Throws what the system says: ENOSPC and EMFILE are its limits. Never keeps the process alive. */
  watch(path: string, listener: WatchListener): Closable;
  /**
   * True once listeners were told of all that had happened when this was called; false where that is not sure.
   * Calls that can share an answer get the same promise.
   */
  settled(): Promise<boolean>;
  /** Another number than before: the kernel may have dropped something in between. */
  losses(): number;
  close(): void;
}

export interface WatchQueueOptions {
  readonly limitMs?: number;
  /** Where a file may be made for a moment; the first that works is used. */
  readonly temporaryFolders?: readonly string[];
}

export function openWatchQueue(options: WatchQueueOptions = {}): WatchQueue {
  const limitMs = options.limitMs ?? 250;
  // In memory first: some disks take a millisecond to make a file and take it away.
  const folders = options.temporaryFolders ?? ["/dev/shm", tmpdir()];
  let failures = 0;
  let cookie: Cookie | undefined;
  let waiting: PromiseWithResolvers<boolean> | undefined;
  let isServing = false;

  function startWatch(path: string, listener: WatchListener): Closable {
    const watcher = watch(path, { persistent: false }, (kind, name) => {
      events.count();
      listener(kind, name ?? undefined);
    });
    watcher.on("error", () => {
      failures += 1;
    });
    return watcher;
  }

  async function serve(): Promise<void> {
    if (isServing) return;
    isServing = true;
    // So that all who ask in the same moment share a cookie.
    await Promise.resolve();
    while (waiting) {
      const batch = waiting;
      waiting = undefined;
      batch.resolve(await roundTrip());
    }
    isServing = false;
  }

  /** What the queue held before the cookie's own event was told before it. */
  async function roundTrip(): Promise<boolean> {
    const arrival = Promise.withResolvers<boolean>();
    let isThere = false;
    // After a long time without a turn, this is called before the queue is even looked at: so look first.
    const timer = setTimeout(() => setImmediate(() => isThere || arrival.resolve(false)), limitMs);
    try {
      cookie ??= bakeCookie(folders, startWatch);
      cookie.send(() => {
        isThere = true;
        // In a turn of its own: else a caller that asks again and again would be answered while the queue is being
        // read, and that would never end.
        setImmediate(() => arrival.resolve(true));
      });
      const hasArrived = await arrival.promise;
      // Its event may still come, and must not be taken for the next one's.
      if (!hasArrived) dropCookie();
      return hasArrived;
    } catch (error) {
      dropCookie();
      if (error instanceof Error && "code" in error) return false;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  function dropCookie(): void {
    cookie?.close();
    cookie = undefined;
  }

  return {
    watch: startWatch,
    settled: () => {
      waiting ??= Promise.withResolvers<boolean>();
      const { promise } = waiting;
      void serve();
      return promise;
    },
    losses: () => failures + events.overflows(),
    close: dropCookie,
  };
}

/**
 * libuv keeps to itself that the kernel's queue overflowed. But a queue that did is full, and is read to its end in one
 * go, before any immediate: so few events in one go mean that nothing was dropped.
 */
function createEventCount(): { count(): void; overflows(): number } {
  let mostAtOnce: number | undefined;
  let eventsAtOnce = 0;
  let overflows = 0;
  return {
    count: () => {
      if (eventsAtOnce === 0) {
        setImmediate(() => {
          eventsAtOnce = 0;
        });
      }
      eventsAtOnce += 1;
      mostAtOnce ??= mostEventsAtOnce();
      if (eventsAtOnce === mostAtOnce) overflows += 1;
    },
    overflows: () => overflows,
  };
}

/** Of all queues of this event loop together: the kernel has one for them, and drops what is too much for that. */
const events = createEventCount();

interface Cookie extends Closable {
  send(arrived: () => void): void;
}

/** A file without a name, so nothing is left of it even by a kill; each change of its mode is one event. */
function bakeCookie(folders: readonly string[], startWatch: WatchQueue["watch"]): Cookie {
  const descriptor = openNameless(folders);
  let onArrival: (() => void) | undefined;
  try {
    const watcher = startWatch(`/proc/self/fd/${descriptor}`, () => {
      onArrival?.();
      onArrival = undefined;
    });
    return {
      send: (arrived) => {
        onArrival = arrived;
        fchmodSync(descriptor, 0o600);
      },
      close: () => {
        watcher.close();
        closeSync(descriptor);
      },
    };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function openNameless(folders: readonly string[]): number {
  let failure: unknown;
  for (const folder of folders) {
    const path = join(folder, `recollect-${randomUUID()}`);
    try {
      const descriptor = openSync(path, "wx", 0o600);
      rmSync(path);
      return descriptor;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/**
 * A quarter of what the queue holds: others who watch in this process share it uncounted, and so do late events of
 * folders that are not watched any more. A survey costs hardly more than following so many events.
 */
function mostEventsAtOnce(): number {
  return Math.max(1, Math.floor(queueLength() / 4));
}

function queueLength(): number {
  const usual = 16_384;
  try {
    return Number.parseInt(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8"), 10) || usual;
  } catch (error) {
    if (hasCode(error, "ENOENT", "EACCES")) return usual;
    throw error;
  }
}
