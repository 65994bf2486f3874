import { useState } from "preact/hooks";
import type { ApiConflictChoice } from "../../api/contract/conflicts.ts";
import { DeletionQuestion } from "./deletion-question.tsx";
import { Confirm } from "./dialog.tsx";

/** A button for each way to settle a conflict that one may choose, and what the others would need. */
export function SettleChoices(props: {
  choices: readonly ApiConflictChoice[];
  isBusy: boolean;
  /** What they are called here, instead of what is kept. */
  names?: Partial<Record<ApiConflictChoice["keep"], string>>;
  /** Whether one of two versions goes: that is asked about. Choices that delete a document always are. */
  replaces?: boolean;
  /** Asked first. */
  mayChoose?: () => Promise<boolean>;
  /** With the revision that was shown as what is deleted. */
  onChoose: (choice: ApiConflictChoice, deleted: string | undefined) => void;
}) {
  const [asked, setAsked] = useState<ApiConflictChoice | undefined>(undefined);
  const choose = async (choice: ApiConflictChoice) => {
    if (props.mayChoose !== undefined && !(await props.mayChoose())) return;
    const isAsked = choice.deletes !== undefined || (props.replaces === true && choice.keep !== "both");
    if (isAsked) setAsked(choice);
    else props.onChoose(choice, undefined);
  };
  const nameOf = ({ keep }: ApiConflictChoice) =>
    props.names?.[keep] ?? (keep === "text" ? "Merge by hand" : `Keep ${keep}`);
  const refused = props.choices.filter(({ missing }) => missing.length > 0);
  return (
    <div>
      <div class="actions">
        {props.choices
          .filter(({ keep, missing }) => keep !== "text" && missing.length === 0)
          .map((choice) => (
            <button key={choice.keep} type="button" disabled={props.isBusy} onClick={() => choose(choice)}>
              {nameOf(choice)}: {choice.does}
            </button>
          ))}
      </div>
      {refused.length === 0 ? null : (
        <p class="muted">
          This token, or this root, does not allow what these need:{" "}
          {refused.map((choice) => `${nameOf(choice)} (${choice.missing.join(", ")})`).join("; ")}.
        </p>
      )}
      {asked === undefined ? null : asked.deletes === undefined ? (
        <Confirm
          title={`${nameOf(asked)}?`}
          action={nameOf(asked)}
          isDangerous
          onYes={() => {
            setAsked(undefined);
            props.onChoose(asked, undefined);
          }}
          onNo={() => setAsked(undefined)}
        >
          <p>The other version is not in the note any more. It stays in history.</p>
        </Confirm>
      ) : (
        <DeletionQuestion
          place={asked.deletes}
          onYes={(rev) => {
            setAsked(undefined);
            props.onChoose(asked, rev);
          }}
          onNo={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}
