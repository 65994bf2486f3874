import type { HistoryOperation, MemoryHistory } from "../../../app.ts";
import type { Make } from "../background-cache.ts";
import type { ApiRevision } from "../contract/history.ts";
import type { ApiGrowthDay } from "../contract/overview.ts";
import { toRevision } from "../revision.ts";

/** What a root saw in the last days, as its history tells. */
export interface Growth {
  /** Of these days, newest first. */
  readonly operations: readonly CountedOperation[];
  /** The newest operations, whenever they were, newest first. */
  readonly recent: readonly ApiRevision[];
  /** Whether older operations of these days were left out, for their number. */
  readonly isCut: boolean;
}

interface CountedOperation {
  readonly time: string;
  readonly author: string;
  readonly changes: number;
  /** How many documents more there were after it. */
  readonly added: number;
}

export interface AuthorShare {
  readonly author: string;
  readonly changes: number;
  readonly last: string;
}

export interface GrowthOptions {
  readonly log: MemoryHistory["log"];
  readonly root: string;
  /** Not what is made of other documents. */
  readonly isCounted: (path: string) => boolean;
  readonly now: () => number;
}

export const recentCount = 20;
const growthDays = 90;
const dayMs = 24 * 60 * 60_000;
const pageSize = 500;
/** About a second of git's time. */
const mostPages = 20;

/** Reads history back to the first of these days, or to where it was read before. */
export function readGrowth({ log, root, isCounted, now }: GrowthOptions): Make<Growth> {
  return async (tell, last) => {
    const [since = ""] = growthDates(now());
    const operations: CountedOperation[] = [];
    let recent: readonly ApiRevision[] | undefined;
    for (let [page, after] = [1, undefined as string | undefined]; ; page += 1) {
      const read = await log({ root, limit: pageSize, after });
      recent ??= read.operations.slice(0, recentCount).map((one) => toRevision(one, root));
      const known = read.operations.findIndex(({ id }) => id === last?.recent[0]?.id);
      const added = known === -1 ? read.operations : read.operations.slice(0, known);
      const counted = added.filter(({ time }) => time >= since).map((one) => countChanges(one, isCounted));
      operations.push(...counted);
      if (last && known !== -1) {
        const before = last.operations.filter(({ time }) => time >= since);
        return { operations: [...operations, ...before], recent, isCut: last.isCut };
      }
      after = read.next;
      const isEnd = after === undefined || counted.length === 0;
      if (isEnd || page === mostPages) return { operations, recent, isCut: !isEnd };
      tell({ operations, recent, isCut: false });
    }
  };
}

function countChanges(
  { time, author, changes }: HistoryOperation,
  isCounted: GrowthOptions["isCounted"],
): CountedOperation {
  const counted = changes.filter(({ path }) => isCounted(path));
  return {
    time,
    author,
    // What was there when recording began is no work of anybody.
    changes: counted.filter(({ kind }) => kind !== "import").length,
    added: counted.reduce((all, { rev, was }) => all + Number(was === undefined) - Number(rev === undefined), 0),
  };
}

/** The dates of the last days, oldest first, as YYYY-MM-DD in UTC. */
function growthDates(now: number): string[] {
  return Array.from({ length: growthDays }, (_, index) =>
    new Date(now - (growthDays - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

/** Counted back day by day from what there is now; a root without history is taken to have been the same all along. */
export function daysOf(operations: readonly CountedOperation[], documentsNow: number, now: number): ApiGrowthDay[] {
  const byDate = Map.groupBy(operations, ({ time }) => time.slice(0, 10));
  let documents = documentsNow;
  return growthDates(now)
    .toReversed()
    .map((date) => {
      const done = byDate.get(date) ?? [];
      const day = { date, documents: Math.max(0, documents), changes: sum(done, "changes") };
      documents -= sum(done, "added");
      return day;
    })
    .toReversed();
}

/** Most first. */
export function authorsOf(operations: readonly CountedOperation[]): AuthorShare[] {
  return [
    ...Map.groupBy(
      operations.filter(({ changes }) => changes > 0),
      ({ author }) => author,
    ),
  ]
    .map(([author, done]) => ({
      author,
      changes: sum(done, "changes"),
      last:
        done
          .map(({ time }) => time)
          .sort()
          .at(-1) ?? "",
    }))
    .sort((one, other) => other.changes - one.changes || (one.author < other.author ? -1 : 1));
}

function sum(operations: readonly CountedOperation[], what: "changes" | "added"): number {
  return operations.reduce((all, one) => all + one[what], 0);
}
