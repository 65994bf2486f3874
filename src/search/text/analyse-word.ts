import { fold, spelledOut } from "./fold.ts";
import { splitWord, type WordPart } from "./split-word.ts";
import { stem } from "./stem.ts";
import { isStopWord } from "./stop-words.ts";

/** What a word of a text is found by. */
export interface AnalysedWord {
  /** In order: one for a plain word, several for an identifier, a path or a run of a script without blanks. */
  readonly parts: readonly string[];
  /** What it is found by as well: an identifier as a whole, another spelling, a single character of such a run. */
  readonly others: readonly string[];
  readonly isStop: boolean;
}

const none: readonly string[] = [];
/** A version is meant with and without its v. */
const version = /^v\d+\./;
/** Arabic writes “the”, with “and”, “by”, “like”, “so” or “for” before it, as the beginning of the word. */
const article = /^(?:[وبكف]?ال|لل)(?=\p{Script=Arabic}{3})/u;
const longestTerm = 64;
const mostOthers = 16;

/** Has no parts, and is folded as it is; most words are such. */
const plain = /^[a-z]+$/;

export function analyseWord(word: string): AnalysedWord {
  if (plain.test(word)) return { parts: [termOf(word)], others: none, isStop: isStopWord(word) };
  if (word.endsWith("+") || word.endsWith("#")) {
    return { parts: [word.toLowerCase()], others: none, isStop: false };
  }
  const split = splitWord(word);
  const folded = split.map(({ start, end }) => fold(word.slice(start, end)));
  const parts = folded.filter((part) => part !== "").map(termOf);
  const [first] = split;
  if (!first || split.length > 1) return { parts, others: wholesOf(split, folded), isStop: false };
  const spelled = spelledOut(word.slice(first.start, first.end));
  const others = spelled === undefined ? none : [termOf(spelled)];
  return { parts, others, isStop: isStopWord(folded[0] ?? "") };
}

/** The term of a folded word that has no parts. */
export function termOf(folded: string): string {
  const stemmed = folded.charCodeAt(0) < 0x600 ? stem(folded) : folded.replace(article, "");
  return stemmed.length > longestTerm ? stemmed.slice(0, longestTerm) : stemmed;
}

/**
 * The components of a path, its names and the whole of it, `split-word`, `split-word.ts` and `text/split-word.ts`:
 * written together, so that `wi-fi` is found by `wifi`.
 */
function wholesOf(split: readonly WordPart[], folded: readonly string[]): string[] {
  const wholes = new Set<string>();
  for (const borders of split.some(({ joint }) => joint !== "" && "./\\".includes(joint))
    ? ["./\\", "/\\", ""]
    : [""]) {
    for (const whole of joinedBetween(split, folded, borders)) {
      if (wholes.size < mostOthers) wholes.add(termOf(whole));
    }
  }
  return [...wholes];
}

/** The parts put together, except over a joint that is a border: those of more than one part. */
function joinedBetween(split: readonly WordPart[], folded: readonly string[], borders: string): string[] {
  const found: string[] = [];
  let whole = "";
  let count = 0;
  const finish = (): void => {
    if (count < 2 || whole.length > longestTerm) return;
    found.push(whole);
    if (version.test(whole)) found.push(whole.slice(1));
  };
  for (const [index, part] of split.entries()) {
    const text = folded[index] ?? "";
    const isBorder = part.joint !== "" && borders.includes(part.joint);
    if (isBorder) finish();
    whole = index === 0 || isBorder ? text : join(whole, part.joint, text);
    count = index === 0 || isBorder ? 1 : count + 1;
    if (found.length >= mostOthers) return found;
  }
  finish();
  return found;
}

/** Numbers keep what stands between them, or `1.12` would be `11.2`; so does a path. */
function join(whole: string, joint: string, text: string): string {
  if (whole.length > longestTerm) return whole;
  const isNumeric = isDigit(whole.charCodeAt(whole.length - 1)) && isDigit(text.charCodeAt(0));
  return whole + (isNumeric || joint === "/" || joint === "\\" ? joint.replace("\\", "/") : "") + text;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

const longestKept = 40;
const mostKept = 4096;

/** Queries and what is shown of their answers have few words, and the same ones again and again. */
const known = new Map<string, AnalysedWord>();

export function knownWord(word: string): AnalysedWord {
  const found = known.get(word);
  if (found) return found;
  const analysed = analyseWord(word);
  if (word.length > longestKept) return analysed;
  if (known.size >= mostKept) known.clear();
  known.set(cutLoose(word), analysed);
  return analysed;
}

/** A long slice would keep the whole text that it was cut from; a short one is a copy anyway. */
export function cutLoose(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, "utf16le").toString("utf16le");
}
