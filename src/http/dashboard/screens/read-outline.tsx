import type { NoteHeading } from "../markdown/note-parts.ts";
import { plural } from "../wording.ts";

/** Nobody finds a way through more. */
const most = 200;

/** The headings of a note. They scroll by script: the fragment of the address belongs to the screens. */
export function Outline({ headings }: { headings: readonly NoteHeading[] }) {
  if (headings.length < 2) return null;
  return (
    <nav class="outline" aria-label="Outline">
      <ul>
        {headings.slice(0, most).map((heading) => (
          <li key={heading.id} class={`level-${heading.level}`}>
            <button
              type="button"
              class="link"
              onClick={() => document.getElementById(heading.id)?.scrollIntoView({ block: "start" })}
            >
              {heading.text}
            </button>
          </li>
        ))}
        {headings.length > most ? <li class="muted">and {plural(headings.length - most, "more heading")}</li> : null}
      </ul>
    </nav>
  );
}
