import { TermImpacts } from "./term-impacts.ts";
import { type Codes, createLexicon, grown, markBits, otherMark, stopMark } from "./text/lexicon.ts";
import type { WeighedUnit } from "./unit.ts";
import { type DocumentText, type Section, splitDocument } from "./units/split-document.ts";

/** How much a word counts by where it stands. Lengths are in words. */
export interface FieldWeights {
  readonly body: number;
  /** Code past its first lines: it has many words that it is not about. */
  readonly code: number;
  readonly title: number;
  /** Breadcrumb, path and tags. */
  readonly context: number;
  /** The sections one and two steps away in the same document. */
  readonly near: readonly [number, number];
  /** How soon a repeated word stops to count. */
  readonly saturation: number;
  /** How much a long text is held against it, and the length that is neither long nor short. */
  readonly lengthShare: number;
  readonly pivot: number;
}

/** Constant, not averages of what is there: so a document's weights depend on that document alone. */
export const fieldWeights: FieldWeights = {
  body: 1,
  code: 0.4,
  title: 2,
  context: 0.7,
  near: [0.45, 0.2],
  saturation: 1,
  lengthShare: 0.5,
  pivot: 45,
};

const lexicon = createLexicon();
const sums = createSums();

/** What each unit of a document is found by, parallel to the units of `splitDocument`. */
export function weighDocument(document: DocumentText, weights: FieldWeights = fieldWeights): WeighedUnit[] {
  return weighSections(document, splitDocument(document), weights);
}

export function weighSections(
  { path, content }: DocumentText,
  sections: readonly Section[],
  weights: FieldWeights = fieldWeights,
): WeighedUnit[] {
  lexicon.forgetIfMany();
  const codes: Codes = { values: new Int32Array(256), length: 0 };
  const pathWords = span(codes, () => {
    for (const name of path.replace(/\.(?:md|markdown|txt)$/i, "").split("/")) lexicon.read(codes, name);
  });
  const units = sections.map((section) => readUnit(codes, content, section, weights));
  return sections.map((section, index) => {
    const own = units[index] as ReadUnit;
    sums.add(codes, own.body, weights.body / own.norm, everyWord);
    sums.add(codes, own.code, weights.code / own.norm, everyWord);
    sums.add(codes, own.title, weights.title, everyWord);
    sums.add(codes, pathWords, weights.context, tellingWords);
    sums.add(codes, own.context, weights.context, tellingWords);
    for (const [step, weight] of weights.near.entries()) {
      addNear(codes, units[index - step - 1], weight, weights.code);
      addNear(codes, units[index + step + 1], weight, weights.code);
    }
    return { date: section.date, terms: sums.take(weights.saturation), text: textOf(content, section) };
  });
}

/** Places among the codes of a document. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface ReadUnit {
  readonly title: Span;
  readonly body: Span;
  readonly code: Span;
  readonly context: Span;
  /** What its length is worth: a long text has each word for less. */
  readonly norm: number;
}

function readUnit(codes: Codes, content: string, section: Section, { lengthShare, pivot }: FieldWeights): ReadUnit {
  const title = span(codes, () => lexicon.read(codes, section.title));
  const context = span(codes, () => {
    for (const text of section.breadcrumb) lexicon.read(codes, text);
    for (const text of section.tags) lexicon.read(codes, text);
    lexicon.read(codes, section.aside);
    lexicon.read(codes, section.date ?? "");
  });
  const { details } = section;
  const body = span(codes, () => {
    let at = section.body;
    for (const { start, end } of details) {
      lexicon.read(codes, content, at, start);
      at = end;
    }
    lexicon.read(codes, content, at, section.end);
  });
  const code = span(codes, () => {
    for (const { start, end } of details) lexicon.read(codes, content, start, end);
  });
  const length = countWords(codes, body) + countWords(codes, code);
  return { title, body, code, context, norm: 1 - lengthShare + (lengthShare * length) / pivot };
}

function span(codes: Codes, read: () => void): Span {
  const from = codes.length;
  read();
  return { from, to: codes.length };
}

function countWords({ values }: Codes, { from, to }: Span): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (((values[at] as number) & otherMark) === 0) count += 1;
  return count;
}

function addNear(codes: Codes, near: ReadUnit | undefined, weight: number, codeWeight: number): void {
  if (!near) return;
  sums.add(codes, near.body, weight / near.norm, tellingWords);
  sums.add(codes, near.code, (weight * codeWeight) / near.norm, tellingWords);
  sums.add(codes, near.title, weight, tellingWords);
}

/** The marks of words that do not count: words that say little are worth finding in a unit's own text alone. */
const everyWord = 0;
const tellingWords = stopMark;

/** The weight of each term in the unit that is being weighed; empty in between. */
function createSums() {
  let weights = new Float64Array(1 << 10);
  let touched = new Int32Array(1 << 10);
  let count = 0;
  return {
    add: ({ values }: Codes, { from, to }: Span, weight: number, without: number): void => {
      if (weights.length < lexicon.count()) weights = grown(weights, Float64Array, lexicon.count());
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
    take: (saturation: number): TermImpacts => {
      const terms: string[] = new Array(count);
      const impacts = new Uint8Array(count);
      for (let at = 0; at < count; at += 1) {
        const term = touched[at] as number;
        const weight = weights[term] as number;
        weights[term] = 0;
        terms[at] = lexicon.textOf(term);
        impacts[at] = Math.max(1, Math.round((255 * weight) / (saturation + weight)));
      }
      count = 0;
      return new TermImpacts(terms, impacts);
    },
  };
}

function textOf(content: string, { title, body, end }: Section): string {
  const text = content.slice(body, end).trim();
  return title === "" ? text : `${title}\n${text}`;
}
