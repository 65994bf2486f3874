import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";
import { RecollectError } from "../../core/errors.ts";
import { auxiliaryFileMode, auxiliaryNames, exists } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { type LockFile, openLockFile } from "./lock-file.ts";
import { openTurns, type Turns } from "./turns.ts";

/** Fairness between processes that want one lock. */
export interface LockQueue {
  /** Takes the lock where it is free and nobody queues for it: a newcomer never overtakes. */
  tryNow(): boolean;
  /** Waits for it. Throws BUSY after the time limit. */
  wait(): Promise<void>;
  close(): void;
}

export interface LockQueueOptions {
  readonly lock: LockFile;
  /** Where the files of the queue are; made when somebody first has to wait. */
  readonly auxiliary: Directory;
  /** Where second, shorter paths to them are, if their own are too long. */
  readonly aliases: Directory | undefined;
  readonly timeoutMs: number;
}

interface Line {
  readonly entrance: LockFile;
  readonly turns: Turns;
}

/** How long the first in the line looks often; then the holder is not one of the quick ones. */
const eagerMs = 10;
/** How long somebody may take to draw a number; who takes longer was paused at the entrance. */
const entranceMs = 100;
/** How long a free lock must lie there before it is taken out of turn. */
const abandonedMs = 10;
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
// Not the clock: a machine that slept, or whose clock was set, must not make everybody BUSY.
const now = () => performance.now();

/**
 * Who has to wait draws a number. Only the one whose turn is next looks at the lock, often; the others
 * read how far it is, which costs next to nothing. The lock frees itself when its holder dies. A waiter that
 * dies or is paused leaves a number whose turn never comes: those behind it lose patience, the next first.
 */
export function createLockQueue({ lock, auxiliary, aliases, timeoutMs }: LockQueueOptions): LockQueue {
  let opened: Line | undefined;

  function line(): Line {
    opened ??= openLine(auxiliary, aliases);
    return opened;
  }

  function tryNow(): boolean {
    if (!opened && !exists(auxiliary, auxiliaryNames.turns)) return lock.tryAlone();
    const { drawn, served } = line().turns.read();
    return drawn <= served && lock.tryAlone();
  }

  async function wait(): Promise<void> {
    const { turns } = line();
    const deadline = now() + timeoutMs;
    const number = await draw();
    let { served } = turns.read();
    let since = now();
    for (;;) {
      const ahead = number - served - 1;
      if (ahead <= 0) {
        if (lock.tryAlone()) return serve(turns, number);
      } else if (now() - since > patienceMs(ahead)) {
        if (await takeAbandoned(served)) return serve(turns, number);
        since = now();
      }
      if (now() > deadline) throw busy(timeoutMs);
      await pause(ahead, now() - since);
      const current = turns.read().served;
      if (current !== served) since = now();
      served = current;
    }
  }

  /**
   * Takes the lock out of turn, where it lies free and nobody takes it: whoever is next looks several times
   * within the pause. A lock that is held keeps everybody waiting, and that is nobody's fault.
   */
  async function takeAbandoned(served: number): Promise<boolean> {
    if (!lock.tryAlone()) return false;
    lock.release();
    await delay(abandonedMs);
    return line().turns.read().served === served && lock.tryAlone();
  }

  /** Past an entrance that somebody blocks one goes without a number, as if it were one's turn. */
  async function draw(): Promise<number> {
    const { entrance, turns } = line();
    const since = now();
    while (!entrance.tryAlone()) {
      if (now() - since > entranceMs) return 0;
      await shortly();
    }
    try {
      return turns.draw();
    } finally {
      entrance.release();
    }
  }

  function serve(turns: Turns, number: number): void {
    try {
      turns.serve(number);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  return {
    tryNow,
    wait,
    close: () => {
      opened?.entrance.close();
      opened?.turns.close();
      opened = undefined;
    },
  };
}

function openLine(auxiliary: Directory, aliases: Directory | undefined): Line {
  const entrance = openLockFile(auxiliary, auxiliaryNames.entrance, auxiliaryFileMode(auxiliary), aliases);
  try {
    return { entrance, turns: openTurns(auxiliary) };
  } catch (error) {
    entrance.close();
    throw error;
  }
}

/** How long a line may stand still before the one behind so many others tries the lock itself. */
function patienceMs(ahead: number): number {
  return Math.min(40 + 10 * ahead, 150);
}

/**
 * Until the next look. A hold takes about a millisecond, so those further back sleep longer. The first looks
 * several times in a millisecond, while Node's timers count no less.
 */
async function pause(ahead: number, standingMs: number): Promise<void> {
  if (ahead > 0) return delay(Math.min(Math.ceil(ahead / 2), 10));
  if (standingMs > eagerMs) return delay(2);
  return shortly();
}

/** Sleeps, so it takes no time from the holder, and lets the event loop go round. */
async function shortly(): Promise<void> {
  Atomics.wait(nobodyWakes, 0, 0, 0.2);
  return immediate();
}

function busy(timeoutMs: number): RecollectError {
  return new RecollectError(
    "BUSY",
    `Another process has held this folder for ${timeoutMs / 1000} seconds. Try again; if it lasts, look for a stopped process.`,
    { data: { timeoutMs } },
  );
}
