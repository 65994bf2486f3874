import { mkdirSync, rmdirSync } from "node:fs";
import type { Directory } from "./directory.ts";
import { hasCode } from "./storage-error.ts";

/** Durably makes a folder in another one, where it is not there already. */
export async function makeChild(parent: Directory, name: string, blocking: boolean): Promise<void> {
  try {
    mkdirSync(parent.at(name));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
  // Also where another process has just made it, and may not have come to this yet.
  await parent.sync(blocking).catch((error) => {
    unmake(parent, name);
    throw error;
  });
}

/** So that the next operation makes it anew, and syncs it then. */
function unmake(parent: Directory, name: string): void {
  try {
    rmdirSync(parent.at(name));
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTEMPTY", "EEXIST")) throw error;
  }
}
