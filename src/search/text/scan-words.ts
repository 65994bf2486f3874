import { characterClass, classAt } from "./character-class.ts";

const { other, joint, unspaced } = characterClass;

/** `hash` is of the characters of the word; it comes for free while the word is read. */
type Visit = (start: number, end: number, hash: number, isUnspaced: boolean) => void;

/**
 * Calls with the place of each word of the text, in order: a run of letters and digits with the joints between them, so
 * an identifier or a path is one word, and a run of a script without blanks is one.
 */
export function scanWords(text: string, from: number, to: number, visit: Visit): void {
  let at = from;
  while (at < to) {
    const found = classAt(text, at);
    if (found === other || found === joint) {
      at += 1;
      continue;
    }
    const start = at;
    let hash = 0;
    if (found === unspaced) while (at < to && classAt(text, at) === unspaced) at += 1;
    else {
      do {
        hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
        at += 1;
      } while (at < to && goesOn(text, at, to));
      const signs = signLength(text, start, at, to);
      for (const end = at + signs; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    }
    visit(start, at, hash, found === unspaced);
  }
}

function goesOn(text: string, at: number, to: number): boolean {
  const found = classAt(text, at);
  if (found !== joint) return isWordClass(found);
  return at + 1 < to && isWordClass(classAt(text, at + 1)) && classAt(text, at - 1) !== joint;
}

function isWordClass(found: number): boolean {
  return found > joint && found < unspaced;
}

/** One letter with `++` or `#` behind it is the name of a language. */
function signLength(text: string, start: number, at: number, to: number): number {
  if (at !== start + 1 || at >= to) return 0;
  if (text.charCodeAt(at) === 35) return at + 1 < to && isWordClass(classAt(text, at + 1)) ? 0 : 1;
  return text.startsWith("++", at) && at + 2 <= to ? 2 : 0;
}
