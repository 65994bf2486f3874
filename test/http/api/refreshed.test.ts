import { describe, expect, it } from "vitest";
import { createGrowth } from "../../../src/http/api/overview/growth.ts";
import { createRefreshed } from "../../../src/http/api/refreshed.ts";

const day = 24 * 60 * 60_000;

describe("WEB-3 what takes a while to count", () => {
  it("WEB-3 is shown in part while it is counted, then whole, and made anew only after a rest", async () => {
    let [time, made] = [0, 0];
    const first = Promise.withResolvers<string>();
    const refreshed = createRefreshed<string>({
      now: () => time,
      make: async (tell) => {
        made += 1;
        tell("half");
        const value = made === 1 ? await first.promise : `made ${made}`;
        time += 10;
        return value;
      },
    });
    expect(await refreshed.get(1)).toEqual({ value: "half", isPartial: true });
    expect(await refreshed.get(1)).toEqual({ value: "half", isPartial: true });
    first.resolve("whole");
    expect(await refreshed.get(60_000)).toEqual({ value: "whole", isPartial: false });
    time += 199;
    expect(await refreshed.get(60_000)).toEqual({ value: "whole", isPartial: false });
    time += 1;
    expect(await refreshed.get(60_000)).toEqual({ value: "made 2", isPartial: false });
    expect(made).toBe(2);
  });

  it("WEB-3 a failure is told to who waited for it, and tried again by the next", async () => {
    let made = 0;
    const refreshed = createRefreshed<number>({
      now: () => 0,
      make: async () => {
        made += 1;
        if (made === 1) throw new Error("not now");
        return made;
      },
    });
    await expect(refreshed.get(60_000)).rejects.toThrow("not now");
    expect(await refreshed.get(60_000)).toEqual({ value: 2, isPartial: false });
  });
});

describe("WEB-3 growth", () => {
  const operation = (at: number, time: number) => ({
    id: `id${at}`,
    time: new Date(time).toISOString(),
    author: at % 2 === 0 ? "person:ada" : "agent:bob",
    changes: [{ path: `n${at}.md` as never, kind: "put" as const, rev: "r" as never, was: undefined }],
  });

  it("WEB-3 is read once, and then only what came since", async () => {
    let time = Date.parse("2026-06-30T12:00:00Z");
    const operations = Array.from({ length: 1200 }, (_, at) => operation(at, time - at * 60_000));
    const asked: number[] = [];
    const growth = createGrowth({
      root: "r",
      isCounted: () => true,
      now: () => time,
      log: async ({ limit, after }) => {
        const from = Number(after ?? 0);
        asked.push(from);
        const next = from + limit < operations.length ? String(from + limit) : undefined;
        return { operations: operations.slice(from, from + limit), next };
      },
    });
    const first = (await growth.get(60_000)).value;
    expect(first?.days.get("2026-06-30")).toEqual({ changes: 721, added: 721 });
    expect(first?.authors.get("agent:bob")?.changes).toBe(600);
    expect(first?.recent).toHaveLength(20);
    expect(asked).toEqual([0, 0, 500, 1000]);
    time += day;
    operations.unshift({ ...operation(0, time), id: "new" });
    asked.length = 0;
    const second = (await growth.get(60_000)).value;
    expect(asked).toEqual([0, 0]);
    expect(second?.days.get("2026-07-01")).toEqual({ changes: 1, added: 1 });
    expect(second?.days.get("2026-06-30")).toEqual({ changes: 721, added: 721 });
    expect(second?.recent[0]?.id).toBe("new");
  });

  it("WEB-3 a history without end is cut, and says so", async () => {
    const growth = createGrowth({
      root: "r",
      isCounted: () => true,
      now: () => 0,
      log: async ({ after }) => ({
        operations: [operation(Number(after ?? 0), 0)],
        next: String(Number(after ?? 0) + 1),
      }),
    });
    const { value } = await growth.get(60_000);
    expect(value?.isCut).toBe(true);
    expect(value?.days.get("1970-01-01")?.changes).toBe(20);
  });
});
