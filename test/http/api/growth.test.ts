import { describe, expect, it } from "vitest";
import { authorsOf, daysOf, type Growth, readGrowth } from "../../../src/http/api/overview/growth.ts";

const day = 24 * 60 * 60_000;

const operation = (at: number, time: number) => ({
  id: `id${at}`,
  time: new Date(time).toISOString(),
  author: at % 2 === 0 ? "person:ada" : "agent:bob",
  changes: [{ path: `n${at}.md` as never, kind: "put" as const, rev: "r" as never, was: undefined }],
});

const dayOf = ({ operations }: Growth, date: string, time: number) =>
  daysOf(operations, operations.length, time).find((one) => one.date === date);

describe("WEB-3 growth", () => {
  it("WEB-3 history is read once for its growth, and then only what came since", async () => {
    let time = Date.parse("2026-06-30T12:00:00Z");
    const operations = Array.from({ length: 1200 }, (_, at) => operation(at, time - at * 60_000));
    const asked: number[] = [];
    const read = readGrowth({
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
    const told: number[] = [];
    const first = await read((partial) => told.push(partial.operations.length), undefined);
    expect(dayOf(first, "2026-06-30", time)).toMatchObject({ changes: 721, documents: 1200 });
    expect(dayOf(first, "2026-06-29", time)).toMatchObject({ changes: 479, documents: 479 });
    expect(authorsOf(first.operations)).toEqual([
      { author: "agent:bob", changes: 600, last: new Date(time - 60_000).toISOString() },
      { author: "person:ada", changes: 600, last: new Date(time).toISOString() },
    ]);
    expect(first.recent).toHaveLength(20);
    expect(asked).toEqual([0, 500, 1000]);
    expect(told).toEqual([500, 1000]);
    time += day;
    operations.unshift({ ...operation(0, time), id: "new" });
    asked.length = 0;
    const second = await read(() => {}, first);
    expect(asked).toEqual([0]);
    expect(dayOf(second, "2026-07-01", time)).toMatchObject({ changes: 1, documents: 1201 });
    expect(dayOf(second, "2026-06-30", time)).toMatchObject({ changes: 721, documents: 1200 });
    expect(second.recent[0]?.id).toBe("new");
  });

  it("WEB-3 what is older than the days that are shown counts no more, and is among the newest all the same", async () => {
    let time = Date.parse("2026-06-30T12:00:00Z");
    const read = readGrowth({
      root: "r",
      isCounted: () => true,
      now: () => time,
      log: async () => ({ operations: [operation(2, time - 1000), operation(1, time - 90 * day)], next: undefined }),
    });
    const first = await read(() => {}, undefined);
    expect(first.operations.map(({ author }) => author)).toEqual(["person:ada"]);
    expect(first.recent.map(({ id }) => id)).toEqual(["id2", "id1"]);
    time += 90 * day;
    expect((await read(() => {}, first)).operations).toEqual([]);
  });

  it("WEB-3 a history without end is cut, and says so", async () => {
    const read = readGrowth({
      root: "r",
      isCounted: () => true,
      now: () => 0,
      log: async ({ after }) => ({
        operations: [operation(Number(after ?? 0), 0)],
        next: String(Number(after ?? 0) + 1),
      }),
    });
    const growth = await read(() => {}, undefined);
    expect(growth.isCut).toBe(true);
    expect(dayOf(growth, "1970-01-01", 0)?.changes).toBe(20);
  });
});
