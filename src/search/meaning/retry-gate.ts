import { type Unavailable, unavailable } from "./embedder.ts";

export interface RetryGateOptions {
  readonly now: () => number;
  readonly firstMs?: number;
  readonly mostMs?: number;
}

/** After a failure nothing is asked for a while, twice as long each time: no search should wait for what is down. */
export interface RetryGate {
  /** The last failure, while it is not worth asking again. */
  closed(): Unavailable | undefined;
  failed(reason: string, waitMs?: number): Unavailable;
  succeeded(): void;
}

export function createRetryGate({ now, firstMs = 2000, mostMs = 300_000 }: RetryGateOptions): RetryGate {
  let failures = 0;
  let until = 0;
  let last = "";
  return {
    closed: () => {
      const left = until - now();
      return left > 0 ? unavailable(last, left) : undefined;
    },
    failed: (reason, waitMs = 0) => {
      const wait = Math.min(mostMs, Math.max(waitMs, firstMs * 2 ** failures));
      failures++;
      until = now() + wait;
      last = reason;
      return unavailable(reason, wait);
    },
    succeeded: () => {
      failures = 0;
      until = 0;
    },
  };
}
