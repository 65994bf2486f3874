import { isChosenFromWords, isTechnical } from "./chosen-words.ts";
import { isCounted } from "./counted.ts";
import { isReference } from "./kept-elsewhere.ts";
import { isMixed, plausibilityOf } from "./plausible-value.ts";
import type { Effort, Span } from "./rule.ts";
import { piecesOf } from "./said-value.ts";
import type { WordKind } from "./secret-words.ts";
import { isRandom } from "./variety.ts";
import { isNamed, isTypeName } from "./wordiness.ts";

/** How far from the word, on either side, the value may stand in the same line. */
const reach = 96;

interface Said {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly kind: WordKind;
}

/**
 * A value anywhere in the line of the word, whatever the language and the grammar between them. The form alone decides,
 * so that it must be one that only passwords, codes and drawn tokens have: `Harbor#15`, `V4CB2M86Z`, `x8=%~^-Fl.I0`.
 */
export function valueNearby(text: string, { name, start, end, kind }: Said, effort: Effort): Span | undefined {
  // What machines make stands in such lines as digests and sealed values, too; and a call says itself what it is given.
  if (kind === "generated" || text[end] === "(") return undefined;
  const before = text.slice(Math.max(0, start - reach), start);
  const from = start - before.length + before.lastIndexOf("\n") + 1;
  const line = text.slice(from, end + reach).split("\n", 1)[0] ?? "";
  effort.spent += 4;
  if (!mayHold.test(line)) return undefined;
  effort.spent += line.length >> 3;
  const word = { start: start - from, end: end - from };
  const found = (kind === "pin" ? pinIn(line, name) : undefined) ?? pieceIn(line, word, kind, effort);
  return found && { start: from + found.start, end: from + found.end };
}

