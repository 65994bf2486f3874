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
  return classes[unit] || classify(text, index, unit);
}

function classify(text: string, index: number, unit: number): number {
  // Both halves of a pair have the class of the whole.
  if (unit >= 0xd800 && unit <= 0xdfff) return classOf(wholeAt(text, index, unit));
  const found = classOf(String.fromCharCode(unit));
  classes[unit] = found;
  return found;
}

function wholeAt(text: string, index: number, unit: number): string {
  const from = unit >= 0xdc00 ? index - 1 : index;
  return from < 0 ? "" : String.fromCodePoint(text.codePointAt(from) ?? 0);
}

function classOf(character: string): number {
  if (joints.includes(character)) return character === "" ? other : joint;
  if (unspacedScripts.test(character)) return unspaced;
  if (/^\p{N}$/u.test(character)) return digit;
  if (!letters.test(character)) return other;
  return character === character.toLowerCase() ? lower : upper;
}
