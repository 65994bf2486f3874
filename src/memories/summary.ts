import { splitFrontMatter } from "./front-matter.ts";

const maxLength = 120;

/** One line about a memory: the summary that its front matter gives, or else its first heading or line. */
export function summarize(content: string): string {
  const { frontMatter, body } = splitFrontMatter(content);
  return shorten(givenSummary(frontMatter) ?? firstLine(body));
}

function givenSummary(frontMatter: string): string | undefined {
  const [, value = "", below = ""] = /^summary:[ \t]*(.*)$((?:\r?\n(?:[ \t]+.*|(?=\r?\n)))*)/m.exec(frontMatter) ?? [];
  // A block scalar: its text is what is indented below.
  const text = /^[|>][-+\d]*$/.test(value.trim()) ? below : unquoted(value.trim());
  return text.trim() === "" ? undefined : text.trim();
}

function unquoted(value: string): string {
  const [, mark, inside = ""] = /^(["'])(.*)\1$/.exec(value) ?? [];
  if (mark === "'") return inside.replaceAll("''", "'");
  return mark ? inside.replace(/\\(["\\])/g, "$1") : value;
}

function firstLine(body: string): string {
  const lines = body.split("\n", 50).map((line) => line.trim());
  const heading = lines.find((line) => /^#{1,6}[ \t]+\S/.test(line));
  return (heading ?? lines.find((line) => line !== "") ?? "").replace(/^#{1,6}[ \t]+/, "");
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  // A character takes two units at most: no need to look at the rest.
  const characters = [...line.slice(0, 2 * maxLength + 2)];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : line;
}
