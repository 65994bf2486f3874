import type { Kept } from "./kept-document.ts";

/** What documents were when this process last saw them: a guess, for who makes sure of it. */
export interface KnownDocuments {
  get(key: string): Kept | undefined;
  /** Undefined where there is none any more. */
  set(key: string, kept: Kept | undefined): void;
  /** How often somebody had to find out what became of a write in a space: mostly never. */
  doubts(space: string): bigint;
  setDoubts(space: string, doubts: bigint): void;
}

/** Larger ones are read again: a few of them would push out all others. */
const largestBytes = 256 * 1024;
/** Who writes where it was forgotten guesses in vain, and looks. */
const mostDoubts = 10_000;

export function createKnownDocuments(mostBytes = 16 * 1024 * 1024): KnownDocuments {
  const known = new Map<string, Kept>();
  const doubts = new Map<string, bigint>();
  let bytes = 0;

  function forget(key: string): void {
    const kept = known.get(key);
    if (!kept) return;
    known.delete(key);
    bytes -= sizeOf(key, kept);
  }

  return {
    get: (key) => known.get(key),
    doubts: (space) => doubts.get(space) ?? 0n,
    setDoubts: (space, number) => {
      doubts.delete(space);
      if (number === 0n) return;
      doubts.set(space, number);
      const [oldest = space] = doubts.keys();
      if (doubts.size > mostDoubts) doubts.delete(oldest);
    },
    set: (key, kept) => {
      forget(key);
      if (!kept || kept.bytes.length > largestBytes) return;
      known.set(key, kept);
      bytes += sizeOf(key, kept);
      for (const oldest of known.keys()) {
        if (bytes <= mostBytes) break;
        forget(oldest);
      }
    },
  };
}

function sizeOf(key: string, { bytes }: Kept): number {
  return key.length + bytes.length + 200;
}
