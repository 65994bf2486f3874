/** How much there is in a JSON text beside the letters of its strings. */
export interface JsonShape {
  /** At least as many as there are values. */
  readonly pieces: number;
  readonly depth: number;
}

const [quote, backslash, comma] = [...'"\\,'].map((character) => character.charCodeAt(0));
const opening = new Set([..."{["].map((character) => character.charCodeAt(0)));
const closing = new Set([..."}]"].map((character) => character.charCodeAt(0)));

/** Looks at a text before it is parsed: a million small values cost a hundred times what their letters do. */
export function shapeOf(text: string): JsonShape {
  let [pieces, depth, deepest] = [1, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === comma) pieces += 1;
    else if (opening.has(code)) {
      pieces += 1;
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (closing.has(code)) depth -= 1;
  }
  return { pieces, depth: deepest };
}

/** Where the string that begins here ends; the end of the text where it does not. */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}
