import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { RecollectError } from "../../core/errors.ts";
import type { Rev } from "../../core/revision.ts";
import type { ChangeKind } from "../../core/store.ts";
import { auxiliaryFileMode, auxiliaryNames } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { formatVersion } from "./lock-file.ts";
import { hasCode } from "./storage-error.ts";

/** One line of a folder's journal. Names are relative to the folder. */
export interface JournalRecord {
  readonly kind: ChangeKind;
  readonly name: string;
  readonly rev?: Rev | undefined;
  readonly was?: Rev | undefined;
  /** The other end of a move, as a path relative to the folder. */
  readonly other?: string | undefined;
  readonly time: string;
  readonly author: string;
  readonly run?: string | undefined;
  readonly reason?: string | undefined;
  readonly batch?: string | undefined;
}

/** A place in the journal of a folder: segment number and byte offset in it. `[0, 0]` is the beginning. */
export type JournalPosition = readonly [segment: number, offset: number];

export interface JournalSlice {
  readonly records: readonly JournalRecord[];
  /** Where to go on. */
  readonly end: JournalPosition;
  readonly more: boolean;
}

const segmentBytes = 1024 * 1024;
const newline = 0x0a;
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const appendFlags = constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

/**
 * Appends records with one write, to be called with the folder's lock held. Not synced: a kill
 * cannot lose them, a power cut may lose those of the last seconds (docs/FORMAT.md).
 */
