import { useMemo, useState } from "preact/hooks";
import type { ApiListed } from "../../api/contract/folder.ts";
import type { ApiRoot } from "../../api/contract/session.ts";
import { noteRoots, rootNamed, useApp } from "../app-context.ts";
import { lastName } from "../folder-pages.ts";
import { Ago, Badge, Command, Crumbs, Empty, Title, Waiting } from "../parts/basics.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { linkTo, linkToPlace, placeOf, type Route } from "../route.ts";
import { useFolder } from "../use-folder.ts";
import { formatBytes, plural, rootWord } from "../wording.ts";

export function BrowseScreen({ route }: { route: Route }) {
  const { root, path } = placeOf(route);
  return root === "" ? <Roots /> : <Folder key={`${root} ${path}`} root={root} folder={path} />;
}

function Roots() {
  const { session } = useApp();
  return (
    <>
      <Title note="Each root is a folder of documents with rules of its own">Browse</Title>
      {session.roots.length === 0 ? (
        <Empty title="This token may see no root.">
          <p>
            Make one with a scope, such as <Command>recollect token create NAME --scope '*:read'</Command>.
          </p>
        </Empty>
      ) : (
        <ul class="cards">
          {session.roots.map((root) => (
            <li key={root.name} class="card">
              <h2>
                <a href={linkTo("browse", [root.name])} data-row="">
                  {root.name}
                </a>
              </h2>
              <p>{rootWord(root.kind)}</p>
              <p class="muted">{operationsOf(root)}</p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function operationsOf(root: ApiRoot): string {
  const can = root.operations.filter((operation) => operation !== "list");
  return `You may ${can.length === 0 ? "list names" : can.join(", ")}. ${root.hasHistory ? "History is kept." : "No history is kept."}`;
}

const rowHeight = 40;

function Folder({ root, folder }: { root: string; folder: string }) {
  const { session } = useApp();
  const { content, error, reload } = useFolder(root, folder);
  const [filter, setFilter] = useState("");
  const canWrite = noteRoots(session).some(({ name }) => name === root);
  const isTopics = rootNamed(session, root)?.kind === "topics";
  const newLink = linkToPlace("new", { root, path: folder });

  const rows = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    const fits = (name: string) => wanted === "" || name.toLowerCase().includes(wanted);
    return {
      folders: (content?.folders ?? []).filter(fits),
      documents: (content?.documents ?? []).filter((document) => fits(lastName(document.path))),
    };
  }, [content, filter]);
  const count = rows.folders.length + rows.documents.length;
  const total = (content?.folders.length ?? 0) + (content?.documents.length ?? 0);

  return (
    <>
      <Crumbs root={root} path={folder} />
      <Title
        note={
          content === undefined ? "…" : countWords(content.folders.length, content.documents.length, content.isComplete)
        }
      >
        {folder === "" ? root : lastName(folder)}
      </Title>
      <div class="toolbar">
        {canWrite ? (
          <a class="button primary" href={newLink}>
            New note
          </a>
        ) : null}
        {rootNamed(session, root)?.hasHistory === true ? (
          <a class="button" href={linkTo("history", [root], { folder })}>
            History
          </a>
        ) : null}
        <input
          type="text"
          class="filter"
          aria-label="Filter names in this folder"
          placeholder="Filter names here"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      {error === undefined ? null : <Trouble error={error} onRetry={reload} />}
      {content === undefined && error === undefined ? <Waiting rows={8} /> : null}
      {content?.isComplete === true && total === 0 ? (
        <EmptyFolder isTopics={isTopics} canWrite={canWrite} newLink={newLink} />
      ) : null}
      {total > 0 && count === 0 ? <Empty title={`No name here has “${filter}” in it.`} /> : null}
      {count === 0 ? null : (
        <VirtualList
          label={`Content of ${folder === "" ? root : folder}`}
          count={count}
          rowHeight={rowHeight}
          keyOf={(index) => rows.folders[index] ?? rows.documents[index - rows.folders.length]?.path ?? String(index)}
          row={(index) => {
            const name = rows.folders[index];
            if (name !== undefined) return <FolderRow root={root} path={folder === "" ? name : `${folder}/${name}`} />;
            const document = rows.documents[index - rows.folders.length];
            return document === undefined ? null : <DocumentRow root={root} document={document} />;
          }}
        />
      )}
    </>
  );
}

function countWords(folders: number, documents: number, isComplete: boolean): string {
  const parts = [
    ...(folders > 0 ? [plural(folders, "folder")] : []),
    `${plural(documents, "document")}${isComplete ? "" : " and counting"}`,
  ];
  return parts.join(", ");
}

function EmptyFolder(props: { isTopics: boolean; canWrite: boolean; newLink: string }) {
  const { canWrite, newLink } = props;
  if (props.isTopics) {
    return (
      <Empty title="This folder is empty.">
        <p>
          Agents store entries here with <code>store_in_memory</code>, you with{" "}
          <Command>recollect topics store TOPIC SUBTOPIC</Command>.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="This folder is empty.">
      <p>
        Agents write here with <code>write_memory</code>, you with{" "}
        <Command>recollect memories write NAME --content "…"</Command>
        {canWrite ? (
          <>
            {" "}
            or <a href={newLink}>write one now</a>
          </>
        ) : null}
        .
      </p>
    </Empty>
  );
}

function FolderRow({ root, path }: { root: string; path: string }) {
  return (
    <a class="list-row" href={linkToPlace("browse", { root, path })} data-row="">
      <span class="list-name folder">{lastName(path)}/</span>
    </a>
  );
}

function DocumentRow({ root, document }: { root: string; document: ApiListed }) {
  return (
    <a class="list-row" href={linkToPlace("read", { root, path: document.path })} data-row="">
      <span class="list-name">{lastName(document.path)}</span>
      {document.readOnly ? <Badge>read-only</Badge> : null}
      {document.remark === undefined ? null : <Badge kind="warn">{document.remark}</Badge>}
      <span class="list-size">{document.size === 0 ? "" : formatBytes(document.size)}</span>
      <span class="list-time">
        <Ago time={document.modified} />
      </span>
    </a>
  );
}
