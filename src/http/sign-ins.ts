import { createHash } from "node:crypto";
import { createRateLimit } from "./rate-limit.ts";

/**
 * Each credential that is none costs a look at those that there are. Whoever shows too many is not looked at for a while;
 * that does not concern credentials that were good before, which may come from the same address.
 */
export interface SignIns {
  /** Until it turns out otherwise it counts as none. */
  look(address: string, authorization: string): Look;
}

interface Look {
  /** Zero where it may be looked at; else after how many seconds. */
  readonly wait: number;
  /** It is a good one. */
  good(): void;
  /** It could not be looked at. */
  unseen(): void;
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

  function remember(hash: string): void {
    known.delete(hash);
    known.add(hash);
    const [oldest] = known;
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
  }

  return {
    look: (address, authorization) => {
      const hash = hashOf(authorization);
      const isKnown = known.has(hash);
      const wait = isKnown ? 0 : limit.take(address);
      if (wait > 0) tell(address);
      const unseen = () => {
        if (!isKnown) limit.give(address);
      };
      return {
        wait,
        unseen,
        good: () => {
          unseen();
          remember(hash);
        },
      };
    },
  };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
