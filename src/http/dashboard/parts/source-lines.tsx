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
  if (isLong(text, lines.length)) return <LongSource lines={lines} />;
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

/** Whether a text is more than a page can hold at once. */
export function isLong(text: string, lines = text.split("\n").length): boolean {
  return lines > wrapped.lines || text.length > wrapped.characters;
}

/** Only what can be seen of it is in the page. */
function LongSource({ lines }: { lines: readonly string[] }) {
  const rows = useMemo(() => rowsOf(lines), [lines]);
  return (
    <div class="source long">
      <VirtualList
        label="Source"
        count={rows?.length ?? lines.length}
        rowHeight={22}
        keyOf={String}
        row={(index) => {
          const { number, text } = rows?.[index] ?? { number: index + 1, text: lines[index] };
          return <code data-number={number}>{text}</code>;
        }}
      />
    </div>
  );
}

interface SourceRow {
  readonly number: number | "";
  readonly text: string;
}

/** Undefined where each line is one: a note can have half a million of them. */
function rowsOf(lines: readonly string[]): SourceRow[] | undefined {
  if (!lines.some((line) => line.length > longestRow)) return undefined;
  return lines.flatMap((line, index) =>
    Array.from({ length: Math.max(1, Math.ceil(line.length / longestRow)) }, (_, row) => ({
      number: row === 0 ? index + 1 : "",
      text: line.slice(row * longestRow, (row + 1) * longestRow),
    })),
  );
}
