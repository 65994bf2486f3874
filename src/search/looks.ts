import type { AskChanged, Source, SurveyedFolder, UnchangedFolder } from "../core/source.ts";
import type { Look } from "./find-changes.ts";

export interface LooksOptions {
  readonly source: Source;
  /** Where a look is kept, and who compares it with what is there; undefined where none is. */
  readonly kept?: { readonly file: string; readonly ask: AskChanged } | undefined;
  /** The digests of the folders that the index has; undefined while it does not have everything. */
  readonly digests: () => ReadonlyMap<string, number> | undefined;
  /** Whether the process stays: then it keeps its looks for others. */
  readonly stays: boolean;
  /** Ends whatever is under way when the root is closed. */
  readonly closing: AbortSignal;
}

/** Looks at everything there is in a root, made short by those of other processes. */
export interface Looks {
  /** Begins at once; what comes of it is asked for later. */
  begin(): Look;
  /** Somebody is asking, who should not be kept waiting. */
  asked(): void;
  /** Something has changed since: others should find a new one. */
  outdated(): void;
  /** Once the root is closing: keeps the last one, where that takes a moment. */
  close(): Promise<void>;
}

/** A look at so many documents, one by one, is worth keeping; and one that was kept is compared where it saves as many. */
const worthKeeping = 2000;
/** Before one is kept, so long nobody has asked anything, and nothing was changed. */
const quietMs = 5000;
/** Changes come one after the other: one look for all of a minute. */
const renewAfterMs = 60_000;
/** At the end of a process nobody waits for more documents than this, and for longer. */
const mostAtEnd = 20_000;
const longestAtEndMs = 1000;

export function createLooks({ source, kept, digests, stays, closing }: LooksOptions): Looks {
  const keeping = kept && source.kept && { ...kept, looks: source.kept };
  /** How many documents the last look saw. */
  let count = 0;
  /** When a look is to be kept; undefined where none is. */
  let dueAt: number | undefined;
  let busyAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | undefined;

  function begin(): Look {
    if (!keeping) return source.survey();
    const { file, ask, looks } = keeping;
    // Where it fails, a look at each document says why, if that fails as well.
    const since = looks.lookSince(file, { ask, least: worthKeeping, signal: closing }).catch(() => undefined);
    return lookSince(since);
  }

  async function* lookSince(
    since: Promise<Iterable<SurveyedFolder | UnchangedFolder> | undefined>,
  ): AsyncGenerator<SurveyedFolder | UnchangedFolder> {
    let [all, oneByOne] = [0, 0];
    for await (const found of (await since) ?? source.survey()) {
      if ("documents" in found) oneByOne += found.documents.length;
      all += "documents" in found ? found.documents.length : found.count;
      yield found;
    }
    count = all;
    if (oneByOne >= worthKeeping) keepAfter(quietMs);
  }

  function keepAfter(ms: number): void {
    if (!stays || closing.aborted) return;
    dueAt = Math.min(dueAt ?? Number.POSITIVE_INFINITY, performance.now() + ms);
    wait();
  }

  function wait(): void {
    clearTimeout(timer);
    if (dueAt === undefined || closing.aborted) return;
    const left = Math.max(dueAt, busyAt + quietMs) - performance.now();
    timer = setTimeout(() => (performance.now() < busyAt + quietMs ? wait() : keepNow()), left).unref();
  }

  function keepNow(): void {
    underWay ??= keep(closing, false).finally(() => {
      underWay = undefined;
      wait();
    });
  }

  async function keep(signal: AbortSignal, isUrgent: boolean): Promise<void> {
    const known = digests();
    if (!keeping || !known) {
      // It is still being built, which takes as long as it takes.
      busyAt = performance.now();
      return;
    }
    const due = dueAt;
    dueAt = undefined;
    try {
      await keeping.looks.keep(keeping.file, { ask: keeping.ask, least: worthKeeping, known, isUrgent, signal });
    } catch {
      // Without it the next look takes longer. Where it was only ended, there may still be time at the end.
      if (signal.aborted) dueAt ??= due;
    }
  }

  return {
    begin,
    asked: () => {
      busyAt = performance.now();
    },
    outdated: () => {
      busyAt = performance.now();
      if (count >= worthKeeping) keepAfter(renewAfterMs);
    },
    close: async () => {
      clearTimeout(timer);
      await underWay;
      if (dueAt !== undefined && count <= mostAtEnd) await keep(AbortSignal.timeout(longestAtEndMs), true);
    },
  };
}
