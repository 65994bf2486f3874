import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { RecollectError } from "../kernel/errors.ts";

/** A few threads, each lent to one at a time. One that ends, for whatever reason, is replaced when it is needed. */
export interface LentThreads {
  /** The next free thread, in the order of asking; throws `busy` where none gets free in time. */
  take(): Promise<Worker>;
  giveBack(worker: Worker): void;
  /** Ends all that are idle, and those that are just starting. */
  close(): Promise<void>;
}

export interface LentThreadsOptions {
  /** What runs in each. */
  readonly file: URL;
  readonly threads: number;
  /** How long to wait for a free thread. */
  readonly waitMs: number;
  /** For each thread. */
  readonly memoryMb: number;
  /** What somebody is told who waited in vain. */
  readonly busy: () => RecollectError;
}

interface Waiting {
  readonly serve: (worker: Worker) => void;
  readonly refuse: (error: unknown) => void;
}

/** How soon to look again whether a thread that is being started has come. */
const startCheckMs = 100;

export function createLentThreads({ file, threads, waitMs, memoryMb, busy }: LentThreadsOptions): LentThreads {
  const workers = new Set<Worker>();
  const idle = new Set<Worker>();
  const starting = new Set<Promise<void>>();
  const line: Waiting[] = [];

  function startWhereNeeded(): void {
    if (line.length <= starting.size || workers.size + starting.size >= threads) return;
    const started = startThread(file, memoryMb)
      .then(welcome, (error) => line.shift()?.refuse(error))
      .finally(() => {
        starting.delete(started);
        startWhereNeeded();
      });
    starting.add(started);
  }

  function welcome(worker: Worker): void {
    workers.add(worker);
    worker.once("exit", () => {
      workers.delete(worker);
      idle.delete(worker);
      startWhereNeeded();
    });
    giveBack(worker);
  }

  function giveBack(worker: Worker): void {
    const next = line.shift();
    if (next) next.serve(worker);
    else idle.add(worker);
  }

  function waitInLine(): Promise<Worker> {
    return new Promise((resolve, reject) => {
      let timer = setTimeout(giveUp, waitMs);
      const waiting: Waiting = {
        serve: (worker) => {
          clearTimeout(timer);
          resolve(worker);
        },
        refuse: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      function giveUp(): void {
        // On a busy machine a thread takes its time to start; nobody else has it.
        if (starting.size > 0) {
          timer = setTimeout(giveUp, startCheckMs);
          return;
        }
        line.splice(line.indexOf(waiting), 1);
        waiting.refuse(busy());
      }
      line.push(waiting);
      startWhereNeeded();
    });
  }

  return {
    take: async () => {
      const [free] = idle;
      if (!free) return waitInLine();
      idle.delete(free);
      return free;
    },
    giveBack,
    close: async () => {
      await Promise.all(starting);
      await Promise.all([...idle].map((worker) => worker.terminate()));
    },
  };
}

async function startThread(file: URL, memoryMb: number): Promise<Worker> {
  const worker = new Worker(file, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // Flags of the process, such as those for a script on its command line, are not meant for this one.
    execArgv: [],
  });
  await once(worker, "message");
  // One that dies is noticed by its exit; an error that nobody hears would end the whole process.
  worker.on("error", () => {});
  worker.unref();
  return worker;
}
