import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./library.ts";

export const resultFolder = join(repository, ".bench");

/** Beside the project and not among temporary files, which often lie in memory, where a sync costs nothing. */
export async function withWorkFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  mkdirSync(resultFolder, { recursive: true });
  const folder = mkdtempSync(join(resultFolder, "work-"));
  try {
    return await use(folder);
  } finally {
    // A process that was ended may still be letting go of it.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
