const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Longer ones are no characters that anybody reads: a letter under a thousand accents may be cut. */
const mostUnits = 32;

/** Where the character begins that this place is in: never between the halves of one, or a letter and its accent. */
export function startOfCharacter(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  // Nothing joins on to a plain letter, and nothing of ASCII but the line feed to what is before it.
  if (text.charCodeAt(at) < 0x80 && text.charCodeAt(at) !== 0x0a) return at;
  const from = Math.max(0, at - mostUnits);
  const near = text.slice(from, at + mostUnits);
  const start = from + (graphemes.segment(near).containing(at - from)?.index ?? at - from);
  return start === from && from > 0 ? startOfCodePoint(text, at) : start;
}

function startOfCodePoint(text: string, at: number): number {
  const isInside = /[\udc00-\udfff]/.test(text[at] ?? "") && /[\ud800-\udbff]/.test(text[at - 1] ?? "");
  return isInside ? at - 1 : at;
}
