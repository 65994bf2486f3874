import { useEffect } from "preact/hooks";
import type { ApiDocument } from "../../api/contract/document.ts";
import { may, rootNamed, useApp } from "../app-context.ts";
import { useKeys } from "../keyboard.ts";
import { Markdown } from "../markdown/markdown.tsx";
import type { NoteHeading } from "../markdown/note-parts.ts";
import { Ago, Badge, Crumbs, Title } from "../parts/basics.tsx";
import { ChangedElsewhere } from "../parts/changed-elsewhere.tsx";
import { AsWritten, EndsEarly } from "../parts/note-text.tsx";
import { SourceLines } from "../parts/source-lines.tsx";
import { Ready } from "../parts/trouble.tsx";
import { linkTo, linkToPlace, placeOf, type Route } from "../route.ts";
import { useLoaded } from "../use-loaded.ts";
import { useNote } from "../use-note.ts";
import { formatBytes, plural } from "../wording.ts";
import { DeleteButton, MoveButton } from "./read-actions.tsx";

/** Larger texts are shown as source until somebody asks: rendered they make a heavy page. */
const largestRendered = 300_000;

export function ReadScreen({ route }: { route: Route }) {
  const { api } = useApp();
  const place = placeOf(route);
  const document = useLoaded((signal) => api.document(place, signal), [place.root, place.path]);
  return (
    <>
      <Crumbs {...place} isDocument />
      <Title>{document.data?.name ?? place.path.replace(/\.md$/, "")}</Title>
      <Ready of={document} rows={10}>
        {(data) => <Document document={data} route={route} onReload={document.reload} />}
      </Ready>
      {document.error === undefined ? null : (
        <p>
          <a href={linkToPlace("history", place)}>Look at its history</a>
        </p>
      )}
    </>
  );
}

function Document(props: { document: ApiDocument; route: Route; onReload: () => void }) {
  const { session, router, drafts } = useApp();
  const { document, route } = props;
  const canWrite = may(session, document.root, "write") && !document.readOnly;
  const hasHistory = rootNamed(session, document.root)?.hasHistory === true;
  const view = route.query["view"] ?? (document.content.length > largestRendered ? "source" : "rendered");
  const line = Number(route.query["line"] ?? 0);
  const editLink = linkToPlace("edit", document);
  const historyLink = linkToPlace("history", document);
  useKeys({
    ...(canWrite ? { e: () => router.go(editLink) } : {}),
    ...(hasHistory ? { h: () => router.go(historyLink) } : {}),
    Escape: () => router.go(linkTo("browse", [document.root, ...document.path.split("/").slice(0, -1)])),
  });
  return (
    <>
      <p class="meta muted">
        <span>
          changed <Ago time={document.modified} />
        </span>
        <span>{formatBytes(new TextEncoder().encode(document.content).length)}</span>
        <span>
          revision <code>{document.rev.slice(0, 8)}</code>
        </span>
        {document.readOnly ? <Badge>read-only</Badge> : null}
      </p>
      <div class="toolbar">
        {canWrite ? (
          <a class="button primary" href={editLink}>
            {drafts.has(document) ? "Edit (unsaved text)" : "Edit"}
          </a>
        ) : null}
        {hasHistory ? (
          <a class="button" href={historyLink}>
            History
          </a>
        ) : null}
        <MoveButton document={document} />
        <DeleteButton document={document} />
        <fieldset class="switch">
          <legend class="hidden">View</legend>
          {["rendered", "source"].map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={view === name}
              onClick={() =>
                router.go(linkToPlace("read", document, { ...route.query, view: name }), { replace: true })
              }
            >
              {name === "rendered" ? "Rendered" : "Source"}
            </button>
          ))}
        </fieldset>
      </div>
      <ChangedElsewhere document={document} onStale={props.onReload}>
        <button type="button" class="link" onClick={props.onReload}>
          show
        </button>
      </ChangedElsewhere>
      {document.findings.length === 0 ? null : (
        <div class="note warn">
          <strong>The guard found {plural(document.findings.length, "thing")} here that should not be kept:</strong>{" "}
          {document.findings.map((finding) => `${finding.rule} in line ${finding.line}`).join(", ")}.
        </div>
      )}
      {view === "source" ? (
        <SourceLines text={document.content} line={line} />
      ) : (
        <Rendered document={document} line={line} />
      )}
    </>
  );
}

function Rendered({ document: { content, missing }, line }: { document: ApiDocument; line: number }) {
  const { parts, givenUp } = useNote(content);
  const headings = parts?.chunks.flatMap((chunk) => chunk.headings) ?? [];
  const target = line > 0 ? headings.findLast((one) => one.line <= line)?.id : undefined;
  useEffect(() => {
    if (target !== undefined) document.getElementById(target)?.scrollIntoView({ block: "start" });
  }, [target]);
  if (content.trim() === "") return <p class="muted">This note is empty.</p>;
  if (parts === undefined) {
    return (
      <>
        <AsWritten why={givenUp} />
        <SourceLines text={content} line={0} />
      </>
    );
  }
  return (
    <div class="reading">
      <article>
        {parts.frontMatter === undefined ? null : (
          <details class="matter">
            <summary>Front matter</summary>
            <pre>{parts.frontMatter}</pre>
          </details>
        )}
        <Markdown parts={parts} missing={missing} />
        <EndsEarly parts={parts} />
      </article>
      <Outline headings={headings} />
    </div>
  );
}

/** Nobody finds a way through more. */
const mostHeadings = 200;

/** The headings of a note. They scroll by script: the fragment of the address belongs to the screens. */
function Outline({ headings }: { headings: readonly NoteHeading[] }) {
  if (headings.length < 2) return null;
  return (
    <nav class="outline" aria-label="Outline">
      <ul>
        {headings.slice(0, mostHeadings).map((heading) => (
          <li key={heading.id} class={`level-${heading.level}`}>
            <button
              type="button"
              class="link"
              onClick={() => document.getElementById(heading.id)?.scrollIntoView({ block: "start" })}
            >
              {heading.text}
            </button>
          </li>
        ))}
        {headings.length > mostHeadings ? (
          <li class="muted">and {plural(headings.length - mostHeadings, "more heading")}</li>
        ) : null}
      </ul>
    </nav>
  );
}
