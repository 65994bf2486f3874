import { type ComparedSection, createCloseness, type QueryTermWeight } from "./meaning/closeness.ts";
import { isUnavailable, type Unavailable } from "./meaning/embedder.ts";
import type { StaticTable } from "./meaning/static-table.ts";

/** The meaning of a query: its vector, and how much of it nobody knows. */
export interface QueryMeaning {
  readonly vector: Float32Array;
  readonly unknownShare: number;
}

/** One vector for each unit of a document, in order; "later" where they are still to be computed, "none" where there never will be any. */
type UnitMeanings = readonly Float32Array[] | "later" | "none";

/** What texts mean, as vectors. */
export interface Meaning {
  /** Another one where vectors of the two cannot be compared; "" where there are none. */
  readonly name: string;
  /** What every answer says, where this is not the one that was asked for. */
  readonly warning?: string;
  /** Undefined where meaning is switched off. */
  ofQuery(words: string): Promise<QueryMeaning | Unavailable | undefined>;
  ofUnits(texts: readonly string[]): UnitMeanings;
  /** How near sections are to a query, word by word; undefined without a table of words, or for a language that it lacks. */
  closeness?(query: string, terms: readonly QueryTermWeight[]): ((section: ComparedSection) => number) | undefined;
  /** Computes what `ofUnits` put off. */
  compute(texts: readonly string[], signal: AbortSignal): Promise<undefined | Unavailable>;
  close(): Promise<void>;
}

export const noMeaning: Meaning = {
  name: "",
  ofQuery: async () => undefined,
  ofUnits: () => "none",
  compute: async () => undefined,
  close: async () => undefined,
};

/** By the table that comes with the package; where that is missing, search says so and goes by words. */
export function createTableMeaning(table: StaticTable | Unavailable): Meaning {
  if (isUnavailable(table)) return { ...noMeaning, ofQuery: async () => table };
  return {
    ...noMeaning,
    name: table.name,
    ofQuery: async (words) => ({
      vector: table.embed(words),
      unknownShare: isForeign(words) ? 1 : table.unknownShare(words),
    }),
    // What it cannot read has no meaning: it would seem near to anything.
    ofUnits: (texts) => table.unitVectors(texts.map((text) => (isForeign(text) ? "" : text))),
    closeness: (query, terms) => (isForeign(query) ? undefined : createCloseness(table, query, terms)),
  };
}

/** The table was made of English and code. Single characters of other scripts are in it, without saying much. */
function isForeign(text: string): boolean {
  let [ascii, others] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 127) others += 1;
    else if ((code | 32) >= 97 && (code | 32) <= 122) ascii += 1;
  }
  // Cheap for what is plain; accents, dashes and quotes are looked at only where there are many.
  return others > ascii && (text.match(/\p{Script=Latin}/gu)?.length ?? 0) < others / 2;
}
