import { useLayoutEffect, useRef } from "preact/hooks";

/** How long what was scrolled before is waited for, in case that it is not there any more. */
const longestWait = 5000;
/** Frames at the right place after which nothing moves any more. */
const calmFrames = 10;

/**
 * A screen that is opened begins at its top, with the focus on its heading; one that Back leads to, where it was left:
 * `scrolledTo` says where that was.
 */
export function useArrival(screen: string, scrolledTo: () => number | undefined): void {
  const last = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const isFirst = last.current === undefined;
    if (last.current === screen) return;
    last.current = screen;
    const place = scrolledTo() ?? 0;
    if (!isFirst) focusHeading();
    if (place > 0) return scrollWhenThere(place);
    if (!isFirst) scrollTo(0, 0);
    return;
  }, [screen]);
}

function focusHeading(): void {
  if (document.activeElement?.matches("input, textarea") === true) return;
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
}

/** Scrolls there as soon as the page is long enough. Who moves the page in the meantime wins. */
function scrollWhenThere(place: number): () => void {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const event of ["wheel", "touchstart", "pointerdown", "keydown"]) {
    addEventListener(event, stop, { signal: stopping.signal, passive: true });
  }
  const until = performance.now() + longestWait;
  let calm = 0;
  const scroll = () => {
    if (stopping.signal.aborted) return;
    const isThere = Math.abs(scrollY - place) <= 1;
    calm = isThere ? calm + 1 : 0;
    if (!isThere) scrollTo(0, place);
    if (calm < calmFrames && performance.now() < until) requestAnimationFrame(scroll);
    else stop();
  };
  scroll();
  return stop;
}
