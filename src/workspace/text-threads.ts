import { isRecollectError, RecollectError } from "../core/errors.ts";
import type { Finding } from "../guard/finding.ts";
import type { GuardPolicy } from "../guard/guard.ts";
import { askThread, createLentThreads } from "./lent-threads.ts";
import type { ComparedTexts, TextWork } from "./text-work.ts";

/** The same work on texts of any length: where it would keep everybody else waiting, a thread does it. */
export interface TextThreads {
  scan(...asked: Parameters<TextWork["scan"]>): Promise<readonly Finding[]>;
  /** TOO_LARGE where there is not enough memory for it. */
  compare(...asked: Parameters<TextWork["compare"]>): Promise<ComparedTexts>;
  close(): Promise<void>;
}

export type TextRequest =
  | { readonly kind: "scan"; readonly text: string; readonly policy: GuardPolicy }
  | { readonly kind: "compare"; readonly before: string; readonly after: string; readonly most: number };

/** In characters: what takes about a millisecond is done before a thread would have heard of it. */
const shortText = 16 * 1024;
/** Two, so that a long comparison is not in the way of everything else. */
const threads = 2;
const waitMs = 30_000;
/** For each; two texts of a megabyte, all of it line breaks, take half of it. */
const memoryMb = 512;

export function createTextThreads(): TextThreads {
  const busy = () => new RecollectError("BUSY", "Too many long texts are looked at just now. Try again.");
  const lent = createLentThreads({ file: "text-worker", threads, waitMs, memoryMb, busy });
  let loaded: Promise<TextWork> | undefined;
  const running = new Set<Promise<unknown>>();

  /** Loaded when it is first needed: a start has no texts to look at. */
  function here(): Promise<TextWork> {
    loaded ??= import("./text-work.ts").then(({ createTextWork }) => createTextWork());
    return loaded;
  }

  /** Undefined where no thread can be started: no memory for one, or no right to. */
  async function takeThread() {
    try {
      return await lent.take();
    } catch (error) {
      if (isRecollectError(error)) throw error;
      return undefined;
    }
  }

  async function ask<Answer extends object>(request: TextRequest): Promise<Answer | "died" | undefined> {
    const worker = await takeThread();
    if (!worker) return undefined;
    const answer = await askThread<Answer>(worker, request);
    if (typeof answer !== "object") return "died";
    lent.giveBack(worker);
    return answer;
  }

  async function scan(text: string, policy: GuardPolicy): Promise<readonly Finding[]> {
    const request = { kind: "scan", text, policy } as const;
    const answer = text.length <= shortText ? undefined : await ask<{ findings: readonly Finding[] }>(request);
    // What no thread does is looked at all the same.
    return typeof answer === "object" ? answer.findings : (await here()).scan(text, policy);
  }

  async function compare(before: string, after: string, most: number): Promise<ComparedTexts> {
    const isShort = before.length + after.length <= shortText;
    const answer = isShort ? undefined : await ask<ComparedTexts>({ kind: "compare", before, after, most });
    if (answer === "died") throw new RecollectError("TOO_LARGE", "The two are too large to be compared here.");
    return answer ?? (await here()).compare(before, after, most);
  }

  async function counted<Result>(work: Promise<Result>): Promise<Result> {
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  }

  return {
    scan: (text, policy) => counted(scan(text, policy)),
    compare: (before, after, most) => counted(compare(before, after, most)),
    close: async () => {
      await Promise.allSettled(running);
      await lent.close();
    },
  };
}
