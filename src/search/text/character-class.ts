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
/** Of characters that take two units, by their number. */
const classesOfPairs = new Map<number, number>();

export function classAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (isHalf(unit)) return classOfPair(unit, text.charCodeAt(unit < 0xdc00 ? index + 1 : index - 1));
  return classes[unit] || classify(unit);
}

/** The same for one of the units that were loaded from a text. */
export function classIn({ values, length }: TextUnits, index: number): number {
  const unit = values[index] as number;
  if (!isHalf(unit)) return classes[unit] || classify(unit);
  const other = unit < 0xdc00 ? index + 1 : index - 1;
  return classOfPair(unit, other >= 0 && other < length ? (values[other] as number) : Number.NaN);
}

function classify(unit: number): number {
  const found = unit < 0x80 ? asciiClassOf(unit) : classOf(String.fromCharCode(unit));
  classes[unit] = found;
  return found;
}

/** Both halves have the class of the whole; one without its other half is no character. */
function classOfPair(half: number, neighbour: number): number {
  const [high, low] = half < 0xdc00 ? [half, neighbour] : [neighbour, half];
  if (!(high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff)) return other;
  const point = 0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00);
  const found = classesOfPairs.get(point) ?? classOf(String.fromCodePoint(point));
  classesOfPairs.set(point, found);
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

function classOf(character: string): number {
  if (joints.includes(character)) return joint;
  if (unspacedScripts.test(character)) return unspaced;
  if (/^\p{N}$/u.test(character)) return digit;
  if (!letters.test(character)) return other;
  return character === character.toLowerCase() ? lower : upper;
}
