import { useState } from "preact/hooks";
import type { ApiDocument, ApiMoved } from "../../api/contract/document.ts";
import { may, useApp } from "../app-context.ts";
import { Confirm } from "../parts/dialog.tsx";
import { SaveTrouble } from "../parts/refusal.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { useAction } from "../parts/use-action.ts";
import { linkTo, linkToPlace } from "../route.ts";
import { useHistoryLink } from "../use-history-link.ts";
import { plural } from "../wording.ts";

export function MoveButton({ document }: { document: ApiDocument }) {
  const { api, session, router, announce } = useApp();
  const [target, setTarget] = useState<string | undefined>(undefined);
  const moving = useAction();
  if (!may(session, document.root, "move") || document.readOnly) return null;
  const move = () =>
    moving.run(async () => {
      const { root, path, rev } = document;
      const saved = await api.move({ root, path, to: target ?? path, ifRev: rev });
      announce(`Moved to ${saved.path}. ${referenceWords(saved)}`);
      setTarget(undefined);
      router.go(linkToPlace("read", saved));
    });
  return (
    <>
      <button type="button" onClick={() => setTarget(document.path)}>
        Move
      </button>
      {target === undefined ? null : (
        <Confirm
          title="Move this note"
          action="Move"
          isBusy={moving.isBusy}
          onYes={move}
          onNo={() => {
            moving.forget();
            setTarget(undefined);
          }}
        >
          <form
            onSubmit={(event) => {
              event.preventDefault();
              move();
            }}
          >
            <label class="field">
              <span>New path in {document.root}</span>
              <input type="text" value={target} onInput={(event) => setTarget(event.currentTarget.value)} />
            </label>
          </form>
          <p class="muted">An existing note is never overwritten. References to it follow, and so does its history.</p>
          {moving.error === undefined ? null : <SaveTrouble error={moving.error} undone="moved" onAllowed={move} />}
        </Confirm>
      )}
    </>
  );
}

function referenceWords({ rewritten, notRewritten }: ApiMoved): string {
  const words = [
    ...(rewritten.length > 0 ? [`References in ${plural(rewritten.length, "note")} follow.`] : []),
    ...(notRewritten.length > 0
      ? [`${plural(notRewritten.length, "note still refers", "notes still refer")} to the old name.`]
      : []),
  ];
  return words.join(" ");
}

export function DeleteButton({ document }: { document: ApiDocument }) {
  const { api, session, router, announce } = useApp();
  const historyLink = useHistoryLink();
  const [isAsking, setAsking] = useState(false);
  const deleting = useAction();
  if (!may(session, document.root, "delete") || document.readOnly) return null;
  const hasHistory = historyLink(document) !== undefined;
  const remove = () =>
    deleting.run(async () => {
      await api.remove(document, document.rev);
      announce(`Deleted ${document.name}.`, historyLink(document));
      setAsking(false);
      router.go(linkTo("browse", [document.root, ...document.path.split("/").slice(0, -1)]));
    });
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        Delete
      </button>
      {isAsking ? (
        <Confirm
          title={`Delete ${document.name}?`}
          action="Delete"
          isDangerous
          isBusy={deleting.isBusy}
          onYes={remove}
          onNo={() => {
            deleting.forget();
            setAsking(false);
          }}
        >
          <p>
            {hasHistory
              ? "History keeps every revision of it: you can bring it back from there at any time."
              : "This root keeps no history: it cannot be brought back from here."}
          </p>
          {deleting.error === undefined ? null : <Trouble error={deleting.error} />}
        </Confirm>
      ) : null}
    </>
  );
}
