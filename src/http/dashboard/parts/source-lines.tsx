import { useEffect, useMemo } from "preact/hooks";
import { VirtualList } from "./virtual-list.tsx";

/** Up to so many lines are in the page at once, and wrapped. */
const wrapped = 3000;

/** A text as it is, with the numbers of its lines. */
export function SourceLines({ text, line }: { text: string; line: number }) {
  const lines = useMemo(() => text.replace(/\n$/, "").split("\n"), [text]);
  useEffect(() => {
    if (line > 0) document.querySelector(`[data-line="${line}"]`)?.scrollIntoView({ block: "center" });
  }, [line, text]);
  if (lines.length > wrapped) {
    return (
      <div class="source long">
        <VirtualList
          label="Source"
          count={lines.length}
          rowHeight={22}
          keyOf={String}
          row={(index) => <code data-number={index + 1}>{lines[index]}</code>}
        />
      </div>
    );
  }
  return (
    <ol class="source" aria-label="Source">
      {lines.map((content, index) => (
        <li key={index} data-line={index + 1} class={index + 1 === line ? "here" : ""}>
          <code>{content}</code>
        </li>
      ))}
    </ol>
  );
}
