import type { ExistingPath } from "../core/document-path.ts";
import { mergeText } from "./merge/merge-text.ts";

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
export function undoInDocument(now: DocumentState, blocks: readonly UndoneStates[]): UndoneOutcome {
  let state = now;
  let isMerged = false;
  for (const block of blocks) {
    const path = state.path === block.after.path ? block.before.path : state.path;
    const merged = textWithout(state.text, block);
    if (typeof merged === "object") return { kind: "left", why: merged.why };
    isMerged ||= state.text !== block.after.text;
    state = { path, text: merged };
  }
  if (state.text === noText) return { kind: "left", why: "it is not UTF-8 text" };
  return { kind: "undone", state, isMerged };
}

function textWithout(
  now: DocumentState["text"],
  { before, after }: UndoneStates,
): DocumentState["text"] | { why: string } {
  if (now === after.text) return before.text;
  if (now === before.text) return now;
  if (before.text === undefined) return { why: "it was made then, and others have changed it since" };
  if (after.text === undefined) return { why: "it was removed then, and others have made it anew since" };
  if (now === undefined) return { why: "others have removed it since" };
  if (now === noText || before.text === noText || after.text === noText) {
    return { why: "others have changed it since, and it is not UTF-8 text" };
  }
  const merge = mergeText(after.text, now, before.text);
  return merge.kind === "merged" ? merge.content : { why: "others have changed the same lines since" };
}
