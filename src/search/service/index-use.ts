import { statSync, utimesSync } from "node:fs";
import { readPointer } from "../index/generation-pointer.ts";

/** Far less than an index may lie unused before it is taken away. */
const markAfterMs = 60 * 60 * 1000;

/**
 * Marks an index as used: reading leaves no trace in its files, and whoever tidies up goes by their times. On the
 * database, since by the times of the file that names it others see whether that is still the same.
 */
export function createIndexUse(file: string, now: () => number): () => void {
  let markedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const time = now();
    if (time - markedAt < markAfterMs) return;
    markedAt = time;
    try {
      const database = `${file}.${readPointer(file)?.generation}.sqlite`;
      const stat = statSync(database, { throwIfNoEntry: false });
      if (stat && time - stat.mtimeMs >= markAfterMs) utimesSync(database, time / 1000, time / 1000);
    } catch (error) {
      // Where times may not be changed, it is taken away in the end, and built anew.
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  };
}
