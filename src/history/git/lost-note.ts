import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "./repository.ts";

/** There while a part of history is lost: the commit that says so, and the one that could not be read. */
const lostFile = "recollect-lost";

export interface LostPart {
  /** The commit that tells of the loss. */
  readonly mark: string;
  /** What history ended with. */
  readonly end: string;
}

export function noteLost(folder: string, { mark, end }: LostPart): void {
  replaceFile(join(folder, lostFile), `recollect lost ${end} at ${mark}\n`, statSync(folder).mode);
}

export function readLost(folder: string): LostPart | undefined {
  const path = join(folder, lostFile);
  if (!existsSync(path)) return undefined;
  const [, end, mark] = /^recollect lost ([0-9a-f]{40}) at ([0-9a-f]{40})\n$/.exec(readFileSync(path, "utf8")) ?? [];
  return end === undefined || mark === undefined ? undefined : { mark, end };
}

export function forgetLost(folder: string): void {
  rmSync(join(folder, lostFile), { force: true });
}
