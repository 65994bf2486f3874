import { setImmediate } from "node:timers/promises";

/** Work in the background of a process that answers others meanwhile. */
export interface Pace {
  /** Asked after each small step. A promise to wait for, where it is somebody else's turn. Throws where it is over. */
  turn(): Promise<void> | undefined;
}

/** How long an answer may be kept waiting. */
const sliceMs = 4;

export function createPace(over?: AbortSignal): Pace {
  let since = performance.now();

  async function rest(): Promise<void> {
    await setImmediate();
    since = performance.now();
  }

  return {
    turn: () => {
      over?.throwIfAborted();
      return performance.now() - since < sliceMs ? undefined : rest();
    },
  };
}
