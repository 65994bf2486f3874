import { lstatSync } from "node:fs";
import type { Directory } from "./directory.ts";
import { standingOf } from "./document-file.ts";
import { staleError } from "./storage-error.ts";

/**
 * What is in a place that we changed just now. Who saves, makes or deletes a file takes no lock, and may do so right
 * after us: then ours took effect, and theirs stays. But a link, a special file or a file that has another name
 * somewhere may be what our draft was swapped for before it came here; it leads out of the root and must go. Names in
 * the auxiliary folder do not count: a writer who took the lock that was taken away from us gives them.
 */
export function whatIsIn(folder: Directory, name: string, staged: bigint | undefined): "ours" | "theirs" | "swapped" {
  const now = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  // Neither: we took the file away, and it is still gone.
  if (now?.ino === staged) return "ours";
  return !now || (now.isFile() && standingOf(folder, name, { stat: now }) !== "shared") ? "theirs" : "swapped";
}

/** Right before the draft comes into its place: what was swapped by now does not come there at all. */
export function assertStaged(draft: string, staged: bigint): void {
  if (lstatSync(draft, { bigint: true, throwIfNoEntry: false })?.ino !== staged) throw swapped();
}

/** Right after it: what was swapped in between is found in the place. */
export function assertNotSwapped(folder: Directory, name: string, staged: bigint): void {
  if (whatIsIn(folder, name, staged) === "swapped") throw swapped();
}

function swapped(): Error {
  return staleError("what was staged was replaced during the operation");
}
