import type { ApiPlace } from "../api/contract.ts";

/** A text that somebody typed and that is not saved yet. It survives everything but the closing of the tab. */
export interface Draft {
  readonly content: string;
  /** The revision that was edited; null for a new note. */
  readonly base: string | null;
}

export function readDraft(place: ApiPlace): Draft | undefined {
  const kept = sessionStorage.getItem(keyOf(place));
  return kept === null ? undefined : JSON.parse(kept);
}

/** False where the tab's storage is full: then only the page itself holds the text. */
export function keepDraft(place: ApiPlace, draft: Draft): boolean {
  try {
    sessionStorage.setItem(keyOf(place), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(place: ApiPlace): void {
  sessionStorage.removeItem(keyOf(place));
}

export function hasDraft(place: ApiPlace): boolean {
  return sessionStorage.getItem(keyOf(place)) !== null;
}

function keyOf({ root, path }: ApiPlace): string {
  return `recollect.draft ${JSON.stringify([root, path])}`;
}
