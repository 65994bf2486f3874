import type { Effort } from "./effort.ts";
import type { Span } from "./rule.ts";
import { link } from "./secret-words.ts";

/** Names of secrets that are several words: “passphrase”, “frase de paso”, “phrase secrète”, “кодовая фраза”. */
const phraseName = /phrase|frase|фраз|フレーズ|프레이즈|pass-?sätze/i;
const reach = 140;
const quoted = /["'`“„”«「]\s?(\p{L}{2,20}(?: \p{L}{2,20}){2,8}(?: [0-9]{1,4})?)\s?["'`“”»」]/u;
/** Without quotes, the words are all that the line says after the sign or verb: “… of the key: saddle comet walnut harbor”. */
const unquoted =
  /^([^\n:=：]{0,40}?)(?:[:=：]|(?<=\s)(?:is|ist|es|est|é|è|lautet|heißt))[ \t]{1,3}(\p{L}{3,14}(?:[ -]\p{L}{3,14}){2,8}(?: [0-9]{2,4})?)[ \t.]{0,4}$/u;
const lead = /^[\s"'`*_)\]]{0,4}[:=]{1,2}>?[ \t]{0,3}$/;

/**
 * What sentences about passphrases are made of, in which the same quotes stand: “enter passphrase for key”. No list of drawn
 * words holds them; sentences do without them rarely.
 */
const ofSentences = new Set(
  `the a an and or for of is are was be been must should can cannot not no with without from that this these those when if
  then than at least to in on by your you we it its only all any once again before after first enter please type choose pick
  use used using set unset read asked given required missing wrong bad incorrect invalid correct confirm repeat change
  changed minimum maximum characters words letters digits long short stored kept see ask passphrase passphrases password
  passwords phrase prompt key keys file keyring vault manager default empty secret backup`.split(/\s+/),
);

/** The words in quotes that a passphrase is said or set to be. A sentence is told by its words, or by what it lacks: a number at its end. */
export function saidPhrase(text: string, name: string, at: number, effort: Effort): Span | undefined {
  if (!phraseName.test(name)) return undefined;
  const near = text.slice(at, at + reach).split("\n", 1)[0] ?? "";
  effort.spent += 4 + (near.length >> 2);
  const alone = unquoted.exec(near)?.[2];
  if (alone !== undefined && isPhrase(alone.replaceAll("-", " "))) {
    return { start: at + near.lastIndexOf(alone), end: at + near.lastIndexOf(alone) + alone.length };
  }
  const found = quoted.exec(near);
  if (!found || !isPhrase(found[1] ?? "")) return undefined;
  const between = near.slice(0, found.index);
  if (!lead.test(between) && !link.test(`${between}"`.slice(-32))) return undefined;
  const start = at + found.index + found[0].indexOf(found[1] ?? "");
  return { start, end: start + (found[1] ?? "").length };
}

function isPhrase(phrase: string): boolean {
  const words = phrase.split(" ");
  const strange = words.filter((word) => !ofSentences.has(word.toLowerCase())).length;
  if (/[0-9]$/.test(phrase)) return words.length >= 4 && strange >= words.length - 2;
  // The example of a passphrase that everybody knows.
  if (/^correct horse battery staple/i.test(phrase)) return false;
  return words.length >= 4 && strange === words.length && words.every((word) => /^\p{Ll}{3,}$/u.test(word));
}
