import { Markdown } from "../markdown/markdown.tsx";
import type { NoteOptions, NoteParts } from "../markdown/note-parts.ts";
import type { GivenUp } from "../markdown/note-reader.ts";
import { useNote } from "../use-note.ts";
import { isLong, SourceLines } from "./source-lines.tsx";

/** A text as Markdown; until it is taken apart, and where it cannot be, as it was written. */
export function NoteText({ text, ...options }: { text: string } & NoteOptions) {
  const { parts, givenUp } = useNote(text, options);
  if (parts !== undefined) {
    return (
      <>
        <Markdown parts={parts} />
        <EndsEarly parts={parts} />
      </>
    );
  }
  return (
    <>
      <AsWritten why={givenUp} />
      {isLong(text) ? <SourceLines text={text} line={0} /> : <pre class="plain">{text}</pre>}
    </>
  );
}

/** Says why a text is not rendered. */
export function AsWritten({ why }: { why: GivenUp | undefined }) {
  if (why === undefined) return null;
  return (
    <p class="note" role="status">
      This text {why}: it is shown as it was written.
    </p>
  );
}

/** Says that there is more of a text than is rendered. */
export function EndsEarly({ parts }: { parts: NoteParts }) {
  if (parts.endsAtLine === undefined) return null;
  return (
    <p class="note" role="status">
      This text goes on in line {parts.endsAtLine.toLocaleString("en")}: it is too long to be rendered as a whole. Its
      source shows all of it.
    </p>
  );
}
