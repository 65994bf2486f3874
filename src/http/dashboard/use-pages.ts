import { useCallback, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { firstPage, joinPages, type Page, type PagedList, refreshPages } from "./paged-list.ts";
import { useLoaded } from "./use-loaded.ts";

/** What the next load brings: the first page anew, one page more, or all that are shown. */
interface Asked {
  readonly first?: boolean;
  readonly more?: boolean;
  readonly all?: boolean;
}

const nothing: Asked = {};

interface Shown<T, P extends Page<T>> {
  readonly key: string;
  readonly list: PagedList<T, P>;
}

const mostLists = 20;

function keepList(lists: Map<string, unknown>, place: string, shown: unknown): void {
  lists.delete(place);
  lists.set(place, shown);
  const [oldest] = lists.keys();
  if (lists.size > mostLists && oldest !== undefined) lists.delete(oldest);
}

/**
 * A list that is loaded page by page as more of it is asked for. `reload` loads the first page alone: what is new comes
 * first, and what was loaded stays below it. Back shows all pages that were open. An agent that writes all day must not make an open tab ask for everything.
 */
export function usePages<T, P extends Page<T>>(
  load: (after: string | undefined, signal: AbortSignal) => Promise<P & Page<T>>,
  keys: readonly string[],
  options: { readonly name: string; readonly keyOf: (item: T) => string; readonly keeps?: boolean },
) {
  const { lists, router } = useApp();
  const key = JSON.stringify(keys);
  const shown = useRef<Shown<T, P> | undefined>(undefined);
  const asked = useRef<Asked>(nothing);
  const { keyOf } = options;
  const place = `${options.name} ${key}`;
  if (shown.current?.key !== key && router.scrolledTo() !== undefined && lists.has(place)) {
    shown.current = lists.get(place) as Shown<T, P>;
    asked.current = { first: true };
  }

  const loaded = useLoaded(
    async (signal) => {
      const wanted = asked.current;
      let list = shown.current?.key === key ? shown.current.list : undefined;
      if (list === undefined || wanted.all === true) list = await loadAnew(list?.pages ?? 1, signal);
      else if (wanted.first === true) list = refreshPages(list, await load(undefined, signal), keyOf);
      if (wanted.more === true && list.next !== undefined) list = joinPages(list, await load(list.next, signal), keyOf);
      shown.current = { key, list };
      keepList(lists, place, shown.current);
      // What was asked for in between is loaded by the turn that comes after this one.
      if (asked.current === wanted) asked.current = nothing;
      return list;
    },
    keys,
    { ...options, known: shown.current?.key === key ? shown.current.list : undefined },
  );

  async function loadAnew(count: number, signal: AbortSignal): Promise<PagedList<T, P>> {
    let list = firstPage<T, P>(await load(undefined, signal));
    while (list.pages < count && list.next !== undefined) {
      list = joinPages(list, await load(list.next, signal), keyOf);
    }
    return list;
  }

  const ask = (more: Asked) => {
    asked.current = { ...asked.current, ...more };
    loaded.reload();
  };
  return {
    ...loaded,
    data: loaded.data?.items,
    /** The page that was loaded last, with whatever else it says. */
    last: loaded.data?.last,
    hasMore: loaded.data?.next !== undefined,
    reload: useCallback(() => ask({ first: true }), [loaded.reload]),
    reloadAll: useCallback(() => ask({ all: true }), [loaded.reload]),
    loadMore: () => ask({ more: true }),
  };
}
