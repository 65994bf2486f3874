import { isTechnical } from "./chosen-words.ts";
import type { Effort, Span } from "./rule.ts";
import { isPhraseAbout, link, type WordKind } from "./secret-words.ts";
import { isOfSentence, smallWords } from "./sentence-words.ts";

/** Names of secrets that are several words: “passphrase”, “frase de paso”, “密码短语”, “parola cümlesi”. */
const phraseName = /phrase|frase|фраз|フレーズ|合い?言葉|프레이즈|암호 ?문|短[语語]|密语|c[üu]mle|pass-?sätze/i;
const reach = 140;
const quoted = /["'`“„‟«‹「『‘‚〈《]([^\n"'`“”„‟«»‹›「」『』‘’‚〈〉《》]{5,90})["'`“”»›」』’〉》]/u;
/** Without quotes, the words are all that the line says after the sign or verb: “… of the key: saddle comet walnut harbor”. */
const unquoted =
  /^([^\n:=：＝]{0,40}?)(?:[:=：＝→]|[-=]>|(?<=\s)(?:is|ist|es|est|é|è|lautet|heißt|это))[ \t]{1,3}(\p{L}{1,14}(?:[ -]\p{L}{1,14}| [0-9]{1,4}){2,8})[ \t.]{0,4}$/u;
/** And joined by hyphens also behind other words for a password: “password: purple-otter-climbs-ladder”. */
const hyphened =
  /^[^\n:=：＝]{0,40}?(?:[:=：＝→]|[-=]>)[ \t]{0,3}["'`]?(\p{Ll}{3,14}(?:-\p{Ll}{3,14}){3,8})["'`]?[ \t.,;]{0,4}$/u;
const threeHyphens = /\p{Ll}-\p{Ll}{3,14}-\p{Ll}{3,14}-\p{Ll}/u;
const opening = /["'`“„‟«‹「『‘‚〈《]/;
const lead = /^[\s"'`*_)\]]{0,4}[:=：＝]{1,2}>?[ \t]{0,3}$/;

/** The words that a passphrase, or in quotes any password, is said or set to be. */
export function saidPhrase(
  text: string,
  { name, kind }: { readonly name: string; readonly kind: WordKind },
  at: number,
  effort: Effort,
): Span | undefined {
  if (kind !== "password") return undefined;
  const near = text.slice(at, at + reach).split("\n", 1)[0] ?? "";
  effort.spent += 6;
  if (near.length < 8) return undefined;
  const isNamed = phraseName.test(name);
  effort.spent += near.length >> (isNamed ? 2 : 4);
  const alone =
    (isNamed ? unquoted.exec(near)?.[2] : undefined) ??
    (threeHyphens.test(near) ? hyphened.exec(near)?.[1] : undefined);
  if (alone !== undefined && isDrawn(alone.split(/[ -]/))) {
    const start = at + near.lastIndexOf(alone);
    return { start, end: start + alone.length };
  }
  return opening.test(near) ? inQuotes(near, at, isNamed, effort) : undefined;
}

function inQuotes(near: string, at: number, isNamed: boolean, effort: Effort): Span | undefined {
  effort.spent += near.length >> 3;
  const found = quoted.exec(near);
  const phrase = found?.[1]?.trim() ?? "";
  if (!found || phrase === "" || isPhraseAbout(near)) return undefined;
  effort.spent += 10 + phrase.length;
  const between = near.slice(0, found.index);
  // A name in quotes has text behind it that is shown: "password": "new one, please".
  if (!isNamed && /^["'`]/.test(between)) return undefined;
  // Right beside the word, quotes that programs do not have are of a text.
  const isBeside = /^\s{0,2}$/.test(between) && (isNamed || !/["'`]/.test(found[0][0] ?? ""));
  const isLinked = isBeside || lead.test(between) || link.test(`${between}"`.slice(-32));
  if (!isLinked || !isPhrase(phrase, isNamed)) return undefined;
  const start = at + found.index + found[0].indexOf(phrase);
  return { start, end: start + phrase.length };
}

/** Without quotes: small letters, and nothing that joins the words; with a number among them that is surer. */
function isDrawn(words: readonly string[]): boolean {
  const strange = words.filter(isStrange);
  if (isNumbered(words))
    return words.length >= 4 && strange.length >= words.length - (/^[0-9]/.test(words.at(-1) ?? "") ? 2 : 0);
  return words.length >= 4 && strange.length === words.length && words.every(isSmall) && !isKnown(words);
}

const isNumbered = (words: readonly string[]) => words.filter((word) => /^[0-9]{1,4}$/.test(word)).length === 1;
const isSmall = (word: string) => /^(?:\p{Ll}{3,}|\p{Lo}{1,})$/u.test(word);
const isStrange = (word: string) => !smallWords.has(word.toLowerCase()) && !isOfSentence(word);
/** The example of a passphrase that everybody knows. */
const isKnown = (words: readonly string[]) => /^correct horse battery staple/i.test(words.join(" "));

/** In quotes: words, and perhaps a number. Labels and messages begin with a capital letter, and phrases of small words rarely. */
function isPhrase(phrase: string, isNamed: boolean): boolean {
  const words = phrase.split(/[\s\u3000]{1,4}/);
  if (words.length === 1)
    return (
      isNamed &&
      /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{6,40}$/u.test(phrase) &&
      !isOfSentence(phrase)
    );
  const named = isNumbered(words) ? words.filter((word) => !/[0-9]/.test(word)) : words;
  if (words.length < 3 || words.length > 12 || !named.every((word) => /^[\p{L}\p{M}]{1,20}$/u.test(word))) return false;
  if (/ [0-9]{1,4}$/.test(phrase) && words.length >= 4) return named.filter(isStrange).length >= named.length - 2;
  if (/^\p{Lu}/u.test(phrase) && !named.every((word) => /^\p{Lu}/u.test(word))) return false;
  if (isKnown(words) || named.some(isOfSentence) || isTechnical(phrase)) return false;
  return named.filter((word) => !smallWords.has(word)).length >= Math.max(2, named.length / 2);
}
