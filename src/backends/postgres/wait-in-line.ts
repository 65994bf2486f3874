/** A line of those who may keep a connection for long, of whom only a few do at once. */
export interface WaitingLine {
  /**
   * Waits for a turn, at most so long; 0 for ever. Whoever has one says when it ends. Undefined where it did not come in
   * time.
   */
  enter(mostMs: number): Promise<(() => void) | undefined>;
}

/** In the order in which they came. */
export function createWaitingLine(atOnce: number): WaitingLine {
  const line = new Set<(isCalled: boolean) => void>();
  let inside = 0;

  function called(mostMs: number): Promise<boolean> {
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

  /** Whoever leaves gives the place to the next in line. */
  function leave(): void {
    const [next] = line;
    if (next) next(true);
    else inside -= 1;
  }

  return {
    enter: async (mostMs) => {
      if (inside < atOnce) inside += 1;
      else if (!(await called(mostMs))) return undefined;
      return leave;
    },
  };
}
