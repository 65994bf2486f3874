import { useEffect, useState } from "preact/hooks";
import { type ApiHit, lastOffset } from "../../api/contract/search.ts";
import { useApp } from "../app-context.ts";
import { useKeys } from "../keyboard.ts";
import { Badge, Command, Empty, Title } from "../parts/basics.tsx";
import { Ready } from "../parts/trouble.tsx";
import { linkTo, linkToPlace, type Route } from "../route.ts";
import { useReloadOnChange } from "../use-loaded.ts";
import { usePages } from "../use-pages.ts";
import { formatDay, plural } from "../wording.ts";
import { Explanation } from "./search-explanation.tsx";
import { SearchFilters } from "./search-filters.tsx";

const typingPause = 120;
const pageSize = 30;
/** Where something could not be searched, such as an index that is still being built, it may be in a moment. */
const incompletePause = 5000;
const filterNames = ["q", "root", "path", "topic", "since", "until"];

/** The address holds the query and its filters, so that a search can be kept and shared. */
export function SearchScreen({ route }: { route: Route }) {
  const { router } = useApp();
  const query = useDebounced(route.query);
  useKeys({
    Escape() {
      // The field stays when its screen goes: the keys of the next one must not land in it.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      router.go(router.previous());
    },
  });
  const change = (changes: Readonly<Record<string, string>>) =>
    router.go(linkTo("search", [], { ...route.query, ...changes }), { replace: true });
  return (
    <>
      <Title>Search</Title>
      <SearchFilters query={route.query} onChange={change} />
      {(query["q"] ?? "").trim() === "" ? <HowToSearch /> : <Found query={query} />}
    </>
  );
}

function Found({ query }: { query: Route["query"] }) {
  const { api } = useApp();
  const [isExplained, setExplained] = useState(false);
  // Looking for something here is no recall by an agent.
  const asked = { ...known(query), preview: "1", limit: String(pageSize), ...(isExplained ? { explain: "1" } : {}) };
  const found = usePages(
    async (after, signal) => {
      const offset = Number(after ?? 0);
      const { hits, total, warnings } = await api.search({ ...asked, offset: after }, signal);
      const end = offset + hits.length;
      const next = hits.length > 0 && end < total && end <= lastOffset ? String(end) : undefined;
      return { items: hits, next, total, warnings };
    },
    [JSON.stringify(query)],
    { name: "search", keyOf: keyOfHit, keeps: true },
  );
  useEffect(() => {
    if (isExplained) found.reloadAll();
  }, [isExplained]);
  const { total = 0, warnings = [] } = found.last ?? {};
  useReloadOnChange(found.reload);
  const isIncomplete = warnings.length > 0;
  useEffect(() => {
    if (!isIncomplete) return;
    const timer = setTimeout(found.reload, incompletePause);
    return () => clearTimeout(timer);
  }, [found.last]);
  return (
    <Ready of={found} rows={6}>
      {(hits) => (
        <>
          <p class="muted" role="status">
            {total === 0 ? "Nothing found" : `${plural(total, "piece")} found`}
          </p>
          {warnings.map((warning) => (
            <p key={warning} class="note warn">
              {warning}
            </p>
          ))}
          {total === 0 ? <NothingFound /> : null}
          <ol class="rows hits" aria-busy={found.isLoading}>
            {hits.map((hit) => (
              <Hit key={keyOfHit(hit)} hit={hit} onExplain={() => setExplained(true)} />
            ))}
          </ol>
          {found.hasMore ? (
            <button type="button" disabled={found.isLoading} onClick={found.loadMore}>
              Show more
            </button>
          ) : null}
          {!found.hasMore && hits.length > lastOffset && hits.length < total ? (
            <p class="muted">Pages end here. Another word or a filter finds the rest.</p>
          ) : null}
        </>
      )}
    </Ready>
  );
}

function keyOfHit({ root, path, lines }: ApiHit): string {
  return `${root} ${path} ${lines.from}`;
}

function Hit({ hit, onExplain }: { hit: ApiHit; onExplain: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const title = hit.title === "" ? hit.path : hit.title;
  return (
    <li class="hit">
      <h2>
        <a href={linkToPlace("read", hit, { line: String(hit.lines.from) })} data-row="">
          {title}
        </a>
      </h2>
      <p class="hit-place muted">
        {hit.root} / {hit.path}
        {hit.breadcrumb.length > 0 ? ` › ${hit.breadcrumb.join(" › ")}` : ""}, lines {hit.lines.from}–{hit.lines.to},{" "}
        {formatDay(hit.date)} {hit.flagged ? <Badge kind="warn">flagged by the guard</Badge> : null}
      </p>
      <p class="snippet">
        <Marked text={hit.snippet.text} marks={hit.snippet.marks} />
      </p>
      <button
        type="button"
        class="link"
        aria-expanded={isOpen}
        onClick={() => {
          onExplain();
          setOpen(!isOpen);
        }}
      >
        {isOpen ? "Hide the reasons" : "Why is this here?"}
      </button>
      {isOpen ? <Explanation hit={hit} /> : null}
    </li>
  );
}

/** A text with its matches marked. */
function Marked({ text, marks }: ApiHit["snippet"]) {
  let end = 0;
  const pieces = marks.flatMap(({ from, to }) => {
    const before = text.slice(end, from);
    const start = Math.max(from, end);
    end = Math.max(to, end);
    return [before, <mark key={from}>{text.slice(start, end)}</mark>];
  });
  return (
    <>
      {pieces}
      {text.slice(end)}
    </>
  );
}

function NothingFound() {
  return (
    <Empty title="Nothing fits.">
      <p>
        Try fewer or other words, or take filters away. Search goes by words and by meaning, so a question works too.
      </p>
    </Empty>
  );
}

function HowToSearch() {
  return (
    <Empty title="Type what you look for.">
      <p>
        Search covers all notes, topics with their archive, and the bank, by words and by meaning. Put “words in quotes”
        for an exact phrase. On the command line: <Command>recollect search "WORDS"</Command>.
      </p>
    </Empty>
  );
}

/** The address may say anything; the server takes only what it knows. */
function known(query: Route["query"]): Route["query"] {
  return Object.fromEntries(filterNames.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])));
}

function useDebounced(query: Route["query"]): Route["query"] {
  const [settled, setSettled] = useState(query);
  const key = JSON.stringify(query);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(query), typingPause);
    return () => clearTimeout(timer);
  }, [key]);
  return settled;
}
