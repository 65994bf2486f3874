import { useState } from "preact/hooks";
import type { ApiPlace } from "../api/contract/place.ts";
import { useApp } from "./app-context.ts";
import { mergeOf } from "./drafts.ts";
import { useAsk } from "./parts/ask.tsx";

/** What somebody typed as the result of a merge by hand: kept in the tab until it is used or given up. */
export interface TypedMerge {
  /** Undefined while nothing was typed, and the choices alone make the result. */
  readonly text: string | undefined;
  readonly wasRestored: boolean;
  change(text: string | undefined): void;
  /** Whether what was typed, if anything was, may go; asks. */
  mayDrop(): Promise<boolean>;
}

export function useTypedMerge(place: ApiPlace): TypedMerge {
  const { drafts } = useApp();
  const ask = useAsk();
  const [text, setText] = useState(() => drafts.read(mergeOf(place))?.content);
  const [wasRestored, setRestored] = useState(text !== undefined);
  return {
    text,
    wasRestored: wasRestored && text !== undefined,
    change(next) {
      setText(next);
      if (next !== undefined) drafts.keep(mergeOf(place), { content: next, base: null });
      else {
        drafts.drop(mergeOf(place));
        setRestored(false);
      }
    },
    mayDrop: async () =>
      text === undefined ||
      (await ask({
        title: "Drop what you typed?",
        text: "You changed the result of the merge by hand. This makes no use of it, and your text is gone.",
        yes: "Drop my text",
        no: "Keep my text",
      })),
  };
}
