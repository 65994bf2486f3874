import { parseRoute, type Route } from "./route.ts";

/** Asked before a screen is left; resolves to false to stay. */
type LeaveGuard = () => Promise<boolean>;

export interface Router {
  route(): Route;
  /** Goes to a link; with `replace`, without a step in the browser's history. */
  go(href: string, options?: { readonly replace?: boolean }): void;
  /** Where one was before the screen that is shown now. */
  previous(): string;
  subscribe(listener: (route: Route) => void): () => void;
  /** One screen at a time may ask before it is left. */
  guardWith(guard: LeaveGuard | undefined): void;
  isGuarded(): boolean;
  /** The address of what is shown now. */
  shown(): string;
}

export function createRouter(): Router {
  const listeners = new Set<(route: Route) => void>();
  let shown = location.hash;
  let previous = "#/";
  let guard: LeaveGuard | undefined;
  let isAsking = false;

  const show = () => {
    const route = parseRoute(location.hash);
    if (route.screen !== parseRoute(shown).screen) previous = shown;
    shown = location.hash;
    for (const listener of listeners) listener(route);
  };

  // The address has changed already when we hear of it: it is put back while the question is open.
  addEventListener("hashchange", async () => {
    // A token is no screen: whoever signs people in takes it out of the address.
    if (location.hash === shown || location.hash.startsWith("#token=")) return;
    if (guard === undefined) return show();
    const wanted = location.hash;
    history.replaceState(null, "", shown);
    if (isAsking) return;
    isAsking = true;
    const mayLeave = await guard().finally(() => {
      isAsking = false;
    });
    if (!mayLeave) return;
    guard = undefined;
    location.hash = wanted;
  });

  return {
    route: () => parseRoute(shown),
    go(href, { replace = false } = {}) {
      if (!replace) {
        location.hash = href;
        return;
      }
      history.replaceState(null, "", href);
      show();
    },
    previous: () => previous,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    guardWith(next) {
      guard = next;
    },
    isGuarded: () => guard !== undefined,
    shown: () => shown,
  };
}
