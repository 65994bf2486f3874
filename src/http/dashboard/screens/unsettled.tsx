import type { ApiSettle, ApiUnsettled } from "../../api/contract/conflicts.ts";
import { useApp } from "../app-context.ts";
import { PlaceLink } from "../parts/basics.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { useAction } from "../parts/use-action.ts";

const keeps: readonly ApiSettle["keep"][] = ["ours", "theirs", "both"];

/** What syncs decided that a person may see otherwise, such as a note that one side deleted and the other changed. */
export function Unsettled({ items, onSettled }: { items: readonly ApiUnsettled[]; onSettled: () => void }) {
  const { api, announce } = useApp();
  const settling = useAction();
  if (items.length === 0) return null;
  const settle = ({ root, path }: ApiUnsettled, keep: ApiSettle["keep"]) =>
    settling.run(async () => {
      await api.settle({ name: `${root}/${path}`, keep });
      announce("Settled.");
      onSettled();
    });
  return (
    <section aria-labelledby="unsettled">
      <h2 id="unsettled">Decided by a sync</h2>
      {settling.error === undefined ? null : <Trouble error={settling.error} />}
      <ul class="rows">
        {items.map((item) => (
          <li key={`${item.root} ${item.path}`}>
            <PlaceLink place={item} isRow /> {item.says}
            {item.byHand === undefined ? null : <p class="muted">{item.byHand}</p>}
            <div class="actions">
              {item.choices.map(({ keep, does }) => {
                const known = keeps.find((one) => one === keep);
                return known === undefined ? null : (
                  <button key={keep} type="button" disabled={settling.isBusy} onClick={() => settle(item, known)}>
                    Keep {keep}: {does}
                  </button>
                );
              })}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
