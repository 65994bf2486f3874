// The English stemmer known as Porter2, after the description of the algorithm at snowballstem.org. A vowel that acts
// as a consonant, a y, is written Y meanwhile.

const exceptions: ReadonlyMap<string, string> = new Map([
  ["skis", "ski"],
  ["skies", "sky"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ["sky", "sky"],
  ["news", "news"],
  ["howe", "howe"],
  ["atlas", "atlas"],
  ["cosmos", "cosmos"],
  ["bias", "bias"],
  ["andes", "andes"],
]);
const keptAfterPlural: ReadonlySet<string> = new Set([
  "inning",
  "outing",
  "canning",
  "herring",
  "earring",
  "evening",
  "proceed",
  "exceed",
  "succeed",
]);
const regionPrefixes: readonly string[] = [
  "gener",
  "commun",
  "arsen",
  "past",
  "univers",
  "later",
  "emerg",
  "organ",
  "inter",
];

const step2: readonly (readonly [string, string])[] = [
  ["ization", "ize"],
  ["ational", "ate"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["entli", "ent"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ousli", "ous"],
  ["iviti", "ive"],
  ["fulli", "ful"],
  ["ogist", "og"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["izer", "ize"],
  ["ator", "ate"],
  ["alli", "al"],
  ["bli", "ble"],
  ["ogi", "og"],
  ["li", ""],
];
const step3: readonly (readonly [string, string])[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ative", ""],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];
const step4: readonly string[] = [
  "ement",
  "ance",
  "ence",
  "able",
  "ible",
  "ment",
  "ant",
  "ent",
  "ism",
  "ate",
  "iti",
  "ous",
  "ive",
  "ize",
  "ion",
  "al",
  "er",
  "ic",
];

/** Endings by their last letter: of most words none is left to compare. In the order in which they were given. */
type ByLast<Ending> = ReadonlyMap<number, readonly Ending[]>;

function byLast<Ending>(endings: readonly Ending[], textOf: (ending: Ending) => string): ByLast<Ending> {
  return Map.groupBy(endings, (ending) => textOf(ending).charCodeAt(textOf(ending).length - 1));
}

const prefixesByFirst = Map.groupBy(regionPrefixes, (prefix) => prefix.charCodeAt(0));
const step2ByLast = byLast(step2, ([ending]) => ending);
const step3ByLast = byLast(step3, ([ending]) => ending);
const step4ByLast = byLast(step4, (ending) => ending);

function endingsFor<Ending>(text: string, endings: ByLast<Ending>): readonly Ending[] | undefined {
  return endings.get(text.charCodeAt(text.length - 1));
}

/** The stem of an English word in lower case, letters a to z alone; any other text comes back as it is. */
export function stem(word: string): string {
  if (word.length < 3 || !isLetters(word)) return word;
  const exception = exceptions.get(word);
  if (exception !== undefined) return exception;
  let text = markConsonants(word);
  const region1 = regionOne(text);
  const region2 = afterVowelAndConsonant(text, region1);
  text = withoutPlural(text);
  if (keptAfterPlural.has(text)) return text;
  if (lastOfPast.has(text.charCodeAt(text.length - 1))) text = withoutPast(text, region1);
  text = yToI(text);
  text = shorten(text, region1, step2ByLast, keepsStep2);
  text = shorten(text, region1, step3ByLast, (ending, start) => ending === "ative" && start < region2);
  text = withoutEnding(text, region2);
  text = withoutFinal(text, region1, region2);
  return text.includes("Y") ? text.replaceAll("Y", "y") : text;
}

function isLetters(word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    const unit = word.charCodeAt(index);
    if (unit < 97 || unit > 122) return false;
  }
  return true;
}

function markConsonants(word: string): string {
  if (!word.includes("y")) return word;
  let text = "";
  for (let index = 0; index < word.length; index += 1) {
    const isConsonant = word[index] === "y" && (index === 0 || isVowel(text, index - 1));
    text += isConsonant ? "Y" : word[index];
  }
  return text;
}

function isVowel(text: string, index: number): boolean {
  switch (text.charCodeAt(index)) {
    case 97: // a
    case 101: // e
    case 105: // i
    case 111: // o
    case 117: // u
    case 121: // y
      return true;
    default:
      return false;
  }
}

function regionOne(text: string): number {
  const prefix = prefixesByFirst.get(text.charCodeAt(0))?.find((start) => text.startsWith(start));
  return prefix?.length ?? afterVowelAndConsonant(text, 0);
}

/** Where the text goes on after the first consonant that follows a vowel. */
function afterVowelAndConsonant(text: string, from: number): number {
  let index = from;
  while (index < text.length && !isVowel(text, index)) index += 1;
  while (index < text.length && isVowel(text, index)) index += 1;
  return Math.min(index + 1, text.length);
}

function hasVowel(text: string, end: number): boolean {
  for (let index = 0; index < end; index += 1) if (isVowel(text, index)) return true;
  return false;
}

function withoutPlural(text: string): string {
  if (!text.endsWith("s")) return text.endsWith("ied") ? withoutIes(text) : text;
  if (text.endsWith("sses")) return text.slice(0, -2);
  if (text.endsWith("ies")) return withoutIes(text);
  if (text.endsWith("us") || text.endsWith("ss")) return text;
  return hasVowel(text, text.length - 2) ? text.slice(0, -1) : text;
}

function withoutIes(text: string): string {
  return text.slice(0, text.length > 4 ? -2 : -1);
}

const pastEndings = ["ingly", "edly", "ing", "ed"] as const;
const lastOfPast = new Set([...pastEndings].map((ending) => ending.charCodeAt(ending.length - 1)));

function withoutPast(text: string, region1: number): string {
  const agreed = text.endsWith("eedly") ? 5 : text.endsWith("eed") ? 3 : 0;
  if (agreed > 0) return text.length - agreed >= region1 ? `${text.slice(0, -agreed)}ee` : text;
  const ending = pastEndings.find((end) => text.endsWith(end));
  if (ending === undefined || !hasVowel(text, text.length - ending.length)) return text;
  const rest = text.slice(0, -ending.length);
  // dying, lying, tying
  if (ending === "ing" && rest.length === 2 && rest[1] === "y") return `${rest[0]}ie`;
  if (rest.endsWith("at") || rest.endsWith("bl") || rest.endsWith("iz")) return `${rest}e`;
  if (isDoubled(rest)) return rest.length === 3 && "aeo".includes(rest[0] ?? "") ? rest : rest.slice(0, -1);
  return isShort(rest, region1) ? `${rest}e` : rest;
}

function isDoubled(text: string): boolean {
  const last = text.at(-1) ?? "";
  return text.at(-2) === last && "bdfgmnprt".includes(last);
}

function isShort(text: string, region1: number): boolean {
  return region1 >= text.length && endsInShortSyllable(text, text.length);
}

function endsInShortSyllable(text: string, length: number): boolean {
  if (length === 4 && text.startsWith("past")) return true;
  const last = length - 1;
  if (length === 2) return isVowel(text, 0) && !isVowel(text, 1);
  if (length < 3 || isVowel(text, last) || !isVowel(text, last - 1) || isVowel(text, last - 2)) return false;
  return !"wxY".includes(text[last] ?? "");
}

function yToI(text: string): string {
  if (text.length < 3 || !(text.endsWith("y") || text.endsWith("Y"))) return text;
  return isVowel(text, text.length - 2) ? text : `${text.slice(0, -1)}i`;
}

/** The longest ending decides, and where it lies outside the region nothing else is tried. */
function shorten(
  text: string,
  region: number,
  endings: ByLast<readonly [string, string]>,
  isKept: (ending: string, start: number, text: string) => boolean,
): string {
  const found = endingsFor(text, endings)?.find(([ending]) => text.endsWith(ending));
  if (!found) return text;
  const [ending, replacement] = found;
  const start = text.length - ending.length;
  return start < region || isKept(ending, start, text) ? text : text.slice(0, start) + replacement;
}

function keepsStep2(ending: string, start: number, text: string): boolean {
  if (ending === "li") return !"cdeghkmnrt".includes(text[start - 1] ?? " ");
  return ending === "ogi" && text[start - 1] !== "l";
}

function withoutEnding(text: string, region2: number): string {
  const ending = endingsFor(text, step4ByLast)?.find((end) => text.endsWith(end));
  if (ending === undefined) return text;
  const start = text.length - ending.length;
  if (start < region2 || (ending === "ion" && !"st".includes(text[start - 1] ?? " "))) return text;
  return text.slice(0, start);
}

function withoutFinal(text: string, region1: number, region2: number): string {
  const start = text.length - 1;
  if (text.endsWith("e")) {
    const goes = start >= region2 || (start >= region1 && !endsInShortSyllable(text, start));
    return goes ? text.slice(0, -1) : text;
  }
  return text.endsWith("ll") && start >= region2 ? text.slice(0, -1) : text;
}
