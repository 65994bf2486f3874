import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";
import { RecollectError } from "../../core/errors.ts";
import { auxiliaryFileMode, auxiliaryNames, exists } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { type LockFile, openLockFile } from "./lock-file.ts";
import { lockFileName } from "./lock-name.ts";

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

interface Ladder {
  /** Shared by all who wait, so that a newcomer can tell. */
  readonly waiting: LockFile;
  /** The last rung first. */
  readonly rungs: readonly LockFile[];
}

const rungCount = 12;
/** A queue that has not moved for this long has a paused process in it: go past it. */
const stuckAfterMs = 250;
/** How long the head of the queue looks often; then the holder is not one of the quick ones. */
const eagerMs = 10;
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
// Not the clock: a machine that slept, or whose clock was set, must not make everybody BUSY.
const now = () => performance.now();

/**
 * The queue is a ladder of locks. Everyone enters at the top and steps down one rung at a time, holding
 * one until the next is free, so nobody is overtaken; a process that dies frees its rung. The last step
 * is the lock itself.
 */
export function createLockQueue({ lock, auxiliary, aliases, timeoutMs }: LockQueueOptions): LockQueue {
  const waitingName = lockFileName(auxiliary, auxiliaryNames.waiting);
  let opened: Ladder | undefined;

  function ladder(): Ladder {
    opened ??= openLadder(auxiliary, aliases);
    return opened;
  }

  function tryNow(): boolean {
    if (!opened && !exists(auxiliary, waitingName)) return lock.tryAlone();
    const { waiting } = ladder();
    if (!waiting.tryExclusive()) return false;
    try {
      return lock.tryAlone();
    } finally {
      waiting.release();
    }
  }

  async function wait(): Promise<void> {
    const { waiting, rungs } = ladder();
    const deadline = now() + timeoutMs;
    const announced = { shared: false };
    let holding: LockFile | undefined;
    try {
      for (const step of [...rungs, lock]) {
        if ((await stepDown(step, deadline, announced)) === "bypassed") return;
        holding?.release();
        holding = step === lock ? undefined : step;
      }
    } finally {
      holding?.release();
      if (announced.shared) waiting.release();
    }
  }

  /** Waits for one rung; past a queue that does not move, takes the lock itself where that is free. */
  async function stepDown(
    step: LockFile,
    deadline: number,
    announced: { shared: boolean },
  ): Promise<"reached" | "bypassed"> {
    const since = now();
    while (!step.tryAlone()) {
      announced.shared ||= ladder().waiting.tryShared();
      if (now() > deadline) throw busy(timeoutMs);
      if (now() - since > stuckAfterMs && lock.tryAlone()) return "bypassed";
      await pause(step === lock ? now() - since : undefined);
    }
    return "reached";
  }

  return {
    tryNow,
    wait,
    close: () => {
      for (const file of opened ? [opened.waiting, ...opened.rungs] : []) file.close();
      opened = undefined;
    },
  };
}

function openLadder(auxiliary: Directory, aliases: Directory | undefined): Ladder {
  const mode = auxiliaryFileMode(auxiliary);
  const names = Array.from({ length: rungCount }, (_, index) => auxiliaryNames.turn(rungCount - index));
  const files: LockFile[] = [];
  try {
    for (const name of [auxiliaryNames.waiting, ...names]) files.push(openLockFile(auxiliary, name, mode, aliases));
  } catch (error) {
    for (const file of files) file.close();
    throw error;
  }
  const [waiting, ...rungs] = files as [LockFile, ...LockFile[]];
  return { waiting, rungs };
}

/**
 * Until the next try. The head of the queue looks several times in a millisecond at first: a hold is
 * about one long, and Node's timers count no less. It sleeps, so it takes no time from the holder, and
 * lets the event loop go round in between.
 */
async function pause(headForMs: number | undefined): Promise<void> {
  if (headForMs === undefined) return delay(1);
  if (headForMs > eagerMs) return delay(2);
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
