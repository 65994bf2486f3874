import type { ApiRevision } from "../../api/contract/history.ts";
import { linkToPlace } from "../route.ts";
import { changeWord, plural } from "../wording.ts";
import { Ago, Author, PlaceLink } from "./basics.tsx";

const shownChanges = 4;

export function keyOfRevision({ root, id }: ApiRevision): string {
  return `${root} ${id}`;
}

/** Operations of history, newest first: who, what, when, why. */
export function Revisions({ revisions }: { revisions: readonly ApiRevision[] }) {
  return (
    <ol class="rows revisions">
      {revisions.map((revision) => (
        <li key={keyOfRevision(revision)}>
          <div class="revision-head">
            <span>
              <Author author={revision.author} /> <span class="muted">in {revision.root}</span>
            </span>
            <span class="muted">
              {revision.reason === undefined ? null : `${revision.reason} · `}
              <Ago time={revision.time} />
            </span>
          </div>
          <ul class="changes">
            {revision.changes.slice(0, shownChanges).map((change) => (
              <li key={change.path}>
                <span class="change">{changeWord(change)}</span>{" "}
                {change.rev === undefined ? (
                  <a href={linkToPlace("history", { root: revision.root, path: change.path })} data-row="">
                    {change.path}
                  </a>
                ) : (
                  <PlaceLink place={{ root: revision.root, path: change.path }} isRow />
                )}
              </li>
            ))}
            {others(revision) > 0 ? <li class="muted">and {plural(others(revision), "other")}</li> : null}
          </ul>
        </li>
      ))}
    </ol>
  );
}

function others({ changes, more = 0 }: ApiRevision): number {
  return Math.max(changes.length - shownChanges, 0) + more;
}
