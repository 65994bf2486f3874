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
  /** How far it was scrolled when it was left, where Back, Forward or a reload led here; undefined after a link. */
  scrolledTo(): number | undefined;
}

/** Where the place of a page that is unloaded is kept, for a reload. */
const unloaded = "recollect.scrolled";

/** What the browser's history keeps with each step. */
interface Step {
  readonly step: number;
}

export function createRouter(): Router {
  const listeners = new Set<(route: Route) => void>();
  let shown = location.hash;
  let previous = "#/";
  let guard: LeaveGuard | undefined;
  let isAsking = false;
  const steps = createSteps();

  const show = () => {
    const route = parseRoute(location.hash);
    steps.enter();
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
    steps.stay(shown);
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
      steps.stay(href);
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
    scrolledTo: steps.scrolledTo,
  };
}

/**
 * How far each step of the browser's history was scrolled. The browser would put that back itself, before what it
 * scrolls is loaded.
 */
function createSteps() {
  const places = new Map<number, number>(JSON.parse(sessionStorage.getItem(unloaded) ?? "[]"));
  const stepOf = (): Partial<Step> => history.state ?? {};
  let newest = Date.now();
  let current: number | undefined;
  let scrolledTo: number | undefined;

  const enter = () => {
    if (current !== undefined) places.set(current, scrollY);
    const { step } = stepOf();
    const isNew = step === undefined;
    scrolledTo = isNew || step === current ? undefined : places.get(step);
    current = isNew ? ++newest : step;
    if (isNew) history.replaceState({ step: current } satisfies Step, "");
  };

  history.scrollRestoration = "manual";
  addEventListener("pagehide", () => sessionStorage.setItem(unloaded, JSON.stringify([[current, scrollY]])));
  enter();
  return {
    /** The screen that is shown is left for the one that the address names. */
    enter,
    /** The step that is shown gets another address. */
    stay: (href: string) => history.replaceState(current === undefined ? null : { step: current }, "", href),
    scrolledTo: () => scrolledTo,
  };
}
