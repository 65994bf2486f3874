import type { Span } from "./rule.ts";

/** A word of a command line, without the quotes around it. */
export interface CommandWord extends Span {
  readonly text: string;
}

/** A command of ordinary length; what it is given at its end is rarely a password. */
const reach = 320;
const mostWords = 28;

/**
 * The words behind the name of a program, up to the end of its command. In a list, as Dockerfiles and programs write
 * commands, commas and quotes part the words: `["mysql", "-u", "app"]`.
 */
export function commandWords(text: string, at: number): CommandWord[] {
  const inList = /["']/.test(text[at] ?? "");
  const end = Math.min(text.length, at + reach);
  const words: CommandWord[] = [];
  let from = inList ? at + 1 : at;
  while (from < end && words.length < mostWords) {
    const start = skipped(text, from, end, inList);
    if (start >= end || (inList ? /[\])\n]/ : /[\n|;&<>`)]/).test(text[start] ?? "")) break;
    const word = inList ? upTo(text, start, end, /["',\]\n]/) : shellWord(text, start, end);
    if (word.end <= from) break;
    words.push(word);
    // Behind the quote that closed it.
    from = word.end + (!inList && word.start > start ? 1 : 0);
  }
  return words;
}

/** Over blanks, and over line ends that a backslash, a caret or a backtick takes back. */
function skipped(text: string, from: number, end: number, inList: boolean): number {
  let at = from;
  while (at < end) {
    const character = text[at] ?? "";
    const isGone = character === " " || character === "\t" || (inList && /["',]/.test(character));
    const isContinued = /[\\^`]/.test(character) && /^\r?\n/.test(text.slice(at + 1, at + 3));
    if (isContinued) at = text.indexOf("\n", at) + 1;
    else if (isGone) at += 1;
    else break;
  }
  return at;
}

function upTo(text: string, start: number, end: number, stop: RegExp): CommandWord {
  let at = start;
  while (at < end && !stop.test(text[at] ?? "")) at += 1;
  return { text: text.slice(start, at), start, end: at };
}

function shellWord(text: string, start: number, end: number): CommandWord {
  const quote = text[start] ?? "";
  if (quote === '"' || quote === "'") {
    const close = text.slice(start + 1, end).search(quote === '"' ? /["\n]/ : /['\n]/);
    if (close >= 0) return { text: text.slice(start + 1, start + 1 + close), start: start + 1, end: start + 1 + close };
  }
  const at = endOfWord(text, start, end);
  return { text: text.slice(start, at), start, end: at };
}

function endOfWord(text: string, start: number, end: number): number {
  let open = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || (open === 0 && endsWord(code))) return at;
    if (code === open) open = 0;
    else if (open === 0 && (code === 34 || code === 39)) open = code;
  }
  return end;
}

/** Blanks, and the signs of a shell that part commands: by code, as this is asked for every character. */
function endsWord(code: number): boolean {
  return code <= 32 || code === 124 || code === 59 || code === 60 || code === 62;
}
