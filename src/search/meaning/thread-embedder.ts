import { inTime } from "../../kernel/in-time.ts";
import { type Embedder, isUnavailable, type Unavailable, unavailable } from "./embedder.ts";
import type { ModelPlace } from "./model-engine.ts";
import { ModelFailure, type ModelThread, startModelThread } from "./model-thread.ts";
import { createRetryGate } from "./retry-gate.ts";

export interface ThreadLimits {
  readonly loadMs?: number;
  readonly batchMs?: number;
  /** How long a search waits for its query's vector. */
  readonly queryMs?: number;
  /** A loaded model takes hundreds of megabytes: it is let go where nobody asked it for so long. */
  readonly idleMs?: number;
  /** The first pause after a failure. */
  readonly firstPauseMs?: number;
}

export interface ThreadEmbedderOptions {
  readonly name: string;
  readonly place: ModelPlace;
  readonly now: () => number;
  readonly limits?: ThreadLimits;
}

/** Few, so that a query never waits long behind them. */
const batchSize = 8;

interface Job {
  readonly texts: readonly string[];
  readonly settle: (answer: readonly Float32Array[] | Unavailable) => void;
}

/** A model in a thread that is started with the first text. Queries go before texts of the background. */
export function createThreadEmbedder({ name, place, now, limits = {} }: ThreadEmbedderOptions): Embedder {
  const { loadMs = 60_000, batchMs = 60_000, queryMs = 5000, idleMs = 300_000, firstPauseMs = 5000 } = limits;
  const gate = createRetryGate({ now, firstMs: firstPauseMs });
  const queries: Job[] = [];
  const batches: Job[] = [];
  let thread: ModelThread | undefined;
  let dims: number | undefined;
  let isWorking = false;
  let isClosed = false;
  /** A query was given up, and nothing was answered since: the next ones need not wait as long for nothing. */
  let isStalled = false;
  let idle: NodeJS.Timeout | undefined;

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    clearTimeout(idle);
    for (let job = nextJob(); job !== undefined; job = nextJob()) {
      job.settle(gate.closed() ?? (await run(job.texts)));
      isStalled = false;
    }
    isWorking = false;
    idle = setTimeout(() => void letGo(), idleMs);
    idle.unref();
  }

  const nextJob = () => queries.shift() ?? batches.shift();

  async function run(texts: readonly string[]): Promise<readonly Float32Array[] | Unavailable> {
    if (isClosed) return unavailable("The model was closed.");
    try {
      if (thread === undefined || thread.isEnded()) thread = startModelThread(place, loadMs);
      dims = await thread.loaded;
      const vectors = await thread.embed(texts, batchMs);
      gate.succeeded();
      return vectors;
    } catch (error) {
      // Whatever it is, the search goes on without the model.
      return gate.failed(`The model ${name} ${error instanceof ModelFailure ? error.message : "cannot be started"}.`);
    }
  }

  async function letGo(): Promise<void> {
    const ended = thread;
    thread = undefined;
    await ended?.end();
  }

  function ask(queue: Job[], texts: readonly string[]): Promise<readonly Float32Array[] | Unavailable> {
    return new Promise((settle) => {
      queue.push({ texts, settle });
      void work();
    });
  }

  async function embedQuery(text: string): Promise<Float32Array | Unavailable> {
    const late = unavailable(`The model ${name} is busy or still being loaded.`);
    if (isStalled) return late;
    const answer = ask(queries, [text]);
    const first = await inTime(answer, queryMs, () => undefined);
    if (first !== undefined) return isUnavailable(first) ? first : (first[0] as Float32Array);
    isStalled = true;
    return late;
  }

  async function embedTexts(
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[] | Unavailable> {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += batchSize) {
      signal?.throwIfAborted();
      const answer = await ask(batches, texts.slice(from, from + batchSize));
      signal?.throwIfAborted();
      if (isUnavailable(answer)) return answer;
      vectors.push(...answer);
    }
    return vectors;
  }

  return {
    name,
    get dims() {
      return dims;
    },
    embedQuery,
    embedTexts,
    close: async () => {
      isClosed = true;
      clearTimeout(idle);
      await letGo();
    },
  };
}
