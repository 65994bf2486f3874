import { useState } from "preact/hooks";
import type { ApiPlace } from "../api/contract/place.ts";
import { useApp } from "./app-context.ts";
import type { Draft } from "./drafts.ts";
import { useLeaveGuard } from "./use-leave-guard.ts";

/**
 * A text that is being typed: kept in the tab as it is typed, and asked about before it is left. What was stored when it
 * was opened stays what it is compared with, so that a later version is never taken for the one that was edited.
 */
export function useDraft(place: ApiPlace, opened: Draft) {
  const { drafts } = useApp();
  const [stored] = useState(opened);
  const [{ content, base }, setDraft] = useState(() => drafts.read(place) ?? stored);
  const [wasRestored, setRestored] = useState(content !== stored.content);
  const isChanged = content !== stored.content;
  const finish = useLeaveGuard(isChanged);

  return {
    content,
    base,
    isChanged,
    wasRestored,
    change(next: string) {
      setDraft({ content: next, base });
      if (next === stored.content) drafts.drop(place);
      else drafts.keep(place, { content: next, base });
    },
    reset() {
      drafts.drop(place);
      setDraft(stored);
      setRestored(false);
    },
    /** It is saved, or given up: leaving asks nothing. */
    finish,
  };
}
