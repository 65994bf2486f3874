import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
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
import { RecollectError } from "../../kernel/errors.ts";
import { isObject, parseJson } from "../../kernel/json.ts";
import { firstLink, linkOf, withLink } from "../../kernel/record-chain.ts";
import { revisionOf } from "../../kernel/revision.ts";
import { auxiliaryNames, shareWithFolder } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { readAll } from "./document-file.ts";
import type { JournalRecord } from "./journal-record.ts";
import { formatVersion } from "./lock-image.ts";
import { hasCode } from "./storage-error.ts";

/** The first line of a segment. */
export interface SegmentHeader {
  /** Made at random with the first segment: a journal that was deleted and begun anew is another one. */
  readonly journal: string;
  readonly segment: number;
  /** The size of the segment before, so that a follower who stood at its end knows that it missed nothing. */
  readonly previousEnd: number;
  /** The link that the first line of this segment goes on from; none in journals from before there were links. */
  readonly link?: string | undefined;
  /** Why a journal was begun anew, where something was taken out of the one before. */
  readonly purge?: unknown;
}

const segmentBytes = 1024 * 1024;
const headerBytes = 2048;
/** So much of its end is read for the last link at first. */
const tailBytes = 1024;
const newline = 0x0a;
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const appendFlags = constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens the segment that is written to, and makes it where there is none. With the folder's lock held. */
function openForAppend(auxiliary: Directory): number {
  const found = openFile(auxiliary, auxiliaryNames.journal, appendFlags);
  if (found === undefined) return startSegment(auxiliary, nextHeader(auxiliary));
  return orClose(found, () => (fstatSync(found).nlink > 1 ? replaceByCopy(auxiliary, found) : found));
}

/** A backup by hard links has this file too, and must not grow with it. */
function replaceByCopy(auxiliary: Directory, shared: number): number {
  const copy = writeSegment(auxiliary, readAll(shared, fstatSync(shared).size));
  closeSync(shared);
  return copy;
}

/**
 * Appends records with one write, to be called with the folder's lock held. Not synced: a kill
 * cannot lose them, a power cut may lose those of the last seconds (docs/FORMAT.md).
 */
export function appendToJournal(auxiliary: Directory, records: readonly JournalRecord[]): void {
  const descriptor = openForAppend(auxiliary);
  try {
    const { size } = fstatSync(descriptor);
    let link = lastLink(descriptor, size);
    const lines = records.map((record) => {
      const line = toLinkedLine(record, link);
      link = linkOf(line) ?? link;
      return `${line}\n`;
    });
    // A line torn by a power cut is closed, so that it cannot swallow the next record.
    if (!endsWithNewline(descriptor, size)) lines.unshift("\n");
    const bytes = Buffer.from(lines.join(""));
    // One write(): Node's appendFile splits a large record into pieces.
    if (writeSync(descriptor, bytes) !== bytes.length) {
      ftruncateSync(descriptor, size);
      throw Object.assign(new Error("short write to the journal"), { code: "ENOSPC", errno: -28 });
    }
    const end = size + bytes.length;
    if (end > segmentBytes) closeSegment(auxiliary, readHeader(descriptor), { size: end, link });
  } finally {
    closeSync(descriptor);
  }
}

function endsWithNewline(descriptor: number, size: number): boolean {
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last[0] === newline;
}

/** Undefined where there is none, or where it was released. Without a number, the one that is written to. */
export function openForReading(auxiliary: Directory, segment?: number): number | undefined {
  const name = segment === undefined ? auxiliaryNames.journal : auxiliaryNames.journalSegment(segment);
  return openFile(auxiliary, name, readFlags);
}

/** The newest segment goes aside under its number, and the next one begins. */
export function closeSegment(
  auxiliary: Directory,
  { journal, segment }: SegmentHeader,
  end: { readonly size: number; readonly link: string },
): void {
  renameSync(auxiliary.at(auxiliaryNames.journal), auxiliary.at(auxiliaryNames.journalSegment(segment)));
  closeSync(startSegment(auxiliary, { journal, segment: segment + 1, previousEnd: end.size, link: end.link }));
}

