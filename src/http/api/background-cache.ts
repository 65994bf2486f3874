import { inTime } from "../../kernel/in-time.ts";

/** Makes a value anew; may tell what it has so far, and is given what was made last. */
export type Make<Value> = (tell: (partial: Value) => void, last: Value | undefined) => Promise<Value>;

export interface Cached<Value> {
  readonly value: Value | undefined;
  /** True where it was never made yet: the value is what there is so far. */
  readonly isPartial: boolean;
}

/** Values that take a while to make: each is made in the background while the one before it is shown. */
export interface BackgroundCache<Value> {
  get(key: string, make: Make<Value>): Promise<Cached<Value>>;
}

export interface BackgroundCacheOptions {
  readonly now: () => number;
  /** How long a caller waits for a new value before it is given the last one, or what there is so far. */
  readonly patienceMs: number;
}

/** A value rests so many times as long as it took: however often it is asked for, no more of the time goes into it. */
const restFactor = 20;
/** The key that was not asked for the longest is forgotten. */
const mostKeys = 64;

interface Entry<Value> {
  last: { readonly value: Value; readonly restUntil: number } | undefined;
  running: Promise<Value> | undefined;
  partial: Value | undefined;
}

export function createBackgroundCache<Value>({ now, patienceMs }: BackgroundCacheOptions): BackgroundCache<Value> {
  const entries = new Map<string, Entry<Value>>();

  function entryOf(key: string): Entry<Value> {
    const entry = entries.get(key) ?? { last: undefined, running: undefined, partial: undefined };
    entries.delete(key);
    entries.set(key, entry);
    const [oldest = key] = entries.keys();
    if (entries.size > mostKeys) entries.delete(oldest);
    return entry;
  }

  async function run(entry: Entry<Value>, make: Make<Value>): Promise<Value> {
    const begun = now();
    const tell = (partial: Value) => {
      entry.partial = partial;
    };
    try {
      const value = await make(tell, entry.last?.value);
      entry.last = { value, restUntil: now() + restFactor * (now() - begun) };
      return value;
    } finally {
      entry.running = undefined;
      entry.partial = undefined;
    }
  }

  return {
    get: async (key, make) => {
      const entry = entryOf(key);
      if (entry.last && now() < entry.last.restUntil) return { value: entry.last.value, isPartial: false };
      entry.running ??= run(entry, make);
      const value = (await inTime(entry.running, patienceMs, () => undefined)) ?? entry.last?.value;
      return value === undefined ? { value: entry.partial, isPartial: true } : { value, isPartial: false };
    },
  };
}
