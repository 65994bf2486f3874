const newline = 10;
const offset = 0x811c9dc5;
const prime = 0x01000193;
const continuation = [...Buffer.from("##")].reduce(hashByte, offset);

/** Tokens by number, found in the bytes of their file: no string is made of any of them. */
export interface Vocabulary {
  readonly size: number;
  /** The number of a token, or -1. */
  find(token: string): number;
  /** The pieces of a word, each the longest that fits (“##” marks those after the first); undefined where none does. */
  pieces(word: string): number[] | undefined;
  isContinuation(row: number): boolean;
}

/**
 * A table of hashes over one token a line. A Map of 38,000 strings takes 13 ms and 3 MB in a fresh process, this
 * 4 ms and 0.4 MB.
 */
export function readVocabulary(file: Uint8Array): Vocabulary {
  const { size, starts, hashes, longest } = readLines(file);
  const mask = 2 ** Math.ceil(Math.log2(size * 2 + 2)) - 1;
  const slots = fillSlots(hashes, size, mask);

  function endOf(row: number): number {
    return (starts[row + 1] as number) - 1;
  }

  /** The row of `##` (where marked) and the bytes from `from` to `to`. */
  function lookUp(hash: number, bytes: Uint8Array, from: number, to: number, marked: boolean): number {
    for (let slot = spread(hash) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const row = (slots[slot] as number) - 1;
      if (isRow(row, bytes, from, to, marked)) return row;
    }
    return -1;
  }

  function isRow(row: number, bytes: Uint8Array, from: number, to: number, marked: boolean): boolean {
    let start = starts[row] as number;
    if (endOf(row) - start !== to - from + (marked ? 2 : 0)) return false;
    if (marked) {
      if (!isContinuation(row)) return false;
      start += 2;
    }
    for (let at = from; at < to; at++) if (file[start + at - from] !== bytes[at]) return false;
    return true;
  }

  function isContinuation(row: number): boolean {
    const start = starts[row] as number;
    return endOf(row) - start > 2 && file[start] === 0x23 && file[start + 1] === 0x23;
  }

  const prefixes = new Uint32Array(longest + 1);

  function find(token: string): number {
    const bytes = Buffer.from(token);
    return lookUp(bytes.reduce(hashByte, offset), bytes, 0, bytes.length, false);
  }

  /** The longest piece at `from`: its row and where it ends. Bytes of one character are never parted, as no token parts them. */
  function longestAt(bytes: Uint8Array, from: number): { row: number; end: number } | undefined {
    const marked = from > 0;
    const most = Math.min(bytes.length - from, longest);
    prefixes[0] = marked ? continuation : offset;
    for (let length = 1; length <= most; length++) {
      prefixes[length] = hashByte(prefixes[length - 1] as number, bytes[from + length - 1] as number);
    }
    for (let length = most; length > 0; length--) {
      const row = lookUp(prefixes[length] as number, bytes, from, from + length, marked);
      if (row >= 0) return { row, end: from + length };
    }
    return undefined;
  }

  function pieces(word: string): number[] | undefined {
    const bytes = Buffer.from(word);
    const rows: number[] = [];
    for (let from = 0; from < bytes.length; ) {
      const piece = longestAt(bytes, from);
      if (piece === undefined) return undefined;
      rows.push(piece.row);
      from = piece.end;
    }
    return rows;
  }

  return { size, find, pieces, isContinuation };
}

interface Lines {
  readonly size: number;
  /** Where each line begins, and one past the last as if that too ended with a line feed. */
  readonly starts: Uint32Array;
  readonly hashes: Uint32Array;
  /** In bytes. */
  readonly longest: number;
}

/** One pass in one loop: this is what a fresh process waits for. */
function readLines(file: Uint8Array): Lines {
  const length = file[file.length - 1] === newline ? file.length - 1 : file.length;
  const starts = new Uint32Array(length + 2);
  const hashes = new Uint32Array(length + 1);
  let [size, start, longest, hash] = [0, 0, 0, offset];
  for (let at = 0; at <= length; at++) {
    const byte = at < length ? (file[at] as number) : newline;
    if (byte !== newline) {
      hash = Math.imul(hash ^ byte, prime);
      continue;
    }
    hashes[size++] = hash;
    if (at - start > longest) longest = at - start;
    start = at + 1;
    starts[size] = start;
    hash = offset;
  }
  return { size, starts: starts.slice(0, size + 1), hashes, longest };
}

function fillSlots(hashes: Uint32Array, size: number, mask: number): Uint32Array {
  const slots = new Uint32Array(mask + 1);
  for (let row = 0; row < size; row++) {
    let slot = spread(hashes[row] as number) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = row + 1;
  }
  return slots;
}

function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, prime);
}

function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}
