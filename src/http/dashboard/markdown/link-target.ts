/** Where a link of a note may lead. Everything else is shown as text. */
export type LinkTarget =
  | { readonly kind: "web"; readonly href: string }
  /** The name of a memory, as `mem:` references give it. */
  | { readonly kind: "memory"; readonly name: string };

const allowed = ["http:", "https:", "mailto:"];

/**
 * An allow-list by what the browser's own parser makes of the address: tabs, newlines and case inside of a scheme,
 * such as `java\nscript:`, are its business, and what has no scheme of its own would lead into this page.
 */
export function linkTarget(address: string): LinkTarget | undefined {
  const memory = /^mem:(?!\/\/)(.+)$/s.exec(address.trim())?.[1];
  if (memory !== undefined) return { kind: "memory", name: memoryName(memory) };
  if (!URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return allowed.includes(protocol) ? { kind: "web", href } : undefined;
}

const reference = /(?<![\w/:.-])mem:([\p{L}\p{N}_][\p{L}\p{N}_./-]*)/gu;

/** A text, cut at the `mem:` references in it: every second piece is one. */
export function splitAtReferences(text: string): string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const match of text.matchAll(reference)) {
    const whole = withoutEndOfSentence(match[0]);
    pieces.push(text.slice(end, match.index), whole);
    end = match.index + whole.length;
  }
  return [...pieces, text.slice(end)];
}

/** A full stop after a reference ends the sentence. Not by an expression: from each of many full stops it would search anew. */
function withoutEndOfSentence(text: string): string {
  let end = text.length;
  while (end > 0 && "./-".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function memoryName(text: string): string {
  let name = text;
  try {
    name = decodeURIComponent(text);
  } catch {}
  return name.replace(/\.md$/, "");
}
