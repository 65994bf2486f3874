import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isConflict } from "../api-error.ts";
import { noteRoots, useApp } from "../app-context.ts";
import { Command, Empty, Title } from "../parts/basics.tsx";
import { Editor } from "../parts/editor.tsx";
import { SaveTrouble } from "../parts/refusal.tsx";
import { RestoredNote } from "../parts/restored-note.tsx";
import { useAction } from "../parts/use-action.ts";
import { linkTo, linkToPlace, placeOf, type Route } from "../route.ts";
import { useDraft } from "../use-draft.ts";

/** The draft of a note that has no name yet. */
const unnamed = { root: "", path: "" };

export function NewScreen({ route }: { route: Route }) {
  const { api, session, router, announce } = useApp();
  const writable = noteRoots(session);
  const place = placeOf(route);
  const asked = writable.find(({ name }) => name === place.root);
  const isElsewhere = place.root !== "" && asked === undefined;
  const [root, setRoot] = useState(asked?.name ?? writable[0]?.name ?? "");
  const [path, setPath] = useState(route.query["name"] ?? (place.path === "" || isElsewhere ? "" : `${place.path}/`));
  const draft = useDraft(unnamed, { content: "", base: null });
  const saving = useAction();
  const nameField = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => nameField.current?.focus(), []);

  if (writable.length === 0) {
    return (
      <>
        <Title>New note</Title>
        <Empty title="This token may write nowhere.">
          <p>
            Make one that may: <Command>recollect token create NAME --scope '*:read,write'</Command>.
          </p>
        </Empty>
      </>
    );
  }

  const name = path.trim().replace(/^\/+|\/+$/g, "");
  const save = () => {
    if (nameField.current?.reportValidity() === false) return;
    saving.run(async () => {
      const saved = await api.save({ root, path: withExtension(name), content: draft.content, ifRev: null });
      draft.finish();
      draft.reset();
      announce("Saved.");
      router.go(linkToPlace("read", saved));
    });
  };
  return (
    <>
      <Title note="Its name is its place: auth/login is login.md in the folder auth">New note</Title>
      <div class="fields">
        <label class="field">
          <span>Root</span>
          <select value={root} onChange={(event) => setRoot(event.currentTarget.value)}>
            {writable.map((item) => (
              <option key={item.name} value={item.name}>
                {item.name}
              </option>
            ))}
          </select>
        </label>
        <label class="field grow">
          <span>Name</span>
          <input
            ref={nameField}
            type="text"
            value={path}
            placeholder="auth/login"
            required
            onInput={(event) => setPath(event.currentTarget.value)}
          />
        </label>
      </div>
      {isElsewhere ? (
        <p class="note">
          <strong>Notes cannot be written in “{place.root}”.</strong> Choose where this one goes.
        </p>
      ) : null}
      {draft.wasRestored ? <RestoredNote onDiscard={draft.reset} /> : null}
      {isConflict(saving.error) ? (
        <p class="note warn" role="alert">
          <strong>There is a note of this name already.</strong> Choose another name, or{" "}
          <a href={linkToPlace("read", { root, path: withExtension(name) })}>look at it</a>. Your text stays here.
        </p>
      ) : saving.error === undefined ? null : (
        <SaveTrouble error={saving.error} onAllowed={save} />
      )}
      <Editor
        label="Text of the new note"
        content={draft.content}
        isChanged={draft.isChanged}
        isBusy={saving.isBusy}
        takesFocus={false}
        onChange={draft.change}
        onSave={save}
        onLeave={() => router.go(place.root === "" ? linkTo("overview") : linkToPlace("browse", place))}
      />
    </>
  );
}

function withExtension(name: string): string {
  return /\.[a-z][a-z0-9]{0,9}$/i.test(name) ? name : `${name}.md`;
}
