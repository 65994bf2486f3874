import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isConflict } from "../api-error.ts";
import { may, useApp } from "../app-context.ts";
import { Command, Empty, Title } from "../parts/basics.tsx";
import { Editor } from "../parts/editor.tsx";
import { RestoredNote } from "../parts/restored-note.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { useAction } from "../parts/use-action.ts";
import { linkTo, linkToPlace, placeOf, type Route } from "../route.ts";
import { useDraft } from "../use-draft.ts";

/** The draft of a note that has no name yet. */
const unnamed = { root: "", path: "" };

export function NewScreen({ route }: { route: Route }) {
  const { api, session, router, announce } = useApp();
  const writable = session.roots.filter((root) => may(session, root.name, "write") && root.kind !== "topics");
  const place = placeOf(route);
  const [root, setRoot] = useState(writable.find(({ name }) => name === place.root)?.name ?? writable[0]?.name ?? "");
  const [path, setPath] = useState(place.path === "" ? "" : `${place.path}/`);
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
      {draft.wasRestored ? <RestoredNote onDiscard={draft.reset} /> : null}
      {isConflict(saving.error) ? (
        <p class="note warn" role="alert">
          <strong>There is a note of this name already.</strong> Choose another name, or{" "}
          <a href={linkToPlace("read", { root, path: withExtension(name) })}>look at it</a>. Your text stays here.
        </p>
      ) : saving.error === undefined ? null : (
        <Trouble error={saving.error} />
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
