import type { TextUnits } from "./text-units.ts";

/** What a character does in a text: 0 stands for one that was not looked at yet. */
export const characterClass = {
  other: 1,
  /** Joins words when it stands between two of them: `snake_case`, `unit.ts`, `don't`. */
  joint: 2,
  lower: 3,
  upper: 4,
  digit: 5,
  /** Of a script that puts no blanks between words. */
  unspaced: 6,
} as const;

const { other, joint, lower, upper, digit, unspaced } = characterClass;
const joints = "_-./\\'’‐‑";
// Han, kana and Hangul, the scripts of Thailand, Laos, Myanmar and Cambodia, and emoji: some tag their commits by them.
const unspacedScripts =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Khmer}\p{Extended_Pictographic}ー々〆]$/u;
const letters = /^[\p{L}\p{M}]$/u;

/** Filled as characters are met: what Unicode says of one costs far more than a look into a table. */
const classes = new Uint8Array(0x10000);

export function classAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return classes[unit] || classify(unit, isHalf(unit) ? wholeAt(text, index, unit) : "");
}

/** The same for one of the units that were loaded from a text. */
export function classIn(units: TextUnits, index: number): number {
  const unit = units.values[index] as number;
  return classes[unit] || classify(unit, isHalf(unit) ? wholeIn(units, index) : "");
}

/** Both halves of a pair have the class of the whole. */
function classify(unit: number, whole: string): number {
  if (isHalf(unit)) return classOf(whole);
  const found = unit < 0x80 ? asciiClassOf(unit) : classOf(String.fromCharCode(unit));
  classes[unit] = found;
  return found;
}

function isHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** What Unicode says of these is known, and to make ready to ask it takes longer than a search. */
function asciiClassOf(unit: number): number {
  if (unit >= 0x61 && unit <= 0x7a) return lower;
  if (unit >= 0x41 && unit <= 0x5a) return upper;
  if (unit >= 0x30 && unit <= 0x39) return digit;
  return joints.includes(String.fromCharCode(unit)) ? joint : other;
}

function wholeAt(text: string, index: number, unit: number): string {
  const from = unit >= 0xdc00 ? index - 1 : index;
  return from < 0 ? "" : String.fromCodePoint(text.codePointAt(from) ?? 0);
}

function wholeIn({ values, length }: TextUnits, index: number): string {
  const from = Math.max(0, index - 1);
  const around = String.fromCharCode(...values.subarray(from, Math.min(length, index + 2)));
  return wholeAt(around, index - from, values[index] as number);
}

function classOf(character: string): number {
  if (joints.includes(character)) return character === "" ? other : joint;
  if (unspacedScripts.test(character)) return unspaced;
  if (/^\p{N}$/u.test(character)) return digit;
  if (!letters.test(character)) return other;
  return character === character.toLowerCase() ? lower : upper;
}
