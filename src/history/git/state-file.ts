import { createHash } from "node:crypto";
import { closeSync, fchmodSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isRev } from "../../kernel/revision.ts";
import type { TrailPositions } from "../../kernel/trail.ts";
import type { Pace } from "../pace.ts";
import { createRecordedDocuments, type RecordedDocuments } from "./recorded-documents.ts";
import type { RecordedState } from "./recorded-state.ts";

export const stateFileName = "recollect-state.json";
const format = 2;
/** Read and written in pieces: of a hundred thousand documents it is far too large to be held as a whole. */
const pieceBytes = 64 * 1024;

/** Derived: a run that finds none reads the commits, so nothing is lost where it cannot be written. */
export async function writeStateFile(folder: string, state: RecordedState, pace: Pace): Promise<void> {
  const draft = join(folder, `${stateFileName}.new`);
  try {
    rmSync(draft, { force: true });
    const file = openSync(draft, "wx");
    try {
      // Whatever the umask of whoever makes it: others may work in the same folder.
      fchmodSync(file, statSync(folder).mode & 0o666);
      for (const piece of withCheck(linesOf(state))) {
        writeSync(file, piece);
        await pace.turn();
      }
    } finally {
      closeSync(file);
    }
    renameSync(draft, join(folder, stateFileName));
    state.documents.saved();
  } catch {
    rmSync(draft, { force: true });
  }
}

/** Undefined where there is none, or none of this tip. */
export async function readStateFile(folder: string, tip: string, pace: Pace): Promise<RecordedState | undefined> {
  try {
    return await readLines(join(folder, stateFileName), tip, pace);
  } catch {
    return undefined;
  }
}

/** "damaged" where it is not as it was written; undefined where there is none. */
export function checkStateFile(folder: string): "whole" | "damaged" | undefined {
  try {
    for (const line of checkedLines(join(folder, stateFileName))) if (line === damaged) return "damaged";
    return "whole";
  } catch {
    return undefined;
  }
}

function* linesOf({ tip, positions, depth, isImporting, documents }: RecordedState): Generator<string> {
  yield JSON.stringify({ format, tip, positions, depth, isImporting });
  for (const { path, blob, stamp, rev } of documents.all()) yield JSON.stringify([path, blob, stamp, rev ?? ""]);
}

/** A flipped bit in a stamp or a blob would hide a change for ever: the last line is a hash of the others. */
function* withCheck(lines: Iterable<string>): Generator<string> {
  const hash = createHash("sha256");
  let piece = "";
  for (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < pieceBytes) continue;
    hash.update(piece);
    yield piece;
    piece = "";
  }
  hash.update(piece);
  yield `${piece}${checkOf(hash)}\n`;
}

/** As a revision is made. */
function checkOf(hash: ReturnType<typeof createHash>): string {
  return hash.digest("hex").slice(0, 32);
}

const damaged = Symbol("damaged");

/** All lines but the last, and at the end a word where that one is not the hash of the others. */
function* checkedLines(path: string): Generator<string | typeof damaged> {
  const file = openSync(path, "r");
  const hash = createHash("sha256");
  const piece = Buffer.alloc(pieceBytes);
  let last: Buffer = Buffer.alloc(0);
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
      const bytes = Buffer.concat([last, piece.subarray(0, read)]);
      // The end of the file is not known yet: the last line may be the hash.
      const whole = bytes.lastIndexOf(10, -2) + 1;
      hash.update(bytes.subarray(0, whole));
      for (let from = 0; from < whole; ) {
        const end = bytes.indexOf(10, from);
        yield bytes.toString("utf8", from, end);
        from = end + 1;
      }
      last = bytes.subarray(whole);
    }
  } finally {
    closeSync(file);
  }
  if (last.toString("utf8") !== `${checkOf(hash)}\n`) yield damaged;
}

async function readLines(path: string, tip: string, pace: Pace): Promise<RecordedState | undefined> {
  const documents = createRecordedDocuments();
  let head: Head | undefined;
  for (const line of checkedLines(path)) {
    if (line === damaged) return undefined;
    const value: unknown = JSON.parse(line);
    if (head) takeDocument(value, documents);
    else head = isHead(value) && value.tip === tip ? value : undefined;
    if (!head) return undefined;
    await pace.turn();
  }
  documents.saved();
  if (!head) return undefined;
  const { positions, depth, isImporting } = head;
  return { tip, positions, depth, isImporting, documents };
}

function takeDocument(value: unknown, documents: RecordedDocuments): void {
  if (!isDocument(value)) throw new TypeError("It was not written by this version.");
  const [path, blob, stamp, rev] = value;
  documents.set(path, blob, isRev(rev) ? rev : undefined);
  documents.setStamp(path, stamp);
}

interface Head {
  readonly tip: string;
  readonly positions: TrailPositions;
  readonly depth: number;
  readonly isImporting: boolean;
}

function isHead(value: unknown): value is Head {
  if (typeof value !== "object" || value === null) return false;
  const { format: found, tip, positions, depth, isImporting } = value as Record<string, unknown>;
  return (
    found === format &&
    typeof tip === "string" &&
    typeof positions === "object" &&
    positions !== null &&
    Number.isInteger(depth) &&
    typeof isImporting === "boolean"
  );
}

function isDocument(value: unknown): value is [path: string, blob: string, stamp: number, rev: string] {
  if (!Array.isArray(value)) return false;
  const [path, blob, stamp, rev] = value;
  const isText = [path, rev].every((one) => typeof one === "string");
  return isText && typeof blob === "string" && /^[0-9a-f]{40}$/.test(blob) && Number.isFinite(stamp);
}
