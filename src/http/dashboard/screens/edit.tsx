import { useState } from "preact/hooks";
import { withLineFeeds } from "../../../text/split-lines.ts";
import type { ApiConflictData, ApiDocument } from "../../api/contract/document.ts";
import { isConflict } from "../api-error.ts";
import { useApp } from "../app-context.ts";
import { mergeOf } from "../drafts.ts";
import { withEndsOf } from "../line-ends.ts";
import { Crumbs, Title } from "../parts/basics.tsx";
import { ChangedElsewhere } from "../parts/changed-elsewhere.tsx";
import { Editor } from "../parts/editor.tsx";
import { LostText } from "../parts/lost-text.tsx";
import { SaveTrouble } from "../parts/refusal.tsx";
import { RestoredNote } from "../parts/restored-note.tsx";
import { Ready } from "../parts/trouble.tsx";
import { useAction } from "../parts/use-action.ts";
import { linkToPlace, placeOf, type Route } from "../route.ts";
import { useDraft } from "../use-draft.ts";
import { useLoaded } from "../use-loaded.ts";
import { EditConflict } from "./edit-conflict.tsx";

export function EditScreen({ route }: { route: Route }) {
  const { api } = useApp();
  const place = placeOf(route);
  const document = useLoaded((signal) => api.document(place, signal), [place.root, place.path]);
  return (
    <>
      <Crumbs {...place} isDocument />
      <Title>Edit {document.data?.name ?? place.path.replace(/\.md$/, "")}</Title>
      <Ready of={document} rows={10}>
        {(data) => <EditDocument key={`${data.root} ${data.path}`} document={data} />}
      </Ready>
      {document.error === undefined ? null : <LostText place={place} />}
    </>
  );
}

function EditDocument({ document }: { document: ApiDocument }) {
  const { api, router, announce, drafts } = useApp();
  const draft = useDraft(document, { content: withLineFeeds(document.content), base: document.rev });
  const saving = useAction();
  const [conflict, setConflict] = useState<ApiConflictData | undefined>(undefined);

  const leave = () => router.go(linkToPlace("read", document));
  const forget = () => {
    draft.finish();
    drafts.drop(document);
    drafts.drop(mergeOf(document));
  };
  const save = (typed: string, base: string | null) =>
    saving.run(async () => {
      try {
        const { root, path } = document;
        const content = withEndsOf(conflict?.current?.content ?? document.content, typed);
        const saved = await api.save({ root, path, content, ifRev: base });
        forget();
        announce("Saved.");
        router.go(linkToPlace("read", saved));
      } catch (error) {
        if (!isConflict(error)) throw error;
        // What was merged with the version before is what is mine now.
        if (conflict !== undefined) drafts.drop(mergeOf(document));
        setConflict(error.data);
      }
    });

  if (conflict !== undefined) {
    return (
      <EditConflict
        key={conflict.current?.rev}
        place={document}
        mine={draft.content}
        current={conflict.current}
        action={saving}
        onSave={(content) => {
          draft.change(content);
          save(content, conflict.current?.rev ?? null);
        }}
        onTakeTheirs={() => {
          forget();
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
      {saving.error === undefined ? null : (
        <SaveTrouble error={saving.error} onAllowed={() => save(draft.content, draft.base)} />
      )}
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
