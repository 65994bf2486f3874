import { isPlaceholder } from "./placeholder.ts";
import { entropyOf } from "./variety.ts";
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
  const look = lookOf(value, kind);
  if (look === "none" || isPlaceholder(value) || isReference(value) || isMeasure(value)) return "none";
  return isPathOfNames(value) || (!literal && isCode(value)) ? "none" : look;
}

function lookOf(value: string, kind: ValueKind): Plausibility {
  if (/^[0-9]{1,256}$/.test(value)) return digitsOnly(value, kind);
  if (isWordy(value)) return hasPasswordSymbols(value, kind) ? "weak" : "none";
  // Letters of one case alone are an abbreviation as often as not.
  if (value.length < 12 && /^(?:[a-z]{1,12}|[A-Z]{1,12})$/.test(value)) return "weak";
  return value.length >= 8 && entropyOf(value) >= 2.5 ? "strong" : "weak";
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

// `coffee-lamp-42`, and neither `SCRAM-SHA-256` nor `2024-03-11`.
function isWordsAndNumber(value: string): boolean {
  return /[a-z]/.test(value) && /^[A-Za-z]{3,20}(?:-[A-Za-z]{3,20}){1,4}-[0-9]{1,4}$/.test(value);
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
