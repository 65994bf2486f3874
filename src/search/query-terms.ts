import { analyseRun } from "./text/analyse-run.ts";
import { type AnalysedWord, analyseWord, knownWord } from "./text/analyse-word.ts";
import { scanWords } from "./text/scan-words.ts";

export interface QueryTerm {
  readonly term: string;
  readonly weight: number;
  /** The word as it was asked for. */
  readonly word: string;
}

export interface QueryWord {
  readonly text: string;
  readonly analysed: AnalysedWord;
  /** Of a script without blanks. */
  readonly isRun: boolean;
}

/** What stands beyond these says little that the others do not. */
const mostTerms = 64;
/** The part of an identifier says less than the whole, and so does another spelling of a word. */
const partWeight = 0.5;
const spellingWeight = 0.5;
const joinedWeight = 0.25;

export function queryWordsOf(text: string): QueryWord[] {
  const words: QueryWord[] = [];
  scanWords(text, 0, text.length, (start, end, _, isRun) => {
    const word = text.slice(start, end);
    words.push({ text: word, analysed: isRun ? analyseRun(word) : knownWord(word), isRun });
  });
  return words;
}

/** Words that say little are left out, unless nothing else is left. */
export function queryTermsOf(words: readonly QueryWord[], excluded: ReadonlySet<string>): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const add = ({ term, weight, word }: QueryTerm): void => {
    const before = terms.get(term);
    if (term === "" || excluded.has(term) || (before && before.weight >= weight)) return;
    if (before || terms.size < mostTerms) terms.set(term, { term, weight, word: before?.word ?? word });
  };
  const telling = words.filter(({ analysed }) => !analysed.isStop);
  for (const word of telling.length > 0 ? telling : words) termsOfWord(word).forEach(add);
  for (const [index, word] of words.entries()) {
    const joined = joinWords(words[index - 1], word);
    if (joined) add(joined);
  }
  return [...terms.values()];
}

function termsOfWord({ text: word, analysed: { parts, others }, isRun }: QueryWord): QueryTerm[] {
  const toTerms = (weight: number) => (term: string) => ({ term, weight, word });
  // The single characters of a run are in far too many texts.
  if (isRun) return parts.map(toTerms(1));
  if (parts.length < 2) return [...parts.map(toTerms(1)), ...others.map(toTerms(spellingWeight))];
  if (others.length === 0) return parts.map(toTerms(1));
  // The 2 of `oauth2` is in far too many texts.
  return [...others.map(toTerms(1)), ...parts.filter((part) => !/^\d{1,2}$/.test(part)).map(toTerms(partWeight))];
}

/** Two words may be one elsewhere: `file name` and `filename`. */
function joinWords(before: QueryWord | undefined, { text, analysed }: QueryWord): QueryTerm | undefined {
  if (!before || !isPlain(before.analysed) || !isPlain(analysed)) return undefined;
  // Mostly no word at all, and of no use to remember.
  const { parts } = analyseWord(`${before.text}${text}`.toLowerCase());
  const [term, ...rest] = parts;
  if (term === undefined || rest.length > 0) return undefined;
  return { term, weight: joinedWeight, word: `${before.text} ${text}` };
}

function isPlain({ parts, isStop }: AnalysedWord): boolean {
  return parts.length === 1 && !isStop;
}
