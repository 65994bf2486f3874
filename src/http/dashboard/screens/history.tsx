import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { Command, Crumbs, Empty, Title } from "../parts/basics.tsx";
import { keyOfRevision, Revisions } from "../parts/revisions.tsx";
import { Ready } from "../parts/trouble.tsx";
import { linkTo, placeOf, type Route } from "../route.ts";
import { useReloadOnChange } from "../use-loaded.ts";
import { usePages } from "../use-pages.ts";
import { authorNamed } from "../wording.ts";
import { DocumentHistory } from "./history-document.tsx";

export function HistoryScreen({ route }: { route: Route }) {
  const place = placeOf(route);
  return place.path === "" ? (
    <AllHistory route={route} root={place.root} />
  ) : (
    <DocumentHistory route={route} place={place} />
  );
}

/** What was done everywhere, in one root, in one folder, or by one author. */
function AllHistory({ route, root }: { route: Route; root: string }) {
  const { api, session, router } = useApp();
  const folder = route.query["folder"] ?? "";
  const author = route.query["author"] ?? "";
  const pages = usePages(
    async (after, signal) => {
      const { revisions, next } = await api.history({ root, folder, author, after, limit: "50" }, signal);
      return { items: revisions, next };
    },
    [root, folder, author],
    { name: "history", keyOf: keyOfRevision },
  );
  useReloadOnChange(pages.reload, (change) => root === "" || (change.root === root && change.path.startsWith(folder)));
  const go = (toRoot: string, toAuthor: string) =>
    router.go(
      linkTo("history", toRoot === "" ? [] : [toRoot], {
        folder: toRoot === root ? folder : "",
        author: toAuthor,
      }),
      { replace: true },
    );
  return (
    <>
      {folder === "" ? null : <Crumbs root={root} path={folder} />}
      <Title note="Who changed what, when and why; every revision can be brought back">
        {folder === "" ? "History" : `History of ${folder}`}
      </Title>
      <fieldset class="filters">
        <legend class="hidden">Filters</legend>
        <label>
          <span>Root</span>
          <select value={root} onChange={(event) => go(event.currentTarget.value, author)}>
            <option value="">all</option>
            {session.roots
              .filter((item) => item.hasHistory)
              .map((item) => (
                <option key={item.name} value={item.name}>
                  {item.name}
                </option>
              ))}
          </select>
        </label>
        <AuthorField author={author} onChange={(chosen) => go(root, chosen)} />
      </fieldset>
      <Ready of={pages} rows={8}>
        {(revisions) =>
          revisions.length === 0 ? (
            <Empty title={author === "" ? "No history here." : `No changes by ${author}.`}>
              <p>
                {author === "" ? "" : "An author is agent:NAME or person:NAME; the field lists those of late. "}
                Every write is kept with its author. <Command>recollect log</Command> shows the same on the command
                line; history needs git on the server’s machine.
              </p>
            </Empty>
          ) : (
            <Revisions revisions={revisions} />
          )
        }
      </Ready>
      {pages.hasMore ? (
        <button type="button" disabled={pages.isLoading} onClick={pages.loadMore}>
          Show older
        </button>
      ) : null}
    </>
  );
}

/** An author by name alone, as long as those who wrote lately tell which one is meant. */
function AuthorField({ author, onChange }: { author: string; onChange: (author: string) => void }) {
  const { api } = useApp();
  const [known, setKnown] = useState<readonly string[]>([]);
  // What is being typed: the names that arrive meanwhile must not put the chosen author back.
  const [text, setText] = useState(author);
  useEffect(() => setText(author), [author]);
  const asked = useRef<Promise<readonly string[]> | undefined>(undefined);
  const ask = () => {
    asked.current ??= api.overview(new AbortController().signal).then(
      ({ authors }) => authors.map((one) => one.author),
      () => [],
    );
    return asked.current;
  };
  const choose = async (typed: string) => {
    const isWhole = typed === "" || typed.includes(":");
    onChange(isWhole ? typed : authorNamed(typed, await ask()));
  };
  return (
    <label>
      <span>Author</span>
      <input
        type="text"
        placeholder="any"
        list="authors"
        value={text}
        onFocus={() => ask().then(setKnown)}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={(event) => choose(event.currentTarget.value.trim())}
      />
      <datalist id="authors">
        {known.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </label>
  );
}
