import type { ExistingPath } from "../kernel/document-path.ts";
import type { Address } from "../kernel/store.ts";
import { mergeText } from "../text/merge-text.ts";
import type { UndoFormat } from "./undo-format.ts";

/** A document at one moment: where, and its text; undefined where it is not there, "no text" for other bytes. */
export interface DocumentState {
  readonly path: ExistingPath;
  readonly text: string | undefined | typeof noText;
}

export const noText = Symbol("no text");

export interface UndoneStates {
  readonly before: DocumentState;
  readonly after: DocumentState;
}

export type UndoneOutcome =
  | { readonly kind: "undone"; readonly state: DocumentState; readonly isMerged: boolean }
  /** It cannot be undone without touching what others did: it stays as it is. */
  | { readonly kind: "left"; readonly why: string };

/** Takes blocks of changes, the newest first, out of what a document is now. */
export function undoInDocument(
  root: string,
  now: DocumentState,
  blocks: readonly UndoneStates[],
  format: UndoFormat,
): UndoneOutcome {
  let state = now;
  let isMerged = false;
  for (const block of blocks) {
    const path = state.path === block.after.path ? block.before.path : state.path;
    const merged = textWithout({ root, path: block.after.path }, state.text, block, format);
    if (typeof merged === "object") return { kind: "left", why: merged.why };
    isMerged ||= state.text !== block.after.text;
    state = { path, text: merged };
  }
  if (state.text === noText) return { kind: "left", why: "it is not UTF-8 text" };
  return { kind: "undone", state, isMerged };
}

function textWithout(
  at: Address,
  now: DocumentState["text"],
  { before, after }: UndoneStates,
  format: UndoFormat,
): DocumentState["text"] | { why: string } {
  if (now === after.text) return before.text;
  if (now === before.text) return now;
  if (now === undefined) return { why: "others have removed it since" };
  if (now === noText || before.text === noText || after.text === noText) {
    return { why: "others have changed it since, and it is not UTF-8 text" };
  }
  const known = format.undo(at, { after: after.text, now, before: before.text });
  if (known) return "why" in known ? known : known.text;
  if (before.text === undefined) return { why: "it was made then, and others have changed it since" };
  if (after.text === undefined) return { why: "it was removed then, and others have made it anew since" };
  const merge = mergeText(after.text, now, before.text);
  return merge.kind === "merged" ? merge.content : { why: "others have changed the same lines since" };
}
