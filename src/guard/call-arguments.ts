import { isFinder } from "./expression-literal.ts";
import type { Effort, Span } from "./rule.ts";

/** The first literal in an argument of a call. */
export interface ArgumentLiteral extends Span {
  readonly text: string;
}

/** A call of ordinary length. */
const reach = 260;
const mostArguments = 6;
/** Calls in calls: what is deeper is an argument of another one. */
const mostOpen = 4;
/** They make bytes or a key of a literal, and look nothing up. */
const makers =
  /^(?:getBytes|from(?:Hex|Base64|Utf8|Raw|Bytes|Slice|Str|String)?|fromCharCodes|from_\w{1,12}|byte|bytes)$/i;

/**
 * The literals of the call whose bracket opens right before `at`, by their arguments. A literal that is looked something
 * up by is none of them: `jwt.sign(payload, config.get("key"))`.
 */
export function callArguments(text: string, at: number, effort: Effort): (ArgumentLiteral | undefined)[] {
  const found: (ArgumentLiteral | undefined)[] = [undefined];
  const end = Math.min(text.length, at + reach);
  /** What is open inside of the call, and whether it looks something up. */
  const open: boolean[] = [];
  let index = at;
  for (; index < end; index += 1) {
    // Most of what stands in a call is names.
    if (isOfName(text.charCodeAt(index))) continue;
    if (isEnd(text, index, open.length) || found.length > mostArguments) break;
    const character = text[index] ?? "";
    if ("([{".includes(character)) open.push(isLookup(text, index));
    if (")]}".includes(character)) open.pop();
    if (character === "," && open.length === 0) found.push(undefined);
    if (!quotes.includes(character)) continue;
    const close = closeOf(text, index, end);
    if (!open.includes(true)) found[found.length - 1] ??= literalAt(text, index, close);
    index = close;
  }
  effort.spent += (index - at) >> 2;
  return found;
}

const quotes = "\"'`";

function isOfName(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 32;
}

/** The bracket that closes the call, or what is in none. */
function isEnd(text: string, at: number, depth: number): boolean {
  const character = text[at] ?? "";
  if (")]}".includes(character)) return depth === 0;
  if (depth > mostOpen) return true;
  return character === ";" || (character === "\n" && text[at + 1] === "\n");
}

function literalAt(text: string, open: number, close: number): ArgumentLiteral | undefined {
  if (text[close] !== text[open]) return undefined;
  return { text: text.slice(open + 1, close), start: open + 1, end: close };
}

function closeOf(text: string, open: number, end: number): number {
  for (let at = open + 1; at < end; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === text[open]) return at;
    else if (character === "\n") break;
  }
  // An apostrophe, or a literal that has no end: what follows is no argument of this call.
  return end;
}

function isLookup(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 40), at);
  // In a map a name stands before each value, and it says what the value is.
  if (text[at] === "{") return true;
  if (text[at] === "[") return /[\w)\]]$/.test(before);
  const callee = /([\w$]{1,40})!?$/.exec(before)?.[1] ?? "";
  return text[at] === "(" && callee !== "" && !makers.test(callee) && isFinder(callee);
}
