/** Words that a typing error may have been meant for: letters alone, since a number that is one off is another number. */
const word = /^\p{L}{3,31}$/u;
const longest = 31;

export function isCorrectable(term: string): boolean {
  if (term.length < 3 || term.length > longest) return false;
  for (let index = 0; index < term.length; index++) {
    const unit = term.charCodeAt(index);
    if (unit > 127) return word.test(term);
    if ((unit | 32) < 97 || (unit | 32) > 122) return false;
  }
  return true;
}

/** The words of a chunk of one length, each beside the next, as bytes where all are Latin-1, else as 16-bit codes. */
export interface WordGroup {
  readonly length: number;
  /** Which letters each word holds, as bits: most words are ruled out by them alone. */
  readonly letters: Uint32Array;
  readonly codes: Uint8Array | Uint16Array;
}

export function packWords(terms: Iterable<string>): Uint8Array {
  const groups = new Map<number, string[]>();
  for (const term of terms) {
    if (!isCorrectable(term)) continue;
    const key = term.length * 2 + (isWide(term) ? 1 : 0);
    const group = groups.get(key);
    if (group) group.push(term);
    else groups.set(key, [term]);
  }
  const parts = [...groups].sort(([left], [right]) => left - right).map(([key, words]) => packGroup(key, words));
  return Buffer.concat(parts);
}

/** The key and the count, both 32 bits wide, the letters, then the words, then zeros up to the next 32 bits. */
function packGroup(key: number, words: readonly string[]): Uint8Array {
  const text = Buffer.from(words.join(""), key % 2 === 1 ? "utf16le" : "latin1");
  const head = new Uint8Array(Uint32Array.of(key, words.length).buffer);
  const letters = new Uint32Array(words.length);
  for (let index = 0; index < words.length; index++) letters[index] = lettersOf(words[index] as string);
  return Buffer.concat([head, new Uint8Array(letters.buffer), text, new Uint8Array(-text.length & 3)]);
}

/** One bit for each letter from a to z; other characters share them. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index++) letters |= 1 << (word.charCodeAt(index) & 31);
  return letters >>> 0;
}

export function readWords(piece: Uint8Array): readonly WordGroup[] {
  const bytes = piece.byteOffset % 4 === 0 ? piece : piece.slice();
  const groups: WordGroup[] = [];
  for (let position = 0; position < bytes.length; ) {
    const [key = 0, count = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset + position, 2);
    const length = key >> 1;
    const letters = new Uint32Array(bytes.buffer, bytes.byteOffset + position + 8, count);
    const start = letters.byteOffset + letters.byteLength;
    const isWideGroup = key % 2 === 1;
    const codes = isWideGroup
      ? new Uint16Array(bytes.buffer, start, length * count)
      : new Uint8Array(bytes.buffer, start, length * count);
    groups.push({ length, letters, codes });
    position += 8 + letters.byteLength + codes.byteLength + (-codes.byteLength & 3);
  }
  return groups;
}

function isWide(term: string): boolean {
  for (let index = 0; index < term.length; index++) {
    if (term.charCodeAt(index) > 255) return true;
  }
  return false;
}
