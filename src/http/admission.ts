import { setImmediate } from "node:timers/promises";

/** To be called when the work is done; once more does nothing. */
type Leave = () => void;

/** How many requests are worked on at once, and how many may wait for that. */
export interface Admission {
  /** Undefined where too many wait already, or it waited too long: better told at once than never answered. */
  enter(key: string, signal?: AbortSignal): Promise<Leave | undefined>;
  readonly working: number;
  readonly waiting: number;
}

interface AdmissionOptions {
  readonly atOnce: number;
  readonly mostWaiting: number;
  readonly waitMs: number;
}

interface Waiting {
  admit(): void;
  giveUp(): void;
}

/**
 * Credentials take turns, so that who asks a thousand times at once keeps who asks once waiting for one turn alone. And
 * none holds more places than it leaves free: however long its work takes, there is one for the next who comes. Only who
 * was passed over for that, for as long as everybody else had a turn, is given one that is left.
 */
export function createAdmission({ atOnce, mostWaiting, waitMs }: AdmissionOptions): Admission {
  /** Those who wait, of each credential in the order in which they came; whose turn is next first, and none empty. */
  const lines = new Map<string, Set<Waiting>>();
  /** How many are worked on, of each credential that has any. */
  const held = new Map<string, number>();
  /** How many began that came later, of each credential that waits and could not. */
  const passedOver = new Map<string, number>();
  let working = 0;
  let waiting = 0;

  const heldBy = (key: string) => held.get(key) ?? 0;
  const isOwed = (key: string) => heldBy(key) < atOnce / 2 && (passedOver.get(key) ?? 0) >= atOnce;
  const mayBegin = (key: string) => working < atOnce && (heldBy(key) < atOnce - working || isOwed(key));

  function begin(key: string): Leave {
    working += 1;
    held.set(key, heldBy(key) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      working -= 1;
      held.set(key, heldBy(key) - 1);
      if (heldBy(key) === 0) held.delete(key);
      admitNext();
    };
  }

  /** After this, everybody who waits does so for a reason: who comes and may begin overtakes nobody. */
  function admitNext(): void {
    for (;;) {
      const keys = [...lines.keys()];
      const at = keys.findIndex(mayBegin);
      const key = keys[at];
      const line = key === undefined ? undefined : lines.get(key);
      if (key === undefined || !line) return;
      passOver(keys.slice(0, at));
      passedOver.delete(key);
      lines.delete(key);
      lines.set(key, line);
      const [next] = line;
      next?.admit();
    }
  }

  function passOver(keys: Iterable<string>): void {
    for (const key of keys) passedOver.set(key, (passedOver.get(key) ?? 0) + 1);
  }

  /** Nobody fills the queue for others: where it is full, the last of the longest line gives its place up. */
  function hasRoom(key: string): boolean {
    if (waiting < mostWaiting) return true;
    const [longest] = [...lines.values()].toSorted((left, right) => right.size - left.size);
    if (!longest || longest.size <= (lines.get(key)?.size ?? 0) + 1) return false;
    [...longest].at(-1)?.giveUp();
    return true;
  }

  function join(key: string, one: Waiting): void {
    const line = lines.get(key) ?? new Set();
    lines.set(key, line.add(one));
    waiting += 1;
  }

  function part(key: string, one: Waiting): void {
    const line = lines.get(key);
    if (!line?.delete(one)) return;
    waiting -= 1;
    if (line.size > 0) return;
    lines.delete(key);
    passedOver.delete(key);
  }

  return {
    enter: async (key, signal) => {
      if (mayBegin(key)) {
        passOver(lines.keys());
        return begin(key);
      }
      if (signal?.aborted || !hasRoom(key)) return undefined;
      return new Promise((resolve) => {
        const end = (leave: Leave | undefined) => {
          part(key, one);
          clearTimeout(timer);
          signal?.removeEventListener("abort", one.giveUp);
          resolve(leave);
        };
        const one: Waiting = { admit: () => end(begin(key)), giveUp: () => end(undefined) };
        const timer = setTimeout(one.giveUp, waitMs);
        signal?.addEventListener("abort", one.giveUp);
        join(key, one);
      });
    },
    get working() {
      return working;
    },
    get waiting() {
      return waiting;
    },
  };
}

/**
 * A request's turn. It is over when all that was begun in it is done, whether or not anybody still waits for the answer:
 * else those who go away would have more worked on at once than may be.
 */
export interface Turn {
  /** The turn lasts at least as long as this. */
  hold(work: Promise<unknown>): void;
  /** The same for one of several pieces of work, one after the other: one turn is no reason to do more at once. */
  inOrder<T>(work: () => Promise<T>): Promise<T>;
}

export function createTurn(leave: () => void): Turn {
  let underWay = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function hold(work: Promise<unknown>): Promise<void> {
    underWay += 1;
    await Promise.allSettled([work]);
    // What it set going without waiting for it has begun by then, and holds the turn itself.
    await setImmediate();
    underWay -= 1;
    if (underWay === 0) leave();
  }

  return {
    hold: (work) => void hold(work),
    inOrder: (work) => {
      const done = last.then(work);
      last = Promise.allSettled([done]);
      void hold(done);
      return done;
    },
  };
}
