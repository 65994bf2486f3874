import { join } from "node:path";
import { makeFolders } from "../backends/files/make-folders.ts";
import { RecollectError } from "../kernel/errors.ts";

export const memoriesFolder = ".serena/memories";

/** What makes a folder a project that is none yet. */
export function makeProject(folder: string): void {
  try {
    makeFolders(join(folder, memoriesFolder));
  } catch (error) {
    throw new RecollectError("STORAGE_FAILED", `The folder ${memoriesFolder} cannot be made.`, { cause: error });
  }
}
