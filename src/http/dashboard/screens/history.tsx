import { useApp } from "../app-context.ts";
import { Command, Crumbs, Empty, Title } from "../parts/basics.tsx";
import { Revisions } from "../parts/revisions.tsx";
import { Ready } from "../parts/trouble.tsx";
import { linkTo, placeOf, type Route } from "../route.ts";
import { useReloadOnChange } from "../use-loaded.ts";
import { usePages } from "../use-pages.ts";
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
  );
  useReloadOnChange(pages.reload);
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
        <label>
          <span>Author</span>
          <input
            type="text"
            placeholder="agent:builder"
            value={author}
            onChange={(event) => go(root, event.currentTarget.value.trim())}
          />
        </label>
      </fieldset>
      <Ready of={pages} rows={8}>
        {(revisions) =>
          revisions.length === 0 ? (
            <Empty title="No history here.">
              <p>
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
