import { type Replaced, replaced } from "./replaced.ts";

// Of addresses, strings, HTML and Markdown, and the full-width letters that Unicode holds to be the same.
const escapes = /%[0-9a-f]{2}|\\x[0-9a-f]{2}|\\u00[0-9a-f]{2}|&#(?:x[0-9a-f]{2}|[0-9]{2,3});|\\[_.-]|[\uff01-\uff5e]/gi;

/** The text with its escapes read; undefined where it has none. */
export function unescaped(text: string): Replaced | undefined {
  return text.search(escapes) < 0 ? undefined : replaced(text, escapes, readEscape);
}

function readEscape(found: string): string {
  if (found.startsWith("&#")) return String.fromCharCode(Number(found.slice(2, -1).replace(/^x/i, "0x")));
  if (found.startsWith("%")) return String.fromCharCode(Number.parseInt(found.slice(1), 16));
  if (/^\\[xu]/i.test(found)) return String.fromCharCode(Number.parseInt(found.slice(2), 16));
  if (found.startsWith("\\")) return found.slice(1);
  return String.fromCharCode(found.charCodeAt(0) - 0xfee0);
}
