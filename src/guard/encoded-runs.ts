import type { Span } from "./rule.ts";

export interface EncodedRun extends Span {
  /** Its characters, without the line ends between them. */
  readonly run: string;
}

// 20 characters are the shortest known token; in base64 that is 27.
const minRun = 26;
// Mail and PEM break lines after 76 or 64 characters.
const minWrapped = 56;
const lineEnd = /^=?\r?\n[ \t>]{0,16}$/;

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
    if (last && !isWrapped(text, last, span)) {
      yield joined(text, parts);
      parts = [];
    }
    parts.push(span);
  }
  if (parts.length > 0) yield joined(text, parts);
}

function* plainRuns(text: string): Generator<Span> {
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (code < 128 && sixBits[code] !== 0) continue;
    if (at - start >= minRun) yield { start, end: at };
    start = at + 1;
  }
}

function isWrapped(text: string, last: Span, next: Span): boolean {
  if (last.end - last.start < minWrapped || next.start - last.end > 20) return false;
  return lineEnd.test(text.slice(last.end, next.start));
}

function joined(text: string, parts: readonly Span[]): EncodedRun {
  const run = parts.map(({ start, end }) => text.slice(start, end)).join("");
  return { start: parts[0]?.start ?? 0, end: parts.at(-1)?.end ?? 0, run };
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
