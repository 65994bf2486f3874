import { localDate, parseTopicFile, RecollectError, readEntry } from "../index.ts";

const hint = "<!-- Save and close to store the entry. Without a title, nothing is stored. The date may be changed. -->";
const labels = ["Context", "Problem", "Solution", "Code"] as const;

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
  const [raw] = parseTopicFile(withoutHint(text)).entries;
  const entry = raw && readEntry(raw);
  if (!entry || entry.title === "" || entry.title === "Title") {
    throw new RecollectError("INVALID_ARGUMENT", "No title was written. Nothing was stored.");
  }
  const { context = "", problem = "", solution = "", code } = entry.fields;
  if (!context && !problem && !solution && !code) {
    const says = `Nothing was written under ${labels.slice(0, -1).join(", ")} or ${labels.at(-1)}. Nothing was stored.`;
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
