import { isWordy } from "./wordiness.ts";

/** Bits a character, after Shannon. Random letters and digits of length 32 have about 4.5, `xxxx` has 0. */
export function entropyOf(text: string): number {
  const counts = new Uint16Array(128);
  for (let at = 0; at < text.length; at += 1) {
    // Other scripts share the places of ASCII: that can only lower the result.
    const place = text.charCodeAt(at) & 127;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** What stands for the random part of a token in documentation: `XXXXXXXX`, `****`, `...`, `0000000000`. */
const filler = /x{6,}|\*{3,}|\.{3,}|0{10,}|…/gi;

export function isVaried(text: string): boolean {
  return text.search(filler) < 0;
}

/** One letter of it stays: it may be the last of the token. */
export function withoutFiller(text: string): string {
  return text.replaceAll(filler, (found) => (/[x0]/i.test(found) ? found.slice(0, 1) : ""));
}

/** Letters and digits mixed as no language and no naming habit does. */
export function isRandom(text: string): boolean {
  if (!isVaried(text) || !/[A-Za-z]/.test(text)) return false;
  return (/[0-9]/.test(text) || text.length >= 24) && !isWordy(text) && isVariedSomewhere(text);
}

// One long text of two letters behind a token must not thin it out.
function isVariedSomewhere(text: string): boolean {
  // Fewer different letters cannot make 2.5 bits, and this is what texts made to be slow are made of.
  if (new Set(text).size < 6) return false;
  for (let at = 0; at < text.length; at += windowLength) {
    if (entropyOf(text.slice(at, at + windowLength)) >= 2.5) return true;
  }
  return false;
}

const windowLength = 48;
