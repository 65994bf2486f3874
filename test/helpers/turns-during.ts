import { setImmediate } from "node:timers/promises";

/** How often everybody else had their turn while something went on. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const done = work.finally(() => {
    isOver = true;
  });
  done.catch(() => {});
  while (!isOver) {
    await setImmediate();
    turns += 1;
  }
  await done;
  return turns;
}
