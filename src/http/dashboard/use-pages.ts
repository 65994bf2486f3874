import { useEffect, useState } from "preact/hooks";
import { useLoaded } from "./use-loaded.ts";

interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/** A list that is loaded page by page as somebody asks for more. */
export function usePages<T, P extends Page<T>>(
  load: (after: string | undefined, signal: AbortSignal) => Promise<P & Page<T>>,
  keys: readonly string[],
  options: { readonly keeps?: boolean } = {},
) {
  const [count, setCount] = useState(1);
  const loaded = useLoaded(
    async (signal) => {
      const items: T[] = [];
      let last = await load(undefined, signal);
      items.push(...last.items);
      for (let page = 1; page < count && last.next !== undefined; page += 1) {
        last = await load(last.next, signal);
        items.push(...last.items);
      }
      return { items, last };
    },
    keys,
    options,
  );
  const key = JSON.stringify(keys);
  useEffect(() => setCount(1), [key]);
  useEffect(() => {
    if (count > 1) loaded.reload();
  }, [count]);
  return {
    ...loaded,
    data: loaded.data?.items,
    /** The page that was loaded last, with whatever else it says. */
    last: loaded.data?.last,
    hasMore: loaded.data?.last.next !== undefined,
    loadMore: () => setCount(count + 1),
  };
}
