import type { Span } from "./rule.ts";

export interface EncodedRun extends Span {
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
export function* runsIn(text: string): Generator<EncodedRun> {
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
export function mayHideText(run: string, offset: number): boolean {
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
