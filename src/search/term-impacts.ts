/**
 * Terms with their impacts, as a map that is made from two lists: of all that an index is built from, most is only
 * walked through once, and a real map costs ten times as much to fill.
 */
export class TermImpacts implements ReadonlyMap<string, number> {
  readonly #terms: readonly string[];
  readonly #impacts: Uint8Array;
  #places: Map<string, number> | undefined;

  /** Each term once. */
  constructor(terms: readonly string[], impacts: Uint8Array) {
    this.#terms = terms;
    this.#impacts = impacts;
  }

  get size(): number {
    return this.#terms.length;
  }

  get(term: string): number | undefined {
    this.#places ??= new Map(this.#terms.map((one, place) => [one, place]));
    const place = this.#places.get(term);
    return place === undefined ? undefined : this.#impacts[place];
  }

  has(term: string): boolean {
    return this.get(term) !== undefined;
  }

  forEach(visit: (impact: number, term: string, map: ReadonlyMap<string, number>) => void): void {
    for (let place = 0; place < this.#terms.length; place += 1) {
      visit(this.#impacts[place] as number, this.#terms[place] as string, this);
    }
  }

  keys(): MapIterator<string> {
    return this.#terms.values();
  }

  values(): MapIterator<number> {
    return this.#impacts.values();
  }

  *entries(): MapIterator<[string, number]> {
    for (const [place, term] of this.#terms.entries()) yield [term, this.#impacts[place] as number];
  }

  [Symbol.iterator](): MapIterator<[string, number]> {
    return this.entries();
  }
}
