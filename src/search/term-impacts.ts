/**
 * Terms with their impacts, as a map that is made from lists: of all that an index is built from, most is only walked
 * through once, and a real map costs ten times as much to fill. Its terms are numbers in a list that many of these
 * share, so that whoever puts units together need not compare texts.
 */
export class TermImpacts implements ReadonlyMap<string, number> {
  /** The terms by their numbers. */
  readonly words: readonly string[];
  /** From `from` to `to`, each term once, in lists that are shared as well. */
  readonly numbers: Int32Array;
  readonly impacts: Uint8Array;
  readonly from: number;
  readonly to: number;
  #places: Map<string, number> | undefined;

  constructor(words: readonly string[], numbers: Int32Array, impacts: Uint8Array, from: number, to: number) {
    this.words = words;
    this.numbers = numbers;
    this.impacts = impacts;
    this.from = from;
    this.to = to;
  }

  static of(terms: ReadonlyMap<string, number>): TermImpacts {
    if (terms instanceof TermImpacts) return terms;
    const words = [...terms.keys()];
    const impacts = Uint8Array.from(terms.values(), (impact) => {
      if (!(impact >= 1 && impact <= 255)) throw new RangeError("The impact of a term is from 1 to 255.");
      return impact;
    });
    return new TermImpacts(words, Int32Array.from(words.keys()), impacts, 0, words.length);
  }

  get size(): number {
    return this.to - this.from;
  }

  get(term: string): number | undefined {
    this.#places ??= this.#findPlaces();
    const place = this.#places.get(term);
    return place === undefined ? undefined : this.impacts[place];
  }

  #findPlaces(): Map<string, number> {
    const places = new Map<string, number>();
    for (let place = this.from; place < this.to; place += 1) {
      places.set(this.words[this.numbers[place] as number] as string, place);
    }
    return places;
  }

  has(term: string): boolean {
    return this.get(term) !== undefined;
  }

  forEach(visit: (impact: number, term: string, map: ReadonlyMap<string, number>) => void): void {
    for (const [term, impact] of this) visit(impact, term, this);
  }

  *keys(): MapIterator<string> {
    for (const [term] of this) yield term;
  }

  *values(): MapIterator<number> {
    for (const [, impact] of this) yield impact;
  }

  *entries(): MapIterator<[string, number]> {
    for (let place = this.from; place < this.to; place += 1) {
      yield [this.words[this.numbers[place] as number] as string, this.impacts[place] as number];
    }
  }

  [Symbol.iterator](): MapIterator<[string, number]> {
    return this.entries();
  }
}
