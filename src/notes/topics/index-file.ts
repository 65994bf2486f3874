import { counted } from "../../kernel/counted.ts";
import { comparePaths } from "../../kernel/document-path.ts";
import { nameOfTopicPath, type TopicName } from "./topic-paths.ts";

/** What the index says of one subtopic. */
export interface IndexRow extends TopicName {
  readonly entries: number;
  /** YYYY-MM-DD of the entry at the top. */
  readonly newest: string;
}

/** One of which nobody counted the entries. The next store counts them all: an index that says so is made anew. */
export interface UncountedRow extends TopicName {
  readonly entries: undefined;
  readonly newest: string;
}

const begin = "<!-- recollect:index (made by Recollect: what is written between these two lines is replaced) -->";
const end = "<!-- /recollect:index -->";
const markers = /<!-- (recollect:index )|<!-- \/recollect:index -->/g;
const row = /^- \[.*\]\(([^()\s]+)\): (\d+) entr(?:y|ies), newest (\d{4}-\d{2}-\d{2})$/;

const uncounted = /^- \[.*\]\(([^()\s]+)\): newest (\d{4}-\d{2}-\d{2})$/;

const frame = "# Memory index\n\n";

/** Whether Recollect made an index in this text, whatever became of its rows. */
export function hasIndexMarker(text: string): boolean {
  return text.search(markers) >= 0;
}

/**
 * The rows between the markers. Undefined where they are not as we write them, because there are none, a merge
 * left two of them or somebody wrote among them: then all files must be looked at.
 */
export function parseIndex(text: string): IndexRow[] | undefined {
  const [block, ...others] = findBlocks(text);
  if (!block || others.length > 0) return undefined;
  const made = text.slice(block.from, block.to);
  const rows = made.split("\n").flatMap(parseLine);
  const names = new Set(rows.map(({ topic, subtopic }) => `${topic}/${subtopic}`));
  return rows.length > 0 && names.size === rows.length && renderBlock(rows) === made ? rows : undefined;
}

/** The rows as they stand there, counted or not, whatever else is written among them. */
export function readRows(text: string): (IndexRow | UncountedRow)[] {
  const lines = findBlocks(text).flatMap(({ from, to }) => text.slice(from, to).split("\n"));
  return lines.flatMap((line): (IndexRow | UncountedRow)[] => {
    const [counted] = parseLine(line);
    if (counted) return [counted];
    const [, link = "", newest = ""] = uncounted.exec(line) ?? [];
    const name = nameOfLink(link);
    return name ? [{ ...name, entries: undefined, newest }] : [];
  });
}

/** The index with these rows between its markers; what people wrote around them stays. */
export function renderIndex(text: string | undefined, rows: readonly (IndexRow | UncountedRow)[]): string {
  const made = renderBlock(rows);
  if (!text) return `${frame}${made}\n`;
  const [first, ...others] = findBlocks(text);
  if (!first) return `${text}${text.endsWith("\n") ? "\n" : "\n\n"}${made}\n`;
  let rendered = text.slice(0, first.from) + made;
  let at = first.to;
  for (const { from, to } of others) {
    rendered += text.slice(at, from);
    at = to;
  }
  return rendered + text.slice(at);
}

/**
 * From each marker to the one that closes it, with no other between: what stands below a marker that lost its
 * end is people's own. In one pass: a clone may bring an index of markers alone.
 */
function findBlocks(text: string): { from: number; to: number }[] {
  const blocks: { from: number; to: number }[] = [];
  let from: number | undefined;
  for (const { 0: found, 1: begins, index } of text.matchAll(markers)) {
    if (!begins && from !== undefined) blocks.push({ from, to: index + found.length });
    from = begins ? index : undefined;
  }
  return blocks;
}

/** The rows with one of them set, or taken out where nothing is left. */
export function withRow(rows: readonly IndexRow[], one: IndexRow): IndexRow[] {
  const others = rows.filter(({ topic, subtopic }) => topic !== one.topic || subtopic !== one.subtopic);
  return one.entries === 0 ? others : [...others, one];
}

function renderBlock(rows: readonly (IndexRow | UncountedRow)[]): string {
  const sorted = rows.toSorted((a, b) => comparePaths(`${a.topic}/${a.subtopic}`, `${b.topic}/${b.subtopic}`));
  return `${begin}\n${sorted.map(toLine).join("")}${end}`;
}

function toLine({ topic, subtopic, entries, newest }: IndexRow | UncountedRow): string {
  const link = `${encode(topic)}/${encode(subtopic)}.md`;
  const name = `${topic}/${subtopic}`.replace(/[[\]`]/g, "\\$&");
  const count = entries === undefined ? "" : `${counted(entries, "entry", "entries")}, `;
  return `- [${name}](${link}): ${count}newest ${newest}\n`;
}

/** The name is that of the link: what is shown is for people. */
function parseLine(line: string): IndexRow[] {
  const [, link = "", entries, newest = ""] = row.exec(line) ?? [];
  const name = nameOfLink(link);
  return name ? [{ ...name, entries: Number(entries), newest }] : [];
}

function nameOfLink(link: string): TopicName | undefined {
  return nameOfTopicPath(link.split("/").map(decode).join("/"));
}

/** Parentheses would end the link. */
function encode(name: string): string {
  return encodeURIComponent(name).replaceAll("(", "%28").replaceAll(")", "%29");
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
