export interface RefreshedOptions<Value> {
  /** Makes it anew; may tell what it has so far. */
  readonly make: (tell: (partial: Value) => void) => Promise<Value>;
  readonly now: () => number;
}

/** Something that takes a while to make, and is made anew while what there is is shown. */
export interface Refreshed<Value> {
  /** Waits so long for a new one, then gives the last one, or what there is so far. */
  get(patienceMs: number): Promise<{ readonly value: Value | undefined; readonly isPartial: boolean }>;
}

/** It rests so many times as long as it took: whatever is asked, this much of the time at most goes into it. */
const restFactor = 20;

export function createRefreshed<Value>({ make, now }: RefreshedOptions<Value>): Refreshed<Value> {
  let kept: { readonly value: Value; readonly restUntil: number } | undefined;
  let running: Promise<Value> | undefined;
  let partial: Value | undefined;

  async function run(): Promise<Value> {
    const begun = now();
    try {
      const value = await make((so) => {
        partial = so;
      });
      kept = { value, restUntil: now() + restFactor * (now() - begun) };
      return value;
    } finally {
      running = undefined;
      partial = undefined;
    }
  }

  return {
    get: async (patienceMs) => {
      if (kept && now() < kept.restUntil) return { value: kept.value, isPartial: false };
      running ??= run();
      const made = await within(running, patienceMs);
      if (made) return { value: made.value, isPartial: false };
      return kept ? { value: kept.value, isPartial: false } : { value: partial, isPartial: true };
    },
  };
}

/** Undefined where it takes longer. The work goes on; its failure is the caller's only where it comes in time. */
async function within<Value>(work: Promise<Value>, ms: number): Promise<{ readonly value: Value } | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ms, undefined);
  work.catch(() => {});
  try {
    return await Promise.race([work.then((value) => ({ value })), late]);
  } finally {
    clearTimeout(timer);
  }
}
