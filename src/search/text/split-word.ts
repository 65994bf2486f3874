import { characterClass, classAt } from "./character-class.ts";

/** A part of an identifier or path, as a place in it. */
export interface WordPart {
  readonly start: number;
  readonly end: number;
  /** What stands before it: a joint, or nothing where letters change their case or digits begin. */
  readonly joint: string;
}

const { joint, lower, upper, digit } = characterClass;
const clitics: ReadonlySet<string> = new Set(["s", "t", "d", "m", "re", "ve", "ll"]);

/** `getUserName`, `snake_case`, `src/unit.ts`, `python3`: the words it is made of. */
export function splitWord(word: string): WordPart[] {
  const parts: WordPart[] = [];
  let start = 0;
  let before = "";
  for (let at = 1; at <= word.length; at += 1) {
    const now = at < word.length ? classAt(word, at) : joint;
    if (now !== joint && !isBorder(word, start, at, now)) continue;
    if (at > start) parts.push({ start, end: at, joint: before });
    before = now === joint ? (word[at] ?? "") : "";
    start = now === joint ? at + 1 : at;
  }
  return withoutClitic(word, parts);
}

function withoutClitic(word: string, parts: WordPart[]): WordPart[] {
  const last = parts.at(-1);
  if (last && parts.length > 1 && "'’".includes(last.joint) && last.joint !== "") {
    if (clitics.has(word.slice(last.start, last.end).toLowerCase())) parts.pop();
  }
  return parts;
}

/** Whether a new part begins at a character that no joint precedes. */
function isBorder(word: string, start: number, at: number, now: number): boolean {
  if (at === start) return false;
  const before = classAt(word, at - 1);
  if (now === digit) return before !== digit && isNameBefore(word, start, at);
  if (before === digit) return isNameAfter(word, at);
  if (now === upper) return before === lower || (at > start + 1 && isCapitalised(word, at));
  return false;
}

/** `HTMLElement` goes on as `Element`, but `URLs` is one word. */
function isCapitalised(word: string, at: number): boolean {
  if (at + 1 >= word.length || classAt(word, at + 1) !== lower) return false;
  const isPlural = word[at + 1] === "s" && (at + 2 >= word.length || classAt(word, at + 2) !== lower);
  return !isPlural;
}

/** `python3` and `sha256` are names with a number; `x86` and `0x80070005` are not. */
function isNameBefore(word: string, start: number, at: number): boolean {
  let letters = 0;
  while (at - letters - 1 >= start && letters < 2 && classAt(word, at - letters - 1) !== digit) letters += 1;
  return letters === 2;
}

/** `64bit` is a number with a name; `2d`, `18th` and `10ms` are not. */
function isNameAfter(word: string, at: number): boolean {
  let letters = 0;
  while (at + letters < word.length && letters < 3 && isLetter(classAt(word, at + letters))) letters += 1;
  return letters === 3;
}

function isLetter(found: number): boolean {
  return found === lower || found === upper;
}
