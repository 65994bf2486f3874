import { type ByteWriter, createByteWriter, readNumber, reserve, writeNumber, writeWritten } from "./byte-writer.ts";
import { type PostingList, readPostings, writePostings } from "./posting-list.ts";

/** The terms of a chunk are divided by a hash, so that a query reads one piece of it, and knows that it must be there. */
export const bucketCount = 256;
const encoder = new TextEncoder();

/** FNV-1a, folded into a byte. */
export function bucketOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index++) hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 8) ^ (hash >>> 16) ^ (hash >>> 24)) & (bucketCount - 1);
}

/** Packs the postings of terms into buckets. */
export interface BucketPacker {
  /** Each term once; postings as packed numbers. */
  add(term: string, packed: Uint32Array, from: number, to: number): void;
  /** All buckets by their numbers. */
  finish(): readonly Uint8Array[];
}

export function createBucketPacker(): BucketPacker {
  const buckets = Array.from({ length: bucketCount }, () => createByteWriter(512));
  const list = createByteWriter();
  const name = createByteWriter();
  return {
    add(term, packed, from, to) {
      list.length = 0;
      writePostings(list, packed, from, to);
      encodeTerm(name, term);
      const bucket = buckets[bucketOf(term)] as ByteWriter;
      writeText(bucket, name);
      writeText(bucket, list);
    },
    finish: () => buckets.map(({ bytes, length }) => bytes.subarray(0, length)),
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

/** The postings of a term, by its bytes. */
export function findPostings(bucket: Uint8Array, term: Uint8Array): PostingList | undefined {
  const cursor = { bytes: bucket, position: 0 };
  while (cursor.position < bucket.length) {
    const length = readNumber(cursor);
    const isIt = length === term.length && isAt(bucket, cursor.position, term);
    cursor.position += length;
    const size = readNumber(cursor);
    // A copy: a short list would keep its whole bucket.
    if (isIt) return readPostings(bucket.slice(cursor.position, cursor.position + size), 0, size);
    cursor.position += size;
  }
  return undefined;
}

function isAt(bytes: Uint8Array, position: number, wanted: Uint8Array): boolean {
  for (let index = 0; index < wanted.length; index++) if (bytes[position + index] !== wanted[index]) return false;
  return true;
}

export function* termsOfBucket(bucket: Uint8Array): Generator<{ readonly term: string; readonly list: PostingList }> {
  const text = Buffer.from(bucket.buffer, bucket.byteOffset, bucket.byteLength);
  const cursor = { bytes: bucket, position: 0 };
  while (cursor.position < bucket.length) {
    const length = readNumber(cursor);
    const term = text.toString("utf8", cursor.position, cursor.position + length);
    cursor.position += length;
    const size = readNumber(cursor);
    const list = readPostings(bucket, cursor.position, cursor.position + size);
    cursor.position += size;
    yield { term, list };
  }
}
