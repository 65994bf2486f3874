import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localDate, parseTopicFile, RecollectError, readEntry } from "../index.ts";
import type { Io } from "./output.ts";

const template = `## TODAY: Title
**Context:** 
**Problem:** 
**Solution:** 
**Code:** 

<!-- Save and close to store the entry. Without a title, nothing is stored. The date may be changed. -->
`;

export interface EditedEntry {
  readonly title: string;
  readonly context: string;
  readonly problem: string;
  readonly solution: string;
  readonly code?: string | undefined;
  readonly date?: string | undefined;
}

/** Lets a person write an entry in their editor. */
export async function editEntry(io: Io): Promise<EditedEntry> {
  const env = io.place?.env ?? process.env;
  const editor = env["VISUAL"] || env["EDITOR"];
  if (!editor) {
    throw new RecollectError(
      "INVALID_ARGUMENT",
      "No editor is configured. Give --title and the other fields, or set EDITOR.",
    );
  }
  const folder = mkdtempSync(join(tmpdir(), "recollect-entry-"));
  const file = join(folder, "entry.md");
  try {
    const today = localDate();
    writeFileSync(file, template.replace("TODAY", today), { mode: 0o600 });
    // By the shell, as editors are often configured with arguments; the file is an argument of its own.
    const ended = spawnSync("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit", env });
    if (ended.status !== 0) throw new RecollectError("INVALID_ARGUMENT", "The editor failed. Nothing was stored.");
    if (!existsSync(file)) throw new RecollectError("INVALID_ARGUMENT", "The editor left no file. Nothing was stored.");
    return parseEntry(readFileSync(file, "utf8"), today);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function parseEntry(text: string, today: string): EditedEntry {
  const [raw] = parseTopicFile(text.replace(/<!-- Save and close[\s\S]*?-->\n?/, "")).entries;
  const entry = raw && readEntry(raw);
  if (!entry || entry.title === "" || entry.title === "Title") {
    throw new RecollectError("INVALID_ARGUMENT", "No title was written. Nothing was stored.");
  }
  const { context = "", problem = "", solution = "", code } = entry.fields;
  return {
    title: entry.title,
    context,
    problem,
    solution,
    code: code || undefined,
    date: entry.date === today ? undefined : entry.date,
  };
}
