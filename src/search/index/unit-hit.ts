import type { DocumentKind } from "../unit.ts";
import { dateText } from "./date-number.ts";
import type { DocumentTable } from "./document-table.ts";
import type { SearchedChunk } from "./score-chunk.ts";
import type { TopUnit } from "./top-units.ts";

/** What one term gave to a hit. */
export interface HitTerm {
  readonly term: string;
  readonly word: string;
  readonly score: number;
}

export interface UnitHit {
  /** Which of the indexes it is in. */
  readonly index: number;
  readonly path: string;
  /** Which unit of the document. */
  readonly ordinal: number;
  readonly score: number;
  readonly date: string | undefined;
  readonly modified: number;
  readonly kind: DocumentKind;
  readonly flagged: boolean;
  /** Where what is shown of it is kept. */
  readonly shownAt: number;
  readonly terms: readonly HitTerm[] | undefined;
}

/** `step` is what a score of 1 stands for. */
export function createUnitHit(
  { chunk, unit, score }: TopUnit,
  chunks: readonly SearchedChunk[],
  step = 1,
  terms?: readonly HitTerm[],
): UnitHit {
  const { index, reader } = chunks[chunk] as SearchedChunk;
  return new TableHit(index, reader.documents(), unit, score * step, terms);
}

/** Reads from the table what it is asked for: of a hundred hits, ten are shown. */
class TableHit implements UnitHit {
  readonly index: number;
  readonly score: number;
  readonly terms: readonly HitTerm[] | undefined;
  readonly #table: DocumentTable;
  readonly #unit: number;
  #document = -1;

  constructor(index: number, table: DocumentTable, unit: number, score: number, terms: UnitHit["terms"]) {
    this.index = index;
    this.score = score;
    this.terms = terms;
    this.#table = table;
    this.#unit = unit;
  }

  get document(): number {
    if (this.#document < 0) this.#document = this.#table.documentOf(this.#unit);
    return this.#document;
  }

  get path(): string {
    return this.#table.path(this.document);
  }

  get ordinal(): number {
    return this.#unit - (this.#table.firsts[this.document] as number);
  }

  get date(): string | undefined {
    return dateText(this.#table.dates[this.#unit] as number);
  }

  get modified(): number {
    return this.#table.modified(this.document);
  }

  get kind(): DocumentKind {
    return this.#table.kind(this.document);
  }

  get flagged(): boolean {
    return this.#table.flagged(this.document);
  }

  get shownAt(): number {
    return this.#table.shownAt(this.document) + this.ordinal;
  }
}
