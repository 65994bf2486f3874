import type { ApiConflictChoice, ApiUnsettled } from "../../api/contract/conflicts.ts";
import { isStale } from "../api-error.ts";
import { useApp } from "../app-context.ts";
import { PlaceLink } from "../parts/basics.tsx";
import { SaveTrouble } from "../parts/refusal.tsx";
import { SettleChoices } from "../parts/settle-choices.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { useAction } from "../parts/use-action.ts";
import { useHistoryLink } from "../use-history-link.ts";

/** What syncs decided that a person may see otherwise, such as a note that one side deleted and the other changed. */
export function Unsettled({ items, onLookAgain }: { items: readonly ApiUnsettled[]; onLookAgain: () => void }) {
  const { api, announce } = useApp();
  const historyLink = useHistoryLink();
  const settling = useAction();
  if (items.length === 0) return null;
  const settle = (item: ApiUnsettled, { keep, deletes }: ApiConflictChoice, deleted: string | undefined) =>
    settling.run(async () => {
      const { root, path, kind: decided } = item;
      const side = deletes?.path === path ? "ours" : "theirs";
      const seen = item.seen && { ...item.seen, ...(deleted === undefined ? {} : { [side]: deleted }) };
      await api.settle({ root, path, decided, keep, ...(seen === undefined ? {} : { seen }) });
      announce("Settled.", deletes && historyLink(deletes));
      onLookAgain();
    });
  const lookAgain = () => {
    settling.forget();
    onLookAgain();
  };
  return (
    <section aria-labelledby="unsettled">
      <h2 id="unsettled">Decided by a sync</h2>
      {settling.error === undefined ? null : isStale(settling.error) ? (
        <Trouble error={settling.error} onRetry={lookAgain} retry="Look again" />
      ) : (
        <SaveTrouble error={settling.error} undone="settled" onAllowed={settling.again} />
      )}
      <ul class="rows">
        {items.map((item) => (
          <li key={`${item.root} ${item.path} ${item.kind}`}>
            <PlaceLink place={item} isRow /> {item.says}
            {item.byHand === undefined ? null : <p class="muted">{item.byHand}</p>}
            <SettleChoices
              choices={item.choices}
              isBusy={settling.isBusy}
              onChoose={(choice, deleted) => settle(item, choice, deleted)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
