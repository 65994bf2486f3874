import { localDate, parseTopicFile, type ReadEntry, RecollectError, readEntry } from "../app.ts";

const hint = "<!-- Save and close to store the entry. Without a title, nothing is stored. The date may be changed. -->";
const labels = ["Context", "Problem", "Solution", "Code"] as const;
const known = `${labels.slice(0, -1).join(", ")} or ${labels.at(-1)}`;

/** What a person wrote into a file. */
export interface EditedEntry {
  readonly title: string;
  readonly context: string;
  readonly problem: string;
  readonly solution: string;
  readonly code?: string | undefined;
  readonly date?: string | undefined;
}

/** What the editor opens on. */
export function newEntryText(today: string): string {
  return `## ${today}: Title\n${labels.map((label) => `**${label}:** \n`).join("")}\n${hint}\n`;
}

export function parseEntryText(text: string, today = localDate()): EditedEntry {
  const { preamble, entries } = parseTopicFile(withoutHint(text));
  const [raw, ...more] = entries;
  const entry = raw && readEntry(raw);
  if (!entry || entry.title === "" || entry.title === "Title") {
    throw new RecollectError("INVALID_ARGUMENT", "No title was written. Nothing was stored.");
  }
  if (more.length > 0) {
    throw new RecollectError("INVALID_ARGUMENT", "More than one entry was written. Store one at a time.");
  }
  const { context = "", problem = "", solution = "", code } = entry.fields;
  if (!context && !problem && !solution && !code) {
    throw new RecollectError("INVALID_ARGUMENT", `Nothing was written under ${known}. Nothing was stored.`);
  }
  const left = leftOut(preamble, entry);
  if (left !== undefined) {
    const says = `${left} would be left out: write everything under ${known}. Nothing was stored.`;
    throw new RecollectError("INVALID_ARGUMENT", says);
  }
  return {
    title: entry.title,
    context,
    problem,
    solution,
    code: code || undefined,
    date: entry.date === today ? undefined : entry.date,
  };
}

/** What an entry has no place for, in words. */
function leftOut(preamble: string, { text, fields }: ReadEntry): string | undefined {
  if (preamble.trim() !== "") return "What stands above the title";
  if (text !== "") return "What stands between the title and the first field";
  const isKnown = new Set<string>(labels.map((label) => label.toLowerCase()));
  const unknown = Object.keys(fields).filter((name) => !isKnown.has(name));
  return unknown.length === 0 ? undefined : `The field ${unknown.map((name) => `“${name}”`).join(", ")}`;
}

/** Whether anything was written that somebody would miss. */
export function hasText(text: string): boolean {
  const written = withoutHint(text)
    .replace(/^##[ \t]+[\d-]*:?(?:[ \t]*Title)?/, "")
    .replaceAll(new RegExp(`^\\*\\*(?:${labels.join("|")}):\\*\\*`, "gm"), "");
  return written.trim() !== "";
}

function withoutHint(text: string): string {
  return text.replace(/<!-- Save and close[\s\S]*?-->\n?/, "");
}
