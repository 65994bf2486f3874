import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type GuardFinding, isRecollectError, RecollectError } from "../app.ts";
import type { Io } from "./output.ts";

/** A text that could not be stored. */
export interface Kept {
  readonly file: string;
  /** Whether something was taken out. */
  readonly isMasked: boolean;
}

/** Opens a person's editor on a text; the file that it left. `instead` says what else they can give. */
export function editFile(io: Io, text: string, instead: string): string {
  const env = io.place?.env ?? process.env;
  const editor = env["VISUAL"] || env["EDITOR"];
  if (!editor) {
    throw new RecollectError("INVALID_ARGUMENT", `No editor is configured. ${instead}, or set EDITOR.`);
  }
  const file = privateFile(text);
  // By the shell, as editors are often configured with arguments; the file is an argument of its own.
  const ended = spawnSync("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit", env });
  if (ended.status === 0 && existsSync(file)) return file;
  discard(file);
  const why = ended.status === 0 ? "The editor left no file." : "The editor failed.";
  throw new RecollectError("INVALID_ARGUMENT", `${why} Nothing was stored.`);
}

/** As it is, or without what the guard refuses; undefined where not even that can be kept. */
export function keepFile(
  file: string,
  text: string,
  error: RecollectError,
  scan: (text: string) => readonly GuardFinding[],
): Kept | undefined {
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

/** `goOn` says how to try it again with the file. */
export function withPlace(
  error: RecollectError,
  kept: Kept | undefined,
  goOn: (file: string) => string,
): RecollectError {
  const { code, message, data } = error;
  const place = kept
    ? `Your text is kept in ${kept.file}${kept.isMasked ? ", without what was refused" : ""}. ${goOn(kept.file)}`
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

export function discard(file: string): void {
  rmSync(dirname(file), { recursive: true, force: true });
}

const leftOut = "(left out: the guard refused it)";
const heading = /^##[ \t]+[\d-]*/;
const label = /^\*\*[^*:\n]{1,40}:\*\*/;

/**
 * The text of an entry without what the guard refuses. A field goes as a whole: a key has many lines, and a finding
 * says only where it begins. Undefined where that is not enough.
 */
function maskEntry(text: string, scan: (text: string) => readonly GuardFinding[]): string | undefined {
  const found = new Set(scan(text).map(({ line }) => line));
  if (found.size === 0) return text;
  const masked = partsOf(text).map((lines) => {
    const isRefused = lines.some(({ number }) => found.has(number));
    if (!isRefused) return lines.map(({ line }) => line).join("\n");
    const [first = ""] = lines.map(({ line }) => line);
    const name = (heading.exec(first) ?? label.exec(first))?.[0] ?? "";
    return `${name}${name.startsWith("#") ? ": " : " "}${leftOut}`.trim();
  });
  const rest = masked.join("\n");
  return scan(rest).length === 0 ? rest : undefined;
}

interface NumberedLine {
  readonly line: string;
  readonly number: number;
}

/** The heading, and each field: from its label to the next one. */
function partsOf(text: string): NumberedLine[][] {
  const parts: NumberedLine[][] = [[]];
  for (const [index, line] of text.split("\n").entries()) {
    if (index > 0 && (heading.test(line) || label.test(line))) parts.push([]);
    parts.at(-1)?.push({ line, number: index + 1 });
  }
  return parts;
}
