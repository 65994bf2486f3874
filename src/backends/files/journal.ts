import { closeSync, fstatSync, readSync, rmSync } from "node:fs";
import { isObject } from "../../kernel/json.ts";
import { revisionOf } from "../../kernel/revision.ts";
import { auxiliaryNames } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { type JournalRecord, parseRecord } from "./journal-record.ts";
import {
  closedSegments,
  closeSegment,
  lastLink,
  openForReading,
  orClose,
  readHeader,
  type SegmentHeader,
} from "./journal-segment.ts";

/** A place in the journal of a folder. */
export interface JournalPosition {
  readonly journal: string;
  readonly segment: number;
  readonly offset: number;
  /** A hash of the bytes just before: a journal that a power cut shortened is not the one that was read. */
  readonly mark: string;
}

/** Positions come back from a history, which may have come with a clone. */
export function isPosition(value: unknown): value is JournalPosition {
  if (!isObject(value) || typeof value["journal"] !== "string" || typeof value["mark"] !== "string") return false;
  return [value["segment"], value["offset"]].every((one) => Number.isSafeInteger(one) && Number(one) >= 0);
}

export interface JournalSlice {
  readonly records: readonly JournalRecord[];
  /** The same as they are written, without their line ends. */
  readonly lines: readonly string[];
  /** Where to go on. */
  readonly end: JournalPosition;
  /** Records between the position asked for and these were released or lost. */
  readonly gap: boolean;
}

/** So much of a journal stays after history has it, since it tells what changed last. */
export const stayingBytes = 256 * 1024;
const newline = 0x0a;

/** Whole records after a position, or from the beginning, at most `limit` of them; takes no lock. */
export function readJournal(
  auxiliary: Directory,
  after: JournalPosition | undefined,
  limit: number,
): JournalSlice | undefined {
  const segments = openSegments(auxiliary);
  try {
    const [oldest] = segments;
    if (!oldest) return undefined;
    const { gap, from } = resume(after, segments);
    const records: JournalRecord[] = [];
    const lines: string[] = [];
    let end = from;
    for (const { header, descriptor } of segments.filter((one) => one.header.segment >= from.segment)) {
      const start = header.segment === from.segment ? from.offset : 0;
      const taken = readRecords(descriptor, start, limit - records.length, { records, lines });
      const offset = start + taken.length;
      end = { journal: header.journal, segment: header.segment, offset, mark: markAt(descriptor, offset) };
      if (taken.more) break;
    }
    return { records, lines, end, gap };
  } finally {
    for (const { descriptor } of segments) closeSync(descriptor);
  }
}

/** Whether the records of a multi-document commit were written already; asked by recovery alone. */
export function journalHasBatch(auxiliary: Directory, batch: string): boolean {
  return recordsFrom(auxiliary, batch).length > 0;
}

/** The records of a multi-document commit and all that came after them; none where it has none. */
export function recordsFrom(auxiliary: Directory, batch: string): readonly JournalRecord[] {
  const records = readJournal(auxiliary, undefined, Number.POSITIVE_INFINITY)?.records ?? [];
  const first = records.findIndex((record) => record.batch === batch);
  return first < 0 ? [] : records.slice(first);
}

/** Drops what lies before a position of this journal, with the lock held. Numbers go on. */
export function dropJournal(auxiliary: Directory, upTo: JournalPosition): void {
  const newest = openForReading(auxiliary);
  if (newest === undefined) return;
  try {
    const header = readHeader(newest);
    const { size } = fstatSync(newest);
    const finished = upTo.segment === header.segment && upTo.offset >= size && size > stayingBytes;
    if (finished) closeSegment(auxiliary, header, { size, link: lastLink(newest, size) });
    for (const segment of closedSegments(auxiliary)) {
      const done = segment < upTo.segment || (finished && segment === upTo.segment);
      if (done) rmSync(auxiliary.at(auxiliaryNames.journalSegment(segment)), { force: true });
    }
  } finally {
    closeSync(newest);
  }
}

/** What is written to stays: its last lines tell what changed last. */
export function dropClosedSegments(auxiliary: Directory): void {
  for (const segment of closedSegments(auxiliary)) {
    rmSync(auxiliary.at(auxiliaryNames.journalSegment(segment)), { force: true });
  }
}

interface OpenSegment {
  readonly header: SegmentHeader;
  readonly descriptor: number;
}

/** All segments, oldest first. The newest is opened first, so that none can slip away behind it. */
function openSegments(auxiliary: Directory): OpenSegment[] {
  const opened: OpenSegment[] = [];
  const add = (descriptor: number | undefined) => {
    if (descriptor === undefined) return;
    opened.push({ header: orClose(descriptor, () => readHeader(descriptor)), descriptor });
  };
  try {
    add(openForReading(auxiliary));
    const newest = opened[0]?.header.segment ?? Number.POSITIVE_INFINITY;
    for (const segment of closedSegments(auxiliary)) if (segment < newest) add(openForReading(auxiliary, segment));
  } catch (error) {
    for (const { descriptor } of opened) closeSync(descriptor);
    throw error;
  }
  return opened.sort((a, b) => a.header.segment - b.header.segment);
}

/** Where to go on for somebody who stood at `after`. */
function resume(
  after: JournalPosition | undefined,
  segments: readonly OpenSegment[],
): { gap: boolean; from: JournalPosition } {
  const oldest = (segments[0] as OpenSegment).header;
  const beginning = { journal: oldest.journal, segment: oldest.segment, offset: 0, mark: "" };
  if (!after) return { gap: false, from: beginning };
  if (after.journal !== oldest.journal) return { gap: true, from: beginning };
  const same = segments.find(({ header }) => header.segment === after.segment);
  if (same && markAt(same.descriptor, after.offset) === after.mark) return { gap: false, from: after };
  if (same) return { gap: true, from: { ...after, offset: 0, mark: "" } };
  const wasAtEnd = after.segment === oldest.segment - 1 && after.offset >= oldest.previousEnd;
  return { gap: !wasAtEnd, from: beginning };
}

function markAt(descriptor: number, offset: number): string {
  const length = Math.min(offset, 256);
  const bytes = Buffer.alloc(length);
  const read = readSync(descriptor, bytes, 0, length, offset - length);
  return read === length ? revisionOf(bytes) : "";
}

function readRecords(
  descriptor: number,
  start: number,
  limit: number,
  into: { readonly records: JournalRecord[]; readonly lines: string[] },
): { length: number; more: boolean } {
  const bytes = readFrom(descriptor, start);
  let [length, count] = [0, 0];
  for (let stop = bytes.indexOf(newline); stop >= 0; stop = bytes.indexOf(newline, length)) {
    if (count === limit) return { length, more: true };
    const line = bytes.toString("utf8", length, stop);
    const record = parseRecord(line);
    if (record) {
      into.records.push(record);
      into.lines.push(line);
      count += 1;
    }
    length = stop + 1;
  }
  return { length, more: false };
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
