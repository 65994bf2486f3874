import { longestTitle } from "./read-heading.ts";

/** What a document says of itself in a block between two `---` lines. Read loosely: people write what they like. */
export interface FrontMatter {
  readonly title: string | undefined;
  readonly tags: readonly string[];
  /** YYYY-MM-DD. */
  readonly date: string | undefined;
  /** What its other fields say. */
  readonly others: string;
  /** Where the text goes on below it. */
  readonly end: number;
}

const begin = /^\uFEFF?---[ \t]{0,80}\r?\n/;
const field = /^([A-Za-z][\w-]{0,40}):(?:[ \t]+([^\n]*))?$/;
const longest = 64 * 1024;
const mostTags = 64;

export function readFrontMatter(content: string): FrontMatter {
  const start = begin.exec(content)?.[0].length;
  const lines = start === undefined ? undefined : linesToEnd(content, start);
  if (!lines)
    return { title: undefined, tags: [], date: undefined, others: "", end: content.startsWith("\uFEFF") ? 1 : 0 };
  const fields = readFields(lines.lines);
  const title = fields.get("title") ?? fields.get("name");
  const date = fields.get("date") ?? fields.get("updated") ?? fields.get("created");
  const others = [...fields].filter(([name]) => !named.has(name)).map(([, value]) => value);
  return {
    title: title?.trim().slice(0, longestTitle) || undefined,
    tags: tagsOf(fields.get("tags") ?? "", fields.get("keywords") ?? ""),
    date: /^\d{4}-\d\d-\d\d(?!\d)/.exec(date?.trim() ?? "")?.[0],
    others: others.join("\n"),
    end: lines.end,
  };
}

const named: ReadonlySet<string> = new Set(["title", "name", "date", "updated", "created", "tags", "keywords"]);

/** The lines up to the one that closes the block; undefined where none does. */
function linesToEnd(content: string, start: number): { lines: string[]; end: number } | undefined {
  const lines: string[] = [];
  for (let at = start; at < content.length && at < longest; ) {
    const found = content.indexOf("\n", at);
    const end = found === -1 ? content.length : found;
    const line = content.slice(at, end).trimEnd();
    at = end + 1;
    if (line === "---" || line === "...") return { lines, end: Math.min(at, content.length) };
    // Two rules with text between them are no front matter, nor is anything with a section in it.
    if (line.startsWith("##") || (lines.length === 0 && !field.test(line))) return undefined;
    lines.push(line);
  }
  return undefined;
}

/** Each field with its value and the lines below that belong to it. */
function readFields(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string[]>();
  let values: string[] | undefined;
  for (const line of lines) {
    const [, name, value = ""] = field.exec(line) ?? [];
    if (name !== undefined) {
      values = fields.get(name.toLowerCase()) ?? [];
      fields.set(name.toLowerCase(), values);
      if (value !== "" && !/^[|>][+-]?$/.test(value)) values.push(unquoted(value));
    } else if (!line.startsWith("#")) values?.push(line.trim());
  }
  return new Map([...fields].map(([name, found]) => [name, found.join("\n")]));
}

function tagsOf(...texts: readonly string[]): string[] {
  const tags = texts
    .flatMap((text) => text.split(/[,\n[\]]/))
    .map((tag) =>
      unquoted(
        tag
          .trim()
          .replace(/^-[ \t]+/, "")
          .trim(),
      ),
    )
    .filter((tag) => tag !== "");
  return [...new Set(tags)].slice(0, mostTags);
}

function unquoted(value: string): string {
  const text = value.trim();
  const quote = text[0];
  return text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote) ? text.slice(1, -1) : text;
}
