import type { QueryTerm } from "../query-terms.ts";
import type { Hit } from "../search.ts";

export interface Prompt {
  /** False where it only drives a session, such as “go on”. */
  readonly hasSubject: boolean;
  /** Whether what was found is about what the prompt is about. */
  fits(hit: Pick<Hit, "title" | "breadcrumb" | "path" | "explanation">): boolean;
}

export interface ReadPromptOptions {
  /** Nobody asked: it is a guess what this is about, so that one word is never enough. */
  readonly isGuess?: boolean;
}

type Found = NonNullable<Hit["explanation"]>["terms"];

/** A word of a prompt that tells what it is about. */
interface TellingWord {
  readonly word: string;
  /** Each of them is the word. */
  readonly wholes: readonly string[];
  /** Each of them is in many texts that have nothing to do with it. */
  readonly parts: readonly string[];
  /** So many of the wholes must be in one text: a run without blanks is several words. */
  readonly least: number;
  /** What has it is about it. */
  readonly isName: boolean;
}

/** `getUserName`, `OAuth`, `src/auth.ts`, `ERR_4012`, `PRB-142`, `ECONNREFUSED`: written as a name is. */
const name = /\p{L}.*[_/\\]|[_/\\].*\p{L}|\p{L}\.\p{L}|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|^(?=.{4})\p{L}.*\d|^\p{Lu}{5,}$/u;
/** Written as names are, and in everybody's notes. */
const knownNames: ReadonlySet<string> = new Set(
  `ascii console.log e.g github gitlab graphql https i.e index.js index.ts ios javascript macos mysql next.js node.js
  package.json postgresql readme readme.md sqlite tsconfig.json typescript`.split(/\s+/),
);
/** A line, a count, a version: it says nothing without what it is of. A port, an address or the number of an error does. */
const bareNumber = /^(?:\d{1,3}|v?\d+(?:[.,:]\d+){1,2})$/i;
/** A shorter word is the beginning of very many. */
const shortestPart = 5;
/** From so many telling words on, some two are in very many texts. */
const manyWords = 12;

/**
 * Something is always nearest in meaning, and some word is in some note. So two telling words of a prompt must really
 * stand in what is found, more where it is long; beside one, a weak word counts where the title has it. One does where
 * it is a name, or the only one, and in the title or beside half of the weak ones. Loads how search reads words.
 */
export async function readPrompt(text: string, { isGuess = false }: ReadPromptOptions = {}): Promise<Prompt> {
  const [{ parseQuery, termsOf }, { isStopWord }, { isWeakTerm }] = await Promise.all([
    import("../query.ts"),
    import("../text/stop-words.ts"),
    import("./weak-words.ts"),
  ]);
  // Without two words put together, which are none that were asked for.
  const asked = parseQuery(text).terms.filter(({ word }) => !/\s/.test(word) && !isStopWord(word.toLowerCase()));
  const words = [...Map.groupBy(asked, ({ word }) => word)];
  const telling = words.flatMap(([word, terms]) => toTelling(word, terms, isWeakTerm) ?? []);
  const weak = new Set(asked.map(({ term }) => term).filter(isWeakTerm));
  const needed = telling.length < manyWords ? 2 : 3;

  return {
    hasSubject: telling.length > 0,
    fits: ({ title, breadcrumb, path, explanation }) => {
      const found = explanation?.terms ?? [];
      const matched = telling.filter((word) => isWholeIn(word, found) || isPartlyIn(word, found));
      if (matched.length >= needed || matched.some((word) => word.isName && isWholeIn(word, found))) return true;
      const [first] = matched;
      if (isGuess || first === undefined) return false;
      const titles = [...breadcrumb, title].join(" ");
      const isTitled = termsOf(`${titles} ${path}`).some((term) => first.wholes.includes(term));
      const weakFound = found.filter(({ term }) => weak.has(term));
      if (telling.length === 1 && (isTitled || weakFound.length >= weak.size / 2)) return true;
      return matched.length + weak.intersection(new Set(termsOf(titles))).size >= needed;
    },
  };
}

function toTelling(
  word: string,
  terms: readonly QueryTerm[],
  isWeak: (term: string) => boolean,
): TellingWord | undefined {
  const wholes = terms.filter(({ weight }) => weight === 1).map(({ term }) => term);
  const parts = terms.filter(({ term, weight }) => weight < 1 && !isWeak(term)).map(({ term }) => term);
  if (wholes.length === 0 || bareNumber.test(word) || (parts.length === 0 && wholes.every(isWeak))) return undefined;
  const isLongRun = wholes.length > 3 && !/[\p{Script=Latin}\d]/u.test(word);
  const isName = name.test(word) && !knownNames.has(word.toLowerCase());
  return { word, wholes, parts, least: isLongRun ? 2 : 1, isName };
}

function isWholeIn({ wholes, least }: TellingWord, found: Found): boolean {
  return found.filter(({ term }) => wholes.includes(term)).length >= least;
}

/** As two of its parts, or in a longer word; not as what it may be a typing error of. */
function isPartlyIn({ word, wholes, parts }: TellingWord, found: Found): boolean {
  if (found.filter(({ term }) => parts.includes(term)).length > 1) return true;
  return found.some(
    ({ term, for: asked }) =>
      asked === word && wholes.some((whole) => whole.length >= shortestPart && isPartOf(whole, term)),
  );
}

function isPartOf(part: string, term: string): boolean {
  return term.startsWith(part) || term.endsWith(part);
}
