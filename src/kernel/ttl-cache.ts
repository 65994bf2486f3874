/** What lies elsewhere, as it was a moment ago at most: whoever asks meanwhile is answered together. */
export interface TtlCache<Value> {
  get(): Promise<Value>;
  /** From now on only what is asked for anew counts. */
  drop(): void;
}

export function createTtlCache<Value>(options: {
  readonly load: () => Promise<Value>;
  readonly mostMs: number;
  readonly now?: () => number;
}): TtlCache<Value> {
  const { load, mostMs, now = () => performance.now() } = options;
  let known: { readonly at: number; readonly value: Promise<Value> } | undefined;
  return {
    get: () => {
      if (known && now() - known.at < mostMs) return known.value;
      // It is as old as the question: nobody knows when in between it was answered.
      const asked = { at: now(), value: load() };
      known = asked;
      // A failure is told to who waits for it, and to nobody after.
      asked.value.catch(() => {
        if (known === asked) known = undefined;
      });
      return asked.value;
    },
    drop: () => {
      known = undefined;
    },
  };
}
