import { withEnd } from "./response-end.ts";

interface StreamOwner {
  readonly key: string;
  /** Whether its credential still holds. */
  readonly stillMay: () => Promise<boolean>;
}

/** The answers that have no end of their own: subscriptions and live updates. */
export interface Streams {
  /** Whether one more may be opened. */
  hasRoom(key: string): boolean;
  /** Keeps count of an answer for as long as it lasts. */
  keep(response: Response, owner: StreamOwner): Response;
  readonly count: number;
  endAll(): void;
}

export interface StreamsOptions {
  readonly most: number;
  readonly mostEach: number;
  /** How soon a stream ends whose credential was revoked or has expired. */
  readonly checkEveryMs: number;
}

export function createStreams({ most, mostEach, checkEveryMs }: StreamsOptions): Streams {
  const open = new Map<() => void, StreamOwner>();
  let isChecking = false;

  /** For as long as there is one to check. */
  async function endRevoked(): Promise<void> {
    isChecking = true;
    while (open.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, checkEveryMs).unref());
      for (const [end, { stillMay }] of open) if (!(await stillMay().catch(() => true))) end();
    }
    isChecking = false;
  }

  return {
    hasRoom: (key) => {
      const own = [...open.values()].filter((owner) => owner.key === key).length;
      return open.size < most && own < mostEach;
    },
    keep: (response, owner) => {
      const kept = withEnd(response, () => open.delete(kept.end));
      open.set(kept.end, owner);
      if (!isChecking) void endRevoked();
      return kept.response;
    },
    get count() {
      return open.size;
    },
    endAll: () => {
      for (const end of open.keys()) end();
    },
  };
}
