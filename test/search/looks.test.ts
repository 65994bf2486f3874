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
  readonly keep?: (isOver: () => boolean) => Promise<void>;
}

function world({ count, since = async () => undefined, stays = true, keep = async () => {} }: World) {
  let kept = 0;
  const source = {
    survey: () => [folderOf(count)],
    kept: {
      surveySince: since,
      keep: async (_file: string, _ask: unknown, isOver: () => boolean) => {
        kept += 1;
        await keep(isOver);
      },
    },
  } as unknown as Source;
  const looks = createLooks({ source, kept: { file: "look", ask: async () => [] }, stays });
  const look = async () => {
    const found: (SurveyedFolder | UnchangedFolder)[] = [];
    for await (const one of looks.begin()) found.push(one);
    return found;
  };
  return { looks, look, kept: () => kept };
}

describe("a look at everything", () => {
  it("SRCH-3 goes by one that was kept, and by each document where there is none or it fails", async () => {
    const unchanged = { folder: "", digest: 7 };
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

  it("SRCH-3 is not kept again where the one that was kept said nearly everything", async () => {
    const { look, kept } = world({ count: 9999, since: async () => [{ folder: "a", digest: 1 }, folderOf(100)] });
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
      const { looks, look, kept } = world({ count });
      await look();
      await looks.close();
      await vi.advanceTimersByTimeAsync(soon);
      expect(kept()).toBe(times);
    }
  });

  it("SRCH-3 is given up at the end of a process that would take long for it", async () => {
    const said: boolean[] = [];
    const { looks, look } = world({
      count: 2000,
      keep: async (isOver) => {
        said.push(isOver());
        await vi.advanceTimersByTimeAsync(1001);
        said.push(isOver());
      },
    });
    await look();
    await looks.close();
    expect(said).toEqual([false, true]);
  });

  it("SRCH-3 ends what is being kept, and stays without it where that fails", async () => {
    let isEnded: (() => boolean) | undefined;
    const keeping = Promise.withResolvers<void>();
    const { looks, look } = world({
      count: 5000,
      keep: (isOver) => {
        isEnded = isOver;
        return keeping.promise;
      },
    });
    await look();
    await vi.advanceTimersByTimeAsync(soon);
    const closing = looks.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(isEnded?.()).toBe(true);
    keeping.reject(new Error("no space left"));
    await closing;
  });
});
