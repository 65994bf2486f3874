import { lstatSync } from "node:fs";
import { staleError } from "./storage-error.ts";

/**
 * What is in a place that we changed just now. Who saves, makes or deletes a file takes no lock, and may do so right
 * after us: then ours took effect, and theirs stays. But a link, a special file or a file that has another name
 * somewhere may be what our draft was swapped for before it came here; it leads out of the root and must go.
 */
export function whatIsIn(place: string, staged: bigint | undefined): "ours" | "theirs" | "swapped" {
  const now = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  // Neither: we took the file away, and it is still gone.
  if (now?.ino === staged) return "ours";
  // One call told both: the file has one name, and it is this one.
  return !now || (now.isFile() && now.nlink === 1n) ? "theirs" : "swapped";
}

/** Right before the draft comes into its place: what was swapped by now does not come there at all. */
export function assertStaged(draft: string, staged: bigint): void {
  if (lstatSync(draft, { bigint: true, throwIfNoEntry: false })?.ino !== staged) throw swapped();
}

/** Right after it: what was swapped in between is found in the place. */
export function assertNotSwapped(place: string, staged: bigint): void {
  if (whatIsIn(place, staged) === "swapped") throw swapped();
}

function swapped(): Error {
  return staleError("what was staged was replaced during the operation");
}
