import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiDiffRow } from "../../api/contract/history.ts";
import { markLine } from "../line-marks.ts";
import { plural } from "../wording.ts";

const words = { same: "", changed: "changed", removed: "removed", added: "added", skipped: "" } as const;
/** Below this, one side of two would be cut off. */
const narrow = "(max-width: 75rem)";

interface DiffProps {
  readonly rows: readonly ApiDiffRow[] | undefined;
  readonly more?: number | undefined;
  readonly left: string;
  readonly right: string;
}

/** A diff side by side, or one below the other where the window is narrow. Signs and words say what colours say. */
export function DiffTable({ rows, ...props }: DiffProps) {
  const isNarrow = useMedia(narrow);
  if (rows === undefined) return <p class="muted">One of the two is no text: there is nothing to compare.</p>;
  if (rows.every((row) => row.kind === "same" || row.kind === "skipped")) {
    return <p class="muted">Both say the same.</p>;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section class="scroll-x" tabIndex={0} aria-label="Differences">
      {isNarrow ? <Unified rows={rows} {...props} /> : <SideBySide rows={rows} {...props} />}
    </section>
  );
}

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const listen = () => setMatches(media.matches);
    media.addEventListener("change", listen);
    return () => media.removeEventListener("change", listen);
  }, [query]);
  return matches;
}

type TableProps = DiffProps & { readonly rows: readonly ApiDiffRow[] };

function SideBySide({ rows, more, left, right }: TableProps) {
  return (
    <table class="diff">
      <colgroup>
        <col class="line" />
        <col />
        <col class="line" />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th scope="col" colSpan={2}>
            {left}
          </th>
          <th scope="col" colSpan={2}>
            {right}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) =>
          row.kind === "skipped" ? (
            <Skipped key={index} row={row} columns={4} />
          ) : (
            <tr key={index} class={row.kind}>
              <td class="line">{row.left?.line}</td>
              <Side row={row} side="left" />
              <td class="line">{row.right?.line}</td>
              <Side row={row} side="right" />
            </tr>
          ),
        )}
        <More count={more} columns={4} />
      </tbody>
    </table>
  );
}

function Unified({ rows, more, left, right }: TableProps) {
  return (
    <table class="diff unified">
      <colgroup>
        <col class="line" />
        <col class="line" />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th scope="col" colSpan={3}>
            − {left}
            <br />+ {right}
          </th>
        </tr>
      </thead>
      <tbody>
        {inOrder(rows).map(({ row, side }, index) =>
          row.kind === "skipped" ? (
            <Skipped key={index} row={row} columns={3} />
          ) : (
            <tr key={index} class={row.kind}>
              <td class="line">{side === "right" && row.kind !== "same" ? "" : row.left?.line}</td>
              <td class="line">{side === "left" ? "" : row.right?.line}</td>
              <Side row={row} side={side} />
            </tr>
          ),
        )}
        <More count={more} columns={3} />
      </tbody>
    </table>
  );
}

type OneSide = "left" | "right";

/** The lines of a unified diff: of those that differ, first all that were, then all that are. */
function inOrder(rows: readonly ApiDiffRow[]): { readonly row: ApiDiffRow; readonly side: OneSide }[] {
  const lines: { row: ApiDiffRow; side: OneSide }[] = [];
  const now: typeof lines = [];
  for (const row of rows) {
    const isSame = row.kind === "same" || row.kind === "skipped";
    if (isSame) lines.push(...now.splice(0), { row, side: "right" });
    else {
      if (row.left !== undefined) lines.push({ row, side: "left" });
      if (row.right !== undefined) now.push({ row, side: "right" });
    }
  }
  lines.push(...now);
  return lines;
}

function Side({ row, side }: { row: ApiDiffRow; side: OneSide }) {
  const text = row[side]?.text;
  if (text === undefined) return <td class="none" />;
  return (
    <td class={side === "left" ? "was" : "now"}>
      {row.kind === "same" ? null : <Sign sign={side === "left" ? "−" : "+"} word={words[row.kind]} />}
      {markedText(row, side, text)}
    </td>
  );
}

/** What of a changed line is another one, marked. */
function markedText({ kind, left, right }: ApiDiffRow, side: OneSide, text: string): ComponentChildren {
  const marks = kind === "changed" && left && right ? markLine(left.text, right.text) : undefined;
  const to = side === "left" ? marks?.leftTo : marks?.rightTo;
  if (marks === undefined || to === undefined || to === marks.from) return text;
  return (
    <>
      {text.slice(0, marks.from)}
      <mark>{text.slice(marks.from, to)}</mark>
      {text.slice(to)}
    </>
  );
}

function Skipped({ row, columns }: { row: ApiDiffRow; columns: number }) {
  return (
    <tr class="skipped">
      <td colSpan={columns}>{row.count === undefined ? "lines alike" : `${plural(row.count, "line")} alike`}</td>
    </tr>
  );
}

function More({ count = 0, columns }: { count: number | undefined; columns: number }) {
  if (count === 0) return null;
  return (
    <tr class="skipped">
      <td colSpan={columns}>and {plural(count, "line")} more</td>
    </tr>
  );
}

function Sign({ sign, word }: { sign: string; word: string }) {
  return (
    <>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      <span class="hidden">{word}: </span>
    </>
  );
}
