import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { RecollectError } from "../core/errors.ts";

export const memoriesFolder = ".serena/memories";

/** What makes a folder a project that is none yet. */
export function makeProject(folder: string): void {
  try {
    mkdirSync(join(folder, memoriesFolder), { recursive: true });
  } catch (error) {
    throw new RecollectError("STORAGE_FAILED", `The folder ${memoriesFolder} cannot be made.`, { cause: error });
  }
}
