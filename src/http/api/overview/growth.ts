import type { LogPage, LogRequest, HistoryOperation as Operation } from "../../../index.ts";
import { createRefreshed, type Refreshed } from "../refreshed.ts";

/** What a root saw in the last days. */
export interface RootGrowth {
  /** By date, as YYYY-MM-DD in UTC: how many changes there were, and how many documents more at the end of the day. */
  readonly days: ReadonlyMap<string, DayOfGrowth>;
  readonly authors: ReadonlyMap<string, AuthorShare>;
  /** The newest operations, whenever they were, newest first. */
  readonly recent: readonly RecentOperation[];
  /** Whether older operations of these days were left out, for their number. */
  readonly isCut: boolean;
}

export interface RecentOperation extends Operation {
  readonly root: string;
}

interface DayOfGrowth {
  readonly changes: number;
  readonly added: number;
}

export interface AuthorShare {
  readonly changes: number;
  readonly last: string;
}

export interface GrowthOptions {
  readonly log: (request: LogRequest & { readonly root: string }) => Promise<LogPage>;
  readonly root: string;
  /** Not what is made of other documents. */
  readonly isCounted: (path: string) => boolean;
  readonly now: () => number;
}

const recentCount = 20;
const growthDays = 90;
const dayMs = 24 * 60 * 60_000;
const pageSize = 500;
/** About a second of git's time. */
const mostPages = 20;

interface Read {
  readonly newest: string | undefined;
  readonly growth: RootGrowth;
}

const noGrowth: RootGrowth = { days: new Map(), authors: new Map(), recent: [], isCut: false };

/** Read from history once, and then only what was added to it. */
export function createGrowth({ log, root, isCounted, now }: GrowthOptions): Refreshed<RootGrowth> {
  let read: Read = { newest: undefined, growth: noGrowth };

  return createRefreshed({
    now,
    make: async (tell) => {
      const since = `${firstDay(now())}T00:00:00.000Z`;
      const recent = (await log({ root, limit: recentCount })).operations.map((one) => ({ ...one, root }));
      const known = { ...read.growth, recent };
      let [newest, added, isCut] = [read.newest, noGrowth, false];
      for (let [page, after] = [0, undefined as string | undefined]; ; page += 1) {
        const { operations, next } = await log({ root, since, limit: pageSize, after });
        if (page === 0) newest = operations[0]?.id ?? newest;
        const end = operations.findIndex(({ id }) => id === read.newest);
        const fresh = end === -1 ? operations : operations.slice(0, end);
        added = sum(added, growthOf(fresh, isCounted));
        if (end !== -1 || next === undefined) break;
        isCut = page + 1 === mostPages;
        if (isCut) break;
        after = next;
        tell(sum(known, added));
      }
      // What was cut off lies before all that is known.
      const growth = isCut ? { ...added, recent, isCut } : sum(known, added);
      read = { newest, growth };
      return growth;
    },
  });
}

/** The dates of these days, oldest first. */
export function growthDates(now: number): string[] {
  return Array.from({ length: growthDays }, (_, index) => dateOf(now - (growthDays - 1 - index) * dayMs));
}

function firstDay(now: number): string {
  return dateOf(now - (growthDays - 1) * dayMs);
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function growthOf(operations: readonly Operation[], isCounted: GrowthOptions["isCounted"]): RootGrowth {
  const days = new Map<string, DayOfGrowth>();
  const authors = new Map<string, AuthorShare>();
  for (const { time, author, changes } of operations) {
    const counted = changes.filter(({ path }) => isCounted(path));
    // What was there when recording began is no work of anybody.
    const made = counted.filter(({ kind }) => kind !== "import").length;
    const added = counted.reduce((all, { rev, was }) => all + Number(was === undefined) - Number(rev === undefined), 0);
    addDay(days, time.slice(0, 10), { changes: made, added });
    if (made > 0) addAuthor(authors, author, { changes: made, last: time });
  }
  return { days, authors, recent: [], isCut: false };
}

/** Of several roots, or of what was known and what came since. */
export function sum(...parts: readonly RootGrowth[]): RootGrowth {
  const days = new Map<string, DayOfGrowth>();
  const authors = new Map<string, AuthorShare>();
  for (const part of parts) {
    for (const [date, day] of part.days) addDay(days, date, day);
    for (const [author, share] of part.authors) addAuthor(authors, author, share);
  }
  const recent = parts.flatMap((part) => part.recent).sort((one, other) => compareText(other.time, one.time));
  return { days, authors, recent: recent.slice(0, recentCount), isCut: parts.some(({ isCut }) => isCut) };
}

function addDay(days: Map<string, DayOfGrowth>, date: string, { changes, added }: DayOfGrowth): void {
  const before = days.get(date);
  days.set(date, { changes: changes + (before?.changes ?? 0), added: added + (before?.added ?? 0) });
}

function addAuthor(authors: Map<string, AuthorShare>, author: string, { changes, last }: AuthorShare): void {
  const before = authors.get(author);
  const latest = before === undefined || before.last < last ? last : before.last;
  authors.set(author, { changes: changes + (before?.changes ?? 0), last: latest });
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
