import { countUpTo, type Replaced, replaced } from "./positions.ts";
import type { Span } from "./rule.ts";

/** A piece of a text that reads as something else once decoded. */
interface Disguise extends Span {
  readonly as: "base64" | "hexadecimal";
  readonly decoded: string;
}

/** All that a text hides, as one text, so that it is scanned once however many pieces there are. */
interface Unmasked {
  readonly text: string;
  /** The piece that an offset of the unmasked text comes from. */
  readonly sourceOf: (offset: number) => Span & Pick<Disguise, "as">;
  /** Whether any piece reads as text, and so may hide a further layer. */
  readonly readable: boolean;
}

const isReadable = /^[\t\n\r\x20-\x7e]{1,}$/;

/**
 * What base64 and hexadecimal hide. Each character is decoded a fixed number of times, so the cost stays
 * linear however much of it there is; a second layer is peeled by calling this on what the first one hid.
 */
export function unmask(text: string): Unmasked | undefined {
  const pieces: Disguise[] = [];
  for (const piece of disguisesIn(text)) pieces.push(piece);
  const [first] = pieces;
  if (!first) return undefined;
  const starts: number[] = [];
  let length = 0;
  for (const { decoded } of pieces) {
    starts.push(length);
    length += decoded.length + 1;
  }
  return {
    text: pieces.map(({ decoded }) => decoded).join("\n"),
    sourceOf: (offset) => pieces[countUpTo(starts, offset) - 1] ?? first,
    readable: pieces.some(({ decoded }) => isReadable.test(decoded)),
  };
}

function* disguisesIn(text: string): Generator<Disguise> {
  for (const { start, end, run } of runsIn(text)) {
    yield* fromBase64({ start, end }, run);
    yield* fromHex(start, run);
  }
}

// A run may begin inside a path or a name, so that the encoded part begins at any of four offsets.
function* fromBase64(span: Span, run: string): Generator<Disguise> {
  for (let offset = 0; offset < 4; offset += 1) {
    if (!mayHideText(run, offset)) continue;
    const decoded = Buffer.from(run.slice(offset), "base64").toString("latin1");
    yield { ...span, as: "base64", decoded: wide.test(decoded) ? decoded.replaceAll("\0", "") : decoded };
  }
}

// UTF-16, as PowerShell encodes its commands: every other byte of ASCII is 0 there, on whichever side.
const wide = /(?:[\x20-\x7e]\0){8}/;

// 20 characters are the shortest known token; in hexadecimal that is 40, and ASCII that can be seen begins with 2 to 7.
const hexRun = /(?:[2-7][0-9a-f]){20,}/gi;

function* fromHex(start: number, run: string): Generator<Disguise> {
  if (run.length < 40) return;
  for (const match of run.matchAll(hexRun)) {
    const from = start + match.index;
    const bytes = Buffer.from(match[0], "hex");
    yield { start: from, end: from + match[0].length, as: "hexadecimal", decoded: bytes.toString("latin1") };
  }
}

interface EncodedRun extends Span {
  /** Its characters, without the line ends between them. */
  readonly run: string;
}

// 20 characters are the shortest known token; in base64 that is 27.
const minRun = 26;
// Mail and PEM break lines after 76 or 64 characters. Shorter lines are pieces of one run if they are all it has in them,
// and each is as long as the first.
const minWrapped = 56;
const minLine = 12;
const lineEnd = /^=?\r?\n[ \t>]{0,16}$/;
const lastLine = /\r?\n[ \t>]{0,16}([A-Za-z0-9+/_-]{1,75})(?==|\s|$)/y;

