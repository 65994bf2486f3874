import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { syncFolder } from "../../backends/files/sync-folder.ts";
import { replaceFile } from "./repository.ts";

/** There while a history is copied into this one: what the documents are meanwhile is nobody's change. */
const markName = "recollect-copying";

/** The documents of the folder are what this commit has, or are being brought from there to what another one has. */
export interface CopyingMark {
  /** Undefined where there were none. */
  readonly from: string | undefined;
  /** Undefined while the history itself is still copied. */
  readonly to: string | undefined;
}

export const copyingSays =
  "A copy into this folder was cut off, so no history is recorded. Run the same recollect migrate again.";

export function isCopying(folder: string | undefined): boolean {
  return folder !== undefined && existsSync(join(folder, markName));
}

export function readCopyingMark(folder: string): CopyingMark | undefined {
  if (!isCopying(folder)) return undefined;
  const text = readFileSync(join(folder, markName), "utf8");
  const [from, to] = [/ from ([0-9a-f]{40})\b/, / to ([0-9a-f]{40})\b/].map((form) => form.exec(text)?.[1]);
  return { from, to };
}

export function writeCopyingMark(folder: string, { from, to }: CopyingMark): void {
  const text = `recollect copying from ${from ?? "nothing"}${to === undefined ? "" : ` to ${to}`}\n`;
  replaceFile(join(folder, markName), text, statSync(folder).mode);
  syncFolder(folder);
}

export function removeCopyingMark(folder: string): void {
  rmSync(join(folder, markName), { force: true });
  syncFolder(folder);
}
