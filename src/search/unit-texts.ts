import type { Source } from "../core/source.ts";
import type { DocumentKind } from "./unit.ts";
import { type Section, splitDocument } from "./units/split-document.ts";

/** A text as it may be indexed and shown. */
export interface Inspected {
  readonly text: string;
  /** The guard found something, which is masked in the text. */
  readonly flagged: boolean;
}

export type Inspect = (text: string) => Inspected;

export interface UnitText {
  readonly section: Section;
  /** Of the unit. */
  readonly text: string;
  readonly lines: { readonly from: number; readonly to: number };
}

interface ReadDocument {
  readonly text: string;
  readonly sections: readonly Section[];
  readonly lineOf: (offset: number) => number;
}

/** The texts of units, each document read and cut once for one search. */
export interface UnitTexts {
  /** Undefined where the document or the unit is not there any more. */
  unit(source: Source, kind: DocumentKind, path: string, ordinal: number): Promise<UnitText | undefined>;
}

export function createUnitTexts(inspect: Inspect): UnitTexts {
  const documents = new Map<Source, Map<string, Promise<ReadDocument | undefined>>>();

  async function read(source: Source, kind: DocumentKind, path: string): Promise<ReadDocument | undefined> {
    const document = await source.read(path);
    if (!document) return undefined;
    const { text } = inspect(document.content);
    return { text, sections: splitDocument({ path, kind, content: text }), lineOf: linesIn(text) };
  }

  function document(source: Source, kind: DocumentKind, path: string): Promise<ReadDocument | undefined> {
    const known = documents.get(source) ?? new Map<string, Promise<ReadDocument | undefined>>();
    documents.set(source, known);
    const reading = known.get(path) ?? read(source, kind, path);
    known.set(path, reading);
    return reading;
  }

  return {
    unit: async (source, kind, path, ordinal) => {
      const read = await document(source, kind, path);
      const section = read?.sections[ordinal];
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
