export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/** The pages of a list that were loaded so far, as one. */
export interface PagedList<T, P extends Page<T>> {
  readonly items: readonly T[];
  /** Where the page after the last one begins. */
  readonly next: string | undefined;
  /** The page that was loaded last, whichever it is. */
  readonly last: P;
  readonly pages: number;
}

export function firstPage<T, P extends Page<T>>(page: P & Page<T>): PagedList<T, P> {
  return { items: page.items, next: page.next, last: page, pages: 1 };
}

/** The list with one page more. What moved down since is in it already. */
export function joinPages<T, P extends Page<T>>(
  list: PagedList<T, P>,
  page: P & Page<T>,
  keyOf: (item: T) => string,
): PagedList<T, P> {
  const known = new Set(list.items.map(keyOf));
  const items = [...list.items, ...page.items.filter((item) => !known.has(keyOf(item)))];
  return { items, next: page.next, last: page, pages: list.pages + 1 };
}

/**
 * The list with its first page as it is now. What was below the end of that page stays; where more is new than a page
 * holds, or nothing follows it any more, the first page is all.
 */
export function refreshPages<T, P extends Page<T>>(
  list: PagedList<T, P>,
  page: P & Page<T>,
  keyOf: (item: T) => string,
): PagedList<T, P> {
  const end = page.items.at(-1);
  const at = end === undefined ? -1 : list.items.findLastIndex((item) => keyOf(item) === keyOf(end));
  if (list.pages === 1 || at === -1 || page.next === undefined) return firstPage(page);
  const fresh = new Set(page.items.map(keyOf));
  const below = list.items.slice(at + 1).filter((item) => !fresh.has(keyOf(item)));
  return { items: [...page.items, ...below], next: list.next, last: page, pages: list.pages };
}
