import { useState } from "preact/hooks";
import type { ApiConflictData } from "../../api/contract/document.ts";
import type { ApiPlace } from "../../api/contract/place.ts";
import { MergeByHand } from "../parts/merge-by-hand.tsx";
import { SaveTrouble } from "../parts/refusal.tsx";
import type { Action } from "../parts/use-action.ts";
import { useTypedMerge } from "../use-typed-merge.ts";

/** Somebody saved the same note in the meantime: both sides, and every way on. Nothing that was typed is dropped. */
export function EditConflict(props: {
  place: ApiPlace;
  mine: string;
  current: ApiConflictData["current"];
  action: Action;
  onSave: (content: string) => void;
  onTakeTheirs: () => void;
  onBack: () => void;
}) {
  const { current, action } = props;
  const typed = useTypedMerge(props.place);
  /** Whether the last attempt was with the result of the merge, beside which its trouble is then shown. */
  const [isMerge, setMerge] = useState(false);
  const saveMine = () => {
    setMerge(false);
    props.onSave(props.mine);
  };
  const without = async (next: () => void) => {
    if (await typed.mayDrop()) next();
  };
  return (
    <section aria-labelledby="conflict">
      <div class="note warn" role="alert">
        <h2 id="conflict">
          {current === undefined ? "This note was deleted meanwhile" : "Somebody saved this note meanwhile"}
        </h2>
        <p>Nothing was overwritten, and your text is still here. Choose what to keep; history keeps the rest.</p>
        <div class="actions">
          <button type="button" disabled={action.isBusy} onClick={() => without(saveMine)}>
            {current === undefined ? "Save mine as a new note" : "Save mine over theirs"}
          </button>
          <button type="button" disabled={action.isBusy} onClick={() => without(props.onTakeTheirs)}>
            {current === undefined ? "Leave it deleted, drop mine" : "Take theirs, drop mine"}
          </button>
          <button type="button" onClick={props.onBack}>
            Back to my text
          </button>
        </div>
      </div>
      {action.error === undefined || isMerge ? null : <SaveTrouble error={action.error} onAllowed={saveMine} />}
      {current === undefined ? (
        <pre class="plain">{props.mine}</pre>
      ) : (
        <MergeByHand
          left={{ title: "Theirs, as it is now", text: current.content }}
          right={{ title: "Mine, not saved", text: props.mine }}
          typed={typed}
          action="Save the result"
          isBusy={action.isBusy}
          error={isMerge ? action.error : undefined}
          onUse={(text) => {
            setMerge(true);
            props.onSave(text);
          }}
        />
      )}
    </section>
  );
}
