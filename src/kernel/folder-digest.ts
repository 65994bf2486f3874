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
/** Of the document that was last hashed: high, low. Ten thousand objects would be as much work as their hashes. */
const part = new Uint32Array(2);

/**
 * One number for the documents of a folder and their stamps, whatever their order. A stamp of 0 asks to be looked at
 * again, so a folder with one has the digest NaN, which equals nothing.
 */
export function digestOf(documents: Iterable<Stamped>): number {
  let high = 0;
  let low = 0;
  for (const { path, stamp } of documents) {
    if (stamp === 0) return Number.NaN;
    hash(path, stamp);
    high = (high + (part[0] as number)) >>> 0;
    low = (low + (part[1] as number)) >>> 0;
  }
  return digestFrom({ high, low });
}

export function digestFrom(sums: DigestSums): number {
  return sums.high * 2 ** 21 + (sums.low >>> 11);
}

export function digestPart({ path, stamp }: Stamped): DigestSums {
  hash(path, stamp);
  return { high: part[0] as number, low: part[1] as number };
}

/**
 * Two multiplicative hashes that are mixed at the end, so that the sum of many stays evenly spread. A fresh process does
 * this for every document before its first answer, when a loop over characters would be interpreted.
 */
function hash(path: string, stamp: number): void {
  const name = crc32(path);
  let high = Math.imul(0x9e3779b9 ^ name, 2654435761);
  let low = Math.imul(0x85ebca6b ^ name, 1597334677);
  stampBits[0] = stamp;
  const first = stampWords[0] as number;
  const second = stampWords[1] as number;
  high = Math.imul(Math.imul(high ^ first, 2654435761) ^ second, 2246822507);
  low = Math.imul(Math.imul(low ^ second, 1597334677) ^ first, 3266489909);
  part[0] = mix(high ^ (low >>> 13));
  part[1] = mix(low ^ (high >>> 16));
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 2246822507);
  const twice = Math.imul(once ^ (once >>> 13), 3266489909);
  return (twice ^ (twice >>> 16)) >>> 0;
}
