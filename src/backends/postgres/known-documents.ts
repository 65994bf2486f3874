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
export const largestKnownBytes = 256 * 1024;
/** Who writes where it was forgotten guesses in vain, and looks. */
const mostDoubts = 10_000;

/** So much of the room is for those that were seen again: the rest keeps new ones for long enough that they can be. */
const shareOfAgain = 3 / 4;

/**
 * Whoever writes many new documents, or reads all of them, sees each once: those go first, and push out none of those that
 * are written again and again.
 */
export function createKnownDocuments(mostBytes = 16 * 1024 * 1024): KnownDocuments {
  const [once, again] = [createShelf(), createShelf()];
  const doubts = new Map<string, bigint>();

  function makeRoom(): void {
    while (again.bytes() > mostBytes * shareOfAgain) again.passOldest(once.put);
    while (once.bytes() + again.bytes() > mostBytes) once.passOldest(() => {});
  }

  return {
    get: (key) => once.get(key) ?? again.get(key),
    doubts: (space) => doubts.get(space) ?? 0n,
    setDoubts: (space, number) => {
      doubts.delete(space);
      if (number === 0n) return;
      doubts.set(space, number);
      const [oldest = space] = doubts.keys();
      if (doubts.size > mostDoubts) doubts.delete(oldest);
    },
    set: (key, kept) => {
      const wasKnown = once.remove(key) || again.remove(key);
      if (!kept || kept.bytes.length > largestKnownBytes) return;
      (wasKnown ? again : once).put(key, kept);
      makeRoom();
    },
  };
}

/** Documents in the order in which they came, and how much room they take. */
function createShelf() {
  const documents = new Map<string, Kept>();
  let bytes = 0;

  function remove(key: string): boolean {
    const kept = documents.get(key);
    if (kept) bytes -= sizeOf(key, kept);
    return documents.delete(key);
  }

  return {
    bytes: () => bytes,
    get: (key: string) => documents.get(key),
    remove,
    put: (key: string, kept: Kept) => {
      documents.set(key, kept);
      bytes += sizeOf(key, kept);
    },
    passOldest: (to: (key: string, kept: Kept) => void) => {
      const [oldest] = documents;
      if (!oldest) return;
      remove(oldest[0]);
      to(...oldest);
    },
  };
}

function sizeOf(key: string, { bytes }: Kept): number {
  return key.length + bytes.length + 200;
}
