/** Lets writers work side by side, and stops them while a step needs the folders to itself. */
export interface Gate {
  work(act: () => Promise<void>): Promise<void>;
  /** Waits for the requests that are under way. */
  alone<Result>(act: () => Promise<Result> | Result): Promise<Result>;
}

export function createGate(): Gate {
  const working = new Set<Promise<void>>();
  let closed: Promise<unknown> | undefined;
  return {
    work: async (act) => {
      while (closed) await closed;
      const one = act();
      working.add(one);
      await one.finally(() => working.delete(one));
    },
    alone: async (act) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      closed = promise;
      try {
        await Promise.allSettled(working);
        return await act();
      } finally {
        closed = undefined;
        resolve();
      }
    },
  };
}
