import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type ErrorCode, RecollectError } from "../core/errors.ts";
import type { EditedText, TextEdit } from "../memories/edit-text.ts";
import type { RegexRunner } from "../memories/regex-runner.ts";

type Answer =
  | { readonly edited: EditedText }
  | { readonly refused: { readonly code: ErrorCode; readonly message: string } };

const defaultLimitMs = 500;
const defaultMemoryMb = 256;

/** One thread, started when it is first needed, ended where an edit takes too long, and never in the way of an exit. */
export function createRegexRunner({ limitMs = defaultLimitMs, memoryMb = defaultMemoryMb } = {}): RegexRunner & {
  close(): Promise<void>;
} {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function start(): Promise<Worker> {
    // The sources are run as they are, the build as JavaScript.
    const file = import.meta.url.endsWith(".ts") ? "./regex-worker.ts" : "./regex-worker.js";
    const started = new Worker(new URL(file, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      // Flags of the process, such as those for a script on its command line, are not meant for this one.
      execArgv: [],
    });
    await once(started, "message");
    // One that dies is noticed by its exit; an error that nobody hears would end the whole process.
    started.on("error", () => {});
    started.unref();
    return started;
  }

  async function end(): Promise<void> {
    const running = worker;
    worker = undefined;
    await running?.terminate();
  }

  async function run(text: string, edit: TextEdit): Promise<EditedText> {
    worker ??= await start();
    const answer = await ask(worker, { text, edit }, limitMs);
    if (typeof answer === "object") {
      if ("refused" in answer) throw new RecollectError(answer.refused.code, answer.refused.message);
      return answer.edited;
    }
    await end();
    const took = answer === "late" ? `took longer than ${limitMs} ms` : "needed too much memory";
    throw new RecollectError(
      "INVALID_ARGUMENT",
      `The regular expression ${took} and was stopped; nothing was changed. Use a simpler one without nested repetition, or mode “literal”.`,
    );
  }

  return {
    // One after the other: an answer belongs to the edit that is being run.
    edit: (text, edit) => {
      const next = last.then(() => run(text, edit));
      last = next.catch(() => {});
      return next;
    },
    close: () => last.then(end),
  };
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
