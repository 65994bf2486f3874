import { mayHideText, runsIn } from "./encoded-runs.ts";
import { countUpTo } from "./positions.ts";
import type { Span } from "./rule.ts";

/** A piece of a text that reads as something else once decoded. */
interface Disguise extends Span {
  readonly as: "base64" | "hexadecimal";
  readonly decoded: string;
}

/** All that a text hides, as one text, so that it is scanned once however many pieces there are. */
export interface Unmasked {
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
