import { TermImpacts } from "./term-impacts.ts";
import { markBits } from "./text/lexicon.ts";
import { grown, type NumberList } from "./text/number-list.ts";

/** The weight of each term in the unit that is being weighed. */
export interface TermSums {
  /** With the terms by their numbers. */
  begin(words: readonly string[]): void;
  /** Adds a weight to the terms of some codes, except those with the marks. */
  add(codes: NumberList, span: { readonly from: number; readonly to: number }, weight: number, without: number): void;
  /** What it comes to; all are nothing again. */
  take(saturation: number): TermImpacts;
}

/** So many numbers and impacts have one pair of lists: a pair for each unit costs more than what is in them. */
const listLength = 1 << 14;

export function createTermSums(): TermSums {
  let words: readonly string[] = [];
  let weights = new Float64Array(1 << 10);
  let touched = new Int32Array(1 << 10);
  let count = 0;
  let numbers = new Int32Array(0);
  let impacts = new Uint8Array(0);
  let used = 0;

  return {
    begin: (known) => {
      words = known;
      if (weights.length < known.length) weights = grown(weights, Float64Array, known.length);
    },
    add: ({ values }, { from, to }, weight, without) => {
      if (touched.length < count + to - from) touched = grown(touched, Int32Array, count + to - from);
      for (let at = from; at < to; at += 1) {
        const code = values[at] as number;
        if ((code & without) !== 0) continue;
        const term = code >> markBits;
        const before = weights[term] as number;
        if (before === 0) {
          touched[count] = term;
          count += 1;
        }
        weights[term] = before + weight;
      }
    },
    take: (saturation) => {
      if (used + count > numbers.length) {
        numbers = new Int32Array(Math.max(listLength, count));
        impacts = new Uint8Array(numbers.length);
        used = 0;
      }
      const from = used;
      for (let at = 0; at < count; at += 1) {
        const term = touched[at] as number;
        const weight = weights[term] as number;
        weights[term] = 0;
        numbers[used] = term;
        impacts[used] = Math.max(1, Math.round((255 * weight) / (saturation + weight)));
        used += 1;
      }
      count = 0;
      return new TermImpacts(words, numbers, impacts, from, used);
    },
  };
}
