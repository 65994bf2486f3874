import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type ErrorCode, RecollectError } from "../core/errors.ts";
import type { EditedText, TextEdit } from "../memories/edit-text.ts";
import type { RegexRunner } from "../memories/regex-runner.ts";
import { createRegexThreads } from "./regex-threads.ts";

type Answer =
  | { readonly edited: EditedText }
  | { readonly refused: { readonly code: ErrorCode; readonly message: string } };

export interface RegexRunnerOptions {
  /** How long an edit may run, from when it begins. */
  readonly limitMs?: number;
  /** How long an edit may wait for a free thread. */
  readonly waitMs?: number;
  /** How many edits may run at once. */
  readonly threads?: number;
  /** For each thread. */
  readonly memoryMb?: number;
}

/** Each edit in a thread of its own, which is ended where it takes too long, and is never in the way of an exit. */
export function createRegexRunner(options: RegexRunnerOptions = {}): RegexRunner & { close(): Promise<void> } {
  const { limitMs = 500, waitMs = 1000, threads: most = 4, memoryMb = 256 } = options;
  const threads = createRegexThreads({ start: () => startWorker(memoryMb), threads: most, waitMs });
  const running = new Set<Promise<EditedText>>();

  async function run(text: string, edit: TextEdit): Promise<EditedText> {
    const worker = await threads.take();
    const answer = await ask(worker, { text, edit }, limitMs);
    if (typeof answer === "object") {
      threads.giveBack(worker);
      if ("refused" in answer) throw new RecollectError(answer.refused.code, answer.refused.message);
      return answer.edited;
    }
    await worker.terminate();
    const took = answer === "late" ? `took longer than ${limitMs} ms` : "needed too much memory";
    throw new RecollectError(
      "INVALID_ARGUMENT",
      `The regular expression ${took} and was stopped; nothing was changed. Use a simpler one without nested repetition, or mode “literal”.`,
    );
  }

  return {
    edit: async (text, edit) => {
      const work = run(text, edit);
      running.add(work);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    close: async () => {
      await Promise.allSettled(running);
      await threads.close();
    },
  };
}

async function startWorker(memoryMb: number): Promise<Worker> {
  // The sources are run as they are, the build as JavaScript.
  const file = import.meta.url.endsWith(".ts") ? "./regex-worker.ts" : "./regex-worker.js";
  const worker = new Worker(new URL(file, import.meta.url), {
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

function ask(worker: Worker, request: unknown, limitMs: number): Promise<Answer | "late" | "died"> {
  return new Promise((resolve) => {
    const answered = (answer: Answer) => settle(answer);
    const died = () => settle("died");
    // One turn more: where this thread itself was held up, the answer may have been waiting for it.
    const timer = setTimeout(() => setImmediate(() => settle("late")), limitMs);
    function settle(answer: Answer | "late" | "died"): void {
      clearTimeout(timer);
      worker.off("message", answered).off("exit", died);
      worker.unref();
      resolve(answer);
    }
    worker.once("message", answered).once("exit", died);
    worker.ref();
    worker.postMessage(request);
  });
}
