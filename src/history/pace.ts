import { setImmediate } from "node:timers/promises";

/** Work in the background of a process that answers others meanwhile. */
export interface Pace {
  /** Asked after each small step. A promise to wait for, where it is somebody else's turn. */
  turn(): Promise<void> | undefined;
}

/** How long an answer may be kept waiting. */
const sliceMs = 4;

export function createPace(): Pace {
  let since = performance.now();

  async function rest(): Promise<void> {
    await setImmediate();
    since = performance.now();
  }

  return { turn: () => (performance.now() - since < sliceMs ? undefined : rest()) };
}
