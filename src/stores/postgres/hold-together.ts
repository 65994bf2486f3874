import type { Transaction } from "./database.ts";
import { type Held, holdSpaces, type Place } from "./hold-spaces.ts";

/** The documents of several operations that follow each other in one transaction. */
export interface HeldTogether {
  /** As they are when it is this one's turn. */
  of(places: readonly Place[]): Promise<Held>;
  /** What this one changes, in the order of its changes. */
  changed(places: readonly Place[]): void;
}

/** One look at all of them, and another one only at what has been changed meanwhile. */
export async function holdTogether(transaction: Transaction, all: readonly Place[]): Promise<HeldTogether> {
  const different = new Map(all.map((place) => [`${place.space}\0${place.path}`, place]));
  const found = await holdSpaces(transaction, [...different.values()]);
  const last = new Map(found.last);
  const touched: Place[] = [];
  return {
    of: async (places) => {
      const isAsBefore = !places.some((one) => touched.some((other) => concernsEachOther(one, other)));
      return isAsBefore ? { ...found, last } : holdSpaces(transaction, places);
    },
    changed: (places) => {
      touched.push(...places);
      for (const { space } of places) last.set(space, (last.get(space) ?? 0n) + 1n);
    },
  };
}

/** The same place, or one below the other: no path is a document and a folder at once. */
function concernsEachOther(one: Place, other: Place): boolean {
  if (one.space !== other.space) return false;
  return `${one.path}/`.startsWith(`${other.path}/`) || `${other.path}/`.startsWith(`${one.path}/`);
}
