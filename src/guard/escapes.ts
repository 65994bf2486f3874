import { type Replaced, replaced } from "./replaced.ts";

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
