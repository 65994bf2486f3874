import { isChosenFromWords, isChosenPath } from "./chosen-words.ts";
import { isReference } from "./kept-elsewhere.ts";
import { isPlaceholder } from "./placeholder.ts";
import type { WordKind } from "./secret-words.ts";
import { entropyOf, isRandom } from "./variety.ts";
import { isNamed, isTypeName, isTypePath, isWordy } from "./wordiness.ts";

/** How much a value looks like a secret, given that it stands where one could. */
export type Plausibility = "none" | "weak" | "strong";

/** `password`: people choose them, so they may be short. `generated`: machines make them. */
export type ValueKind = "password" | "generated";

interface ValueContext {
  readonly kind: ValueKind;
  /** In quotes that make it a literal: what looks like an expression is none there. */
  readonly literal?: boolean;
}

export function plausibilityOf(value: string, { kind, literal = false }: ValueContext): Plausibility {
  if (value.length < (kind === "password" ? 6 : 8)) return "none";
  // The cheap questions first: most of what stands beside such a word is a word.
  const seen = lookOf(value, kind);
  const look = seen === "none" && literal && kind === "password" && isSignedMix(value) ? "weak" : seen;
  if (look === "none" || isPlaceholder(value) || isReference(value) || isMeasure(value) || isPublic(value))
    return "none";
  if (isValidation(value) || isCallBehind(value) || isRegex(value)) return "none";
  if (kind === "password" && isChosenPath(value, literal)) return look;
  return isPathOfNames(value) || isTypePath(value) || (!literal && isCode(value)) ? "none" : look;
}

function lookOf(value: string, kind: ValueKind): Plausibility {
  if (/^[0-9]{1,256}$/.test(value)) return digitsOnly(value, kind);
  if (isWordy(value)) return wordyLook(value, kind);
  // Letters of one case alone are an abbreviation as often as not.
  if (value.length < 12 && /^(?:[a-z]{1,12}|[A-Z]{1,12})$/.test(value)) return "weak";
  return value.length >= 8 && entropyOf(value) >= 2.5 ? "strong" : "weak";
}

// In quotes no operator: `aBcD+eFgH` is neither a sum nor a sentence.
function isSignedMix(value: string): boolean {
  return (
    value.length >= 8 &&
    /^[\x21-\x7e]{8,64}$/.test(value) &&
    /[a-z][A-Z].{0,64}[a-z][A-Z]/.test(value) &&
    hasSign(value)
  );
}

