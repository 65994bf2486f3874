import type { ApiPlace } from "../../api/contract/place.ts";
import { useApp } from "../app-context.ts";
import { useHistoryLink } from "../use-history-link.ts";
import { useLoaded } from "../use-loaded.ts";
import { Confirm } from "./dialog.tsx";
import { Ready } from "./trouble.tsx";

/** Shows what would be deleted, and asks. `onYes` gets the revision that was shown, where there is one. */
export function DeletionQuestion(props: {
  place: ApiPlace;
  onYes: (rev: string | undefined) => void;
  onNo: () => void;
}) {
  const { api } = useApp();
  const { root, path } = props.place;
  const document = useLoaded((signal) => api.document({ root, path }, signal), [root, path]);
  const historyLink = useHistoryLink();
  return (
    <Confirm
      title={`Delete ${path}?`}
      action="Delete"
      isDangerous
      isBusy={document.isLoading}
      onYes={() => props.onYes(document.data?.rev)}
      onNo={props.onNo}
    >
      <Ready of={document}>
        {({ content }) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
          <figure class="deleted" tabIndex={0}>
            <figcaption class="hidden">What is deleted</figcaption>
            <pre class="plain">{content}</pre>
          </figure>
        )}
      </Ready>
      <p>
        {historyLink(props.place)
          ? "History keeps every revision of it: you can bring it back from there at any time."
          : "This root keeps no history: it cannot be brought back from here."}
      </p>
    </Confirm>
  );
}
