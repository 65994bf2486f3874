// None of these can backtrack: a clone may bring lines of a megabyte.
const heading = /^##[ \t]+(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?![^\s:])/;
const beforeTitle = /^(?::|[ \t]+[-–—](?!\S))/;

/** The date and title of a line that begins an entry of a topic: `## 2026-05-01: Title`. */
export function parseEntryHeading(line: string): { date: string; title: string } | undefined {
  const match = heading.exec(line);
  if (!match) return undefined;
  return { date: match[1] ?? "", title: line.slice(match[0].length).replace(beforeTitle, "").trim() };
}
