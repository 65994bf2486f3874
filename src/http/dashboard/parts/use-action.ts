import { useState } from "preact/hooks";

export interface Action {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Runs one at a time; what fails is kept as `error`. */
  run(work: () => Promise<void>): void;
  forget(): void;
}

/** Something that a button does on the server. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  return {
    isBusy,
    error,
    run(work) {
      if (isBusy) return;
      setBusy(true);
      setError(undefined);
      work()
        .catch(setError)
        .finally(() => setBusy(false));
    },
    forget: () => setError(undefined),
  };
}
