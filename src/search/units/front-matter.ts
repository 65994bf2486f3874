import { parseField, splitFrontMatter } from "../../text/front-matter.ts";
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

const mostTags = 64;

export function readFrontMatter(content: string): FrontMatter {
  const { frontMatter, lines } = splitFrontMatter(content);
  const end = frontMatter.length;
  if (!lines) return { title: undefined, tags: [], date: undefined, others: "", end };
  const fields = readFields(lines);
  const title = fields.get("title") ?? fields.get("name");
  const date = fields.get("date") ?? fields.get("updated") ?? fields.get("created");
  const others = [...fields].filter(([name]) => !named.has(name)).map(([, value]) => value);
  return {
    title: title?.trim().slice(0, longestTitle) || undefined,
    tags: tagsOf(fields.get("tags") ?? "", fields.get("keywords") ?? ""),
    date: /^\d{4}-\d\d-\d\d(?!\d)/.exec(date?.trim() ?? "")?.[0],
    others: others.join("\n"),
    end,
  };
}

const named: ReadonlySet<string> = new Set(["title", "name", "date", "updated", "created", "tags", "keywords"]);

/** Each field with its value and the lines below that belong to it. */
function readFields(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string[]>();
  let values: string[] | undefined;
  for (const line of lines) {
    const field = parseField(line);
    if (field) {
      const [name, value] = [field.name.toLowerCase(), field.value];
      values = fields.get(name) ?? [];
      fields.set(name, values);
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
