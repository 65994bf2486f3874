import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

/** Which database is the current one, and how to notice that this was changed. */
export interface Pointer {
  readonly generation: string;
  readonly mark: PointerMark;
}

/** Another one whenever the pointer was replaced: a rename brings another file with another time. */
interface PointerMark {
  readonly ino: number;
  readonly ctimeMs: number;
}

/** Of a pointer that was taken away at once. */
export const noMark: PointerMark = { ino: -1, ctimeMs: -1 };

const text = /^recollect search index ([0-9a-f]{16})\n$/;

/** Undefined where there is none, or a file that is none. */
export function readPointer(file: string): Pointer | undefined {
  const mark = pointerMark(file);
  if (mark === undefined) return undefined;
  try {
    const generation = text.exec(readFileSync(file, "latin1"))?.[1];
    return generation === undefined ? undefined : { generation, mark };
  } catch {
    return undefined;
  }
}

/** Whether the pointer is the one that it was. */
export function isMarked(file: string, mark: PointerMark): boolean {
  const now = pointerMark(file);
  return now?.ino === mark.ino && now.ctimeMs === mark.ctimeMs;
}

function pointerMark(file: string): PointerMark | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function newGeneration(): string {
  return randomBytes(8).toString("hex");
}

export function writePointer(file: string, generation: string): void {
  const prepared = `${file}.${generation}.new`;
  writeFileSync(prepared, `recollect search index ${generation}\n`, { mode: 0o600, flag: "wx" });
  try {
    renameSync(prepared, file);
  } catch (error) {
    if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw error;
    // Nothing but indexes is kept here, and all of that can be made again.
    rmSync(file, { recursive: true, force: true });
    renameSync(prepared, file);
  }
}
