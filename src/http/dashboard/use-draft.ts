import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ApiPlace } from "../api/contract/place.ts";
import { useApp } from "./app-context.ts";
import type { Draft } from "./drafts.ts";
import { useAsk } from "./parts/ask.tsx";

/**
 * A text that is being typed: kept in the tab as it is typed, and asked about before it is left. What was stored when it
 * was opened stays what it is compared with, so that a later version is never taken for the one that was edited.
 */
export function useDraft(place: ApiPlace, opened: Draft) {
  const { router, drafts } = useApp();
  const ask = useAsk();
  const [stored] = useState(opened);
  const [{ content, base }, setDraft] = useState(() => drafts.read(place) ?? stored);
  const [wasRestored, setRestored] = useState(content !== stored.content);
  const isChanged = content !== stored.content;
  const isFinished = useRef(false);

  useLayoutEffect(() => {
    if (!isChanged) {
      router.guardWith(undefined);
      return;
    }
    const warn = (event: BeforeUnloadEvent) => {
      if (!isFinished.current) event.preventDefault();
    };
    router.guardWith(async () => {
      if (isFinished.current) return true;
      return ask({
        title: "Leave with unsaved text?",
        text: "It stays in this tab: open the editor again to go on. Nobody else sees it until you save.",
        yes: "Leave",
        no: "Stay",
      });
    });
    addEventListener("beforeunload", warn);
    return () => {
      router.guardWith(undefined);
      removeEventListener("beforeunload", warn);
    };
  }, [isChanged]);

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
    finish() {
      isFinished.current = true;
      router.guardWith(undefined);
    },
  };
}
