import type { NoteOptions, NoteParts } from "./note-parts.ts";
import type { NoteAnswer, NoteRequest } from "./note-worker.ts";

/** Why a note is shown as it was written. */
export type GivenUp = "takes too long" | "is nested too deeply" | "cannot be rendered here";

interface NoteListener {
  /** Called with more and more of it. */
  onParts(parts: NoteParts): void;
  onGivenUp(why: GivenUp): void;
}

export interface NoteReader {
  /** Returns what ends it. */
  read(text: string, options: NoteOptions, listener: NoteListener): () => void;
}

/** Longer than any text takes that was written to be read. */
const mostMs = 2000;

interface Job extends NoteRequest {
  readonly listener: NoteListener;
  isOver: boolean;
}

/** Takes notes apart in a worker, one after the other, and starts another one where a text does not come to an end. */
export function createNoteReader(): NoteReader {
  const waiting: Job[] = [];
  let worker: Worker | undefined;
  let isReady = false;
  let current: Job | undefined;
  let parts: NoteParts | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const finish = (why?: GivenUp) => {
    clearTimeout(timer);
    if (why !== undefined && current?.isOver === false) current.listener.onGivenUp(why);
    current = undefined;
    parts = undefined;
    next();
  };
  const stop = (why: GivenUp) => {
    worker?.terminate();
    worker = undefined;
    isReady = false;
    finish(why);
  };
  const answers: Readonly<Record<NoteAnswer["kind"], (answer: NoteAnswer) => void>> = {
    ready: () => {
      isReady = true;
      begin();
    },
    part: (answer) => {
      if (answer.kind !== "part") return;
      // It came to its end: what follows is only the way here.
      clearTimeout(timer);
      parts = { ...answer.part, chunks: [...(parts?.chunks ?? []), ...answer.part.chunks] };
      if (current?.isOver !== false) return finish();
      if (parts.chunks.length > 0) current.listener.onParts(parts);
      // After what else the page has to do: it is shown before the next one comes.
      const asked = worker;
      setTimeout(() => asked?.postMessage(undefined));
    },
    end: () => {
      if (current?.isOver === false && parts !== undefined) current.listener.onParts(parts);
      finish();
    },
    refused: () => finish("is nested too deeply"),
  };
  const start = () => {
    // Its own file, since the policy of the page lets nothing else run.
    worker = new Worker(new URL("./note-worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<NoteAnswer>) => answers[data.kind](data));
    worker.addEventListener("error", () => stop("cannot be rendered here"));
  };
  /** The clock runs from here: how long the worker's file takes is the network's business. */
  const begin = () => {
    if (current === undefined || !isReady) return;
    const { text, options } = current;
    timer = setTimeout(() => stop("takes too long"), mostMs);
    worker?.postMessage({ text, options } satisfies NoteRequest);
  };
  const next = () => {
    if (current !== undefined) return;
    current = waiting.shift();
    if (current === undefined) return;
    if (worker === undefined) start();
    else begin();
  };

  return {
    read(text, options, listener) {
      const job: Job = { text, options, listener, isOver: false };
      waiting.push(job);
      next();
      return () => {
        job.isOver = true;
        const place = waiting.indexOf(job);
        if (place >= 0) waiting.splice(place, 1);
      };
    },
  };
}
