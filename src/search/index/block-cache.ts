/** Blocks of postings that were read lately, within so many bytes: the half that was used last stays. */
export interface BlockCache {
  read(segment: number, block: number): Uint8Array;
}

/** Beside the bytes themselves. */
const entryBytes = 150;
const blocksInSegment = 2 ** 20;

export function createBlockCache(
  maxBytes: number,
  readBlock: (segment: number, block: number) => Uint8Array,
): BlockCache {
  let young = new Map<number, Uint8Array>();
  let old = new Map<number, Uint8Array>();
  let youngBytes = 0;

  return {
    read(segment, block) {
      const key = segment * blocksInSegment + block;
      const known = young.get(key);
      if (known) return known;
      const bytes = old.get(key) ?? readBlock(segment, block);
      young.set(key, bytes);
      youngBytes += bytes.length + entryBytes;
      if (youngBytes >= maxBytes / 2) {
        old = young;
        young = new Map();
        youngBytes = 0;
      }
      return bytes;
    },
  };
}
