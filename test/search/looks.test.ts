import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Source, SurveyedFolder, UnchangedFolder } from "../../src/core/source.ts";
import { createLooks } from "../../src/search/looks.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const soon = 5000;

/** A folder of so many documents. */
function folderOf(count: number): SurveyedFolder {
  return { folder: "", documents: Array.from({ length: count }, (_, at) => ({ path: `${at}.md`, stamp: 1 })) };
}

interface World {
  /** How many documents there are. */
  readonly count: number;
  /** What a kept look gives: nothing where there is none. */
  readonly since?: () => Promise<Iterable<SurveyedFolder | UnchangedFolder> | undefined>;
  readonly stays?: boolean;
  readonly keep?: (signal: AbortSignal) => Promise<void>;
  /** Whether the index has everything. */
  readonly isComplete?: () => boolean;
}

function world({
  count,
  since = async () => undefined,
  stays = true,
  keep = async () => {},
  isComplete = () => true,
}: World) {
  let kept = 0;
  const source = {
    survey: () => [folderOf(count)],
    kept: {
      lookSince: since,
      keep: async (_file: string, { signal }: { signal: AbortSignal }) => {
        kept += 1;
        await keep(signal);
      },
    },
  } as unknown as Source;
  const closing = new AbortController();
  const looks = createLooks({
    source,
    kept: { file: "look", ask: async () => [] },
    digests: () => (isComplete() ? new Map() : undefined),
    stays,
    closing: closing.signal,
  });
  const close = () => {
    closing.abort();
    return looks.close();
  };
  const look = async () => {
    const found: (SurveyedFolder | UnchangedFolder)[] = [];
    for await (const one of looks.begin()) found.push(one);
    return found;
  };
  return { looks, look, close, kept: () => kept };
}

describe("a look at everything", () => {
  it("SRCH-3 goes by one that was kept, and by each document where there is none or it fails", async () => {
    const unchanged = { folder: "", digest: 7, count: 1 };
    expect(await world({ count: 3, since: async () => [unchanged] }).look()).toEqual([unchanged]);
    expect(await world({ count: 3 }).look()).toEqual([folderOf(3)]);
    const failing = async () => {
      throw new Error("no descriptors");
    };
    expect(await world({ count: 3, since: failing }).look()).toEqual([folderOf(3)]);
  });

  it("SRCH-3 is kept some time after it, by a process that stays, where it was long", async () => {
    for (const [count, stays, times] of [
      [2000, true, 1],
      [1999, true, 0],
      [2000, false, 0],
    ] as const) {
      const { look, kept } = world({ count, stays });
      await look();
      await vi.advanceTimersByTimeAsync(soon - 1);
      expect(kept()).toBe(0);
      await vi.advanceTimersByTimeAsync(1);
      expect(kept()).toBe(times);
    }
  });

  it("SRCH-3 is kept when nobody has asked for a while", async () => {
    const { looks, look, kept } = world({ count: 2000 });
    await look();
    for (let times = 0; times < 3; times++) {
      await vi.advanceTimersByTimeAsync(soon - 1);
      looks.asked();
    }
    expect(kept()).toBe(0);
    await vi.advanceTimersByTimeAsync(soon);
    expect(kept()).toBe(1);
  });

  it("SRCH-3 is not kept again where the one that was kept said nearly everything", async () => {
    const { look, kept } = world({
      count: 9999,
      since: async () => [{ folder: "a", digest: 1, count: 9899 }, folderOf(100)],
    });
    await look();
    await vi.advanceTimersByTimeAsync(soon);
    expect(kept()).toBe(0);
  });

  it("SRCH-3 is kept at the end of a short process, where that takes a moment", async () => {
    for (const [count, times] of [
      [2000, 1],
      [20_000, 1],
      [20_001, 0],
    ] as const) {
      const { close, look, kept } = world({ count });
      await look();
      await close();
      await vi.advanceTimersByTimeAsync(soon);
      expect(kept()).toBe(times);
    }
  });

  it("SRCH-3 is not kept at the end where all that would be looked at takes long, also where little was", async () => {
    const since = async () => [{ folder: "a", digest: 1, count: 100_000 }, folderOf(2000)];
    const { close, look, kept } = world({ count: 0, since });
    await look();
    await close();
    expect(kept()).toBe(0);
  });

  it("SRCH-3 is given up at the end of a process that would take long for it", async () => {
    let given: AbortSignal | undefined;
    const { close, look } = world({
      count: 2000,
      keep: async (signal) => {
        given = signal;
        expect(signal.aborted).toBe(false);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    vi.useRealTimers();
    await look();
    await close();
    expect(given?.aborted).toBe(true);
  });

  it("SRCH-3 is renewed a minute after the first of many changes, also while people ask, where there are many documents", async () => {
    for (const [count, times] of [
      [2000, 1],
      [1999, 0],
    ] as const) {
      const since = async () => [{ folder: "a", digest: 1, count }];
      const { looks, look, kept, close } = world({ count: 0, since });
      await look();
      for (let second = 0; second < 50; second += 10) {
        looks.outdated();
        await vi.advanceTimersByTimeAsync(4000);
        looks.asked();
        await vi.advanceTimersByTimeAsync(6000);
        expect(kept()).toBe(0);
      }
      await vi.advanceTimersByTimeAsync(10_000);
      expect(kept()).toBe(times);
      looks.outdated();
      await close();
      expect(kept(), "at the end").toBe(2 * times);
    }
  });

  it("SRCH-3 waits for an index that is still being built", async () => {
    let isComplete = false;
    const { look, kept } = world({ count: 3000, isComplete: () => isComplete });
    await look();
    await vi.advanceTimersByTimeAsync(10 * soon);
    expect(kept()).toBe(0);
    isComplete = true;
    await vi.advanceTimersByTimeAsync(soon);
    expect(kept()).toBe(1);
    await vi.advanceTimersByTimeAsync(10 * soon);
    expect(kept()).toBe(1);
  });

  it("SRCH-3 is kept again where something changed while it was being kept", async () => {
    const first = Promise.withResolvers<void>();
    const { looks, look, kept } = world({ count: 3000, keep: () => first.promise });
    await look();
    await vi.advanceTimersByTimeAsync(soon);
    looks.outdated();
    first.resolve();
    await vi.advanceTimersByTimeAsync(59_000);
    expect(kept()).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(kept()).toBe(2);
  });

  it("SRCH-3 is not tried again and again where it fails", async () => {
    const { look, kept } = world({ count: 3000, keep: () => Promise.reject(new Error("no space left")) });
    await look();
    await vi.advanceTimersByTimeAsync(100 * soon);
    expect(kept()).toBe(1);
  });

  it("SRCH-3 ends what is being kept when it is closed", async () => {
    let given: AbortSignal | undefined;
    const keeping = Promise.withResolvers<void>();
    const { close, look, kept } = world({
      count: 5000,
      keep: (signal) => {
        given = signal;
        return keeping.promise;
      },
    });
    await look();
    await vi.advanceTimersByTimeAsync(soon);
    const closing = close();
    await vi.advanceTimersByTimeAsync(0);
    expect(given?.aborted).toBe(true);
    keeping.reject(new Error("ended"));
    await closing;
    // At the end there is a moment for it.
    expect(kept()).toBe(2);
  });
});
