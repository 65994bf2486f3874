/** To be called when the work is done; once more does nothing. */
type Leave = () => void;

/** How many requests are worked on at once, and how many may wait for that. */
export interface Admission {
  /** Undefined where too many wait already, or it waited too long: better told at once than never answered. */
  enter(signal?: AbortSignal): Promise<Leave | undefined>;
  readonly working: number;
  readonly waiting: number;
}

export interface AdmissionOptions {
  readonly atOnce: number;
  readonly mostWaiting: number;
  readonly waitMs: number;
}

export function createAdmission({ atOnce, mostWaiting, waitMs }: AdmissionOptions): Admission {
  /** In the order in which they came. */
  const queue = new Set<() => void>();
  let working = 0;

  function begin(): Leave {
    working += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      working -= 1;
      const [next] = queue;
      next?.();
    };
  }

  return {
    enter: async (signal) => {
      if (working < atOnce && queue.size === 0) return begin();
      if (queue.size >= mostWaiting || signal?.aborted) return undefined;
      return new Promise((resolve) => {
        const end = (leave: Leave | undefined) => {
          queue.delete(admit);
          clearTimeout(timer);
          signal?.removeEventListener("abort", giveUp);
          resolve(leave);
        };
        const admit = () => end(begin());
        const giveUp = () => end(undefined);
        const timer = setTimeout(giveUp, waitMs);
        signal?.addEventListener("abort", giveUp);
        queue.add(admit);
      });
    },
    get working() {
      return working;
    },
    get waiting() {
      return queue.size;
    },
  };
}