/** By character code: its six bits plus 1, or 0 where it belongs to no encoding. */
const sixBits = new Uint8Array(128);
for (const alphabet of ["+/", "-_"]) {
  const letters = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${alphabet}`;
  for (const [bits, letter] of [...letters].entries()) sixBits[letter.charCodeAt(0)] = bits + 1;
}

/**
 * Long runs of what base64 and hexadecimal are written in, wrapped ones put together. By hand and not by an expression:
 * that would try a word of 25 letters again from each of them.
 */
function* runsIn(text: string): Generator<EncodedRun> {
  let parts: Span[] = [];
  for (const span of plainRuns(text)) {
    const last = parts.at(-1);
    if (last && !isWrapped(text, parts, span)) {
      yield* joined(text, parts);
      parts = [];
    }
    parts.push(span);
  }
  if (parts.length > 0) yield* joined(text, parts);
}

// Looks at the last character that a run must reach, and goes back from there: of words most letters are never read.
function plainRuns(text: string): Span[] {
  const runs: Span[] = [];
  let start = 0;
  while (start + minLine <= text.length) {
    let at = start + minLine - 1;
    while (at >= start && isEncoding(text.charCodeAt(at))) at -= 1;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let end = start + minLine;
    while (end < text.length && isEncoding(text.charCodeAt(end))) end += 1;
    const isLine = end < text.length && endsLine(text.charCodeAt(end)) && beginsLine(text, start);
    if (end - start >= minRun || isLine) runs.push({ start, end });
    start = end + 1;
  }
  return runs;
}

function isEncoding(code: number): boolean {
  return code < 128 && sixBits[code] !== 0;
}

function endsLine(code: number): boolean {
  return code === 10 || code === 13;
}

function beginsLine(text: string, start: number): boolean {
  if (start === 0 || text[start - 1] === "\n") return true;
  return /(?:^|\n)[ \t>]{1,16}$/.test(text.slice(Math.max(0, start - 17), start));
}

function isWrapped(text: string, parts: readonly Span[], next: Span): boolean {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last || next.start - last.end > 20) return false;
  const length = last.end - last.start;
  if (length < minWrapped && length !== first.end - first.start) return false;
  return lineEnd.test(text.slice(last.end, next.start));
}

function* joined(text: string, parts: readonly Span[]): Generator<EncodedRun> {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return;
  let [run, end] = [parts.map((part) => text.slice(part.start, part.end)).join(""), last.end];
  if (parts.length > 1) {
    lastLine.lastIndex = end;
    const [found = "", rest = ""] = lastLine.exec(text) ?? [];
    run += rest;
    end += found.length;
  }
  if (run.length >= minRun) yield { start: first.start, end, run };
}

// A token of 20 characters fills six groups of four whatever stands before it.
const minGroups = 6;

/**
 * Whether base64 from this offset holds a stretch of plain ASCII long enough for a token: the first bit of each of the
 * three bytes is 0. Hashes, pictures and what is read from a wrong offset fail here, before anything is decoded.
 */
function mayHideText(run: string, offset: number): boolean {
  let groups = 0;
  for (let at = offset; at + 3 < run.length; at += 4) {
    const outside = (bitsAt(run, at) & 32) | (bitsAt(run, at + 1) & 8) | (bitsAt(run, at + 2) & 2);
    groups = outside === 0 ? groups + 1 : 0;
    if (groups >= minGroups) return true;
  }
  return false;
}

function bitsAt(run: string, at: number): number {
  return (sixBits[run.charCodeAt(at)] ?? 1) - 1;
}

/** Ways to write a character, and what can stand between two halves of a token without being one. */
const forms: readonly RegExp[] = [
  // Of addresses, strings and HTML; Markdown's backslash; full-width letters, which Unicode holds to be the same.
  /%[0-9a-f]{2}/,
  /\\x[0-9a-f]{2}|\\u00[0-9a-f]{2}|\\u\{0{0,4}[0-9a-f]{2}\}|\\[01][0-7]{2}/,
  /&#(?:x[0-9a-f]{2}|[0-9]{2,3});|&lowbar;|&underbar;/,
  /\\[_.-]/,
  /[\uff01-\uff5e]{1,64}/,
  // Bold letters inside of a word, strings that are put together, a line that goes on.
  /(?<=[\w-])\*{1,3}(?=[a-z0-9])/,
  /(?<=[\w-])["'`]\s{0,16}[+.]\s{0,16}["'`](?=[a-z0-9])/,
  /(?<=[\w-])\\\r?\n[ \t]{0,16}(?=[a-z0-9])/,
];

const escapes = new RegExp(forms.map(({ source }) => source).join("|"), "gi");
/** One of these is in every escape, and most texts have none of them: to look for that alone takes far less time. */
const signs = /[%\\&*"'`\uff01-\uff5e]/;

/** The text with its escapes read; undefined where it has none. */
export function unescaped(text: string): Replaced | undefined {
  if (!signs.test(text) || text.search(escapes) < 0) return undefined;
  return replaced(text, escapes, readEscape);
}

function readEscape(found: string): string {
  switch (found[0]) {
    case "%":
      return fromCode(found.slice(1), 16);
    case "\\":
      return readBackslash(found.slice(1));
    case "&":
      return readEntity(found.slice(1, -1));
    case "*":
    case '"':
    case "'":
    case "`":
      return "";
    default:
      return found.normalize("NFKC");
  }
}

function readBackslash(rest: string): string {
  if (/^[xu]/i.test(rest)) return fromCode(rest.replaceAll(/[xu{}]/gi, ""), 16);
  if (/^[01]/.test(rest)) return fromCode(rest, 8);
  return /^\s/.test(rest) ? "" : rest;
}

function readEntity(name: string): string {
  if (!name.startsWith("#")) return "_";
  return /^#x/i.test(name) ? fromCode(name.slice(2), 16) : fromCode(name.slice(1), 10);
}

function fromCode(digits: string, base: number): string {
  return String.fromCharCode(Number.parseInt(digits, base));
}
