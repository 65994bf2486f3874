/** A leading BOM and a block between two `---` lines, and the text after them; the two together are the whole. */
export function splitFrontMatter(content: string): { frontMatter: string; body: string } {
  const match = /^\uFEFF?(?:---[ \t]*\r?\n(?:[^\n]*\n)*?---[ \t]*(?:\r?\n|$))?/.exec(content);
  const length = match?.[0].length ?? 0;
  return { frontMatter: content.slice(0, length), body: content.slice(length) };
}
