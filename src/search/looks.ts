import type { AskChanged, Source, SurveyedFolder, UnchangedFolder } from "../core/source.ts";
import type { Look } from "./find-changes.ts";

export interface LooksOptions {
  readonly source: Source;
  /** Where a look is kept, and who compares it with what is there; undefined where none is. */
  readonly kept?: { readonly file: string; readonly ask: AskChanged } | undefined;
  /** The digests of the folders that the index has. */
  readonly digests: () => ReadonlyMap<string, number>;
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

/** From so many documents on that have to be looked at one by one, it should be another process's look that is compared. */
const worthKeeping = 2000;
/** So long nobody must have asked anything. */
const keepAfterMs = 5000;
/** After changes: when they have rested, and not with each of them. */
const renewAfterMs = 60_000;
/** At the end of a process nobody waits for more documents than this, and for longer. */
const mostAtEnd = 20_000;
const longestAtEndMs = 1000;

export function createLooks({ source, kept, digests, stays, closing }: LooksOptions): Looks {
  const keeping = kept && source.kept && { ...kept, looks: source.kept };
  let timer: NodeJS.Timeout | undefined;
  /** Whether the last look was a long one, and has not been kept yet. */
  let isDue = false;
  /** How many documents it saw. */
  let count = 0;
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
    isDue = oneByOne >= worthKeeping;
    if (isDue) keepAfter(keepAfterMs);
  }

  function keepAfter(ms: number): void {
    if (!stays || closing.aborted || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      underWay ??= keep(closing, false).finally(() => {
        underWay = undefined;
      });
    }, ms).unref();
  }

  async function keep(signal: AbortSignal, isUrgent: boolean): Promise<void> {
    isDue = false;
    try {
      const known = digests();
      await keeping?.looks.keep(keeping.file, { ask: keeping.ask, least: worthKeeping, known, isUrgent, signal });
    } catch {
      // Without it the next look takes longer.
    }
  }

  return {
    begin,
    asked: () => void timer?.refresh(),
    outdated: () => {
      if (count >= worthKeeping) keepAfter(renewAfterMs);
    },
    close: async () => {
      clearTimeout(timer);
      await underWay;
      if (isDue && stays && count <= mostAtEnd) await keep(AbortSignal.timeout(longestAtEndMs), true);
    },
  };
}
