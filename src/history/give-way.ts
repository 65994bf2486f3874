import { setPriority } from "node:os";

/** What follows in the background gets about a tenth of a processor that somebody else wants. */
const patience = 10;

/** Lets whatever else wants a processor go first. */
export function giveWay(pid: number): void {
  try {
    setPriority(pid, patience);
  } catch {
    // It ended already, or the system does not allow it: then it is as quick as everything else.
  }
}
