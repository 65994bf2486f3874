import { useState } from "preact/hooks";
import type { ApiConflictChoice, ApiConflictView, ApiSeen } from "../../api/contract/conflicts.ts";
import type { ApiPlace } from "../../api/contract/place.ts";
import { isStale } from "../api-error.ts";
import { useApp } from "../app-context.ts";
import { withEndsOf } from "../line-ends.ts";
import { Command, Empty, Title } from "../parts/basics.tsx";
import { DiffTable } from "../parts/diff-table.tsx";
import { LostText } from "../parts/lost-text.tsx";
import { MergeByHand } from "../parts/merge-by-hand.tsx";
import { SaveTrouble } from "../parts/refusal.tsx";
import { SettleChoices } from "../parts/settle-choices.tsx";
import { Ready, Trouble } from "../parts/trouble.tsx";
import { useAction } from "../parts/use-action.ts";
import { linkTo, linkToPlace, placeOf, type Route } from "../route.ts";
import { useHistoryLink } from "../use-history-link.ts";
import { useLeaveGuard } from "../use-leave-guard.ts";
import { useLoaded, useReloadOnChange } from "../use-loaded.ts";
import { useTypedMerge } from "../use-typed-merge.ts";
import { Unsettled } from "./unsettled.tsx";

/** What merges left for a person to decide. */
export function ConflictsScreen({ route }: { route: Route }) {
  return route.parts.length === 0 ? <ConflictList /> : <OneConflict place={placeOf(route)} />;
}

function ConflictList() {
  const { api } = useApp();
  const conflicts = useLoaded((signal) => api.conflicts(signal), []);
  useReloadOnChange(conflicts.reload);
  return (
    <>
      <Title note="Where two machines changed the same lines, both versions are kept until you choose">Conflicts</Title>
      <Ready of={conflicts}>
        {(data) => (
          <>
            {data.conflicts.length + data.unsettled.length === 0 ? (
              <Empty title="There are none.">
                <p>
                  When a sync or a merge meets two versions of the same lines, they show up here.{" "}
                  <Command>recollect resolve</Command> does the same on the command line.
                </p>
              </Empty>
            ) : null}
            <ul class="rows plain">
              {data.conflicts.map((conflict) => (
                <li key={`${conflict.root} ${conflict.path}`}>
                  <a href={linkToPlace("conflicts", conflict)} data-row="">
                    {conflict.originalName}
                  </a>
                  <span class="muted">
                    {conflict.root} / {conflict.path}
                  </span>
                </li>
              ))}
            </ul>
            <Unsettled items={data.unsettled} onLookAgain={conflicts.reload} />
          </>
        )}
      </Ready>
    </>
  );
}

function OneConflict({ place }: { place: ApiPlace }) {
  const { api } = useApp();
  const { root, path } = place;
  const conflict = useLoaded((signal) => api.conflict({ root, path }, signal), [root, path]);
  return (
    <>
      <p>
        <a href={linkTo("conflicts")}>All conflicts</a>
      </p>
      <Title>Conflict in {conflict.data?.originalName ?? path}</Title>
      <Ready of={conflict} rows={8}>
        {(data) => <Settle key={`${data.root} ${data.path}`} conflict={data} onLookAgain={conflict.reload} />}
      </Ready>
      {conflict.error === undefined || conflict.data !== undefined ? null : <LostText place={place} />}
    </>
  );
}

function Settle({ conflict, onLookAgain }: { conflict: ApiConflictView; onLookAgain: () => void }) {
  const { api, router, announce } = useApp();
  const historyLink = useHistoryLink();
  const settling = useAction();
  const typed = useTypedMerge(conflict);
  const [merged, setMerge] = useState(false);
  /** What the merge by hand could not keep is said beside it. */
  const isMerge = merged && !isStale(settling.error);
  const finish = useLeaveGuard(typed.text !== undefined);
  const { ours, theirs, choices, originalName } = conflict;
  const settle = ({ keep, deletes }: ApiConflictChoice, seen: ApiSeen | undefined, text?: string) =>
    settling.run(async () => {
      setMerge(text !== undefined);
      const { root, path } = conflict;
      const settled = await api.settle({
        root,
        path,
        keep,
        ...(seen && { seen }),
        ...(text !== undefined && { text }),
      });
      finish();
      typed.change(undefined);
      const open = settled.rev === undefined ? settled.kept : settled;
      if (deletes !== undefined) announce("Deleted. It stays in history.", historyLink(deletes));
      else
        announce(
          "Settled. Both versions stay in history.",
          open && { href: linkToPlace("read", open), text: "Open it" },
        );
      router.go(linkTo("conflicts"));
    });
  const lookAgain = () => {
    settling.forget();
    onLookAgain();
  };
  const merging = choices.find(({ keep, missing }) => keep === "text" && missing.length === 0);
  const [isOpen] = useState(typed.text !== undefined);
  const seen = seenOf(conflict);
  return (
    <>
      <div class="note">
        <p>
          {ours === undefined
            ? `No document is called ${originalName} any more: what you see here is the only copy.`
            : "Ours is what has the name now, theirs the other version. Both stay in history, whatever you choose."}
        </p>
        <SettleChoices
          choices={choices}
          names={ours === undefined ? loneNames : {}}
          isBusy={settling.isBusy}
          replaces={ours !== undefined}
          mayChoose={typed.mayDrop}
          onChoose={(choice, deleted) => settle(choice, seen && { ...seen, theirs: deleted ?? seen.theirs })}
        />
      </div>
      {settling.error === undefined || isMerge ? null : isStale(settling.error) ? (
        <Trouble error={settling.error} onRetry={lookAgain} retry="Look again" />
      ) : (
        <SaveTrouble error={settling.error} undone="settled" onAllowed={settling.again} />
      )}
      <h2>What differs</h2>
      <DiffTable rows={conflict.rows} more={conflict.more} left="Ours" right="Theirs" />
      {merging === undefined || ours?.text === undefined || theirs.text === undefined ? null : (
        <details class="by-hand" open={isOpen}>
          <summary>Merge by hand</summary>
          <MergeByHand
            key={`${ours.rev} ${theirs.rev}`}
            left={{ title: "Ours", text: ours.text }}
            right={{ title: "Theirs", text: theirs.text }}
            typed={typed}
            action="Keep the result"
            isBusy={settling.isBusy}
            error={isMerge ? settling.error : undefined}
            onUse={(text) => settle(merging, seen, withEndsOf(ours.text ?? "", text))}
          />
        </details>
      )}
    </>
  );
}

/** Where nothing has the name there are no two sides. */
const loneNames = { ours: "Delete it", theirs: "Keep it", both: "Keep it" };

/** Of what is no text nobody knows the revision. */
function seenOf({ ours, theirs }: ApiConflictView): ApiSeen | undefined {
  const isKnown = theirs.rev !== undefined && (ours === undefined || ours.rev !== undefined);
  return isKnown ? { ours: ours?.rev ?? null, theirs: theirs.rev ?? null } : undefined;
}
