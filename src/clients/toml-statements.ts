import { positionOf } from "./edit.ts";

/** One table header or one pair of a TOML text, with the place of its bytes. */
export interface Statement {
  readonly kind: "table" | "table array" | "pair";
  /** The full path, that of the table included. */
  readonly path: readonly string[];
  /** From the start of its first line … */
  readonly start: number;
  /** … to the end of its last one, line end included. */
  readonly end: number;
  /** Of a pair: the bytes of its value. */
  readonly value: { readonly start: number; readonly end: number };
}

/**
 * The statements of a TOML text, as far as an editor of one table needs them: keys, headers and where each
 * value ends. Values are not judged. A text that does not fit is an error with its place, never a guess.
 */
export function readStatements(text: string): Statement[] | { readonly reason: string } {
  try {
    return [...statementsOf(text)];
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return {
      reason: `it is not TOML that can be edited safely (${error.message} at ${positionOf(text, error.offset)})`,
    };
  }
}

class Unreadable extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

function* statementsOf(text: string): Generator<Statement> {
  let table: readonly string[] = [];
  let at = 0;
  while (at < text.length) {
    const first = skipBlanks(text, at);
    if (isLineEnd(text, first) || text[first] === "#") {
      at = endOfLine(text, first);
      continue;
    }
    const statement = text[first] === "[" ? readHeader(text, at, first) : readPair(text, at, first, table);
    if (statement.kind !== "pair") table = statement.path;
    at = statement.end;
    yield statement;
  }
}

function readHeader(text: string, start: number, first: number): Statement {
  const double = text[first + 1] === "[";
  const close = double ? "]]" : "]";
  const key = readKey(text, first + close.length);
  if (!text.startsWith(close, key.end)) throw new Unreadable("a header without its end", key.end);
  const end = endOfStatement(text, key.end + close.length);
  return { kind: double ? "table array" : "table", path: key.path, start, end, value: { start: end, end } };
}

function readPair(text: string, start: number, first: number, table: readonly string[]): Statement {
  const key = readKey(text, first);
  if (text[key.end] !== "=") throw new Unreadable("a key without a value", key.end);
  const valueStart = skipBlanks(text, key.end + 1);
  const value = { start: valueStart, end: endOfValue(text, valueStart) };
  return { kind: "pair", path: [...table, ...key.path], start, end: endOfStatement(text, value.end), value };
}

function readKey(text: string, from: number): { path: string[]; end: number } {
  const path: string[] = [];
  for (let at = from; ; at += 1) {
    const start = skipBlanks(text, at);
    const { part, end } = readKeyPart(text, start);
    path.push(part);
    at = skipBlanks(text, end);
    if (text[at] !== ".") return { path, end: at };
  }
}

function readKeyPart(text: string, start: number): { part: string; end: number } {
  const quote = text[start];
  if (quote === '"' || quote === "'") {
    const end = endOfString(text, start);
    const part = parseTomlString(text.slice(start, end));
    if (part === undefined) throw new Unreadable("a key that cannot be read", start);
    return { part, end };
  }
  let end = start;
  while (/[A-Za-z0-9_-]/.test(text[end] ?? "")) end += 1;
  if (end === start) throw new Unreadable("no key", start);
  return { part: text.slice(start, end), end };
}

/** The end of a value; arrays and inline tables are followed without recursion, however deep they are. */
function endOfValue(text: string, start: number): number {
  const open: string[] = [];
  let at = start;
  while (at < text.length && !(open.length === 0 && endsBareValue(text, at))) {
    const character = text[at] as string;
    const closer = closers[character];
    if (closer !== undefined) open.push(closer);
    if ((character === "]" || character === "}") && open.pop() !== character) {
      throw new Unreadable(`a “${character}” too many`, at);
    }
    if (character === '"' || character === "'") at = endOfString(text, at);
    else at = character === "#" ? endOfLine(text, at) : at + 1;
  }
  if (open.length > 0) throw new Unreadable(`no “${open.at(-1)}” for what was opened`, start);
  if (at === start) throw new Unreadable("a key without a value", start);
  return at;
}

const closers: Readonly<Record<string, string>> = { "[": "]", "{": "}" };

function endsBareValue(text: string, at: number): boolean {
  if (isLineEnd(text, at) || text[at] === "#" || text[at] === "\t") return true;
  // A date and its time may be parted by one blank.
  return text[at] === " " && !/^\d\d:/.test(text.slice(at + 1, at + 4));
}

function endOfString(text: string, start: number): number {
  const quote = text[start] as string;
  const long = text.startsWith(quote.repeat(3), start);
  const close = long ? quote.repeat(3) : quote;
  let at = start + close.length;
  while (at < text.length) {
    if (text.startsWith(close, at)) {
      at += close.length;
      // Up to two quotes may stand before the three that end a long string.
      for (let more = 0; long && more < 2 && text[at] === quote; more += 1) at += 1;
      return at;
    }
    if (!long && isLineEnd(text, at)) break;
    at += quote === '"' && text[at] === "\\" ? 2 : 1;
  }
  throw new Unreadable("a text without its end", start);
}

/** The value of a one-line string, basic or literal; undefined for anything else. */
export function parseTomlString(source: string): string | undefined {
  if (/^'[^'\r\n]*'$/.test(source)) return source.slice(1, -1);
  if (!/^"(?:[^"\\\r\n]|\\.)*"$/.test(source)) return undefined;
  const escapes: Record<string, string> = {
    b: "\b",
    t: "\t",
    n: "\n",
    f: "\f",
    r: "\r",
    e: "\x1b",
    '"': '"',
    "\\": "\\",
  };
  let known = true;
  const value = source
    .slice(1, -1)
    .replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|(.))/g, (_, four, eight, two, letter) => {
      const code = Number.parseInt(four ?? eight ?? two ?? "", 16);
      if (letter === undefined && code <= 0x10ffff) return String.fromCodePoint(code);
      const meant = escapes[letter];
      known &&= meant !== undefined;
      return meant ?? "";
    });
  return known ? value : undefined;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
}

function isLineEnd(text: string, at: number): boolean {
  return at >= text.length || text[at] === "\n" || (text[at] === "\r" && text[at + 1] === "\n");
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  return newline === -1 ? text.length : newline + 1;
}

function endOfStatement(text: string, from: number): number {
  const at = skipBlanks(text, from);
  if (!isLineEnd(text, at) && text[at] !== "#") throw new Unreadable("something after the end of a statement", at);
  return endOfLine(text, at);
}
