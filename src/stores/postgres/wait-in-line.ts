/** A line of those who may keep a connection for long, of whom only a few do at once. */
export interface WaitingLine {
  /** Undefined where it waited so long that its turn did not come. */
  enter<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
}

interface LineOptions {
  readonly atOnce: number;
  /** How long anybody stands in it; 0 for ever. */
  readonly mostMs: number;
}

/** In the order in which they came. */
export function createWaitingLine({ atOnce, mostMs }: LineOptions): WaitingLine {
  const line = new Set<(isCalled: boolean) => void>();
  let inside = 0;

  function called(): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = (isCalled: boolean) => {
        clearTimeout(timer);
        line.delete(leave);
        resolve(isCalled);
      };
      const timer = mostMs > 0 ? setTimeout(leave, mostMs, false) : undefined;
      line.add(leave);
    });
  }

  return {
    enter: async (work) => {
      // Whoever leaves gives the place to the next in line.
      if (inside < atOnce) inside += 1;
      else if (!(await called())) return undefined;
      try {
        return await work();
      } finally {
        const [next] = line;
        if (next) next(true);
        else inside -= 1;
      }
    },
  };
}
