// None of these can backtrack: a clone may bring lines of a megabyte.
const closing = /^ {0,3}(`{3,}|~{3,})\s*$/;
const heading = /^##[ \t]+(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?![^\s:])/;
const beforeTitle = /^(?::|[ \t]+[-–—](?!\S))/;

/** How a line opens a code fence. */
export const fences = {
  markdown: /^ {0,3}(`{3,}|~{3,})/,
  /** One may begin behind a field's name as well: Markdown would not have it, but it is what people write. */
  topic: /^(?:\*\*[^*:\n]{1,40}:\*\*[ \t]+| {0,3})(`{3,}|~{3,})/,
};

/** The marks of the code fence that a line opens. */
export function fenceOpenedBy(line: string, opening = fences.markdown): string | undefined {
  const match = opening.exec(line);
  const marks = match?.[1];
  // The info string of a backtick fence holds no backtick: then it is code within a line.
  return marks?.startsWith("`") && line.includes("`", match?.[0].length) ? undefined : marks;
}

/** The marks of a line that can close a fence, one of the same kind and no longer. */
export function fenceClosedBy(line: string): string | undefined {
  return closing.exec(line)?.[1];
}

export function closesFence(line: string, marks: string): boolean {
  return fenceClosedBy(line)?.startsWith(marks) ?? false;
}

/** The date and title of a line that begins an entry of a topic: `## 2026-05-01: Title`. */
export function parseEntryHeading(line: string): { date: string; title: string } | undefined {
  const match = heading.exec(line);
  if (!match) return undefined;
  return { date: match[1] ?? "", title: line.slice(match[0].length).replace(beforeTitle, "").trim() };
}