function hasSign(value: string): boolean {
  return /[A-Za-z0-9][!#%&*?+=~^][A-Za-z0-9]/.test(value);
}

/** `Velvet%087`: a word, a sign and a number, in eight characters or more. */
export function isSignedPassword(value: string): boolean {
  return (
    /^[\w!#%&*?+~^@-]{8,64}$/.test(value) &&
    /[A-Za-z0-9][!#%&*?+~^][A-Za-z0-9]{0,12}[0-9]{2}/.test(value) &&
    /[A-Za-z][A-Za-z0-9@]{2}/.test(value) &&
    !isTicket(value)
  );
}

function isTicket(value: string): boolean {
  return /^(?:issue|pr|bug|ticket|task|pkcs)#/i.test(value);
}

// Parts too short to tell from words: a sign between letters, and capitals behind small ones, make up for that.
function wordyLook(value: string, kind: ValueKind): Plausibility {
  if (!hasPasswordSymbols(value, kind)) return "none";
  return value.length >= 8 && /[A-Za-z0-9][!#%^*~][A-Za-z0-9]/.test(value) && /[a-z][A-Z]/.test(value)
    ? "strong"
    : "weak";
}

function digitsOnly(value: string, kind: ValueKind): Plausibility {
  if (kind === "password") return "weak";
  return value.length >= 20 ? "strong" : "none";
}

// `Berlin#4821`, `winter-2024!`: words and numbers, but put together as only passwords are.
function hasPasswordSymbols(value: string, kind: ValueKind): boolean {
  if (kind !== "password" || /[\s()[\]{}<>/\\]/.test(value)) return false;
  if (/[!@#$%^&*+=?~].{0,200}[0-9]|[0-9].{0,200}[!@#$%^&*+=?~]/.test(value)) return true;
  return /[A-Za-z0-9][!#%^*~$][A-Za-z0-9]/.test(value) || isChosenFromWords(value);
}

/**
 * How a value stands in a sentence. `linked`: a sign or verb says that it is what the word means. `next`: beside the
 * word, or behind the verb of a change. `near`: behind what the word is for.
 */
export type Standing = "linked" | "next" | "near";

interface SaidContext {
  readonly standing: Standing;
  /** Whether the sentence or line ends with it: what goes on is prose, more often than not. */
  readonly last: boolean;
  /** The word before it says that it is an identifier. */
  readonly named?: boolean;
}

/**
 * Sentences hold identifiers and words besides secrets, so that the value must be surer the less leads to it. The lengths:
 * 8 is what services demand of passwords. Without a link a name such as `eu-west-1a` has that too; 10 with both cases
 * and a digit, or 16 of random look, stood beside no such word in 762 Markdown files of packages.
 */
export function isSaidSecret(value: string, kind: WordKind, context: SaidContext): boolean {
  const { standing, last, named = false } = context;
  if (kind === "pin" || (last && isDoorCode(value, kind, standing))) return isPin(value, standing, last);
  if (kind === "code" && isCodeOfDigits(value, standing, last)) return true;
  const isGenerated = kind === "generated" || kind === "login";
  const look = plausibilityOf(value, { kind: isGenerated ? "generated" : "password" });
  const isSure = standing === "linked" && last;
  if (look === "none" || named || isIdentifier(value, { isGenerated, isSure })) return false;
  if (!/[0-9]/.test(value)) return isSaidWithoutDigits(value, look, { kind, standing });
  if (isGenerated) return isSaidKey(value, standing);
  return /\p{L}/u.test(value)
    ? isSaidPassword(value, look, context)
    : last && (isSure || isDigitsBeside(value, standing));
}

function isSaidKey(value: string, standing: Standing): boolean {
  return isRandom(value) && (standing === "linked" || value.length >= 16 || isMixed(value));
}

function isSaidPassword(value: string, look: Plausibility, { standing, last }: SaidContext): boolean {
  if (standing === "near") return isNearSecret(value, look, last);
  return (
    look === "strong" ||
    (hasSign(value) && !isTicket(value)) ||
    (last && value.length >= (standing === "linked" ? 6 : 7))
  );
}

/** Too short for a password otherwise; but a sentence that ends with it means nothing else. */
function isDoorCode(value: string, kind: WordKind, standing: Standing): boolean {
  return kind === "password" && standing === "linked" && /^[0-9]{4,5}[#*]?$/.test(value);
}

/** “비밀번호 330989”: right beside the word, and longer than what a sentence counts. */
function isDigitsBeside(value: string, standing: Standing): boolean {
  return standing === "next" && /^[0-9]{6,10}$/.test(value) && !/^(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])/.test(value);
}

/** `60418855`, `483-920`; a range of years is none. */
function isCodeOfDigits(value: string, standing: Standing, last: boolean): boolean {
  if (/^(?:19|20)[0-9]{2}(?:$|-)/.test(value)) return false;
  if (/^[0-9]{4,10}$/.test(value)) return standing === "linked" || last;
  return /^[0-9]{3,6}-[0-9]{3,6}$/.test(value) && standing !== "near" && last;
}

function isNearSecret(value: string, look: Plausibility, last: boolean): boolean {
  if (look !== "strong") return last && hasSign(value) && !isTicket(value);
  return isMixed(value) || hasSign(value) || (last && !isNamed(value));
}

/** What a keypad takes; those of French doors have two letters. */
const isKeyed = /^(?:[0-9]{4,8}[#*]?|(?=.{4,8}$)[0-9]{0,5}[AB][0-9]{0,5}|[0-9]{1,2}(?:-[0-9]{1,2}){2,3})$/;

function isPin(value: string, standing: Standing, last: boolean): boolean {
  return (standing === "linked" || last) && isKeyed.test(value) && !/^(?:19|20)[0-9]{2}$/.test(value);
}

/** Letters alone: both cases out of order, or a sign among them, or more than any word of small letters has. */
function isSaidWithoutDigits(
  value: string,
  look: Plausibility,
  { kind, standing }: { kind: WordKind; standing: Standing },
): boolean {
  if (look !== "strong" && !(standing === "linked" && hasSign(value))) return false;
  if (/^[a-z]{1,160}$/.test(value)) return value.length >= 14 && (standing === "linked" || kind === "code");
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /^[\x21-\x7e]{8,64}$/.test(value) && !/[/(){}<>[\]]/.test(value);
}

/** A word that no language and no naming habit makes, also among other words. */
export function isMixed(word: string): boolean {
  return /^[\w!#$%&*+=?@^~<>.-]{10,64}$/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word) && /[0-9]/.test(word);
}

/** A hash, a UUID, an address, a path, the name of a variable or ticket: what sentences name besides secrets. */
function isIdentifier(value: string, { isGenerated, isSure }: { isGenerated: boolean; isSure: boolean }): boolean {
  // Keys of services are hexadecimal from 16 digits on; a shortened hash has fewer. Of digits alone it is a number.
  if (/^[0-9]{7,10}$/.test(value)) return isGenerated;
  if (/^(?:0x)?[0-9a-f]{7,128}$/i.test(value))
    return isGenerated ? value.length < 16 : !(isSure && /^(?=[^a-f]{0,20}[a-f])[0-9a-f]{14,24}$/i.test(value));
  return (
    (isGenerated && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value)) ||
    /^(?:https?:|\/|~|\.)/.test(value) ||
    (value.includes("/") && value.split("/").slice(0, -1).every(isNamed)) ||
    /^(?:process|os|config|settings|env|self|this|import|secrets|vars|vault|app|req|ctx)\.[\w.$]{1,80}$/.test(value) ||
    /^[A-Z]{2,10}-[0-9]{1,6}$/.test(value) ||
    /^[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,8}$/.test(value)
  );
}

/**
 * Keys that stand in every page of a site: Mapbox, Stripe, PostHog and Supabase give them prefixes of their own. And what
 * says of itself that it is a digest, or has the length of an address of Ethereum.
 */
function isPublic(value: string): boolean {
  return (
    /^(?:pk\.eyJ|pk_(?:live|test)_|phc_|sb_publishable_)[\w.-]{6,250}$/.test(value) ||
    /^sha(?:1|224|256|384|512)[-:](?:[0-9a-f]{40,128}|[A-Za-z0-9+/]{27,86}={0,2})$/i.test(value) ||
    /^0x[0-9a-f]{40}$/i.test(value)
  );
}

/** An expression that gives the value when it runs. */
function isCode(value: string): boolean {
  // A call, an index, or the beginning of one: the value ended at the quote or blank inside.
  const [, called] = /^[!&*@$]{0,2}([A-Za-z_$][\w$.:?!<>-]{0,120})[([]/.exec(value) ?? [];
  if (called !== undefined && isCallee(called) && !/^[^([]{1,120}\([^)]{0,120}\)[A-Za-z0-9]/.test(value)) return true;
  return /^(?:function|async|await|new|lambda|return|import|require|typeof|if|else)\b/.test(value);
}

/** Types have numbers in their names: `ed25519.Ed25519PrivateKey.generate`, `Secp256k1::new`. */
function isCallee(called: string): boolean {
  return called.split(/[^\w$]{1,120}/).every((part) => isNamed(part) || isTypeName(part));
}

/** `process.env.X`, `config.auth.v2`, `this.#token`, `Foo::BAR`; in quotes the keys of translations. */
function isPathOfNames(value: string): boolean {
  return (
    /^[!&*@$]{0,2}[A-Za-z_$][\w$]{0,60}(?:(?:\?\.|\.|::|->)#?[A-Za-z_$][\w$]{0,60}){1,8}[;,?!]{0,2}$/.test(value) &&
    isNamed(value)
  );
}

/** `/\bgh[pousr]_[A-Za-z0-9]{36}\b/`: what a token looks like, and none. */
function isRegex(value: string): boolean {
  return /^\/.{0,200}\[[^\]\n]{1,80}\](?:[+*?]|\{[0-9,]{1,9}\}).{0,200}\/[dgimsuvy]{0,8}$/.test(value);
}

/** `).fill(…)` behind `getByLabel("Password"`: what is done with the field. */
function isCallBehind(value: string): boolean {
  return /^["'`]?\)(?:\.|\?\.)[a-z]\w{0,40}\((?!["'`])/i.test(value);
}

/** What a field must be, in a tag of Go and in many frameworks: `required,min=12`. */
function isValidation(value: string): boolean {
  return /^(?:required|omitempty|nullable|string|min|max|len)(?:[=:][0-9]{1,5})?(?:[,|][a-z_]{2,24}(?:[=:][\w]{1,12})?){1,8}$/.test(
    value,
  );
}

/** Dates, times, versions, sizes, colours, address ranges. */
function isMeasure(value: string): boolean {
  return /^(?:v?[0-9]{1,8}(?:[.:/,_-][0-9]{1,8}){1,6}(?:[a-z]{1,5}[.0-9]{0,4})?|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ].{0,24}|#[0-9a-f]{3,8}|[<>=~^]{1,2} ?[0-9.]{1,12})$/i.test(
    value,
  );
}