export function appendToJournal(auxiliary: Directory, records: readonly JournalRecord[]): void {
  const descriptor = openNewest(auxiliary) ?? startSegment(auxiliary, highestSegment(auxiliary) + 1);
  try {
    const stat = fstatSync(descriptor);
    const { size } = stat;
    // A second name may lie outside: that file must not grow. And a pipe would never answer.
    if (!stat.isFile() || stat.nlink > 1)
      throw new RecollectError("NOT_ALLOWED", "The journal in the auxiliary folder is not an ordinary file.");
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    // A line torn by a power cut is closed, so that it cannot swallow the next record.
    const bytes = Buffer.from(endsWithNewline(descriptor, size) ? lines : `\n${lines}`);
    // One write(): Node's appendFile splits a large record into pieces.
    if (writeSync(descriptor, bytes) !== bytes.length) {
      ftruncateSync(descriptor, size);
      throw Object.assign(new Error("short write to the journal"), { code: "ENOSPC", errno: -28 });
    }
    if (size + bytes.length > segmentBytes) closeSegment(auxiliary, segmentNumber(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** Whole records after a position, at most `limit` of them; takes no lock. */
export function readJournal(auxiliary: Directory, after: JournalPosition, limit: number): JournalSlice {
  const newest = openNewest(auxiliary, readFlags);
  if (newest === undefined) return { records: [], end: after, more: false };
  try {
    const last = segmentNumber(newest);
    const first = after[0] === 0 ? oldestSegment(auxiliary, last) : Math.min(after[0], last);
    const records: JournalRecord[] = [];
    let end: JournalPosition = first === after[0] ? after : [first, 0];
    for (let segment = first; segment <= last; segment += 1) {
      const from = segment === end[0] ? end[1] : 0;
      const bytes = segment === last ? readFrom(newest, from) : readSegment(auxiliary, segment, from);
      let start = 0;
      for (let stop = bytes.indexOf(newline); stop >= 0; stop = bytes.indexOf(newline, start)) {
        if (records.length === limit) return { records, end: [segment, from + start], more: true };
        const record = parseRecord(bytes.toString("utf8", start, stop));
        if (record) records.push(record);
        start = stop + 1;
      }
      end = [segment, from + start];
    }
    return { records, end, more: false };
  } finally {
    closeSync(newest);
  }
}

/** Whether the records of a multi-document commit were written already; asked by recovery alone. */
export function journalHasBatch(auxiliary: Directory, batch: string): boolean {
  const wanted = `"batch":${JSON.stringify(batch)}`;
  const newest = openNewest(auxiliary, readFlags);
  // Where these very records filled their segment, it was closed before the commit was cut off.
  if (newest === undefined) return readSegment(auxiliary, highestSegment(auxiliary), 0).includes(wanted);
  try {
    const before = readSegment(auxiliary, segmentNumber(newest) - 1, 0);
    return readFrom(newest, 0).includes(wanted) || before.includes(wanted);
  } finally {
    closeSync(newest);
  }
}

/** Drops what lies before a position, with the lock held. Numbers go on, so that positions stay valid. */
export function dropJournal(auxiliary: Directory, upTo: JournalPosition): void {
  const newest = openNewest(auxiliary, readFlags);
  if (newest === undefined) return;
  try {
    const last = segmentNumber(newest);
    const finished = upTo[0] === last && upTo[1] >= fstatSync(newest).size;
    if (finished) closeSegment(auxiliary, last);
    const keepFrom = finished ? last + 1 : upTo[0];
    for (let segment = oldestSegment(auxiliary, keepFrom); segment < keepFrom; segment += 1) {
      rmSync(auxiliary.at(auxiliaryNames.journalSegment(segment)), { force: true });
    }
  } finally {
    closeSync(newest);
  }
}

/** The newest segment goes aside under its number, and the next one begins. */
function closeSegment(auxiliary: Directory, segment: number): void {
  renameSync(auxiliary.at(auxiliaryNames.journal), auxiliary.at(auxiliaryNames.journalSegment(segment)));
  closeSync(startSegment(auxiliary, segment + 1));
}

function startSegment(auxiliary: Directory, segment: number): number {
  const draft = auxiliary.at(auxiliaryNames.journalDraft);
  const mode = auxiliaryFileMode(auxiliary);
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, appendFlags | constants.O_CREAT | constants.O_EXCL, mode);
  try {
    writeSync(descriptor, `${JSON.stringify({ recollect: "journal", format: formatVersion, segment })}\n`);
    fchmodSync(descriptor, mode);
    // The header carries the number, which must outlive a power cut.
    fsyncSync(descriptor);
    renameSync(draft, auxiliary.at(auxiliaryNames.journal));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function openNewest(auxiliary: Directory, flags = appendFlags): number | undefined {
  try {
    return openSync(auxiliary.at(auxiliaryNames.journal), flags);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function segmentNumber(descriptor: number): number {
  const head = Buffer.alloc(256);
  const length = readSync(descriptor, head, 0, head.length, 0);
  const line = head.toString("utf8", 0, length).split("\n", 1)[0] ?? "";
  const parsed: unknown = parseLine(line);
  return isObject(parsed) && Number.isInteger(parsed["segment"]) ? Number(parsed["segment"]) : 1;
}

function oldestSegment(auxiliary: Directory, newest: number): number {
  let segment = newest;
  while (segment > 1 && segmentExists(auxiliary, segment - 1)) segment -= 1;
  return segment;
}

/** Needed only where a process was killed between two segments, and at the very start. */
function highestSegment(auxiliary: Directory): number {
  const numbers = readdirSync(auxiliary.at(".")).map((name) => Number(/^journal-([0-9]+)$/.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers);
}

function segmentExists(auxiliary: Directory, segment: number): boolean {
  return lstatSync(auxiliary.at(auxiliaryNames.journalSegment(segment)), { throwIfNoEntry: false }) !== undefined;
}

/** Empty where the segment was released in the meantime. */
function readSegment(auxiliary: Directory, segment: number, from: number): Buffer {
  let descriptor: number;
  try {
    descriptor = openSync(auxiliary.at(auxiliaryNames.journalSegment(segment)), readFlags);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return Buffer.alloc(0);
    throw error;
  }
  try {
    return readFrom(descriptor, from);
  } finally {
    closeSync(descriptor);
  }
}

function readFrom(descriptor: number, from: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - from));
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, from + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

function endsWithNewline(descriptor: number, size: number): boolean {
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last[0] === newline;
}

/** Undefined for the header and for a line that a power cut tore. */
function parseRecord(line: string): JournalRecord | undefined {
  const parsed = parseLine(line);
  const whole = isObject(parsed) && typeof parsed["kind"] === "string" && typeof parsed["name"] === "string";
  return whole ? (parsed as unknown as JournalRecord) : undefined;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
