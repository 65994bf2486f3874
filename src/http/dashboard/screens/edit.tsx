import { useState } from "preact/hooks";
import type { ApiConflictData, ApiDocument } from "../../api/contract/document.ts";
import { isConflict } from "../api-error.ts";
import { useApp } from "../app-context.ts";
import { Crumbs, Title } from "../parts/basics.tsx";
import { ChangedElsewhere } from "../parts/changed-elsewhere.tsx";
import { Editor } from "../parts/editor.tsx";
import { RestoredNote } from "../parts/restored-note.tsx";
import { Ready, Trouble } from "../parts/trouble.tsx";
import { useAction } from "../parts/use-action.ts";
import { linkToPlace, placeOf, type Route } from "../route.ts";
import { useDraft } from "../use-draft.ts";
import { useLoaded } from "../use-loaded.ts";
import { EditConflict } from "./edit-conflict.tsx";

export function EditScreen({ route }: { route: Route }) {
  const { api, drafts } = useApp();
  const place = placeOf(route);
  const document = useLoaded((signal) => api.document(place, signal), [place.root, place.path]);
  const lost = document.error === undefined ? undefined : drafts.read(place);
  return (
    <>
      <Crumbs {...place} isDocument />
      <Title>Edit {document.data?.name ?? place.path.replace(/\.md$/, "")}</Title>
      <Ready of={document} rows={10}>
        {(data) => <EditDocument key={`${data.root} ${data.path}`} document={data} />}
      </Ready>
      {lost === undefined ? null : (
        <label class="field">
          <span>Your unsaved text is still here</span>
          <textarea class="editor" readOnly value={lost.content} />
        </label>
      )}
    </>
  );
}

function EditDocument({ document }: { document: ApiDocument }) {
  const { api, router, announce, drafts } = useApp();
  const draft = useDraft(document, { content: document.content, base: document.rev });
  const saving = useAction();
  const [conflict, setConflict] = useState<ApiConflictData | undefined>(undefined);

  const leave = () => router.go(linkToPlace("read", document));
  const save = (content: string, base: string | null) =>
    saving.run(async () => {
      try {
        const { root, path } = document;
        const saved = await api.save({ root, path, content, ifRev: base });
        draft.finish();
        drafts.drop(document);
        announce("Saved.");
        router.go(linkToPlace("read", saved));
      } catch (error) {
        if (!isConflict(error)) throw error;
        setConflict(error.data);
      }
    });

  if (conflict !== undefined) {
    return (
      <EditConflict
        mine={draft.content}
        current={conflict.current}
        action={saving}
        onSave={(content) => {
          draft.change(content);
          save(content, conflict.current?.rev ?? null);
        }}
        onTakeTheirs={() => {
          draft.finish();
          drafts.drop(document);
          leave();
        }}
        onBack={() => setConflict(undefined)}
      />
    );
  }
  return (
    <>
      {draft.wasRestored ? <RestoredNote onDiscard={draft.reset} /> : null}
      <ChangedElsewhere document={document}>saving will show both sides, and you choose.</ChangedElsewhere>
      {saving.error === undefined ? null : <Trouble error={saving.error} />}
      <Editor
        label={`Text of ${document.name}`}
        content={draft.content}
        isChanged={draft.isChanged}
        isBusy={saving.isBusy}
        takesFocus
        onChange={draft.change}
        onSave={() => (draft.isChanged ? save(draft.content, draft.base) : leave())}
        onLeave={leave}
      />
    </>
  );
}
