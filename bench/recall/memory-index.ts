import type { FieldWeights } from "../../src/search/field-weights.ts";
import { fuse, idf, type Scored, textWeightFor } from "../../src/search/fuse.ts";
import type { StaticTable } from "../../src/search/meaning/static-table.ts";
import { type ParsedQuery, parseQuery } from "../../src/search/query.ts";
import { splitDocument } from "../../src/search/units/split-document.ts";
import { createWeigher } from "../../src/search/weigh-document.ts";
import type { Collection, Place } from "./data.ts";

/** An index in memory on the pure parts of search alone: what tuning needs, in seconds. */
export interface MemoryIndex {
  readonly places: readonly Place[];
  byText(query: ParsedQuery, limit: number): Scored[];
  byMeaning(query: string, limit: number): Scored[];
}

export interface MemoryIndexOptions {
  readonly table?: StaticTable;
  readonly weights?: FieldWeights;
}

interface Postings {
  readonly units: number[];
  readonly impacts: number[];
}

export function buildMemoryIndex(
  { documents }: Pick<Collection, "documents">,
  { table, weights }: MemoryIndexOptions = {},
): MemoryIndex {
  const places: Place[] = [];
  const vectors: Float32Array[] = [];
  const postings = new Map<string, Postings>();
  const weigher = createWeigher(weights);
  for (const { path, content } of documents) {
    const document = { path, kind: "memory", content } as const;
    const sections = splitDocument(document);
    const weighed = weigher.weighSections(document, sections);
    if (table) vectors.push(...table.unitVectors(weighed.map(({ text }) => text)));
    for (const [index, { terms }] of weighed.entries()) {
      terms.forEach((impact, term) => {
        const list = postings.get(term) ?? { units: [], impacts: [] };
        list.units.push(places.length);
        list.impacts.push(impact);
        postings.set(term, list);
      });
      places.push({ path, line: lineAt(content, sections[index]?.start ?? 0) });
    }
  }

  function byText({ terms }: ParsedQuery, limit: number): Scored[] {
    const scores = new Float64Array(places.length);
    for (const { term, weight } of terms) {
      const list = postings.get(term);
      if (!list) continue;
      const factor = (weight * idf(list.units.length, places.length)) / 255;
      for (const [at, unit] of list.units.entries()) {
        scores[unit] = (scores[unit] ?? 0) + factor * (list.impacts[at] ?? 0);
      }
    }
    return topOf(scores, limit);
  }

  function byMeaning(query: string, limit: number): Scored[] {
    const wanted = table?.embed(query) ?? new Float32Array(0);
    const scores = Float64Array.from(vectors, (vector) =>
      vector.reduce((sum, value, at) => sum + value * (wanted[at] ?? 0), 0),
    );
    return topOf(scores, limit);
  }

  return { places, byText, byMeaning };
}

/** How many of each list are fused. */
const depth = 100;

/** The units that answer a question, best first. */
export function searchMemoryIndex(index: MemoryIndex, question: string, table?: StaticTable): number[] {
  const query = parseQuery(question);
  const text = index.byText(query, depth);
  if (!table) return text.map(({ unit }) => unit);
  const meaning = index.byMeaning(question, depth);
  const words = query.terms.filter(({ weight }) => weight === 1).length;
  const weight = textWeightFor({ words, text, meaning, unknownShare: table.unknownShare(question) });
  return fuse(text, meaning, weight).map(({ unit }) => unit);
}

function topOf(scores: Float64Array, limit: number): Scored[] {
  const found: Scored[] = [];
  for (const [unit, score] of scores.entries()) if (score > 0) found.push({ unit, score });
  return found.sort((a, b) => b.score - a.score || a.unit - b.unit).slice(0, limit);
}

function lineAt(content: string, offset: number): number {
  let line = 1;
  for (let at = content.indexOf("\n"); at !== -1 && at < offset; at = content.indexOf("\n", at + 1)) line += 1;
  return line;
}
