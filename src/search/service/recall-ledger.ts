import { type Access, openAccessDatabase } from "./access-database.ts";

/** A document that was handed out, in the root where it lies. */
export interface HandedOut {
  readonly root: string;
  readonly path: string;
}

/** Which documents search and recall handed out, how often and when last; what is not in it never was. */
export interface RecallLedger {
  /** Each document once, however many pieces of it an answer has. */
  record(documents: readonly HandedOut[]): void;
  list(root: string): Access[];
  close(): void;
}

export interface RecallLedgerOptions {
  readonly folder: string;
  /** Where a root lies: projects have roots of the same name. Undefined for one that is not counted. */
  readonly placeOf: (root: string) => string | undefined;
  readonly now?: () => number;
}

/** Written now and then, in one go: a search takes less time than a row. Where a process is killed, so much is not counted. */
const writeAfterMs = 5000;
const mostPending = 10_000;
/** So many answers are counted at once, which costs less than one by one, and nobody waits for it. */
const mostUncounted = 200;

export function openRecallLedger({ folder, placeOf, now = Date.now }: RecallLedgerOptions): RecallLedger {
  const database = openAccessDatabase(folder);
  /** By root and path, where they were not written yet. */
  const pending = new Map<string, Map<string, Counted>>();
  let size = 0;
  let uncounted: { readonly documents: readonly HandedOut[]; readonly time: number }[] = [];
  let timer: NodeJS.Timeout | undefined;

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    countAnswers();
    for (const [root, counted] of pending) {
      const place = placeOf(root);
      if (place !== undefined) database.add("recalled", place, accessesOf(counted));
    }
    pending.clear();
    size = 0;
  }

  function count(root: string, paths: ReadonlySet<string>, time: number): void {
    const counted = pending.get(root) ?? new Map<string, Counted>();
    pending.set(root, counted);
    for (const path of paths) {
      const known = counted.get(path);
      if (!known) size += 1;
      counted.set(path, { count: (known?.count ?? 0) + 1, time });
    }
  }

  function countAnswers(): void {
    const answers = uncounted;
    uncounted = [];
    for (const { documents, time } of answers) {
      for (const [root, some] of Map.groupBy(documents, (one) => one.root)) {
        count(root, new Set(some.map(({ path }) => path)), time);
      }
    }
  }

  return {
    record: (documents) => {
      if (documents.length === 0) return;
      uncounted.push({ documents, time: now() });
      if (uncounted.length >= mostUncounted) countAnswers();
      if (size > mostPending) write();
      else timer ??= setTimeout(write, writeAfterMs).unref();
    },
    list: (root) => {
      write();
      const place = placeOf(root);
      return place === undefined ? [] : database.list("recalled", place);
    },
    close: () => {
      write();
      database.close();
    },
  };
}

interface Counted {
  readonly count: number;
  /** Of the last one, in milliseconds since 1970. */
  readonly time: number;
}

function* accessesOf(counted: ReadonlyMap<string, Counted>): Generator<Access> {
  for (const [path, { count, time }] of counted) yield { path, count, last: new Date(time).toISOString() };
}
