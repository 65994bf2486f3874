import { RecollectError } from "../../kernel/errors.ts";
import { nextMessage } from "../../kernel/in-time.ts";
import { besideModule } from "../../processes/fork-beside.ts";
import { createLentThreads } from "../../processes/lent-threads.ts";
import type { EditedText, TextEdit } from "./edit-text.ts";
import type { RegexRunner } from "./regex-runner.ts";

type Answer = { readonly edited: EditedText } | { readonly refused: Pick<RecollectError, "code" | "message" | "data"> };

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
  const busy = () =>
    new RecollectError(
      "BUSY",
      "Too many edits by regular expression at once; nothing was changed. Try again, or use mode “literal”.",
      { data: { threads: most, waitMs } },
    );
  const file = besideModule("regex-worker", import.meta.url);
  const threads = createLentThreads({ file, threads: most, waitMs, memoryMb, busy });
  const running = new Set<Promise<EditedText>>();

  async function run(text: string, edit: TextEdit): Promise<EditedText> {
    const worker = await threads.take();
    worker.postMessage({ text, edit });
    const answer = await nextMessage<Answer>(worker, limitMs);
    if (typeof answer === "object") {
      threads.giveBack(worker);
      if (!("refused" in answer)) return answer.edited;
      const { code, message, data } = answer.refused;
      throw new RecollectError(code, message, { data });
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
