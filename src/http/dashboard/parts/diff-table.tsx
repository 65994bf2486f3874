import type { ApiDiffRow } from "../../api/contract/history.ts";
import { plural } from "../wording.ts";

const words = { same: "", changed: "changed", removed: "removed", added: "added", skipped: "" } as const;

/** A diff side by side. Signs and words say what colours say. */
export function DiffTable(props: {
  rows: readonly ApiDiffRow[] | undefined;
  more?: number | undefined;
  left: string;
  right: string;
}) {
  if (props.rows === undefined) return <p class="muted">One of the two is no text: there is nothing to compare.</p>;
  if (props.rows.every((row) => row.kind === "same" || row.kind === "skipped")) {
    return <p class="muted">Both say the same.</p>;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section class="scroll-x" tabIndex={0} aria-label="Differences">
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
              {props.left}
            </th>
            <th scope="col" colSpan={2}>
              {props.right}
            </th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row, index) => (
            <DiffRow key={index} row={row} />
          ))}
          {props.more === undefined || props.more === 0 ? null : (
            <tr class="skipped">
              <td colSpan={4}>and {plural(props.more, "line")} more</td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

function DiffRow({ row }: { row: ApiDiffRow }) {
  if (row.kind === "skipped") {
    return (
      <tr class="skipped">
        <td colSpan={4}>{row.count === undefined ? "lines alike" : `${plural(row.count, "line")} alike`}</td>
      </tr>
    );
  }
  const hasLeft = row.left !== undefined;
  const hasRight = row.right !== undefined;
  return (
    <tr class={row.kind}>
      <td class="line">{row.left?.line}</td>
      <td class={hasLeft ? "was" : "none"}>
        {hasLeft && row.kind !== "same" ? <Sign sign="−" word={words[row.kind]} /> : null}
        {row.left?.text}
      </td>
      <td class="line">{row.right?.line}</td>
      <td class={hasRight ? "now" : "none"}>
        {hasRight && row.kind !== "same" ? <Sign sign="+" word={words[row.kind]} /> : null}
        {row.right?.text}
      </td>
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
