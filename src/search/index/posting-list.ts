import { type ByteWriter, reserve, writeNumber } from "./byte-writer.ts";

/** How many postings lie between two entries of the skip table. */
const stride = 128;

/** The units of a chunk that hold a term, ascending, each with the term's impact (1 to 255). */
export interface PostingList {
  readonly bytes: Uint8Array;
  /** How many postings, those of dead units too. */
  readonly count: number;
  readonly skips: number;
  readonly start: number;
  readonly end: number;
}

/** A posting as one number, so that sorting numbers sorts by unit. */
export const maxUnits = 2 ** 24;
export function packPosting(unit: number, impact: number): number {
  return ((unit << 8) | impact) >>> 0;
}

/**
 * The count, a skip table where the list is long (the unit before each stride, and where the stride begins), then for
 * each posting the distance to the unit before it and the impact.
 */
export function writePostings(writer: ByteWriter, packed: Uint32Array, from: number, to: number): void {
  const count = to - from;
  writeNumber(writer, count);
  const skipBytes = skipBytesOf(count);
  reserve(writer, skipBytes + count * 6);
  const { bytes } = writer;
  const skips = writer.length;
  const start = skips + skipBytes;
  let position = start;
  let before = -1;
  for (let index = 0; index < count; index++) {
    if (index > 0 && index % stride === 0) {
      const skip = skips + (index / stride - 1) * 8;
      writeWord(bytes, skip, before + 1);
      writeWord(bytes, skip + 4, position - start);
    }
    const posting = packed[from + index] as number;
    const unit = posting >>> 8;
    let delta = unit - before;
    before = unit;
    while (delta > 127) {
      bytes[position++] = (delta & 127) | 128;
      delta >>>= 7;
    }
    bytes[position++] = delta;
    bytes[position++] = posting & 255;
  }
  writer.length = position;
}

/** The list that lies between two positions of a block. */
export function readPostings(bytes: Uint8Array, from: number, end: number): PostingList {
  let position = from;
  let byte = bytes[position++] ?? 0;
  let count = byte & 127;
  for (let shift = 7; byte > 127; shift += 7) {
    byte = bytes[position++] ?? 0;
    count |= (byte & 127) << shift;
  }
  return { bytes, count, skips: position, start: position + skipBytesOf(count), end };
}

/** Adds factor × impact to each unit of the list, all whole numbers. */
export function accumulate(list: PostingList, factor: number, sums: Int32Array): void {
  const { bytes, end } = list;
  let unit = -1;
  for (let position = list.start; position < end; ) {
    let byte = bytes[position++] as number;
    if (byte < 128) unit += byte;
    else {
      unit += byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[position++] as number;
        unit += (byte & 127) << shift;
      }
    }
    sums[unit] = (sums[unit] as number) + Math.imul(factor, bytes[position++] as number);
  }
}

/** Copies the units of the list; answers how many there are. */
export function copyUnits(list: PostingList, units: Uint32Array): number {
  const { bytes, end } = list;
  let unit = -1;
  let count = 0;
  for (let position = list.start; position < end; position++) {
    let byte = bytes[position++] as number;
    unit += byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[position++] as number;
      unit += (byte & 127) << shift;
    }
    units[count++] = unit;
  }
  return count;
}

/** Copies the list as packed postings with new unit numbers, without those whose number is −1; answers the new end. */
export function copyRenumbered(list: PostingList, renumber: Int32Array, packed: Uint32Array, at: number): number {
  const { bytes, end } = list;
  let unit = -1;
  let index = at;
  for (let position = list.start; position < end; ) {
    let byte = bytes[position++] as number;
    unit += byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[position++] as number;
      unit += (byte & 127) << shift;
    }
    const impact = bytes[position++] as number;
    const renumbered = renumber[unit] as number;
    if (renumbered >= 0) packed[index++] = ((renumbered << 8) | impact) >>> 0;
  }
  return index;
}

/** The term's impact in the unit; 0 where the unit does not hold it. */
export function impactIn(list: PostingList, wanted: number): number {
  const { bytes, end } = list;
  const skip = strideOf(list, wanted);
  let unit = skip < 0 ? -1 : readWord(bytes, list.skips + skip * 8) - 1;
  let position = list.start + (skip < 0 ? 0 : readWord(bytes, list.skips + skip * 8 + 4));
  while (position < end && unit < wanted) {
    let byte = bytes[position++] as number;
    unit += byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[position++] as number;
      unit += (byte & 127) << shift;
    }
    position++;
  }
  return unit === wanted ? (bytes[position - 1] as number) : 0;
}

/** The last entry of the skip table that lies before the unit; −1 for the beginning of the list. */
function strideOf(list: PostingList, wanted: number): number {
  let low = -1;
  let high = skipBytesOf(list.count) / 8 - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (readWord(list.bytes, list.skips + middle * 8) - 1 < wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

function skipBytesOf(count: number): number {
  return count > stride ? (Math.ceil(count / stride) - 1) * 8 : 0;
}

function writeWord(bytes: Uint8Array, position: number, value: number): void {
  bytes[position] = value & 255;
  bytes[position + 1] = (value >>> 8) & 255;
  bytes[position + 2] = (value >>> 16) & 255;
  bytes[position + 3] = value >>> 24;
}

function readWord(bytes: Uint8Array, position: number): number {
  return (
    ((bytes[position] as number) |
      ((bytes[position + 1] as number) << 8) |
      ((bytes[position + 2] as number) << 16) |
      ((bytes[position + 3] as number) << 24)) >>>
    0
  );
}
