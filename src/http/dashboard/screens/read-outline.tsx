import type { NoteParts } from "../markdown/note-parts.ts";

/** The headings of a note. They scroll by script: the fragment of the address belongs to the screens. */
export function Outline({ headings }: { headings: NoteParts["headings"] }) {
  if (headings.length < 2) return null;
  return (
    <nav class="outline" aria-label="Outline">
      <ul>
        {headings.map((heading) => (
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
      </ul>
    </nav>
  );
}
