import type { Span } from "./rule.ts";

/** A value as it stands in code, configuration or prose. */
export interface CarriedValue extends Span {
  readonly text: string;
  readonly quoted: boolean;
  /** In quotes of a programming language; the backquotes of Markdown hold expressions as well. */
  readonly literal: boolean;
  /** Whether the line, the cell or the sentence ends with it: what goes on is prose, more often than not. */
  readonly last: boolean;
}

const maxValue = 256;
// Of Python, C# and the like: b"…", @"…"; and what makes bytes of a literal: []byte("…"), Buffer.from("…").
const prefix = /(?:[bBrRuUfF@]|(?:\[\]byte|Buffer\.from|bytes|SecretStr|Secret|\.encode)\([ \t]?)(?=["'])/y;
const opening = /\\?(["'`])/y;
const bare = /[^\s"'`]{1,256}/y;
const bracketed = /(?:\$?\{[^\n}]{0,120}\}{1,2}|\$\([^\n)]{0,120}\)|<[^\n<>]{0,120}>|\[[^\n\]]{0,120}\])/y;
const closes = /["'`]?[)\]}.,;:!*_~|]{0,4}(?:\s{0,8}(?:$|[\n|#}]|\/\/|--|&&|-- )|\s?\(|,\s| and | - | – )/y;

export function carriedValue(text: string, at: number): CarriedValue | undefined {
  return quotedValue(text, at) ?? bareValue(text, at);
}

function quotedValue(text: string, at: number): CarriedValue | undefined {
  prefix.lastIndex = at;
  const from = at + (prefix.exec(text)?.[0].length ?? 0);
  opening.lastIndex = from;
  const quote = opening.exec(text);
  if (!quote) return undefined;
  const start = from + quote[0].length;
  const inside = text.slice(start, start + maxValue);
  const length = inside.indexOf(quote[0]);
  const line = inside.indexOf("\n");
  if (length < 0 || (line >= 0 && line < length)) return undefined;
  return {
    text: inside.slice(0, length),
    start,
    end: start + length,
    quoted: true,
    literal: quote[1] !== "`",
    last: true,
  };
}

function bareValue(text: string, at: number): CarriedValue | undefined {
  const start = /["'`]/.test(text[at] ?? "") ? at + 1 : at;
  bracketed.lastIndex = start;
  const bracket = bracketed.exec(text)?.[0].length ?? 0;
  bare.lastIndex = start + bracket;
  const run = bare.exec(text)?.[0] ?? "";
  const found = text.slice(start, start + bracket) + trimmed(run, isInUrl(text, at));
  if (found === "") return undefined;
  const end = start + found.length;
  closes.lastIndex = end;
  return { text: found, start, end, quoted: false, literal: false, last: closes.test(text) };
}

/** Without what belongs to the sentence, the list or the call around it. */
function trimmed(run: string, inUrl: boolean): string {
  const stop = run.search(inUrl ? /[&;,|<>)]/ : /;|\]\(|,$|,(?=[A-Za-z_]{1,40}=)|[|<>](?![^<>|]{4})|<\//);
  const kept = stop < 0 ? run : run.slice(0, stop);
  const withoutEnd = kept.replace(/(?:\*\*|__)$/, "").replace(/(?:\.{1,8}|…|[,:])$/, "");
  const open = /[([{]/.test(withoutEnd);
  return open ? withoutEnd : withoutEnd.replace(/[)\]}]{1,3}$/, "");
}

function isInUrl(text: string, at: number): boolean {
  return /[?&][\w.-]{1,60}=$/.test(text.slice(Math.max(0, at - 64), at));
}
