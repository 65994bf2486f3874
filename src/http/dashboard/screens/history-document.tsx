import { useState } from "preact/hooks";
import type { ApiChange, ApiDiff, ApiRevision } from "../../api/contract/history.ts";
import type { ApiPlace } from "../../api/contract/place.ts";
import { may, useApp } from "../app-context.ts";
import { Ago, Author, Crumbs, Empty, Title } from "../parts/basics.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { DiffTable } from "../parts/diff-table.tsx";
import { SaveTrouble } from "../parts/refusal.tsx";
import { keyOfRevision } from "../parts/revisions.tsx";
import { Ready } from "../parts/trouble.tsx";
import { useAction } from "../parts/use-action.ts";
import { linkToPlace, type Route } from "../route.ts";
import { useLoaded, useReloadOnChange } from "../use-loaded.ts";
import { usePages } from "../use-pages.ts";
import { changeWord, formatTime } from "../wording.ts";

/** The revisions of one document, and what each changed. */
export function DocumentHistory({ route, place }: { route: Route; place: ApiPlace }) {
  const { api } = useApp();
  const pages = usePages(
    async (after, signal) => {
      const { revisions, next } = await api.history({ ...place, after, limit: "50" }, signal);
      return { items: revisions, next };
    },
    [place.root, place.path],
    { name: "history of a document", keyOf: keyOfRevision },
  );
  useReloadOnChange(pages.reload, (change) => change.root === place.root && change.path === place.path);
  const name = place.path.replace(/\.md$/, "");
  return (
    <>
      <Crumbs {...place} isDocument />
      <Title>History of {name}</Title>
      <Ready of={pages} rows={8}>
        {(revisions) => {
          const selected = revisions.find(({ id }) => id === route.query["rev"]) ?? revisions[0];
          if (selected === undefined) {
            return (
              <Empty title="Nothing is known of it.">
                <p>Nobody wrote a document with this path, or this root keeps no history.</p>
              </Empty>
            );
          }
          return (
            <div class="history">
              <nav aria-label="Revisions">
                <ol class="rows revision-list">
                  {revisions.map((revision) => (
                    <RevisionRow
                      key={revision.id}
                      revision={revision}
                      place={place}
                      isSelected={revision === selected}
                    />
                  ))}
                </ol>
                {pages.hasMore ? (
                  <button type="button" disabled={pages.isLoading} onClick={pages.loadMore}>
                    Show older
                  </button>
                ) : null}
              </nav>
              <Difference
                place={place}
                revision={selected}
                from={route.query["from"]}
                isNewest={selected === revisions[0]}
                older={revisions.slice(revisions.indexOf(selected) + 1)}
                now={changeOf(revisions[0] ?? selected, place)?.rev}
                onRestored={pages.reload}
              />
            </div>
          );
        }}
      </Ready>
    </>
  );
}

function RevisionRow(props: { revision: ApiRevision; place: ApiPlace; isSelected: boolean }) {
  const { revision, place } = props;
  const change = changeOf(revision, place);
  return (
    <li>
      <a
        href={linkToPlace("history", place, { rev: revision.id })}
        data-row=""
        {...(props.isSelected ? { "aria-current": "true" } : {})}
      >
        <span>
          <Ago time={revision.time} /> · {change === undefined ? "" : changeWord(change)}
        </span>
        <Author author={revision.author} />
        {revision.reason === undefined ? null : <span class="muted">{revision.reason}</span>}
      </a>
    </li>
  );
}

function changeOf({ changes }: ApiRevision, place: ApiPlace): ApiChange | undefined {
  return changes.find(({ path }) => path === place.path) ?? changes[0];
}

function Difference(props: {
  place: ApiPlace;
  revision: ApiRevision;
  from: string | undefined;
  isNewest: boolean;
  older: readonly ApiRevision[];
  now: string | undefined;
  onRestored: () => void;
}) {
  const { api, session, router } = useApp();
  const { place, revision, from } = props;
  const diff = useLoaded(
    (signal) => api.diff(place, revision.id, from, signal),
    [place.root, place.path, revision.id, from ?? ""],
  );
  return (
    <section class="difference" aria-labelledby="difference">
      <div class="difference-head">
        <h2 id="difference">{formatTime(revision.time)}</h2>
        <div class="toolbar">
          <label class="inline">
            <span>Compare with</span>
            <select
              value={from ?? ""}
              onChange={(event) =>
                router.go(linkToPlace("history", place, { rev: revision.id, from: event.currentTarget.value }), {
                  replace: true,
                })
              }
            >
              <option value="">the one before</option>
              {props.older.map((other) => (
                <option key={other.id} value={other.id}>
                  {formatTime(other.time)}, {other.author}
                </option>
              ))}
            </select>
          </label>
          {may(session, place.root, "write") ? <RestoreButton {...props} /> : null}
          <a class="button" href={linkToPlace("read", place)}>
            Open the note
          </a>
        </div>
      </div>
      <Ready of={diff} rows={8}>
        {(data) => (
          <DiffTable rows={data.rows} more={data.more} left={sideTitle(data.from)} right={sideTitle(data.to)} />
        )}
      </Ready>
    </section>
  );
}

function sideTitle(side: ApiDiff["from"]): string {
  if (side === undefined) return "nothing before";
  return `${formatTime(side.revision.time)}${side.rev === undefined ? ", deleted" : ""}`;
}

function RestoreButton(props: {
  place: ApiPlace;
  revision: ApiRevision;
  isNewest: boolean;
  /** The revision that the note has now, as far as this page knows: what came since is not overwritten. */
  now: string | undefined;
  onRestored: () => void;
}) {
  const { api, announce } = useApp();
  const [isAsking, setAsking] = useState(false);
  const restoring = useAction();
  const { place, revision } = props;
  const restore = () =>
    restoring.run(async () => {
      const { restored } = await api.restore({
        ...place,
        rev: revision.id,
        ...(props.now === undefined ? {} : { ifRev: props.now }),
      });
      const link = { href: linkToPlace("read", place), text: "Open it" };
      announce(restored ? "Restored." : "It said that already: nothing was changed.", link);
      setAsking(false);
      props.onRestored();
    });
  return (
    <>
      <button type="button" disabled={props.isNewest} onClick={() => setAsking(true)}>
        {props.isNewest ? "This is the newest" : "Restore this one"}
      </button>
      {isAsking ? (
        <Confirm
          title="Restore this revision?"
          action="Restore"
          isBusy={restoring.isBusy}
          onYes={restore}
          onNo={() => {
            restoring.forget();
            setAsking(false);
          }}
        >
          <p>
            The note becomes what it was on {formatTime(revision.time)}. That is a new revision: what it says now stays
            in history.
          </p>
          {restoring.error === undefined ? null : (
            <SaveTrouble error={restoring.error} undone="restored" onAllowed={restore} />
          )}
        </Confirm>
      ) : null}
    </>
  );
}
