import type { ComponentType } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { NoteOptions, NoteParts } from "../markdown/note-parts.ts";

interface Renderer {
  readonly Markdown: ComponentType<{ parts: NoteParts }>;
  takeApart(content: string, options?: NoteOptions): NoteParts | undefined;
}

/** The renderer is loaded when the first note is shown: the first page has none. */
export function useRenderer(): Renderer | undefined {
  const [renderer, setRenderer] = useState<Renderer | undefined>(undefined);
  useEffect(() => {
    let isGone = false;
    import("../markdown/renderer.ts").then(
      ({ Markdown, takeApart }) => {
        if (!isGone) setRenderer({ Markdown, takeApart });
      },
      // Without it notes are shown as they were written.
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, []);
  return renderer;
}

/** A text as Markdown; until the renderer is there, and where a text cannot be taken apart, as it was written. */
export function NoteText({ text, below = 1, breaks = false }: { text: string } & NoteOptions) {
  const renderer = useRenderer();
  const parts = useMemo(() => renderer?.takeApart(text, { below, breaks }), [renderer, text, below, breaks]);
  if (renderer === undefined || parts === undefined) return <pre class="plain">{text}</pre>;
  return <renderer.Markdown parts={parts} />;
}
