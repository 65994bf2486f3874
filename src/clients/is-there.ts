import { lstatSync } from "node:fs";

/** Whether something of this name exists, a dangling link included; what may not be looked at counts as absent. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
