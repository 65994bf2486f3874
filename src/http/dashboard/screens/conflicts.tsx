import type { ApiConflictView, ApiSettle } from "../../api/contract/conflicts.ts";
import { useApp } from "../app-context.ts";
import { Command, Empty, Title } from "../parts/basics.tsx";
import { DiffTable } from "../parts/diff-table.tsx";
import { MergeByHand } from "../parts/merge-by-hand.tsx";
import { Ready, Trouble } from "../parts/trouble.tsx";
import { useAction } from "../parts/use-action.ts";
import { linkTo, linkToPlace, type Route } from "../route.ts";
import { useLoaded, useReloadOnChange } from "../use-loaded.ts";
import { Unsettled } from "./unsettled.tsx";

/** What merges left for a person to decide. */
export function ConflictsScreen({ route }: { route: Route }) {
  return route.parts.length === 0 ? <ConflictList /> : <OneConflict name={route.parts.join("/")} />;
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
                  <a href={linkTo("conflicts", conflict.name.split("/"))} data-row="">
                    {conflict.originalName}
                  </a>
                  <span class="muted">
                    {conflict.root} / {conflict.path}
                  </span>
                </li>
              ))}
            </ul>
            <Unsettled items={data.unsettled} onSettled={conflicts.reload} />
          </>
        )}
      </Ready>
    </>
  );
}

function OneConflict({ name }: { name: string }) {
  const { api } = useApp();
  const conflict = useLoaded((signal) => api.conflict(name, signal), [name]);
  return (
    <>
      <p>
        <a href={linkTo("conflicts")}>All conflicts</a>
      </p>
      <Title>Conflict in {conflict.data?.originalName ?? name}</Title>
      <Ready of={conflict} rows={8}>
        {(data) => <Settle conflict={data} />}
      </Ready>
    </>
  );
}

function Settle({ conflict }: { conflict: ApiConflictView }) {
  const { api, router, announce } = useApp();
  const settling = useAction();
  const settle = (keep: ApiSettle["keep"], text?: string) =>
    settling.run(async () => {
      const seen = { ours: conflict.ours?.rev ?? null, theirs: conflict.theirs.rev ?? null };
      const saved = await api.settle({ name: conflict.name, keep, seen, ...(text === undefined ? {} : { text }) });
      announce("Settled. Both versions stay in history.", { href: linkToPlace("read", saved), text: "Open it" });
      router.go(linkTo("conflicts"));
    });
  const ours = conflict.ours?.text;
  const theirs = conflict.theirs.text;
  const options = [
    ["ours", "Keep ours"],
    ["theirs", "Keep theirs"],
    ["both", "Keep both"],
  ] as const;
  return (
    <>
      <div class="note">
        <p>
          Ours is what has the name now, theirs the other version; keeping both makes a note of its own of theirs. Both
          stay in history, whatever you choose.
        </p>
        <div class="actions">
          {options.map(([keep, title]) => (
            <button key={keep} type="button" disabled={settling.isBusy} onClick={() => settle(keep)}>
              {title}
            </button>
          ))}
        </div>
      </div>
      {settling.error === undefined ? null : <Trouble error={settling.error} />}
      <h2>What differs</h2>
      <DiffTable rows={conflict.rows} more={conflict.more} left="Ours" right="Theirs" />
      {ours === undefined || theirs === undefined ? null : (
        <details class="by-hand">
          <summary>Merge by hand</summary>
          <MergeByHand
            left={{ title: "Ours", text: ours }}
            right={{ title: "Theirs", text: theirs }}
            action="Keep the result"
            isBusy={settling.isBusy}
            onUse={(text) => settle("text", text)}
          />
        </details>
      )}
    </>
  );
}
