import { isVaried, withoutFiller } from "./variety.ts";

/** A part of a text, in UTF-16 units, the end left out. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * One kind of secret. A rule is tried only where one of its anchors stands, and reads a bounded number of characters
 * around it: that, and not care in writing expressions, is why no text can make the guard slow (GUARD-5).
 */
export interface Rule {
  readonly id: string;
  readonly title: string;
  /** In lower case; found in any. */
  readonly anchors: readonly string[];
  /** Whether the form alone gives it away, so that it is also looked for in what base64 and the like hide. */
  readonly knownByForm: boolean;
  /** A letter or digit right before it makes it a part of a word: `sk-` also ends “task-”. */
  readonly startsWord?: boolean;
  /** Rules that are pure data have one; the tests read it to prove that it cannot backtrack. */
  readonly pattern?: RegExp;
  find(text: string, anchor: Span, effort: Effort): Span | undefined;
  /** Made up, and put together at run time: no scanner shall take these sources for a leak. */
  readonly matches: readonly string[];
  readonly passes: readonly string[];
}

interface PatternRule extends Pick<Rule, "id" | "title" | "anchors" | "startsWord" | "matches" | "passes"> {
  /**
   * Sticky, tried at the anchor; every repetition is bounded and none is nested. The value is group 1, or all of it.
   * A group `before`, inside of what it looks back at, is what of the value stands before the anchor.
   */
  readonly pattern: RegExp;
  /** How many characters of the value stand before the anchor. */
  readonly startsBefore?: number;
  /** The value goes on to the end of this literal, if that is near. */
  readonly until?: string;
  readonly accepts?: (value: string, text: string, start: number) => boolean;
}

const maxUntil = 4096;

export function knownByForm(rule: PatternRule): Rule {
  return { ...rule, knownByForm: true, find: finderOf(rule) };
}

/** The value looks like nothing in particular; what stands beside it gives it away. */
export function knownByPlace(rule: PatternRule): Rule {
  return { ...rule, knownByForm: false, find: finderOf(rule) };
}

function finderOf(rule: PatternRule): Rule["find"] {
  const reach = reachOf(rule.pattern);
  return (text, anchor, effort) => {
    const found = valueAt(rule, text, anchor.start - (rule.startsBefore ?? 0));
    if (found) return spanOf(rule, text, found, effort);
    effort.chargeFailure(text, anchor.start, reach);
    return undefined;
  };
}

function spanOf(rule: PatternRule, text: string, found: Match, effort: Effort): Span | undefined {
  const { accepts, until } = rule;
  effort.spent += 1;
  const { value, start } = found;
  if (accepts && !accepts(value, text, start)) {
    effort.spent += 30 + (value.length >> 1);
    if (isVaried(value)) return undefined;
    effort.spent += 200;
    if (!isTokenWithoutFiller(rule, text, found)) return undefined;
  }
  const end = start + value.length;
  if (until === undefined) return { start, end };
  const rest = text.slice(end, end + maxUntil).indexOf(until);
  return { start, end: rest < 0 ? end : end + rest + until.length };
}

interface Match {
  readonly value: string;
  readonly start: number;
  /** All that the pattern took, the value among it. */
  readonly whole: Span;
}

function valueAt({ pattern }: PatternRule, text: string, at: number): Match | undefined {
  if (at < 0) return undefined;
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (!found) return undefined;
  const whole = { start: found.index, end: found.index + found[0].length };
  const before = found.groups?.["before"];
  if (before !== undefined) return { value: before + found[0], start: found.index - before.length, whole };
  const value = found[1] ?? found[0];
  return { value, start: found.index + found[0].lastIndexOf(value), whole };
}

/** More than any pattern looks back at. */
const maxBehind = 160;

/**
 * Patterns are greedy, so filler beside a token is taken for a part of it, and no text may excuse a token (GUARD-4):
 * `ghp_…` with `xxxxxx` or dots behind it is one still. What is left without the filler must have the form by itself;
 * `ghp_xxxxxxxx` has it no more.
 */
function isTokenWithoutFiller(rule: PatternRule, text: string, { whole }: Match): boolean {
  const taken = text.slice(whole.start, whole.end);
  const rest = withoutFiller(taken);
  const behind = text.slice(Math.max(0, whole.start - maxBehind), whole.start);
  const found = valueAt(rule, behind + rest, behind.length);
  return found !== undefined && rule.accepts?.(found.value, behind + rest, found.start) !== false;
}

/**
 * What was spent on looking in vain, in units of about 50 ns. A text that asks for too much of it is refused for that.
 */
export class Effort {
  spent = 0;
  /** For the text and all that it hides together: each layer would otherwise have as much again. */
  readonly limit: number;
  #text = "";
  #start = 0;
  #end = -1;

  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * For a pattern that failed at `at`: it may have read as far as it reaches, and given all of it back; one that reads no
   * blanks no more than the run around it. A unit pays for 32 characters that are read and given back.
   */
  chargeFailure(text: string, at: number, { characters, acrossBlanks }: Reach): void {
    this.spent += 1;
    if (characters < charactersPerUnit) return;
    this.spent += (acrossBlanks ? characters : Math.min(characters, this.#runAround(text, at))) >> 5;
  }

  // The run is kept: thousands of anchors in one endless word must not each look for its end.
  #runAround(text: string, at: number): number {
    if (at < this.#start || at > this.#end || text !== this.#text) {
      this.#text = text;
      this.#start = at;
      while (this.#start > 0 && at - this.#start < maxRun && !isBlank(text, this.#start - 1)) this.#start -= 1;
      this.#end = at;
      while (this.#end < text.length && this.#end - at < maxRun && !isBlank(text, this.#end)) this.#end += 1;
    }
    return this.#end - this.#start;
  }
}

const charactersPerUnit = 32;
const maxRun = 4096;

function isBlank(text: string, at: number): boolean {
  return text.charCodeAt(at) <= 32;
}

interface Reach {
  readonly characters: number;
  readonly acrossBlanks: boolean;
}

/**
 * At most how many characters a pattern reads: the sum of its repetitions, and of what stands between them. Too much for
 * alternatives, which cannot all be read; that only makes a failure dearer.
 */
export function reachOf(pattern: RegExp): Reach {
  let characters = pattern.source.replaceAll(/\[(?:\\.|[^\]\\])*\]|\{[^}]*\}|\(\?[:=!<]*|[()|]/g, " ").length;
  for (const [, most] of pattern.source.matchAll(/\{(?:[0-9]+,)?([0-9]+)\}/g)) characters += Number(most);
  return { characters, acrossBlanks: /\[\^\\n/.test(pattern.source) };
}
