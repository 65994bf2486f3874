import type { EditedText, TextEdit } from "./edit-text.ts";

/** Runs `editText` where a regex that backtracks for ever can be stopped, and holds up nobody else (MEM-9). */
export interface RegexRunner {
  edit(text: string, edit: TextEdit): Promise<EditedText>;
}
