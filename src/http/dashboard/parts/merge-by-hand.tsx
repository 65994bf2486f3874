import { useMemo, useState } from "preact/hooks";
import { withLineFeeds } from "../../../text/split-lines.ts";
import { type Choice, chosenText, diffLines, type Hunk } from "../line-diff.ts";
import type { TypedMerge } from "../use-typed-merge.ts";
import { SaveTrouble } from "./refusal.tsx";
import { RestoredNote } from "./restored-note.tsx";

/** How many unchanged lines are shown around a difference. */
const around = 3;

/**
 * Two versions side by side. For each place where they differ one chooses the left, the right or both; the result can
 * be changed by hand, and only `onUse` hands it on, with plain line ends.
 */
export function MergeByHand(props: {
  left: { readonly title: string; readonly text: string };
  right: { readonly title: string; readonly text: string };
  typed: TypedMerge;
  action: string;
  isBusy?: boolean;
  /** Why the result could not be used. */
  error?: unknown;
  onUse: (text: string) => void;
}) {
  const { left, right, typed } = props;
  const hunks = useMemo(() => diffLines(withLineFeeds(left.text), withLineFeeds(right.text)), [left.text, right.text]);
  const [choices, setChoices] = useState<ReadonlyMap<number, Choice>>(new Map());
  const chosen = chosenText(hunks, choices, "both");
  const text = typed.text ?? chosen;
  const choose = async (index: number, choice: Choice) => {
    // Shown again as they are where one rather keeps the text: the browser has moved the mark already.
    if (!(await typed.mayDrop())) return setChoices(new Map(choices));
    typed.change(undefined);
    setChoices(new Map(choices).set(index, choice));
  };
  let place = 0;
  return (
    <section class="merge" aria-label="Merge by hand">
      <div class="merge-heads" aria-hidden="true">
        <strong>{left.title}</strong>
        <strong>{right.title}</strong>
      </div>
      {hunks.map((hunk, index) => {
        if (hunk.kind === "same") return <SameLines key={index} lines={hunk.lines} />;
        place += 1;
        return (
          <Differing
            key={index}
            hunk={hunk}
            place={place}
            titles={[left.title, right.title]}
            choice={choices.get(index) ?? "both"}
            onChoose={(choice) => choose(index, choice)}
          />
        );
      })}
      {typed.wasRestored ? <RestoredNote onDiscard={() => typed.change(undefined)} /> : null}
      <label class="field">
        <span>The result, which you can change by hand</span>
        <textarea
          class="editor short"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget: { value } }) => typed.change(value === chosen ? undefined : value)}
        />
      </label>
      {props.error === undefined ? null : <SaveTrouble error={props.error} onAllowed={() => props.onUse(text)} />}
      <div class="actions">
        <button type="button" class="primary" disabled={props.isBusy === true} onClick={() => props.onUse(text)}>
          {props.action}
        </button>
      </div>
    </section>
  );
}

function SameLines({ lines }: { lines: readonly string[] }) {
  if (lines.length <= around * 2 + 1) return <pre class="merge-same">{lines.join("\n")}</pre>;
  return (
    <>
      <pre class="merge-same">{lines.slice(0, around).join("\n")}</pre>
      <p class="skipped">{lines.length - around * 2} lines alike</p>
      <pre class="merge-same">{lines.slice(-around).join("\n")}</pre>
    </>
  );
}

function Differing(props: {
  hunk: Extract<Hunk, { kind: "differs" }>;
  place: number;
  titles: readonly [string, string];
  choice: Choice;
  onChoose: (choice: Choice) => void;
}) {
  const options = [
    ["left", props.titles[0]],
    ["right", props.titles[1]],
    ["both", "Both"],
  ] as const;
  return (
    <fieldset class="merge-place">
      <legend>Difference {props.place}</legend>
      <div class="merge-sides">
        <Side title={props.titles[0]} lines={props.hunk.left} isTaken={props.choice !== "right"} sign="left" />
        <Side title={props.titles[1]} lines={props.hunk.right} isTaken={props.choice !== "left"} sign="right" />
      </div>
      <div class="choices">
        {options.map(([choice, title]) => (
          <label key={choice}>
            <input
              type="radio"
              name={`difference-${props.place}`}
              checked={props.choice === choice}
              onChange={() => props.onChoose(choice)}
            />
            {title}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Side(props: { title: string; lines: readonly string[]; isTaken: boolean; sign: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <figure class={`side ${props.sign} ${props.isTaken ? "" : "left-out"}`} tabIndex={0}>
      <figcaption class="hidden">{props.title}</figcaption>
      <pre>{props.lines.length === 0 ? <span class="muted">nothing here</span> : props.lines.join("\n")}</pre>
    </figure>
  );
}
