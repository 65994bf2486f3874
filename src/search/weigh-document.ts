import { type FieldWeights, fieldWeights } from "./field-weights.ts";
import type { TermImpacts } from "./term-impacts.ts";
import { createTermSums } from "./term-sums.ts";
import { createLexicon, otherMark, stopMark } from "./text/lexicon.ts";
import { createNumberList, type NumberList } from "./text/number-list.ts";
import type { WeighedUnit } from "./unit.ts";
import { type DocumentText, type Section, splitDocument } from "./units/split-document.ts";

/** Says what the units of documents are found by. It remembers words, so the more documents it has seen the faster it is. */
export interface Weigher {
  /** Parallel to the units of `splitDocument`. */
  weighDocument(document: DocumentText): WeighedUnit[];
  weighSections(document: DocumentText, sections: readonly Section[]): WeighedUnit[];
}

export function createWeigher(weights: FieldWeights = fieldWeights): Weigher {
  const lexicon = createLexicon();
  const sums = createTermSums();
  const codes = createNumberList();

  function readPath(path: string): Span {
    const from = codes.length;
    const names = path.replace(/\.(?:md|markdown|txt)$/i, "").split("/");
    const last = names.pop() ?? "";
    for (const name of names) lexicon.read(codes, name);
    lexicon.readOnce(codes, last);
    return { from, to: codes.length };
  }

  function readUnit(content: string, section: Section): ReadUnit {
    const { details } = section;
    const titleFrom = codes.length;
    lexicon.read(codes, section.title);
    const contextFrom = codes.length;
    for (const text of section.breadcrumb) lexicon.read(codes, text);
    for (const text of section.tags) lexicon.read(codes, text);
    if (section.aside !== "") lexicon.read(codes, section.aside);
    if (section.date !== undefined) lexicon.read(codes, section.date);
    const bodyFrom = codes.length;
    let at = section.body;
    for (const { start, end } of details) {
      lexicon.read(codes, content, at, start);
      at = end;
    }
    lexicon.read(codes, content, at, section.end);
    const codeFrom = codes.length;
    for (const { start, end } of details) lexicon.read(codes, content, start, end);
    const length = countWords(codes, bodyFrom, codes.length);
    return {
      title: { from: titleFrom, to: contextFrom },
      context: { from: contextFrom, to: bodyFrom },
      body: { from: bodyFrom, to: codeFrom },
      code: { from: codeFrom, to: codes.length },
      norm: 1 - weights.lengthShare + (weights.lengthShare * length) / weights.pivot,
    };
  }

  function addNear(near: ReadUnit | undefined, weight: number): void {
    if (!near) return;
    sums.add(codes, near.body, weight / near.norm, tellingWords);
    sums.add(codes, near.code, (weight * weights.code) / near.norm, tellingWords);
    sums.add(codes, near.title, weight, tellingWords);
  }

  function weighUnit(units: readonly ReadUnit[], index: number, pathWords: Span): TermImpacts {
    const own = units[index] as ReadUnit;
    sums.begin(lexicon.terms());
    sums.add(codes, own.body, weights.body / own.norm, everyWord);
    sums.add(codes, own.code, weights.code / own.norm, everyWord);
    sums.add(codes, own.title, weights.title, everyWord);
    sums.add(codes, pathWords, weights.context, tellingWords);
    sums.add(codes, own.context, weights.context, tellingWords);
    for (let step = 0; step < weights.near.length; step += 1) {
      addNear(units[index - step - 1], weights.near[step] as number);
      addNear(units[index + step + 1], weights.near[step] as number);
    }
    return sums.take(weights.saturation);
  }

  function weighSections({ path, content }: DocumentText, sections: readonly Section[]): WeighedUnit[] {
    lexicon.forgetIfMany();
    codes.length = 0;
    const pathWords = readPath(path);
    const units = sections.map((section) => readUnit(content, section));
    return sections.map((section, index) => ({
      date: section.date,
      terms: weighUnit(units, index, pathWords),
      text: textOf(content, section),
    }));
  }

  return { weighSections, weighDocument: (document) => weighSections(document, splitDocument(document)) };
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

function countWords({ values }: NumberList, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (((values[at] as number) & otherMark) === 0) count += 1;
  return count;
}

/** The marks of words that do not count: words that say little are worth finding in a unit's own text alone. */
const everyWord = 0;
const tellingWords = stopMark;

function textOf(content: string, { title, body, end }: Section): string {
  const text = content.slice(body, end).trim();
  return title === "" ? text : `${title}\n${text}`;
}
