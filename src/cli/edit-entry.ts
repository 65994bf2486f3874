import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type GuardFinding, isRecollectError, localDate, RecollectError } from "../index.ts";
import { type EditedEntry, hasText, newEntryText, parseEntryText } from "./entry-text.ts";
import { maskEntry } from "./mask-entry.ts";
import { type Io, printable, shellWord } from "./output.ts";

export interface EditOptions {
  readonly json: boolean;
  /** What the guard refuses in a text. */
  readonly scan: (text: string) => readonly GuardFinding[];
}

/**
 * Lets a person write an entry in their editor, and stores it. What cannot be stored is edited again where somebody
 * can be asked; otherwise it is kept in a private file, without what the guard refuses.
 */
export async function storeEdited<Stored>(
  io: Io,
  options: EditOptions,
  store: (entry: EditedEntry) => Promise<Stored>,
): Promise<Stored> {
  let text = newEntryText(localDate());
  for (let kept: Kept | undefined; ; ) {
    const file = editAgain(io, text, kept);
    text = readFileSync(file, "utf8");
    try {
      const stored = await store(parseEntryText(text));
      discard(file);
      return stored;
    } catch (error) {
      if (!isRecollectError(error) || !hasText(text)) {
        discard(file);
        throw error;
      }
      // Before anybody is asked: a process that is killed while it waits loses nothing, and leaves no secret.
      kept = keep(file, text, error, options.scan);
      if (options.json || !(await wantsToEdit(io, error))) throw withPlace(error, kept);
    }
  }
}

/** What was kept goes once there is something newer. */
function editAgain(io: Io, text: string, kept: Kept | undefined): string {
  try {
    const file = edit(io, text);
    if (kept) discard(kept.file);
    return file;
  } catch (error) {
    throw kept && isRecollectError(error) ? withPlace(error, kept) : error;
  }
}

/** The file that the editor left. */
function edit(io: Io, text: string): string {
  const env = io.place?.env ?? process.env;
  const editor = env["VISUAL"] || env["EDITOR"];
  if (!editor) {
    throw new RecollectError(
      "INVALID_ARGUMENT",
      "No editor is configured. Give --title and the other fields, or set EDITOR.",
    );
  }
  const file = privateFile(text);
  // By the shell, as editors are often configured with arguments; the file is an argument of its own.
  const ended = spawnSync("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit", env });
  if (ended.status === 0 && existsSync(file)) return file;
  discard(file);
  const why = ended.status === 0 ? "The editor left no file." : "The editor failed.";
  throw new RecollectError("INVALID_ARGUMENT", `${why} Nothing was stored.`);
}

async function wantsToEdit(io: Io, error: RecollectError): Promise<boolean> {
  if (!io.confirm) return false;
  io.err(`recollect: ${printable(error.message)}\n`);
  return io.confirm("Edit it again?");
}

interface Kept {
  readonly file: string;
  /** Whether something was taken out. */
  readonly isMasked: boolean;
}

/** As it is, or without what the guard refuses; undefined where not even that can be kept. */
function keep(file: string, text: string, error: RecollectError, scan: EditOptions["scan"]): Kept | undefined {
  const masked = maskEntry(text, scan);
  if (masked === text && !isAboutContent(error)) {
    // It stays where it is: a full disk is one of the reasons. An editor may have made it anew, with another mode.
    chmodSync(file, 0o600);
    return { file, isMasked: false };
  }
  // With the whole folder, where editors leave copies.
  discard(file);
  if (masked === undefined || masked === text) return undefined;
  try {
    return { file: privateFile(masked), isMasked: true };
  } catch (failed) {
    if (isRecollectError(failed)) return undefined;
    throw failed;
  }
}

/** Whether a secret was refused that stands in the text, and not in the name of the topic. */
function isAboutContent({ code, data }: RecollectError): boolean {
  const findings = Array.isArray(data["findings"]) ? (data["findings"] as GuardFinding[]) : [];
  return code === "SENSITIVE_CONTENT" && findings.some(({ where }) => where === "content");
}

function withPlace(error: RecollectError, kept: Kept | undefined): RecollectError {
  const { code, message, data } = error;
  const place = kept
    ? `Your text is kept in ${kept.file}${kept.isMasked ? ", without what was refused" : ""}. Go on with the same command and --from ${shellWord(kept.file)}.`
    : "Your text is not kept, since what was refused cannot be taken out of it.";
  return new RecollectError(code, `${message} ${place}`, {
    data: { ...data, ...(kept ? { kept: kept.file } : {}) },
    cause: error,
  });
}

/** In a folder that only this user can look into. */
function privateFile(text: string): string {
  let file: string | undefined;
  try {
    file = join(mkdtempSync(join(tmpdir(), "recollect-entry-")), "entry.md");
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  } catch (error) {
    if (file !== undefined) discard(file);
    throw new RecollectError("STORAGE_FAILED", "No file for your text can be made in the folder for temporary files.", {
      cause: error,
    });
  }
}

function discard(file: string): void {
  rmSync(dirname(file), { recursive: true, force: true });
}
