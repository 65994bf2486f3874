import type { AskChanged, Source, SurveyedFolder, UnchangedFolder } from "../core/source.ts";
import type { Look } from "./find-changes.ts";

export interface LooksOptions {
  readonly source: Source;
  /** Where a look is kept, and how git is asked by it; undefined where none is. */
  readonly kept?: { readonly file: string; readonly ask: AskChanged } | undefined;
  /** Whether the process stays: then it keeps its looks for others. */
  readonly stays: boolean;
}

/** Looks at everything there is in a root, made short by those of other processes. */
export interface Looks {
  /** Begins at once; what comes of it is asked for later. */
  begin(): Look;
  /** Keeps the last one before it ends, where that takes a moment. */
  close(): Promise<void>;
}

/** From so many documents on that had to be looked at one by one, the next one should find a look that was kept. */
const worthKeeping = 2000;
/** After the first questions of a client, which should not wait for it. */
const keepAfterMs = 5000;
/** At the end of a process nobody waits for more than this, and for longer. */
const mostAtEnd = 20_000;
const longestAtEndMs = 1000;

export function createLooks({ source, kept, stays }: LooksOptions): Looks {
  const keeping = kept && source.kept && { ...kept, survey: source.kept };
  let timer: NodeJS.Timeout | undefined;
  let lookedAt = 0;
  let underWay: Promise<void> | undefined;
  let isOver = false;

  function begin(): Look {
    // Where it fails, a look at each document says why, if that fails as well.
    const since = keeping?.survey.surveySince(keeping.file, keeping.ask).catch(() => undefined);
    return since ? lookSince(since) : source.survey();
  }

  async function* lookSince(
    since: Promise<Iterable<SurveyedFolder | UnchangedFolder> | undefined>,
  ): AsyncGenerator<SurveyedFolder | UnchangedFolder> {
    let count = 0;
    for await (const found of (await since) ?? source.survey()) {
      if ("documents" in found) count += found.documents.length;
      yield found;
    }
    lookedAt = count;
    if (stays && !isOver && count >= worthKeeping) keepSoon();
  }

  function keepSoon(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      underWay ??= keep().finally(() => {
        underWay = undefined;
      });
    }, keepAfterMs).unref();
  }

  async function keep(isTooLate = () => isOver): Promise<void> {
    try {
      await keeping?.survey.keep(keeping.file, keeping.ask, isTooLate);
    } catch {
      // Without it the next look takes longer.
    }
  }

  return {
    begin,
    close: async () => {
      const isDue = timer !== undefined && lookedAt <= mostAtEnd;
      clearTimeout(timer);
      const end = performance.now() + longestAtEndMs;
      if (isDue) await keep(() => performance.now() > end);
      isOver = true;
      await underWay;
    },
  };
}
