import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";
import { isRecollectError } from "../../kernel/errors.ts";
import { auxiliaryNames, exists } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { type LockFile, openLockFile } from "./lock-file.ts";
import { openTurns, type Turns } from "./turns.ts";

/** Fairness between processes that want one lock. */
export interface LockQueue {
  /** Takes the lock where it is free and nobody queues for it: a newcomer never overtakes. */
  tryNow(): boolean;
  /**
   * Waits for it until the deadline, by `performance.now()`; false where the time is up. Throws what `check`
   * throws, which is asked now and then.
   */
  wait(deadline: number, check: () => void): Promise<boolean>;
  close(): void;
}

export interface LockQueueOptions {
  readonly lock: LockFile;
  /** Where the files of the queue are; made when somebody first has to wait. */
  readonly auxiliary: Directory;
  /** Where second, shorter paths to them are, if their own are too long. */
  readonly aliases: Directory | undefined;
}

interface Line {
  readonly entrance: LockFile;
  readonly turns: Turns;
}

/** Whose turn it is, since when nothing has moved, and when somebody lost patience last. */
interface Standing {
  readonly served: number;
  readonly since: number;
  /** How many milliseconds a turn takes, as far as this one saw. */
  readonly pace: number;
  tried: number;
}

/** How long the first in the line looks often; then the holder is not one of the quick ones. */
const eagerMs = 10;
/** How long somebody may take to draw a number; who takes longer was paused at the entrance. */
const entranceMs = 100;
/** How long a free lock must lie there before it is taken out of turn. */
const abandonedMs = 10;
const checkMs = 100;
/** A hold, before anything is known of how long it takes here. */
const usualHoldMs = 1;
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
// Not the clock: a machine that slept, or whose clock was set, must not make everybody BUSY.
const now = () => performance.now();

/**
 * Who has to wait draws a number. Only the one whose turn is next looks at the lock, often; the others
 * read how far it is, which costs next to nothing. The lock frees itself when its holder dies. A waiter that
 * dies or is paused leaves a number whose turn never comes: those behind it lose patience, the next first.
 */
export function createLockQueue({ lock, auxiliary, aliases }: LockQueueOptions): LockQueue {
  let opened: Line | undefined;

  /** Undefined where its files are damaged or another user's: then there is no order, and only the lock counts. */
  function line(): Line | undefined {
    try {
      opened ??= openLine(auxiliary, aliases);
    } catch (error) {
      if (!isRecollectError(error)) throw error;
    }
    return opened;
  }

  function tryNow(): boolean {
    if (!opened && !exists(auxiliary, auxiliaryNames.turns)) return lock.tryAlone();
    const counters = line()?.turns.read();
    return (counters === undefined || counters.drawn <= counters.served) && lock.tryAlone();
  }

  async function wait(deadline: number, check: () => void): Promise<boolean> {
    const turns = line()?.turns;
    const number = await draw();
    let standing = standingSince(turns);
    for (;;) {
      const ahead = number === undefined ? 0 : number - standing.served - 1;
      if (await tryInTurn(ahead, standing)) return serve(number);
      if (now() > deadline) return lock.tryAlone() && serve(number);
      if (now() - standing.since > checkMs) check();
      await pause(ahead, now() - standing.since, standing.pace);
      standing = renewed(standing, turns);
    }
  }

  async function tryInTurn(ahead: number, standing: Standing): Promise<boolean> {
    if (ahead <= 0) return lock.tryAlone();
    if (now() - standing.tried <= patienceMs(ahead)) return false;
    const taken = await takeAbandoned(standing.served);
    standing.tried = now();
    return taken;
  }

  /**
   * Takes the lock out of turn, where it lies free and nobody takes it: whoever is next looks several times
   * within the pause. A lock that is held keeps everybody waiting, and that is nobody's fault.
   */
  async function takeAbandoned(served: number): Promise<boolean> {
    if (!lock.tryAlone()) return false;
    lock.release();
    await delay(abandonedMs);
    return opened?.turns.read().served === served && lock.tryAlone();
  }

  /** Past an entrance that somebody blocks one goes without a number, as if it were one's turn. */
  async function draw(): Promise<number | undefined> {
    const through = line();
    if (!through) return undefined;
    const since = now();
    while (!through.entrance.tryAlone()) {
      if (now() - since > entranceMs) return undefined;
      await shortly();
    }
    try {
      return through.turns.draw();
    } finally {
      through.entrance.release();
    }
  }

  /** Who came without a number calls all numbers: one of them may be of the process that blocks the entrance. */
  function serve(number: number | undefined): true {
    try {
      const turns = line()?.turns;
      turns?.serve(number ?? turns.read().drawn);
      return true;
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

function standingSince(turns: Turns | undefined, pace = usualHoldMs): Standing {
  return { served: turns?.read().served ?? 0, since: now(), pace, tried: now() };
}

function renewed(standing: Standing, turns: Turns | undefined): Standing {
  const moved = turns ? turns.read().served - standing.served : 0;
  if (moved === 0) return standing;
  const lately = (now() - standing.since) / Math.max(moved, 1);
  // Quick to fall and slow to rise: after one long hold the others must not sleep through their turns.
  return standingSince(turns, Math.min(lately, 1.5 * standing.pace));
}

function openLine(auxiliary: Directory, aliases: Directory | undefined): Line {
  const entrance = openLockFile(auxiliary, auxiliaryNames.entrance, aliases);
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
 * Until the next look. Each look takes time from the holder where there are few processors, so those further back
 * sleep until it is nearly their turn. The next two look several times in a millisecond, while Node's timers count no
 * less: who notices late that it is the first leaves the lock lying.
 */
async function pause(ahead: number, standingMs: number, pace: number): Promise<void> {
  const untilNext = (ahead - 1) * pace - standingMs;
  if (untilNext >= 1) return delay(Math.min(untilNext, 10));
  if (standingMs > eagerMs) return delay(2);
  return shortly();
}

/** Sleeps, so it takes no time from the holder, and lets the event loop go round. */
async function shortly(): Promise<void> {
  Atomics.wait(nobodyWakes, 0, 0, 0.2);
  return immediate();
}
