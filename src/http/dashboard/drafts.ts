import type { ApiPlace } from "../api/contract/place.ts";
import type { ApiSession } from "../api/contract/session.ts";

/** A text that somebody typed and that is not saved yet. It survives everything but signing out and closing the tab. */
export interface Draft {
  readonly content: string;
  /** The revision that was edited; null for a new note, and for a merge. */
  readonly base: string | null;
}

/** What a text is for: a note, or the result of a merge that somebody makes in this place. */
interface DraftPlace extends ApiPlace {
  readonly of?: "merge";
}

export function mergeOf({ root, path }: ApiPlace): DraftPlace {
  return { root, path, of: "merge" };
}

/** Those of one credential: whoever signs in next in this tab is somebody else. */
export interface Drafts {
  read(place: DraftPlace): Draft | undefined;
  has(place: DraftPlace): boolean;
  /** False where the tab's storage is full: then only the page itself holds the text. */
  keep(place: DraftPlace, draft: Draft): boolean;
  drop(place: DraftPlace): void;
  count(): number;
  dropAll(): void;
}

export function createDrafts({ author, credential }: ApiSession, storage: Storage = sessionStorage): Drafts {
  const start = `recollect.draft ${JSON.stringify([author, credential])} `;
  const keyOf = ({ root, path, of }: DraftPlace) =>
    start + JSON.stringify(of === undefined ? [root, path] : [root, path, of]);
  const keys = () => Object.keys(storage).filter((key) => key.startsWith(start));
  return {
    read(place) {
      const kept = storage.getItem(keyOf(place));
      return kept === null ? undefined : JSON.parse(kept);
    },
    has: (place) => storage.getItem(keyOf(place)) !== null,
    keep(place, draft) {
      try {
        storage.setItem(keyOf(place), JSON.stringify(draft));
        return true;
      } catch {
        return false;
      }
    },
    drop: (place) => storage.removeItem(keyOf(place)),
    count: () => keys().length,
    dropAll: () => {
      for (const key of keys()) storage.removeItem(key);
    },
  };
}
