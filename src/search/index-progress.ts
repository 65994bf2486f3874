import type { IndexProgress, OnIndexProgress } from "./search.ts";

/** How far an index is that is being built, for whoever listens meanwhile. */
export interface ProgressTeller {
  /** Undefined where nothing takes long. */
  current(): IndexProgress | undefined;
  tell(made: Pick<IndexProgress, "done" | "total">): void;
  /** It is over. */
  end(): void;
  listening<Result>(listener: OnIndexProgress | undefined, work: () => Promise<Result>): Promise<Result>;
}

export function createProgressTeller(root: string): ProgressTeller {
  let progress: IndexProgress | undefined;
  const listeners = new Set<OnIndexProgress>();
  return {
    current: () => progress,
    tell({ done, total }) {
      progress = { root, done, total };
      for (const listener of listeners) listener(progress);
    },
    end() {
      progress = undefined;
    },
    async listening(listener, work) {
      if (!listener) return work();
      listeners.add(listener);
      if (progress) listener(progress);
      try {
        return await work();
      } finally {
        listeners.delete(listener);
      }
    },
  };
}
