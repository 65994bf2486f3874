import { setTimeout as sleep } from "node:timers/promises";
import { inTime } from "../kernel/in-time.ts";
import type { Meaning } from "./meaning.ts";

/** Documents whose meaning is still to be computed, one after the other, while others search. */
export interface MeaningQueue {
  add(path: string, texts: readonly string[]): void;
  /** How many documents wait. */
  size(): number;
  /** Why it does not go on for now. */
  reason(): string | undefined;
  /** Resolves when nothing is left, or nothing goes on; calls back now and then. */
  idle(tick: () => void): Promise<void>;
  close(): Promise<void>;
}

/** The index is told of so many at once, or after so long. */
const batchDocuments = 64;
const batchMs = 3000;

export function createMeaningQueue(
  meaning: Meaning,
  /** Their meaning is known now. */
  ready: (paths: readonly string[]) => Promise<void>,
  now: () => number,
): MeaningQueue {
  const waiting = new Map<string, readonly string[]>();
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  let why: string | undefined;
  let isStuck = false;

  async function run(): Promise<void> {
    // Whatever kept it from going on before may be over.
    isStuck = false;
    let done: string[] = [];
    let since = now();
    for (const [path, texts] of waiting) {
      const failure = await meaning.compute(texts, closing.signal);
      why = failure?.reason;
      if (failure) {
        isStuck = true;
        // Unreferenced: nobody's process stays for a model that does not answer.
        if (failure.retryAfterMs === undefined) break;
        await sleep(failure.retryAfterMs, undefined, { signal: closing.signal, ref: false });
        isStuck = false;
        continue;
      }
      if (waiting.get(path) === texts) waiting.delete(path);
      done.push(path);
      if (done.length >= batchDocuments || now() - since >= batchMs) {
        await ready(done);
        done = [];
        since = now();
      }
    }
    if (done.length > 0) await ready(done);
  }

  function start(): void {
    running ??= run()
      .catch((error: unknown) => {
        if (!closing.signal.aborted) throw error;
      })
      .finally(() => {
        running = undefined;
        if (waiting.size > 0 && !isStuck && !closing.signal.aborted) start();
      });
    running.catch(() => undefined);
  }

  return {
    add: (path, texts) => {
      waiting.set(path, texts);
      if (!closing.signal.aborted) start();
    },
    size: () => waiting.size,
    reason: () => why,
    idle: async (tick) => {
      while (running && !isStuck) {
        const ended = running.catch(() => undefined);
        await inTime(ended, 200, () => undefined);
        tick();
      }
    },
    close: async () => {
      closing.abort();
      await running?.catch(() => undefined);
    },
  };
}
