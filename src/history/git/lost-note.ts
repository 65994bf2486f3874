import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "./repository.ts";

/** There while a part of history is apart: what it ended with, and after which commit history went on without it. */
const lostFile = "recollect-lost";
const beginning = "the beginning";

export interface LostPart {
  /** History went on after this commit; undefined where it began anew. */
  readonly mark: string | undefined;
  /** What history ended with. */
  readonly end: string;
}

export function noteLost(folder: string, { mark, end }: LostPart): void {
  replaceFile(join(folder, lostFile), `recollect lost ${end} at ${mark ?? beginning}\n`, statSync(folder).mode);
}

export function readLost(folder: string): LostPart | undefined {
  const path = join(folder, lostFile);
  if (!existsSync(path)) return undefined;
  const [, end, mark] =
    /^recollect lost ([0-9a-f]{40}) at ([0-9a-f]{40}|the beginning)\n$/.exec(readFileSync(path, "utf8")) ?? [];
  return end === undefined ? undefined : { mark: mark === beginning ? undefined : mark, end };
}

export function forgetLost(folder: string): void {
  rmSync(join(folder, lostFile), { force: true });
}
