import type { ApiPlace } from "../../api/contract/place.ts";
import { useApp } from "../app-context.ts";
import { mergeOf } from "../drafts.ts";

/** What was typed about something that cannot be shown any more: it can still be copied. */
export function LostText({ place }: { place: ApiPlace }) {
  const { drafts } = useApp();
  return (
    <>
      {[place, mergeOf(place)].map((one, index) => {
        const draft = drafts.read(one);
        return draft === undefined ? null : (
          <label key={index} class="field">
            <span>Your unsaved text is still here</span>
            <textarea class="editor" readOnly value={draft.content} />
          </label>
        );
      })}
    </>
  );
}