/** The numbers of the closed segments, oldest first. */
export function closedSegments(auxiliary: Directory): number[] {
  return readdirSync(auxiliary.at("."))
    .flatMap((name) => /^journal-([0-9]+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

export function readHeader(descriptor: number): SegmentHeader {
  const head = Buffer.alloc(headerBytes);
  const length = readSync(descriptor, head, 0, head.length, 0);
  const parsed = parseJson(head.toString("utf8", 0, length).split("\n", 1)[0] ?? "");
  const { journal, segment, previousEnd, purge } = isObject(parsed) ? parsed : {};
  return {
    ...(purge === undefined ? {} : { purge }),
    journal: typeof journal === "string" ? journal : "",
    segment: Number.isSafeInteger(segment) ? Number(segment) : 1,
    previousEnd: Number.isSafeInteger(previousEnd) ? Number(previousEnd) : 0,
  };
}

/** After a kill between two segments the numbers go on; otherwise a new journal begins. */
function nextHeader(auxiliary: Directory): SegmentHeader {
  const last = closedSegments(auxiliary).at(-1);
  const descriptor = last === undefined ? undefined : openForReading(auxiliary, last);
  if (last === undefined || descriptor === undefined) {
    const journal = randomUUID();
    return { journal, segment: 1, previousEnd: 0, link: firstLink(journal) };
  }
  try {
    const { journal } = readHeader(descriptor);
    const { size } = fstatSync(descriptor);
    return { journal, segment: last + 1, previousEnd: size, link: lastLink(descriptor, size) };
  } finally {
    closeSync(descriptor);
  }
}

/** With a hash of all that it says: nothing else tells whether somebody changed it. The link comes last, as in any line. */
export function toHeaderLine({ journal, segment, previousEnd, link, purge }: SegmentHeader): string {
  const says = { recollect: "journal", format: formatVersion, journal, segment, previousEnd, purge };
  const check = revisionOf(Buffer.from(JSON.stringify({ ...says, link })));
  return JSON.stringify({ ...says, check, link });
}

function startSegment(auxiliary: Directory, header: SegmentHeader): number {
  return writeSegment(auxiliary, Buffer.from(`${toHeaderLine(header)}\n`));
}

function writeSegment(auxiliary: Directory, bytes: Buffer): number {
  const draft = auxiliary.at(auxiliaryNames.journalDraft);
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, appendFlags | constants.O_CREAT | constants.O_EXCL, 0o600);
  return orClose(descriptor, () => {
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    shareWithFolder(descriptor, auxiliary);
    // The header carries the number, which must outlive a power cut.
    fsyncSync(descriptor);
    renameSync(draft, auxiliary.at(auxiliaryNames.journal));
    return descriptor;
  });
}

function openFile(auxiliary: Directory, name: string, flags: number): number | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(auxiliary.at(name), flags);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw hasCode(error, "ELOOP", "EISDIR", "ENXIO") ? notOurJournal(name) : error;
  }
  return orClose(descriptor, () => {
    // A pipe would never answer. Asked by name: a link that is gone again by now would leave an outside file with one
    // name. One with several is read where it is a journal, and never written to.
    const named = lstatSync(auxiliary.at(name), { throwIfNoEntry: false });
    const isMeant = named?.isFile() === true && named.ino === fstatSync(descriptor).ino;
    if (isMeant && (named.nlink === 1 || isJournal(descriptor))) return descriptor;
    if (named) throw notOurJournal(name);
    // Deleted, released or renamed since it was opened.
    closeSync(descriptor);
    return undefined;
  });
}

const beginning = Buffer.from('{"recollect":"journal",');

function isJournal(descriptor: number): boolean {
  const bytes = Buffer.alloc(beginning.length);
  readSync(descriptor, bytes, 0, bytes.length, 0);
  return bytes.equals(beginning);
}

/** Closes the descriptor where what is done first with it fails, and nobody else knows of it yet. */
export function orClose<Result>(descriptor: number, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function notOurJournal(name: string): RecollectError {
  return new RecollectError(
    "NOT_ALLOWED",
    `“.recollect/${name}” is not a journal of ours. Move it out of “.recollect”, then try again.`,
  );
}

/** The line with its link at the end, without a line end. */
export function toLinkedLine(record: JournalRecord, previous: string): string {
  const { link: _, ...bare } = record;
  return withLink(JSON.stringify(bare), previous);
}

/** The link that the next line goes on from; "" where there is none yet: the chain begins then. */
export function lastLink(descriptor: number, size: number): string {
  for (let length = tailBytes; ; length *= 8) {
    const from = Math.max(0, size - length);
    const bytes = Buffer.alloc(size - from);
    const read = readSync(descriptor, bytes, 0, bytes.length, from);
    const link = lastLinkIn(bytes.subarray(0, read), from === 0);
    if (link !== undefined || from === 0) return link ?? "";
  }
}

/** From the end: lines that have none are passed over. The first line is whole only at the beginning of the file. */
function lastLinkIn(bytes: Buffer, isWhole: boolean): string | undefined {
  for (let end = bytes.lastIndexOf(newline); end > 0; ) {
    const start = bytes.lastIndexOf(newline, end - 1);
    if (start < 0 && !isWhole) return undefined;
    const link = linkOf(bytes.toString("utf8", start + 1, end));
    if (link !== undefined) return link;
    end = start;
  }
  return undefined;
}
