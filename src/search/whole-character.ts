/** Made when it is first needed: that takes longer than a search. */
let graphemes: Intl.Segmenter | undefined;

/** Longer ones are no characters that anybody reads: a letter under a thousand accents may be cut. */
const mostUnits = 32;

/** Where the character begins that this place is in: never between the halves of one, or a letter and its accent. */
export function startOfCharacter(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  // Nothing of ASCII joins on to what is before it, but the line feed to a carriage return.
  const code = text.charCodeAt(at);
  if (code < 0x80) return code === 0x0a && text[at - 1] === "\r" ? at - 1 : at;
  const from = Math.max(0, at - mostUnits);
  const near = text.slice(from, at + mostUnits);
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const start = from + (graphemes.segment(near).containing(at - from)?.index ?? at - from);
  return start === from && from > 0 ? startOfCodePoint(text, at) : start;
}

function startOfCodePoint(text: string, at: number): number {
  const isInside = /[\udc00-\udfff]/.test(text[at] ?? "") && /[\ud800-\udbff]/.test(text[at - 1] ?? "");
  return isInside ? at - 1 : at;
}
