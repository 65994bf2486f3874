/** A part of a text, in UTF-16 units, the end left out. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What was spent on looking in vain; about 50 ns a unit. A text that asks for too much of it is refused for that. */
export interface Effort {
  spent: number;
}

/**
 * One kind of secret. A rule is tried only where one of its anchors stands, and reads a bounded number of characters
 * around it: that, and not care in writing expressions, is why no text can make the guard slow (GUARD-5).
 */
export interface Rule {
  readonly id: string;
  readonly title: string;
  /** Lower-case ASCII; found in any case. */
  readonly anchors: readonly string[];
  /** Whether the form alone gives it away, so that it is also looked for in what base64 and the like hide. */
  readonly knownByForm: boolean;
  /** Rules that are pure data have one; the tests read it to prove that it cannot backtrack. */
  readonly pattern?: RegExp;
  find(text: string, anchor: Span, effort: Effort): Span | undefined;
  /** Made up, and put together at run time: no scanner shall take these sources for a leak. */
  readonly matches: readonly string[];
  readonly passes: readonly string[];
}

export interface PatternRule extends Pick<Rule, "id" | "title" | "anchors" | "matches" | "passes"> {
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
  return { ...rule, knownByForm: true, find: (text, anchor, effort) => match(rule, text, anchor, effort) };
}

/** The value looks like nothing in particular; what stands beside it gives it away. */
export function knownByPlace(rule: PatternRule): Rule {
  return { ...rule, knownByForm: false, find: (text, anchor, effort) => match(rule, text, anchor, effort) };
}

function match(rule: PatternRule, text: string, anchor: Span, effort: Effort): Span | undefined {
  const { pattern, accepts, startsBefore = 0, until } = rule;
  pattern.lastIndex = anchor.start - startsBefore;
  if (pattern.lastIndex < 0) return undefined;
  const found = pattern.exec(text);
  effort.spent += 1;
  if (!found) return undefined;
  const before = found.groups?.["before"];
  const value = before === undefined ? (found[1] ?? found[0]) : before + found[0];
  const start = before === undefined ? found.index + found[0].lastIndexOf(value) : found.index - before.length;
  if (accepts && !accepts(value, text, start)) {
    effort.spent += 30 + (value.length >> 1);
    return undefined;
  }
  const end = start + value.length;
  if (until === undefined) return { start, end };
  const rest = text.slice(end, end + maxUntil).indexOf(until);
  return { start, end: rest < 0 ? end : end + rest + until.length };
}
