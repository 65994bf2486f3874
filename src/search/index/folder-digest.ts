import { crc32 } from "node:zlib";

/** What a digest is made of. */
export interface Stamped {
  readonly path: string;
  readonly stamp: number;
}

/** Two sums of 32 bits: adding and taking away in any order gives the same. */
export interface DigestSums {
  readonly high: number;
  readonly low: number;
}

const stampBits = new Float64Array(1);
const stampWords = new Uint32Array(stampBits.buffer);

/**
 * One number for the documents of a folder and their stamps, whatever their order. A stamp of 0 asks to be looked at
 * again, so a folder with one has the digest NaN, which equals nothing.
 */
export function digestOf(documents: Iterable<Stamped>): number {
  let high = 0;
  let low = 0;
  for (const document of documents) {
    if (document.stamp === 0) return Number.NaN;
    const part = digestPart(document);
    high = (high + part.high) >>> 0;
    low = (low + part.low) >>> 0;
  }
  return digestFrom({ high, low });
}

export function digestFrom(sums: DigestSums): number {
  return sums.high * 2 ** 21 + (sums.low >>> 11);
}

/**
 * Two multiplicative hashes that are mixed at the end, so that the sum of many stays evenly spread. A fresh process does
 * this for every document before its first answer, when a loop over characters would be interpreted.
 */
export function digestPart({ path, stamp }: Stamped): DigestSums {
  const name = crc32(path);
  let high = Math.imul(0x9e3779b9 ^ name, 2654435761);
  let low = Math.imul(0x85ebca6b ^ name, 1597334677);
  stampBits[0] = stamp;
  const first = stampWords[0] as number;
  const second = stampWords[1] as number;
  high = Math.imul(Math.imul(high ^ first, 2654435761) ^ second, 2246822507);
  low = Math.imul(Math.imul(low ^ second, 1597334677) ^ first, 3266489909);
  return { high: mix(high ^ (low >>> 13)), low: mix(low ^ (high >>> 16)) };
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 2246822507);
  const twice = Math.imul(once ^ (once >>> 13), 3266489909);
  return (twice ^ (twice >>> 16)) >>> 0;
}