/** Cheap, and no for most lines. */
const mayHold = /[#_.!$*~?%^+-][A-Za-z]?[0-9]|[0-9][A-Za-z!#$%*?^~]|[0-9]{4}/;

function pieceIn(line: string, word: Span, kind: WordKind, effort: Effort): Span | undefined {
  for (const piece of piecesOf(line)) {
    if (piece.start < word.end && piece.end > word.start) continue;
    const [, lead = "", text = ""] = bare.exec(line.slice(piece.start, piece.end)) ?? [];
    const value = { start: piece.start + lead.length, end: piece.start + lead.length + text.length };
    const before = line.slice(0, value.start);
    if (!ofOnePart.test(text) || namedBefore.test(before.slice(-24)) || isArgument.test(before)) continue;
    effort.spent += 20;
    if (kind === "pin" ? isCode(text) : isOfSecret(text) || isChosenBeside(text, before, betweenOf(line, word, value)))
      return value;
  }
  return undefined;
}

/** Without the quotes, brackets and signs of the sentence around it. */
const bare = /^(["'`(<[*]{0,4})(.{0,90}?)["'`)>\]*,;:.]{0,4}$/su;

/** No path, address, call or assignment: other rules judge those. */
const ofOnePart = /^(?![A-Za-z_.-]{1,40}=)[\p{L}\p{N}][\p{L}\p{N}_#!$%&*+=?~^.@-]{4,62}[\p{L}\p{N}#!?$*~]$/u;
/** An option is given it, or a call. */
const isArgument = /(?:(?:^|\s)--?[\w-]{1,40}[ =]|[\w.][=(]["'`]?)$/;

function betweenOf(line: string, word: Span, value: Span): string {
  return value.start >= word.end ? line.slice(word.end, value.start) : line.slice(value.end, word.start);
}

const namedBefore =
  /(?:commit|sha-?[0-9]{0,3}|rev|revision|hash|digest|checksum|fingerprint|ids?|uuid|build|run|request|trace|span|issue|ticket|version|md5|etag|kid|sid|arn|image|tag|branch|model|serial|see|in|fixe[sd]|closes|refs|items?|entry|record|eintrag|entrada|ítem|entrée|fiche|запис[ьи]|条目|項目|항목|kayıt|öğe)["'`]?[\s:=#(]{0,4}["'`]?$/i;

function isOfSecret(piece: string): boolean {
  if (isPersonal(piece) || isCode(piece)) return true;
  const look = plausibilityOf(piece, { kind: "password" });
  return look === "strong" ? isDrawn(piece) || isSigned(piece) : look === "weak" && isSigned(piece);
}

/** `Harbor#15`, `Omas_Garten52`, `kaffee.Kalt3?`: words with a capital, joined by signs, and a number at the end. */
function isPersonal(piece: string): boolean {
  const [, words, number] = personal.exec(piece) ?? [];
  if (words === undefined || number === undefined || !/\p{Lu}/u.test(words) || isTechnical(words)) return false;
  return number.length >= 2 || /\p{L}[^\p{L}]\p{L}/u.test(words);
}

const personal = /^(\p{L}\p{Ll}{2,20}(?:[#_.!$%+*~-]\p{L}\p{Ll}{0,20}){0,4}[#_.!$%+*~@]?)([0-9]{1,4})[!?*]{0,2}$/u;

/** `V4CB2M86Z`: capitals and digits in no order. */
function isCode(piece: string): boolean {
  return /^[A-Z0-9]{8,16}$/.test(piece) && (piece.match(/[A-Z]{1,16}|[0-9]{1,16}/g) ?? []).length >= 4;
}

/** In no order either, with small letters; what has dots is a path of names, and what has a long word a name. */
function isDrawn(piece: string): boolean {
  return (
    piece.length >= 12 &&
    !piece.includes(".") &&
    isMixed(piece) &&
    isRandom(piece) &&
    !isNamed(piece) &&
    !isTypeName(piece) &&
    !/[A-Za-z][a-z]{6}/.test(piece)
  );
}

/** Both cases, a digit and a sign that names do not have; `Checkout#415` is a ticket. */
function isSigned(piece: string): boolean {
  if (piece.length < 8 || /^[\p{L}-]{2,40}#[0-9]{1,6}$/u.test(piece)) return false;
  return [/[a-z]/, /[A-Z]/, /[0-9]/, /[!#$%*?^~]/].every((needed) => needed.test(piece));
}

/** `nordwind_608` right beside the word, or as the second half of a login: “app / nordwind_608”. */
function isChosenBeside(piece: string, before: string, between: string): boolean {
  if (!isChosenFromWords(piece)) return false;
  // “Bitwarden / infra-2024” is where it is kept.
  if (/[\p{L}\p{N}_] [/|] ["'`]?$/u.test(before.slice(-6)))
    return !isReference(/\w{1,24}(?= [/|] ["'`]?$)/.exec(before.slice(-30))?.[0] ?? "");
  return /^\P{L}{0,3}[\p{Script=Han}\p{Script=Hangul}]{0,3}\P{L}{0,3}$/u.test(between);
}

/** What counts, measures or names an address: its number is no PIN. */
const counted =
  /(?:port|error|code|tel|telefon|phone|durchwahl|ramal|line|issue|room|http|status|version|after|exit|pid|id|nr|no|№|ext|rfc|pin|bis|until|to|than|von|of|de|um)[\s:.#-]{0,2}$/i;
const unit =
  /^(?:[.,:/-][0-9]|\s?(?:ms|s|sec|seconds?|minutes?|hours?|days?|mv|v|mm|px|kb|mb|gb|bits?|bytes?|digits?|times|attempts|users?|characters|d[íi]gitos|chiffres|ziffern|stellen|цифр\p{L}{0,3}|桁|位|자리|hane|basamak)(?!\p{L}))/iu;

/** The only number of the line, of four to eight digits. The verb “pin” is written in small letters. */
function pinIn(line: string, name: string): Span | undefined {
  if (name === "pin" || name === "Pin") return undefined;
  const numbers = [...line.matchAll(/(?<![\p{L}\p{N}_.,/:#-])[0-9]{4,8}(?![\p{L}\p{N}_])/gu)];
  const [number] = numbers;
  if (numbers.length !== 1 || !number || /^(?:19|20)[0-9]{2}$/.test(number[0])) return undefined;
  const end = number.index + number[0].length;
  if (isCounted(line.slice(0, number.index))) return undefined;
  if (counted.test(line.slice(0, number.index)) && !/pin[\s:.#-]{0,2}$/i.test(line.slice(0, number.index)))
    return undefined;
  return unit.test(line.slice(end)) ? undefined : { start: number.index, end };
}
