import {
  type ByteWriter,
  createByteWriter,
  readNumber,
  reserve,
  writeNumber,
  writeWritten,
  writtenBytes,
} from "./byte-writer.ts";
import { type PostingList, readPostings, writePostings } from "./posting-list.ts";

/** A block with its row fits into one page of the database. */
const blockBytes = 4000;
const encoder = new TextEncoder();

/** Packs terms with their postings into blocks, in the order of the terms. */
export interface TermPacker {
  /** Terms come in ascending order, postings as packed numbers. */
  add(term: string, packed: Uint32Array, from: number, to: number): void;
  /** The blocks so far, and the first term of each. */
  finish(): { readonly blocks: readonly Uint8Array[]; readonly firsts: Uint8Array };
}

export function createTermPacker(): TermPacker {
  const block = createByteWriter();
  const list = createByteWriter();
  const name = createByteWriter();
  const firsts = createByteWriter();
  const blocks: Uint8Array[] = [];

  function closeBlock(): void {
    if (block.length > 0) blocks.push(writtenBytes(block));
    block.length = 0;
  }

  return {
    add(term, packed, from, to) {
      list.length = 0;
      writePostings(list, packed, from, to);
      encodeTerm(name, term);
      if (block.length > 0 && block.length + name.length + list.length + 10 > blockBytes) closeBlock();
      if (block.length === 0) writeText(firsts, name);
      writeText(block, name);
      writeText(block, list);
    },
    finish() {
      closeBlock();
      return { blocks, firsts: writtenBytes(firsts) };
    },
  };
}

/** Most terms are plain letters, for which the encoder's call costs more than its work. */
function encodeTerm(name: ByteWriter, term: string): void {
  name.length = 0;
  reserve(name, 3 * term.length);
  const { bytes } = name;
  for (let index = 0; index < term.length; index++) {
    const code = term.charCodeAt(index);
    if (code > 127) {
      name.length = encoder.encodeInto(term, bytes).written;
      return;
    }
    bytes[index] = code;
  }
  name.length = term.length;
}

function writeText(writer: ByteWriter, text: ByteWriter): void {
  writeNumber(writer, text.length);
  writeWritten(writer, text);
}

export function readFirsts(bytes: Uint8Array): string[] {
  const text = toBuffer(bytes);
  const cursor = { bytes, position: 0 };
  const firsts: string[] = [];
  while (cursor.position < bytes.length) {
    const length = readNumber(cursor);
    firsts.push(text.toString("utf8", cursor.position, cursor.position + length));
    cursor.position += length;
  }
  return firsts;
}

/** The only block that may hold the term; −1 where none does. */
export function blockOf(firsts: readonly string[], term: string): number {
  let low = -1;
  let high = firsts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((firsts[middle] as string) <= term) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A block, and where each of its terms begins. */
export interface TermBlock {
  readonly bytes: Uint8Array;
  readonly entries: Uint32Array;
}

export function readBlock(bytes: Uint8Array): TermBlock {
  const entries: number[] = [];
  const cursor = { bytes, position: 0 };
  while (cursor.position < bytes.length) {
    entries.push(cursor.position);
    const termLength = readNumber(cursor);
    cursor.position += termLength;
    const postingsLength = readNumber(cursor);
    cursor.position += postingsLength;
  }
  return { bytes, entries: Uint32Array.from(entries) };
}

export function findPostings({ bytes, entries }: TermBlock, term: Uint8Array): PostingList | undefined {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const cursor = { bytes, position: entries[middle] as number };
    const length = readNumber(cursor);
    const order = compareAt(bytes, cursor.position, length, term);
    if (order === 0) {
      cursor.position += length;
      const size = readNumber(cursor);
      return readPostings(bytes, cursor.position, cursor.position + size);
    }
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

export function* termsOfBlock(block: Uint8Array): Generator<{ readonly term: string; readonly list: PostingList }> {
  const text = toBuffer(block);
  const cursor = { bytes: block, position: 0 };
  while (cursor.position < block.length) {
    const length = readNumber(cursor);
    const term = text.toString("utf8", cursor.position, cursor.position + length);
    cursor.position += length;
    const size = readNumber(cursor);
    const list = readPostings(block, cursor.position, cursor.position + size);
    cursor.position += size;
    yield { term, list };
  }
}

/** Less than 0 where the term there comes before the wanted one, in the order that strings have. */
function compareAt(bytes: Uint8Array, position: number, length: number, wanted: Uint8Array): number {
  const shared = Math.min(length, wanted.length);
  for (let index = 0; index < shared; index++) {
    const [one, other] = [bytes[position + index] as number, wanted[index] as number];
    if (one !== other) return rankOf(one) - rankOf(other);
  }
  return length - wanted.length;
}

/** Strings compare halves of character pairs, which come before the last characters that are no pairs. */
function rankOf(byte: number): number {
  if (byte >= 0xf0) return byte - 2;
  return byte >= 0xee ? byte + 5 : byte;
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
