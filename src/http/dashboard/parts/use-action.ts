import { useRef, useState } from "preact/hooks";

export interface Action {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Runs one at a time; what fails is kept as `error`. */
  run(work: () => Promise<void>): void;
  /** What was run last, once more. */
  again(): void;
  forget(): void;
}

/** Something that a button does on the server. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const last = useRef<(() => Promise<void>) | undefined>(undefined);
  const run = (work: () => Promise<void>) => {
    if (isBusy) return;
    last.current = work;
    setBusy(true);
    setError(undefined);
    work()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return {
    isBusy,
    error,
    run,
    again: () => {
      if (last.current) run(last.current);
    },
    forget: () => setError(undefined),
  };
}
