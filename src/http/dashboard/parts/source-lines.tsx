import { useEffect, useMemo } from "preact/hooks";
import { VirtualList } from "./virtual-list.tsx";

/** Up to so much is in the page at once, and wrapped. */
const wrapped = { lines: 3000, characters: 150_000 };
/** A longer line goes on in the next row: a page stops at one of a megabyte. */
const longestRow = 2000;

/** A text as it is, with the numbers of its lines. */
export function SourceLines({ text, line }: { text: string; line: number }) {
  const lines = useMemo(() => text.replace(/\n$/, "").split("\n"), [text]);
  useEffect(() => {
    if (line > 0) document.querySelector(`[data-line="${line}"]`)?.scrollIntoView({ block: "center" });
  }, [line, text]);
  const isLong = lines.length > wrapped.lines || text.length > wrapped.characters;
  const rows = useMemo(() => (isLong ? lines.flatMap(rowsOf) : []), [lines, isLong]);
  if (isLong) {
    return (
      <div class="source long">
        <VirtualList
          label="Source"
          count={rows.length}
          rowHeight={22}
          keyOf={String}
          row={(index) => <code data-number={rows[index]?.number}>{rows[index]?.text}</code>}
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

function rowsOf(line: string, index: number): { readonly number: number | ""; readonly text: string }[] {
  const count = Math.max(1, Math.ceil(line.length / longestRow));
  return Array.from({ length: count }, (_, row) => ({
    number: row === 0 ? index + 1 : "",
    text: line.slice(row * longestRow, (row + 1) * longestRow),
  }));
}
