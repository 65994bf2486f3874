import { isPlaceholder } from "./placeholder.ts";
import { entropyOf, isWordy } from "./variety.ts";

/** How much a value looks like a secret, given that it stands where one could. */
export type Plausibility = "none" | "weak" | "strong";

/** `password`: people choose them, so they may be short. `generated`: machines make them. */
export type ValueKind = "password" | "generated";

export function plausibilityOf(value: string, kind: ValueKind): Plausibility {
  if (value.length < (kind === "password" ? 6 : 8)) return "none";
  // The cheap questions first: most of what stands beside such a word is a word.
  const look = lookOf(value, kind);
  if (look === "none" || isPlaceholder(value) || isReference(value) || isCode(value) || isMeasure(value)) return "none";
  return look;
}

function lookOf(value: string, kind: ValueKind): Plausibility {
  if (/^[0-9]{1,256}$/.test(value)) return digitsOnly(value, kind);
  if (isWordy(value)) return hasPasswordSymbols(value, kind) ? "weak" : "none";
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

// `coffee-lamp-42`, and neither `sha-256` nor `2024-03-11`.
function isWordsAndNumber(value: string): boolean {
  return /^[A-Za-z]{3,20}(?:-[A-Za-z]{3,20}){1,4}-[0-9]{1,4}$/.test(value);
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
  if (/^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(value)) return true;
  return (
    /^(?:~|\.{0,2})\/[\w./@-]{1,200}$/.test(value) &&
    /\.[a-z]{1,5}$|^(?:~|\.|\/(?:etc|run|var|home|usr|opt|tmp|srv|mnt))/.test(value)
  );
}

/** An expression that gives the value when it runs. */
function isCode(value: string): boolean {
  // A call, an index, or the beginning of one: the value ended at the quote or blank inside.
  if (
    /^[!&*@$]{0,2}[A-Za-z_$][\w$.:?!<>-]{0,120}[([]/.test(value) &&
    !/^[^([]{1,120}\([^)]{0,120}\)[A-Za-z0-9]/.test(value)
  )
    return true;
  // A member or a path of names: `process.env.X`, `config.auth.v2`, `this.#token`, `Foo::BAR`.
  if (/^[!&*@$]{0,2}[A-Za-z_$][\w$]{0,60}(?:(?:\?\.|\.|::|->)#?[A-Za-z_$][\w$]{0,60}){1,8}[;,?!]{0,2}$/.test(value))
    return value.split(/[^A-Za-z0-9]/).every((part) => part.length < 16 || isWordy(part));
  return /^(?:function|async|await|new|lambda|return|import|require|typeof|if|else)\b/.test(value);
}

/** Dates, times, versions, sizes, colours, address ranges. */
function isMeasure(value: string): boolean {
  return /^(?:v?[0-9]{1,8}(?:[.:/,_-][0-9]{1,8}){1,6}(?:[a-z]{1,5}[.0-9]{0,4})?|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ].{0,24}|#[0-9a-f]{3,8}|[<>=~^]{1,2} ?[0-9.]{1,12})$/i.test(
    value,
  );
}
