export interface SplitText {
  /** With both of its `---` lines, and a byte order mark even where there is nothing else. */
  readonly frontMatter: string;
  /** The lines between those two, without their ends; undefined where a text has no front matter. */
  readonly lines: readonly string[] | undefined;
  readonly body: string;
}

// None of these can backtrack: a clone may bring lines of a megabyte.
const begin = /^\uFEFF?---[ \t]{0,80}\r?\n/;
const field = /^([^\s:#-][^:]{0,40}):(?:[ \t]+([^\n]*))?$/;
const longest = 64 * 1024;

/** A block between two `---` lines at the beginning, and the text below it; the two together are the whole. */
export function splitFrontMatter(content: string): SplitText {
  const start = begin.exec(content)?.[0].length;
  const found = start === undefined ? undefined : linesToEnd(content, start);
  const end = found?.end ?? (content.startsWith("\uFEFF") ? 1 : 0);
  return { frontMatter: content.slice(0, end), lines: found?.lines, body: content.slice(end) };
}

/** A line of front matter that begins a field. What stands below it, up to the next one, belongs to it. */
export function parseField(line: string): { readonly name: string; readonly value: string } | undefined {
  const match = field.exec(line);
  return match ? { name: match[1] ?? "", value: match[2] ?? "" } : undefined;
}

/** The lines up to the one that closes the block; undefined where none does, or where it is no front matter. */
function linesToEnd(content: string, start: number): { lines: string[]; end: number } | undefined {
  const lines: string[] = [];
  let hasField = false;
  for (let at = start; at < content.length && at < longest; ) {
    const found = content.indexOf("\n", at);
    const end = found === -1 ? content.length : found;
    const line = content.slice(at, end).trimEnd();
    at = end + 1;
    if (line === "---" || line === "...") {
      return hasField || lines.length === 0 ? { lines, end: Math.min(at, content.length) } : undefined;
    }
    hasField ||= field.test(line);
    // Two rules with text between them are no front matter, nor is anything with a section in it.
    if (line.startsWith("##") || !(hasField || line === "" || line.startsWith("#"))) return undefined;
    lines.push(line);
  }
  return undefined;
}
