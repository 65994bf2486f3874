import { readFileSync } from "node:fs";
import { type GuardFinding, isRecollectError, localDate, type RecollectError } from "../app.ts";
import { discard, editFile, type Kept, keepFile, withPlace } from "./edited-file.ts";
import { type EditedEntry, hasText, newEntryText, parseEntryText } from "./entry-text.ts";
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
      kept = keepFile(file, text, error, options.scan);
      if (options.json || !(await wantsToEdit(io, error))) throw withPlace(error, kept, goOn);
    }
  }
}

/** What was kept goes once there is something newer. */
function editAgain(io: Io, text: string, kept: Kept | undefined): string {
  try {
    const file = editFile(io, text, "Give --title and the other fields");
    if (kept) discard(kept.file);
    return file;
  } catch (error) {
    throw kept && isRecollectError(error) ? withPlace(error, kept, goOn) : error;
  }
}

async function wantsToEdit(io: Io, error: RecollectError): Promise<boolean> {
  if (!io.confirm) return false;
  io.err(`recollect: ${printable(error.message)}\n`);
  return io.confirm("Edit it again?");
}

function goOn(file: string): string {
  return `Go on with the same command and --from ${shellWord(file)}.`;
}
