import { isPlaceholder } from "./placeholder.ts";
import type { WordKind } from "./secret-words.ts";
import { entropyOf, isRandom } from "./variety.ts";
import { isNamed, isWordy } from "./wordiness.ts";

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
  return isPathOfNames(value) || (!literal && isCode(value)) ? "none" : look;
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
  return /[A-Za-z0-9][!#%^*~$][A-Za-z0-9]/.test(value) || isWordsAndNumber(value);
}

// `coffee-lamp-42`, and neither `SCRAM-SHA-256`, `scram-sha-256` nor `2024-03-11`. With underscores it is a name.
function isWordsAndNumber(value: string): boolean {
  if (!/\p{Ll}/u.test(value) || technicalTerm.test(value)) return false;
  return (
    /^\p{L}{3,20}(?:-\p{L}{3,20}){1,4}-[0-9]{1,4}$/u.test(value) ||
    (/_\p{Lu}/u.test(value) && /^\p{L}{3,20}(?:_\p{L}{3,20}){1,4}_[0-9]{1,4}$/u.test(value))
  );
}

const technicalTerm =
  /(?:^|-)(?:sha|md|aes|rsa|ecdsa|hmac|utf|iso|rfc|cve|scram|issue|part|step|phase|version|build)-/i;

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
export function isSaidSecret(value: string, kind: WordKind, { standing, last, named = false }: SaidContext): boolean {
  if (kind === "pin" || (last && isDoorCode(value, kind, standing))) return isPin(value, standing, last);
  const isGenerated = kind === "generated" || kind === "login";
  const look = plausibilityOf(value, { kind: isGenerated ? "generated" : "password" });
  if (look === "none" || named || isIdentifier(value, isGenerated)) return false;
  if (!/[0-9]/.test(value)) return isSaidWithoutDigits(value, look, standing);
  if (!/\p{L}/u.test(value)) return !isGenerated && standing === "linked" && last;
  if (isGenerated) return isRandom(value) && (standing === "linked" || value.length >= 16 || isMixed(value));
  if (standing === "near") return isNearSecret(value, look, last);
  return look === "strong" || hasSign(value) || (last && value.length >= (standing === "linked" ? 6 : 7));
}

/** Too short for a password otherwise; but a sentence that ends with it means nothing else. */
function isDoorCode(value: string, kind: WordKind, standing: Standing): boolean {
  return kind === "password" && standing === "linked" && /^[0-9]{4,5}$/.test(value);
}

function isNearSecret(value: string, look: Plausibility, last: boolean): boolean {
  if (look !== "strong") return last && hasSign(value) && !/^(?:issue|pr|bug|ticket|task)#/i.test(value);
  return isMixed(value) || hasSign(value) || (last && !isNamed(value));
}

function isPin(value: string, standing: Standing, last: boolean): boolean {
  return (standing === "linked" || last) && /^[0-9]{4,8}$/.test(value) && !/^(?:19|20)[0-9]{2}$/.test(value);
}

/** Letters alone: both cases out of order, or a sign among them, or more than any word of small letters has. */
function isSaidWithoutDigits(value: string, look: Plausibility, standing: Standing): boolean {
  if (look !== "strong" && !(standing === "linked" && hasSign(value))) return false;
  if (/^[a-z]{1,160}$/.test(value)) return standing === "linked" && value.length >= 14;
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /^[\x21-\x7e]{8,64}$/.test(value) && !/[/(){}<>[\]]/.test(value);
}

/** A word that no language and no naming habit makes, also among other words. */
export function isMixed(word: string): boolean {
  return /^[\w!#$%&*+=?@^~<>.-]{10,64}$/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word) && /[0-9]/.test(word);
}

/** A hash, a UUID, an address, a path, the name of a variable or ticket: what sentences name besides secrets. */
function isIdentifier(value: string, isGenerated: boolean): boolean {
  // Keys of services are hexadecimal from 24 digits on; a shortened hash has fewer.
  if (/^(?:0x)?[0-9a-f]{7,128}$/i.test(value)) return !(isGenerated && value.length >= 24);
  return (
    (isGenerated && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value)) ||
    /^(?:https?:|\/|~|\.)/.test(value) ||
    (value.includes("/") && value.split("/").slice(0, -1).every(isNamed)) ||
    /^(?:process|os|config|settings|env|self|this|import|secrets|vars|vault|app|req|ctx)\.[\w.$]{1,80}$/.test(value) ||
    /^[A-Z]{2,10}-[0-9]{1,6}$/.test(value) ||
    /^[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,8}$/.test(value)
  );
}

/** Where a value is kept: a path, an address, an entry of a vault. */
function isReference(value: string): boolean {
  if (
    /^(?:op|arn|env|vault|file|secrets?|ssm|keyring|keychain|sm|ref\+[a-z0-9]{1,20}|aws|gcp|azure|kms|awskms)[:/]/i.test(
      value,
    )
  )
    return true;
  if (/^(?:ENC\[|AQICAH|vault:v[0-9])/.test(value)) return true;
  // Which key it is, as key management services name them.
  if (/^id=(?:mrk-)?[0-9a-f-]{8,40}$/.test(value)) return true;
  if (/^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(value)) return true;
  return (
    /^(?:~|\.{0,2})\/[\w./@-]{1,200}$/.test(value) &&
    /\.[a-z]{1,5}$|^(?:~|\.|\/(?:etc|run|var|home|usr|opt|tmp|srv|mnt))/.test(value)
  );
}

/** Keys that stand in every page of a site: Mapbox, Stripe, PostHog and Supabase give them prefixes of their own. */
function isPublic(value: string): boolean {
  return /^(?:pk\.eyJ|pk_(?:live|test)_|phc_|sb_publishable_)[\w.-]{6,250}$/.test(value);
}

/** An expression that gives the value when it runs. */
function isCode(value: string): boolean {
  // A call, an index, or the beginning of one: the value ended at the quote or blank inside.
  const [, called] = /^[!&*@$]{0,2}([A-Za-z_$][\w$.:?!<>-]{0,120})[([]/.exec(value) ?? [];
  if (called !== undefined && isNamed(called) && !/^[^([]{1,120}\([^)]{0,120}\)[A-Za-z0-9]/.test(value)) return true;
  return /^(?:function|async|await|new|lambda|return|import|require|typeof|if|else)\b/.test(value);
}

/** `process.env.X`, `config.auth.v2`, `this.#token`, `Foo::BAR`; in quotes the keys of translations. */
function isPathOfNames(value: string): boolean {
  return (
    /^[!&*@$]{0,2}[A-Za-z_$][\w$]{0,60}(?:(?:\?\.|\.|::|->)#?[A-Za-z_$][\w$]{0,60}){1,8}[;,?!]{0,2}$/.test(value) &&
    isNamed(value)
  );
}

/** Dates, times, versions, sizes, colours, address ranges. */
function isMeasure(value: string): boolean {
  return /^(?:v?[0-9]{1,8}(?:[.:/,_-][0-9]{1,8}){1,6}(?:[a-z]{1,5}[.0-9]{0,4})?|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ].{0,24}|#[0-9a-f]{3,8}|[<>=~^]{1,2} ?[0-9.]{1,12})$/i.test(
    value,
  );
}
