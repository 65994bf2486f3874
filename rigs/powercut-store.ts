import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Recollect from "../src/app.ts";

/** The store of one build, good or sabotaged, on one folder; the root's name is that of `addressOf`. */
export async function openStore(source: string, folder: string) {
  const { openFilesStore, isRecollectError } = (await import(
    pathToFileURL(join(source, "app.ts")).href
  )) as typeof Recollect;
  return { store: openFilesStore({ roots: [{ name: "rig", folder }], now: Date.now }), isTyped: isRecollectError };
}
