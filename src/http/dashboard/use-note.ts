import { useEffect, useState } from "preact/hooks";
import { useApp } from "./app-context.ts";
import type { NoteOptions, NoteParts } from "./markdown/note-parts.ts";
import type { GivenUp } from "./markdown/note-reader.ts";

/** A text taken apart, as far as it is; the one before stays until there is something of the next. */
export function useNote(text: string, { below = 1, breaks = false }: NoteOptions = {}) {
  const { notes } = useApp();
  const [parts, setParts] = useState<NoteParts | undefined>(undefined);
  const [givenUp, setGivenUp] = useState<GivenUp | undefined>(undefined);
  useEffect(
    () =>
      notes.read(
        text,
        { below, breaks },
        {
          onParts(next) {
            setParts(next);
            setGivenUp(undefined);
          },
          onGivenUp(why) {
            setParts(undefined);
            setGivenUp(why);
          },
        },
      ),
    [notes, text, below, breaks],
  );
  return { parts, givenUp };
}
