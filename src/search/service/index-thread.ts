import { Worker } from "node:worker_threads";
import { besideModule } from "../../processes/fork-beside.ts";
import { type IndexThread, type ReadDocument, ThreadFailure, type ThreadReply } from "../threaded-batches.ts";
import type { DocumentKind } from "../unit.ts";
import type { InspectOptions } from "./describe-document.ts";

/** What a thread must know to describe documents as this process would. */
export interface IndexThreadSettings {
  readonly kind: DocumentKind;
  readonly guard: InspectOptions;
  /** The name of the meaning; "" where there is none. */
  readonly meaning: string;
}

export type ThreadRequest =
  | { readonly kind: "documents"; readonly documents: readonly ReadDocument[]; readonly size: number }
  | { readonly kind: "finish" };

/** Far more than it needs: a batch takes about 60 MB, the words it remembers about as much again. */
const defaultMemoryMb = 512;

export function startIndexThread(settings: IndexThreadSettings, memoryMb = defaultMemoryMb): IndexThread {
  const worker = startWorker(settings, memoryMb);
  const replies: ThreadReply[] = [];
  let isGone = false;
  let why: unknown;
  let wake = () => {};
  // An error that nobody hears would end the whole process; its exit follows.
  worker.on("error", (error) => {
    why = error;
  });
  worker.on("messageerror", () => void worker.terminate());
  worker.once("exit", () => {
    isGone = true;
    wake();
  });
  worker.on("message", (reply: ThreadReply) => {
    replies.push(reply);
    wake();
  });
  worker.unref();

  async function next(): Promise<ThreadReply> {
    for (;;) {
      const reply = replies.shift();
      if (reply) return reply;
      if (isGone) throw new ThreadFailure("The thread that indexes has ended.", { cause: why });
      // Only who waits for it keeps the process.
      worker.ref();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      worker.unref();
    }
  }

  return {
    give: (documents, size) => worker.postMessage({ kind: "documents", documents, size } satisfies ThreadRequest),
    finish: () => worker.postMessage({ kind: "finish" } satisfies ThreadRequest),
    heard: () => replies.shift(),
    next,
    end: async () => {
      await worker.terminate();
    },
  };
}

function startWorker(settings: IndexThreadSettings, memoryMb: number): Worker {
  try {
    return new Worker(besideModule("index-worker", import.meta.url), {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      env: {},
      // Flags of the process, such as those for a script on its command line, are not meant for this one.
      execArgv: [],
    });
  } catch (error) {
    throw new ThreadFailure("A thread that indexes cannot be started.", { cause: error });
  }
}
