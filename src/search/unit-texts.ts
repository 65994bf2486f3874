import type { Source } from "../core/source.ts";
import type { ShownDocument, ShownDocuments } from "./shown-documents.ts";
import type { DocumentKind } from "./unit.ts";
import type { Section } from "./units/split-document.ts";

export interface UnitText {
  readonly section: Section;
  /** Of the unit. */
  readonly text: string;
  readonly lines: { readonly from: number; readonly to: number };
}

interface ReadDocument extends ShownDocument {
  readonly lineOf: (offset: number) => number;
}

/** The texts of units, each document read once for one search. */
export interface UnitTexts {
  /** Undefined where the document or the unit is not there any more. */
  unit(place: UnitPlace): Promise<UnitText | undefined>;
}

interface UnitPlace {
  readonly source: Source;
  readonly kind: DocumentKind;
  readonly path: string;
  readonly ordinal: number;
}

export function createUnitTexts(
  documents: ShownDocuments,
  /** Under which stamp the index has a document. */
  stampOf: (source: Source, path: string) => number | undefined,
): UnitTexts {
  const readings = new Map<Source, Map<string, Promise<ReadDocument | undefined>>>();

  async function read({ source, kind, path }: UnitPlace): Promise<ReadDocument | undefined> {
    const document = await documents.read({ source, kind, path, stamp: stampOf(source, path) });
    return document && { ...document, lineOf: linesIn(document.text) };
  }

  function document(place: UnitPlace): Promise<ReadDocument | undefined> {
    const known = readings.get(place.source) ?? new Map<string, Promise<ReadDocument | undefined>>();
    readings.set(place.source, known);
    const reading = known.get(place.path) ?? read(place);
    known.set(place.path, reading);
    return reading;
  }

  return {
    unit: async (place) => {
      const read = await document(place);
      const section = read?.sections[place.ordinal];
      if (!read || !section) return undefined;
      const text = read.text.slice(section.start, section.end);
      const end = section.start + text.trimEnd().length;
      return {
        section,
        text,
        lines: { from: read.lineOf(section.start), to: read.lineOf(Math.max(section.start, end - 1)) },
      };
    },
  };
}

/** Offset → line, from 1. Asked in any order. */
function linesIn(text: string): (offset: number) => number {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
