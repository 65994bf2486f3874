import { isCounted } from "./counted.ts";
import { isReference } from "./kept-elsewhere.ts";
import { isSaidSecret, type Standing } from "./plausible-value.ts";
import type { Effort, Span } from "./rule.ts";
import {
  change,
  isChangedTo,
  isChosen,
  isPhraseAbout,
  link,
  owner,
  setAfter,
  unspaced,
  type WordKind,
  withoutKind,
} from "./secret-words.ts";
import { isVaried, withoutFiller } from "./variety.ts";
import { isNamed, isTypeName } from "./wordiness.ts";

/** How far behind the word, and in how many pieces, the value may stand: a sentence of ordinary length. */
const reach = 110;
const mostPieces = 14;
/** More than any link is long. */
const linkReach = 32;
/** How far before the word the call may begin that it is an argument of. */
const callReach = 64;
const countReach = 56;

const login =
  /(?:[:：=→]|[-=]>|^(?=\s)|[—–-](?=\s)|(?:^|\s)(?:is|are|was|son|são|sind|ist|est|sont|は|는|은|是|为)(?=\s))[\s"'`*(「«„“”]{0,4}([\p{L}\w.@+-]{1,40})["'`]?(?:[ \t]{1,2}[/|:,][ \t]{1,2}|,[ \t](?!["'`])|[/:]|(?<=@[\w-]{1,40}\.[\w.-]{2,30})[ \t]{1,3})["'`]?([^\s"'`]{6,64})/giu;

/** The value that a sentence gives for the word before `at`, in the rest of its line. */
export function saidValue(text: string, at: number, kind: WordKind, effort: Effort): Span | undefined {
  effort.spent += 4;
  const near = lineFrom(text, at);
  if (near.length < 5 || isPhraseAbout(near)) return undefined;
  effort.spent += near.length >> 3;
  // Where no blank stands between words, a value may follow at once; elsewhere that is one word more: `<password>@host`.
  const glued = unspaced.test(text[at - 1] ?? "") ? "next" : undefined;
  const before = text.slice(Math.max(0, at - callReach), at);
  const found =
    (kind === "code" ? groupsIn(near, before) : undefined) ??
    (kind === "login" || kind === "code" ? loginIn(near, effort) : undefined) ??
    valueIn(near, { kind, glued, before, effort });
  return found && { start: at + found.start, end: at + found.end };
}

function lineFrom(text: string, at: number): string {
  const near = text.slice(at, at + reach);
  const end = near.search(/[\n。]/);
  return end < 0 ? near : near.slice(0, end);
}

/** “FTP account: app / x”, behind a word that says nothing by itself: with a sign before the name, and one before the password. */
export function saidLogin(text: string, at: number, effort: Effort): Span | undefined {
  effort.spent += 4;
  const near = lineFrom(text, at);
  if (!/[:：=＝→>—–/-]/.test(near)) return undefined;
  effort.spent += near.length >> 2;
  const [found, sign, name = "", value = ""] = ofAccount.exec(near) ?? [];
  // Names have a number, too, but no capital or sign with it.
  if (found === undefined || isReference(name) || !/(?=.*[0-9])(?=.*\p{L})(?=.*[\p{Lu}!#$%&*?+~^])/u.test(value))
    return undefined;
  if (!isSaidSecret(value, "password", { standing: sign === undefined ? "near" : "linked", last: sign !== undefined }))
    return undefined;
  return { start: at + found.length - value.length, end: at + found.length };
}

const ofAccount =
  /^[^\n:：=＝→,;]{0,32}?(?:([:：=＝→]|[-=]>|[—–-](?=\s))[\s"'`*「«„“]{0,4}|\s)([\p{L}\w.@+-]{2,40})["'`*]?(?: [/|] |／|, )["'`*]?([^\s"'`:=/()<>,;]{6,40})(?![\w/:=])/u;

/** “credentials: app / x”, “creds are app:x”: the second of the two. */
function loginIn(near: string, effort: Effort): Span | undefined {
  effort.spent += near.length >> 2;
  for (const found of near.matchAll(login)) {
    const value = bareOf(found[2] ?? "").text;
    const start = found.index + found[0].length - (found[2]?.length ?? 0);
    // “Bitwarden / Infra-2024” is where they are kept.
    if (isSaidSecret(value, "password", { standing: "linked", last: true }) && !isReference(found[1] ?? ""))
      return { start, end: start + value.length };
  }
  return undefined;
}

/** “backup code 5501 8832”: pieces that the sentence does not join to anything else. */
function groupsIn(near: string, before: string): Span | undefined {
  const [whole, between = "", groups = ""] = inGroups.exec(near) ?? [];
  if (whole === undefined || /^(?:19|20)[0-9]{2} (?:19|20)/.test(groups)) return undefined;
  if (standingOf(between, before, "code") === undefined || isCounted(before.slice(-countReach) + between))
    return undefined;
  return { start: between.length, end: whole.length };
}

const inGroups = /^([^\n0-9+/#.]{0,48}[^\p{L}\p{N}+/#.-])([0-9]{3,4}(?: [0-9]{3,4}){1,3})(?![\p{L}0-9.,:/-]?[0-9])/u;

/** “We rotated the secret; new one: x”. */
const anew = /^\s{0,2}(?:the |our |its )?(?:new|current|fresh|updated) (?:one|value)(?![a-z])/i;

/** “(customer no. 2231)” */
const abbreviation = /^\(?(?:no|nr|nº|núm|num|ext|tel|ca|approx|incl|vs|resp|ref|bzw|ggf|inkl|вн|доб|тел|ул|д)\.$/i;

/** Nothing but signs until the sentence ends, or what ends one in Korean and Japanese: “…이다”, “…です”. */
const ending = /^["'`»“”‘’」』）)\].,;!?*|{}<>…_~%\s]{0,8}(?:(?:이다|입니다|이에요|예요|です|だ|でした)[.!\s]{0,3})?$/;

/** “x, change it”, “x (until Friday)”: what is said of the value ends there, and what follows is about it. */
const pausing =
  /^["'`»”」]?(?:\s?[,;，、；(（–—#]|\s[–—-]\s|\s(?:until|till|since|valid|bis|gültig|hasta|até|jusqu|depuis|до|с|kadar|for|für|para|pour|для)(?!\p{L}))/u;

/** What tells the other half of a login ends the sentence for the value as well. */
const companion =
  /^["'`»”)]{0,2} ?[,;，、] ?(?:(?:and |the |und |et |y |e |и )?(?:login|user(?:name)?|account|логин|пользователь|юзер|usuario|usuário|utilisateur|identifiant|benutzer(?:name)?|nutzer|kullanıcı|用户名?|账号|帐号|ユーザー|アカウント|아이디|계정))(?!\p{L})/iu;

interface Asked {
  readonly kind: WordKind;
  readonly glued: Standing | undefined;
  /** The end of what stands before, the word included. */
  readonly before: string;
  readonly effort: Effort;
}

function valueIn(near: string, { kind, glued, before, effort }: Asked): Span | undefined {
  for (const { start: index, end } of piecesOf(near)) {
    // “x(으)로”: both forms of a particle, and the bracket is no part of the value.
    const piece = near.slice(index, near.startsWith("(으)", end - 1) ? end - 1 : end);
    if (mayBeSecret(piece, kind)) {
      effort.spent += 40 + piece.length;
      const bare = bareOf(piece);
      const start = index + bare.at;
      const { standing, last } = placeOf(near, { start, end: start + bare.text.length }, { glued, before, kind });
      const judged = isVaried(bare.text) ? bare.text : withoutFiller(bare.text);
      if (
        standing &&
        isSaidSecret(judged, kind, { standing, last, named: namedBefore(near.slice(0, start)) }) &&
        !isArgument(judged, before, near.slice(0, start)) &&
        !isCount(judged, before, near.slice(0, start))
      ) {
        return { start, end: start + bare.text.length };
      }
    }
    // A sentence that ended says nothing about the next one.
    if (/[.!?;]$/.test(piece) && !abbreviation.test(piece) && !anew.test(near.slice(end))) return undefined;
  }
  return undefined;
}

function placeOf(
  near: string,
  { start, end }: Span,
  { glued, before, kind }: Pick<Asked, "glued" | "before" | "kind">,
) {
  const rest = near.slice(end);
  if (setAfter.test(rest)) return { standing: "linked" as const, last: true };
  const standing =
    start === 0 ? glued : standingOf(withoutArticle(near.slice(0, start), near[start] ?? ""), before, kind);
  const isPaused = kind === "pin" || kind === "code" || standing === "linked";
  const isUnspaced = kind === "code" && unspaced.test(rest.trimStart()[0] ?? "");
  return {
    standing,
    last: ending.test(rest) || companion.test(rest) || (isPaused && pausing.test(rest)) || isUnspaced,
  };
}

/** “le code est le 4821”: of numbers alone, since what else follows an article is a noun. */
function withoutArticle(between: string, first: string): string {
  return /[0-9]/.test(first) ? between.replace(/(?<= )(?:le|la|el|il|o|the|der|die|das|de|het) $/i, "") : between;
}

/** By hand: an expression over the letters of three scripts took most of the time that a text full of such words costs. */
export function piecesOf(near: string): Span[] {
  const found: Span[] = [];
  let start = 0;
  for (let at = 0; at <= near.length && found.length < mostPieces; at += 1) {
    if (at < near.length && isOfValues(near.charCodeAt(at))) continue;
    if (at > start) found.push({ start, end: at });
    start = at + 1;
  }
  return found;
}

/** What values are written in: ASCII without blanks, Latin, Greek and Cyrillic letters and their marks. */
function isOfValues(code: number): boolean {
  return code < 0x7f ? code > 0x20 : (code >= 0xc0 && code <= 0x24f) || (code >= 0x300 && code <= 0x4ff);
}

/** Cheap, and no for most words of a sentence. */
function mayBeSecret(piece: string, kind: WordKind): boolean {
  if (kind === "pin") return /[0-9]{4}|[0-9][AB][0-9]|[0-9]-[0-9]/.test(piece);
  if (isChosen(kind) && /^["'`]?[0-9]{4,5}["'`]?[.,!]?$/.test(piece)) return true;
  return piece.length >= 6 && (/[0-9]/.test(piece) || /[a-z][A-Z]|[!#%^*~?+@]./.test(piece) || piece.length >= 12);
}

/** “wallet secret (base58) x”: what is added in brackets says nothing else. */
const added = /\([^()\n]{1,32}\)/;

/** “Türcode Lager 4821”: what a code of digits opens. “Pin Chrome 12800” is a verb and its object. */
const place = /^ \p{Lu}\p{Ll}{2,20} $/u;
const verb = /(?:^|[^\p{L}])pin$/iu;

/** “| chave de API | x”, “clé API<tab>x”: the next cell. */
const cell = /^(?:[^|\t\n:=]{0,32}(?:\||\t)[ ]?| \/ )["'`*]{0,2}$/;

function standingOf(whole: string, before: string, kind: WordKind): Standing | undefined {
  const between = withoutKind(whole.includes("(") ? whole.replace(added, "") : whole);
  if (/^값?[\s"'`«»„“”‘’「『（(*]{1,4}$/.test(between) || cell.test(between)) return "next";
  if (link.test(between.slice(-linkReach))) return "linked";
  if (change.test(between) || isChangedTo(before, between))
    return kind === "pin" || kind === "code" ? "linked" : "next";
  // In quotes it is the value, and not what the word is for.
  if (/(?:^|\s)(?!the|el|la|le|der|die|das|den|dem)\p{L}{1,20} ["'«„“「]$/u.test(between) && owner.test(between))
    return "next";
  return owner.test(between) || ((kind === "pin" || kind === "code") && place.test(between) && !verb.test(before))
    ? "near"
    : undefined;
}

/** “commit 9fceb02”, “id: …”: the word right before says that it is none. */
function namedBefore(between: string): boolean {
  return /(?:commit|sha-?[0-9]{0,3}|rev|revision|hash|digest|checksum|fingerprint|ids?|uuid|build|run|request|issue|version|md5|etag|kid|sid|arn|image|tag|branch)["'`]?[\s:=#(]{0,4}["'`]?$/i.test(
    between.slice(-24),
  );
}

/** `generateKey(` and no bracket that closes it; with a blank before it, it is a bracket of the sentence. */
const openCall = /[A-Za-z0-9_>]\((?:[^()\n]{0,120}|[^()\n]{0,60}\([^()\n]{0,60}\)[^()\n]{0,60})$/;

/**
 * A named argument of a call: `generateSecretKey(algorithm = HmacSha256)`, `derive(password: input, rounds: 100000)`. No
 * language takes a bare word there for text, so that one which reads as the name of a type is one.
 */
function isArgument(value: string, before: string, between: string): boolean {
  if (!/[\w)][ \t]{0,2}[=:][ \t]{0,2}$/.test(between) || !openCall.test(before + between)) return false;
  if (/^[0-9]{1,12}$/.test(value)) return /,\s{0,4}\w{1,40}[ \t]{0,2}[=:][ \t]{0,2}$/.test(between);
  return isTypeName(value) || isNamed(value);
}

/** `"password-history": 5, "session-timeout": 3600`, “errors this week: 48213”, `host:8443`: a number of something else. */
function isCount(value: string, before: string, between: string): boolean {
  if (!/^[0-9]{1,12}$/.test(value)) return false;
  if (value.length >= 7 && /[,;，；、]/.test(between.replace(added, ""))) return true;
  if (value.length <= 5 && /[\p{L}\p{N}]:$/u.test(between)) return true;
  if (/[,{][ \t]{0,2}["'`]?[\w.-]{1,40}["'`]?[ \t]{0,2}[:=][ \t]{0,2}$/.test(between)) return true;
  return isCounted(before.slice(-countReach) + between);
}

interface Bare {
  readonly text: string;
  readonly at: number;
}

/** Without the quotes, brackets and signs of the sentence around it. */
function bareOf(piece: string): Bare {
  const [lead = ""] = /^(?:[\w.@-]{0,12}\)?(?::|=|->))?["'`(<[*]{0,3}/.exec(piece) ?? [];
  const text = piece.slice(lead.length).replace(/["'`)\]>*,;]{0,4}[.,;:]{0,1}\(?$/, "");
  return { text, at: lead.length };
}
