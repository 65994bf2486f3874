import { createHash } from "node:crypto";
import { createRateLimit } from "./rate-limit.ts";

/**
 * Each credential that is none costs a look at those that there are. Whoever shows too many is not looked at for a while;
 * that does not concern credentials that were good before, which may come from the same address.
 */
export interface SignIns {
  /** Zero where it may be looked at; else after how many seconds. */
  wait(address: string, authorization: string): number;
  good(authorization: string): void;
  bad(address: string): void;
}

export interface SignInsOptions {
  readonly now: () => number;
  /** Told of an address from which too many come, once in a while. */
  readonly onMany: (address: string) => void;
}

const badPerMinute = 300;
const mostKnown = 10_000;
const tellEveryMs = 60_000;

export function createSignIns({ now, onMany }: SignInsOptions): SignIns {
  const limit = createRateLimit({ perMinute: badPerMinute, now });
  /** The least lately seen first; never the credentials themselves. */
  const known = new Set<string>();
  const told = new Map<string, number>();

  function tell(address: string): void {
    if (now() - (told.get(address) ?? Number.NEGATIVE_INFINITY) < tellEveryMs) return;
    if (told.size >= mostKnown) told.clear();
    told.set(address, now());
    onMany(address);
  }

  return {
    wait: (address, authorization) => {
      const seconds = limit.wait(address);
      if (seconds === 0 || known.has(hashOf(authorization))) return 0;
      tell(address);
      return seconds;
    },
    good: (authorization) => {
      const hash = hashOf(authorization);
      known.delete(hash);
      known.add(hash);
      const [oldest] = known;
      if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    },
    bad: (address) => void limit.take(address),
  };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
