import { type ErrorCode, isRecollectError, type RecollectError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { TopicContext } from "./change-topic.ts";
import { listPlacedEntries, moveEntry, type PlacedEntries, type PlacedEntry } from "./move-entries.ts";
import type { TopicName } from "./topic-paths.ts";
import type { Topics } from "./topics.ts";

export interface FallbackEntry extends EntryIdentity {
  readonly isArchived: boolean;
}

/** What makes an entry the one that was stored; its text may have been edited since. */
export interface EntryIdentity extends TopicName {
  readonly date: string;
  readonly title: string;
}

/** Which entries of the project's folder were stored there because the external memory could not be used (TOP-7). */
export interface FallbackRecords {
  add(entry: EntryIdentity): void;
  has(entry: EntryIdentity): boolean;
  forget(entry: EntryIdentity): void;
  isEmpty(): boolean;
}

/** Without its names where those may be what was refused. */
export interface LeftEntry extends Partial<FallbackEntry> {
  readonly reason: string;
}

export interface MovedOver {
  readonly moved: readonly FallbackEntry[];
  /** What stays where it is, and why. */
  readonly left: readonly LeftEntry[];
}

/** By default what was stored during a fallback; `all` is everything in the project's folder. */
export interface WhichEntries {
  readonly all?: boolean | undefined;
}

/** What lies in the project's own folder of topics while an external memory is in use (TOP-7). */
export interface FallbackEntries {
  /** The project's folder, as configured. */
  readonly folder: string;
  list(which?: WhichEntries): Promise<readonly FallbackEntry[]>;
  moveOver(which?: WhichEntries): Promise<MovedOver>;
}

export interface FallbackEntriesOptions {
  readonly folder: string;
  readonly records: FallbackRecords;
  readonly external: TopicContext;
  /** Opens the project's folder for as long as somebody works on it. */
  readonly withOwn: <Result>(use: (own: TopicContext) => Promise<Result>) => Promise<Result>;
}

/** What concerns one entry and not the next: anything else would fail for all of them. */
const ofOneEntry: readonly ErrorCode[] = [
  "SENSITIVE_CONTENT",
  "TOO_LARGE",
  "NOT_UTF8",
  "NOT_A_DOCUMENT",
  "INVALID_PATH",
  "INVALID_CONTENT",
];

export function createFallbackEntries({ folder, records, external, withOwn }: FallbackEntriesOptions): FallbackEntries {
  async function find(own: TopicContext, { all = false }: WhichEntries): Promise<PlacedEntries> {
    const { entries, unreadable } = await listPlacedEntries(own);
    return { entries: all ? entries : entries.filter((one) => records.has(identityOf(one))), unreadable };
  }

  /** Without a record there is no need to look, also where the project's folder cannot be opened. */
  function isNothing({ all = false }: WhichEntries): boolean {
    return !all && records.isEmpty();
  }

  async function whyNotMoved(one: PlacedEntry, own: TopicContext): Promise<LeftEntry | undefined> {
    try {
      if (await moveEntry(one, own, external)) return undefined;
      return { ...toShown(one), reason: "It was changed in the meantime. Do this once more." };
    } catch (error) {
      if (isRecollectError(error) && ofOneEntry.includes(error.code)) return toLeft(one, error);
      throw error;
    }
  }

  return {
    folder,
    list: async (which = {}) => {
      if (isNothing(which)) return [];
      return withOwn(async (own) => (await find(own, which)).entries.map(toShown));
    },
    moveOver: async (which = {}) => {
      if (isNothing(which)) return { moved: [], left: [] };
      return withOwn(async (own) => {
        const { entries, unreadable } = await find(own, which);
        const [moved, stays]: [FallbackEntry[], Set<string>] = [[], new Set()];
        const left: LeftEntry[] = unreadable.map((path) => ({ reason: `“${path}” cannot be read.` }));
        // The oldest first, so that of two from one day the newer one comes to lie above the other.
        for (const one of entries.toReversed()) {
          const why = await whyNotMoved(one, own);
          if (why) {
            left.unshift(why);
            stays.add(keyOf(identityOf(one)));
          } else moved.unshift(toShown(one));
        }
        for (const one of moved) if (!stays.has(keyOf(one))) records.forget(one);
        return { moved, left };
      });
    },
  };
}

/** The topics of a fallback: what they acknowledge is on record, so that it can be moved over later. */
export function recordFallback(topics: Topics, records: FallbackRecords, log: Log): Topics {
  return {
    ...topics,
    store: async (entry) => {
      const stored = await topics.store(entry);
      try {
        records.add(stored);
      } catch (error) {
        // The entry is stored, and `move-over --all` finds it without a record.
        if (!isRecollectError(error)) throw error;
        log("warning", "fallback", { message: error.message });
      }
      return stored;
    },
  };
}

function identityOf({ topic, subtopic, entry: { date, title } }: PlacedEntry): EntryIdentity {
  return { topic, subtopic, date, title };
}

function toShown(one: PlacedEntry): FallbackEntry {
  return { ...identityOf(one), isArchived: one.isArchived };
}

function toLeft(one: PlacedEntry, { code, message: reason }: RecollectError): LeftEntry {
  return code === "SENSITIVE_CONTENT" ? { date: one.entry.date, reason } : { ...toShown(one), reason };
}

function keyOf({ topic, subtopic, date, title }: EntryIdentity): string {
  return JSON.stringify([topic, subtopic, date, title]);
}
