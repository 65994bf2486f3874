import { type QueryTerm, type QueryWord, queryTermsOf, queryWordsOf } from "./query-terms.ts";
import { analyseRun } from "./text/analyse-run.ts";
import { knownWord } from "./text/analyse-word.ts";
import { scanWords } from "./text/scan-words.ts";

export { markTerms } from "./text/mark-terms.ts";

interface QueryFilters {
  readonly topic?: string;
  /** YYYY-MM-DD */
  readonly since?: string;
  readonly until?: string;
  readonly path?: string;
  readonly root?: string;
}

export interface ParsedQuery {
  readonly terms: readonly QueryTerm[];
  /** Each a sequence of terms as `termsOf` gives them. */
  readonly phrases: readonly (readonly string[])[];
  /** Whether there is nothing beside them. */
  readonly isQuoted: boolean;
  readonly excluded: readonly string[];
  readonly filters: QueryFilters;
  /** What is written as a filter, but with no date: it is taken for words. */
  readonly noDates: readonly string[];
}

/** A query may be a whole pasted log: its beginning has to do. */
const longestQuery = 8000;
const mostPhrases = 8;
const longestPhrase = 32;
const mostExcluded = 32;
const mostNoDates = 4;

/** `word`, `-word`, `"a phrase"`, `name:value` or `name:"a value"`; a quote without an end goes on to the end. */
const piece = /(-?)(?:([a-z]+):)?(?:"([^"]*)(?:"|$)|(\S+))/gi;

/** Total: whatever is typed or pasted has a meaning. */
export function parseQuery(text: string): ParsedQuery {
  const words: QueryWord[] = [];
  const phrases: string[][] = [];
  const excluded = new Set<string>();
  const filters: Record<string, string> = {};
  const noDates: string[] = [];
  let isQuoted = true;
  const asked = text.slice(0, longestQuery);
  // Most are words alone, and need not be taken apart.
  if (!/[":-]/.test(asked)) {
    const terms = queryTermsOf(queryWordsOf(asked), excluded);
    return { terms, phrases, isQuoted: false, excluded: [], filters, noDates };
  }
  for (const [, minus, name, quoted, plain = ""] of asked.matchAll(piece)) {
    const value = quoted ?? plain;
    if (minus === "" && name !== undefined && setFilter(filters, noDates, name.toLowerCase(), value)) continue;
    if (minus === "-" && name === undefined && exclude(excluded, value)) continue;
    const found = queryWordsOf(name === undefined ? value : `${name} ${value}`);
    words.push(...found);
    isQuoted &&= quoted !== undefined || found.length === 0;
    const terms = quoted === undefined ? [] : termsOf(quoted).slice(0, longestPhrase);
    if (terms.length > 1 && phrases.length < mostPhrases) phrases.push(terms);
  }
  return { terms: queryTermsOf(words, excluded), phrases, isQuoted, excluded: [...excluded], filters, noDates };
}

/** One word; what is none, such as the option `--force`, or is several of them, excludes nothing. */
function exclude(excluded: Set<string>, value: string): boolean {
  const [first, ...rest] = queryWordsOf(value);
  // `-p` is an option of some command.
  if (!first || rest.length > 0 || value.length < 2 || value.startsWith("-") || excluded.size >= mostExcluded)
    return false;
  const { parts, others } = first.analysed;
  const term = parts.length === 1 ? parts[0] : others.at(-1);
  if (term !== undefined) excluded.add(term);
  return term !== undefined;
}

function setFilter(filters: Record<string, string>, noDates: string[], name: string, given: string): boolean {
  const value = given.trim();
  if (value === "") return false;
  if (name === "topic" || name === "path" || name === "root") {
    filters[name] = value;
    return true;
  }
  if (name !== "since" && name !== "until") return false;
  const date = name === "since" ? firstDay(value) : lastDay(value);
  if (date !== undefined) filters[name] = date;
  else if (noDates.length < mostNoDates) noDates.push(`${name}:${value}`);
  return date !== undefined;
}

const day = /^(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?$/;

/** The first day of a year, a month or a day; undefined for anything else. */
export function firstDay(value: string): string | undefined {
  const [, year, month = "01", date = "01"] = day.exec(value) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${date}`;
}

/** Dates are compared as texts, so a month may be said to have 31 days. */
export function lastDay(value: string): string | undefined {
  const [, year, month = "12", date = "31"] = day.exec(value) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${date}`;
}

/** The terms of a text in order, for finding phrases: identifiers in their parts. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  scanWords(text, 0, text.length, (start, end, _, isUnspaced) => {
    const word = text.slice(start, end);
    for (const part of (isUnspaced ? analyseRun(word) : knownWord(word)).parts) terms.push(part);
  });
  return terms;
}
