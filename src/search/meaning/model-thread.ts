import { Worker } from "node:worker_threads";
import { nextMessage } from "../../kernel/in-time.ts";
import type { ModelPlace, ModelReply, ModelRequest } from "./model-engine.ts";

/** A thread that loads a model and answers one request after the other. */
export interface ModelThread {
  /** The model's dimensions, once it is loaded. */
  readonly loaded: Promise<number>;
  /** Throws where the model fails, or takes longer than it may: then the thread is gone too. */
  embed(texts: readonly string[], limitMs: number): Promise<Float32Array[]>;
  isEnded(): boolean;
  end(): Promise<void>;
}

export class ModelFailure extends Error {}

export function startModelThread(place: ModelPlace, loadLimitMs: number): ModelThread {
  // The sources are run as they are, the build as JavaScript.
  const file = import.meta.url.endsWith(".ts") ? "./model-worker.ts" : "./model-worker.js";
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData: place,
    // Code from elsewhere: it gets none of the user's secrets, and what it prints must not get between MCP's lines.
    env: {},
    stdout: true,
    stderr: true,
    execArgv: [],
  });
  worker.stdout.resume();
  worker.stderr.resume();
  // One that dies is noticed by its exit; an error that nobody hears would end the whole process.
  worker.on("error", () => {});
  let isEnded = false;
  worker.once("exit", () => {
    isEnded = true;
  });

  async function next(limitMs: number): Promise<ModelReply> {
    const reply = await nextMessage<ModelReply>(worker, limitMs);
    if (reply !== "late" && reply !== "died") return reply;
    await worker.terminate();
    throw new ModelFailure(reply === "late" ? `took longer than ${limitMs} ms` : "ended unexpectedly");
  }

  async function load(): Promise<number> {
    const ready = await next(loadLimitMs);
    if (ready.kind === "ready") return ready.dims;
    await worker.terminate();
    throw new ModelFailure(`cannot be loaded: ${"reason" in ready ? ready.reason : ready.kind}`);
  }

  const loaded = load();
  // Whoever embeds hears of it.
  loaded.catch(() => {});
  let requests = 0;
  return {
    loaded,
    embed: async (texts, limitMs) => {
      const dims = await loaded;
      const request: ModelRequest = { id: requests++, texts };
      worker.postMessage(request);
      const reply = await next(limitMs);
      if (reply.kind !== "vectors") throw new ModelFailure(`failed: ${"reason" in reply ? reply.reason : reply.kind}`);
      return texts.map((_, at) => reply.numbers.subarray(at * dims, (at + 1) * dims));
    },
    isEnded: () => isEnded,
    end: async () => {
      await worker.terminate();
    },
  };
}
