import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { ApiChanged } from "../api/contract/events.ts";
import { isAborted, isOffline } from "./api-error.ts";
import { useLive } from "./app-context.ts";

/** How long a server that does not answer is left alone. */
const offlinePause = 3000;

export interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Loads again; what is shown stays until the new answer is there. */
  reload(): void;
}

/**
 * Loads when the keys change, and drops an answer that comes too late. What other keys gave is shown no more, unless
 * `keeps` says that it should be until the new answer is there. `known` is shown from the beginning.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly string[],
  { keeps = false, known }: { readonly keeps?: boolean; readonly known?: T | undefined } = {},
): Loaded<T> {
  const key = JSON.stringify(keys);
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<{ key: string; data?: T; error?: unknown; isLoading: boolean }>({
    key,
    ...(known === undefined ? {} : { data: known }),
    isLoading: true,
  });
  const reload = useCallback(() => setTurn((count) => count + 1), []);

  useEffect(() => {
    const controller = new AbortController();
    setState((last) => (last.key === key || keeps ? { ...last, key, isLoading: true } : { key, isLoading: true }));
    load(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) setState({ key, data, isLoading: false });
      },
      (error: unknown) => {
        if (controller.signal.aborted || isAborted(error)) return;
        setState((last) => ({ ...last, error, isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [key, turn]);

  // Once the server answers again, what could not be loaded is.
  const failed = isOffline(state.error) && !state.isLoading ? state.error : undefined;
  useEffect(() => {
    if (failed === undefined) return;
    const timer = setTimeout(reload, offlinePause);
    addEventListener("online", reload);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", reload);
    };
  }, [failed]);

  const current = state.key === key || keeps ? state : undefined;
  return { data: current?.data, error: current?.error, isLoading: current?.isLoading ?? true, reload };
}

const calm = 400;

/**
 * Loads again after changes elsewhere, of those that `concerns` names where it is given; many changes in a moment are
 * one.
 */
export function useReloadOnChange(reload: () => void, concerns: (change: ApiChanged) => boolean = () => true): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isConcerned = useRef(concerns);
  isConcerned.current = concerns;
  useLive(
    (event) => {
      if (event.kind === "hello" || (event.kind === "changed" && !event.changes.some(isConcerned.current))) return;
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        reload();
      }, calm);
    },
    [reload],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
}

/** How long a server that is still counting is left alone, at first and at most. */
const countingPause = 2000;
const longestPause = 30_000;

/** Loads again while an answer is partial: what is too much to be counted stays so, and is asked for ever less often. */
export function useReloadWhilePartial({ data, reload }: Pick<Loaded<unknown>, "data" | "reload">, isPartial: boolean) {
  const pause = useRef(countingPause);
  useEffect(() => {
    if (!isPartial) {
      pause.current = countingPause;
      return;
    }
    const timer = setTimeout(reload, pause.current);
    pause.current = Math.min(pause.current * 1.5, longestPause);
    return () => clearTimeout(timer);
  }, [data]);
}
