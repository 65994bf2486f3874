import { type QuantisedRows, quantiseAll } from "../meaning/quantise.ts";
import { TermImpacts } from "../term-impacts.ts";
import type { DocumentKind } from "../unit.ts";
import { dateNumber } from "./date-number.ts";
import type { IndexedDocument } from "./index-change.ts";
import { shownPlace } from "./shown-rows.ts";
import { packRows, readRows } from "./vector-rows.ts";

/** A document as the tail and the chunks keep it. */
export interface StoredDocument {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly kind: DocumentKind;
  readonly flagged: boolean;
  /** Of each unit, as a number such as 20250131; 0 where it has none. */
  readonly dates: readonly number[];
  /** Where what is shown of its first unit is kept; that of the others follows. */
  readonly shownAt: number;
  /** The terms of each unit. */
  readonly units: readonly ReadonlyMap<string, number>[];
  /** 0 where no unit has a vector. */
  readonly dimensions: number;
  /** One row for each unit, where one of them has a vector. */
  readonly vectors: QuantisedRows | undefined;
}

export function toStored(document: IndexedDocument, number: number): StoredDocument {
  const { path, modified, kind, flagged, units } = document;
  const vectors = units.map((_, at) => document.vectors?.[at]);
  const dimensions = vectors.find((vector) => vector)?.length ?? 0;
  if (vectors.some((vector) => vector && vector.length !== dimensions)) {
    throw new RangeError("All vectors of an index have the same length.");
  }
  const none = new Float32Array(dimensions);
  return {
    path,
    modified,
    kind,
    flagged,
    dates: units.map(({ date }) => dateNumber(date)),
    shownAt: shownPlace(number),
    units: units.map(({ terms }) => wellFormed(TermImpacts.of(terms))),
    dimensions,
    vectors:
      dimensions === 0
        ? undefined
        : quantiseAll(
            vectors.map((vector) => vector ?? none),
            dimensions,
          ),
  };
}

/** Half a character pair is not kept by any encoding: it becomes the sign for what is unknown, here and in queries. */
function wellFormed(unit: TermImpacts): TermImpacts {
  const { words, numbers, from, to } = unit;
  let isClean = true;
  for (let at = from; at < to && isClean; at++) isClean = (words[numbers[at] as number] as string).isWellFormed();
  if (isClean) return unit;
  const terms = new Map<string, number>();
  for (const [term, impact] of unit) {
    const clean = term.toWellFormed();
    terms.set(clean, Math.max(impact, terms.get(clean) ?? 0));
  }
  return TermImpacts.of(terms);
}

/** The vectors of all their units; a scale of 0 is a unit without one. */
export function vectorsOf(documents: readonly StoredDocument[], units: number, dimensions: number): QuantisedRows {
  const scales = new Float32Array(units);
  const rows = new Int8Array(units * dimensions);
  let unit = 0;
  for (const { vectors, units: own } of documents) {
    if (vectors) {
      scales.set(vectors.scales, unit);
      rows.set(vectors.rows, unit * dimensions);
    }
    unit += own.length;
  }
  return { scales, rows };
}

/** As it lies in the tail. */
export function packStored({ modified, kind, flagged, dates, units, dimensions, vectors }: StoredDocument): string {
  const rows = vectors ? Buffer.from(packRows(vectors)).toString("base64") : "";
  const terms = units.map((unit) => [[...unit.keys()], [...unit.values()]]);
  return JSON.stringify([modified, kind, flagged, dates, terms, dimensions, rows]);
}

type Packed = [number, DocumentKind, boolean, number[], [string[], number[]][], number, string];

export function unpackStored(path: string, number: number, packed: string): StoredDocument {
  const [modified, kind, flagged, dates, terms, dimensions, rows] = JSON.parse(packed) as Packed;
  return {
    path,
    modified,
    kind,
    flagged,
    dates,
    shownAt: shownPlace(number),
    units: terms.map(([words, impacts]) => new Map(words.map((word, at) => [word, impacts[at] as number]))),
    dimensions,
    vectors: dimensions === 0 ? undefined : readRows(new Uint8Array(Buffer.from(rows, "base64")), dimensions),
  };
}
