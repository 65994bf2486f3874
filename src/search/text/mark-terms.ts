import { analyseRun } from "./analyse-run.ts";
import { type AnalysedWord, termOf } from "./analyse-word.ts";
import { fold } from "./fold.ts";
import { knownWord } from "./known-words.ts";
import { scanWords } from "./scan-words.ts";
import { splitWord } from "./split-word.ts";

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

type Mark = (from: number, to: number) => void;

/** Where words of the text are found by the terms: whole identifiers, or the parts of one that match. */
export function markTerms(text: string, terms: Iterable<string>): TextRange[] {
  const wanted = new Set(terms);
  const ranges: { from: number; to: number }[] = [];
  if (wanted.size === 0) return ranges;
  const mark: Mark = (from, to) => {
    const last = ranges.at(-1);
    if (last && last.to >= from) last.to = Math.max(last.to, to);
    else ranges.push({ from, to });
  };
  const initials = new Set(Array.from(wanted, (term) => term.charCodeAt(0) | lowerBit));
  scanWords(text, 0, text.length, (start, end, _, isUnspaced) => {
    if (isPlain(text, start, end) && !initials.has(text.charCodeAt(start) | lowerBit)) return;
    const word = text.slice(start, end);
    if (isUnspaced) markRun(word, start, wanted, mark);
    else markWord(word, start, wanted, mark);
  });
  return ranges;
}

const lowerBit = 0x20;

/** One word of plain letters, small but for the first. Its stem begins as it does; an identifier may match inside. */
function isPlain(text: string, start: number, end: number): boolean {
  if (!isAsciiLetter(text.charCodeAt(start) | lowerBit)) return false;
  for (let at = start + 1; at < end; at += 1) if (!isAsciiLetter(text.charCodeAt(at))) return false;
  return true;
}

function isAsciiLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function markWord(word: string, start: number, wanted: ReadonlySet<string>, mark: Mark): void {
  const { parts, others } = knownWord(word);
  if (!isWanted(parts, wanted) && !isWanted(others, wanted)) return;
  if (parts.length === 1 || isWanted(others, wanted)) {
    mark(start, start + word.length);
    return;
  }
  for (const part of splitWord(word)) {
    const term = termOf(fold(word.slice(part.start, part.end)));
    if (wanted.has(term)) mark(start + part.start, start + part.end);
  }
}

function isWanted(terms: AnalysedWord["parts"], wanted: ReadonlySet<string>): boolean {
  return terms.some((term) => wanted.has(term));
}

function markRun(run: string, start: number, wanted: ReadonlySet<string>, mark: Mark): void {
  const { parts } = analyseRun(run);
  let at = start;
  for (const [index, character] of Array.from(run).entries()) {
    const next = at + character.length;
    const following = run.codePointAt(next - start);
    const pairEnd = next + (following === undefined ? 0 : following > 0xffff ? 2 : 1);
    if (wanted.has(parts[index] ?? "")) mark(at, pairEnd);
    else if (wanted.has(fold(character))) mark(at, next);
    at = next;
  }
}
