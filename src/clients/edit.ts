/** What an edit of one configuration text comes to. A refusal says in words for the user why the text was left alone. */
export type Edit =
  | { readonly kind: "unchanged" }
  | { readonly kind: "changed"; readonly text: string; readonly replaces: boolean }
  /** Nothing of worth is left: the file can go, unless it was there before us. */
  | { readonly kind: "emptied"; readonly text: string }
  | { readonly kind: "refused"; readonly reason: string };

export function refused(reason: string): Edit {
  return { kind: "refused", reason };
}

const byteOrderMark = "\ufeff";

/** Edits the text behind a byte order mark and puts the mark back. */
export function behindMark(text: string, edit: (text: string) => Edit): Edit {
  if (!text.startsWith(byteOrderMark)) return edit(text);
  const result = edit(text.slice(1));
  return result.kind === "changed" ? { ...result, text: byteOrderMark + result.text } : result;
}

/** The line ending that a text uses; of a mixed one, the first. */
export function lineEndingOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

export function positionOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}
