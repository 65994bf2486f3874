import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where the local model is kept, in the user's data folder, and beside it the record that it is to be used. */
export function modelsFolder(dataFolder: string): string {
  return join(dataFolder, "models");
}

export function localModelFolder(dataFolder: string): string {
  return join(modelsFolder(dataFolder), "local");
}

/** The name of the record, for `openRecordFiles`. */
export const localModelRecord = "local";

/** Only looked for, not read: it is asked at every start. */
export function isLocalModelEnabled(dataFolder: string): boolean {
  return existsSync(join(modelsFolder(dataFolder), `${localModelRecord}.json`));
}
