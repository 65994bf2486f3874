import { describe, expect, it } from "vitest";
import { createBackgroundCache } from "../../../src/http/api/background-cache.ts";

describe("WEB-3 what takes a while to count", () => {
  it("WEB-3 a value is shown in part while it is made, then whole, and made anew only after a rest", async () => {
    let [time, made] = [0, 0];
    const first = Promise.withResolvers<string>();
    const cache = createBackgroundCache<string>({ now: () => time, patienceMs: 1 });
    const get = () =>
      cache.get("a", async (tell, last) => {
        made += 1;
        tell("half");
        const value = made === 1 ? await first.promise : `made ${made} after ${last}`;
        time += 10;
        return value;
      });
    expect(await get()).toEqual({ value: "half", isPartial: true });
    expect(await get()).toEqual({ value: "half", isPartial: true });
    first.resolve("whole");
    expect(await get()).toEqual({ value: "whole", isPartial: false });
    time += 199;
    expect(await get()).toEqual({ value: "whole", isPartial: false });
    time += 1;
    expect(await get()).toEqual({ value: "made 2 after whole", isPartial: false });
    expect(made).toBe(2);
  });

  it("WEB-3 the last value is shown while the next one is made", async () => {
    let time = 0;
    const cache = createBackgroundCache<string>({ now: () => time, patienceMs: 1 });
    await cache.get("a", async () => "old");
    time += 1;
    expect(await cache.get("a", () => new Promise(() => {}))).toEqual({ value: "old", isPartial: false });
  });

  it("WEB-3 a failure is told to who waited for it, and tried again by the next", async () => {
    let made = 0;
    const cache = createBackgroundCache<number>({ now: () => 0, patienceMs: 1 });
    const get = () =>
      cache.get("a", async () => {
        made += 1;
        if (made === 1) throw new Error("not now");
        return made;
      });
    await expect(get()).rejects.toThrow("not now");
    expect(await get()).toEqual({ value: 2, isPartial: false });
  });

  it("WEB-3 so many keys are kept and no more, those that were asked for last", async () => {
    const made: number[] = [];
    let time = 0;
    const cache = createBackgroundCache<number>({ now: () => time, patienceMs: 60_000 });
    const get = (key: number) =>
      cache.get(String(key), async () => {
        made.push(key);
        time += 1;
        return key;
      });
    for (let key = 0; key < 64; key += 1) await get(key);
    made.length = 0;
    await get(63);
    await get(64);
    await get(63);
    await get(0);
    expect(made).toEqual([64, 0]);
  });
});
