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

/** The name that a reference means, without `mem:`. */
export function nameOfReference(text: string): string {
  let name = text.replace(/^mem:/, "");
  try {
    name = decodeURIComponent(name);
  } catch {}
  return name.replace(/\.md$/, "");
}

/** A full stop after a reference ends the sentence. Not by an expression: from each of many full stops it would search anew. */
function withoutEndOfSentence(text: string): string {
  let end = text.length;
  while (end > 0 && "./-".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
