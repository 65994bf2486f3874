import { describe, expect, it } from "vitest";
import { createRenewed } from "../../../src/search/service/renewed.ts";

function opener(states: () => object) {
  const log: string[] = [];
  let count = 0;
  const renewed = createRenewed({
    state: async () => states(),
    open: async () => {
      count += 1;
      return `number ${count}`;
    },
    close: async (value, isOutdated) => void log.push(`${value}${isOutdated ? " outdated" : ""}`),
  });
  return { renewed, log };
}

describe("what is opened for a state", () => {
  it("is the same one while that stays, and another one as soon as it does not", async () => {
    let state = {};
    const { renewed, log } = opener(() => state);
    const ask = () => renewed.use(async (value) => value);
    expect(await Promise.all([ask(), ask(), renewed.opened()])).toEqual(["number 1", "number 1", "number 1"]);
    state = {};
    expect(await renewed.opened()).toBe("number 1");
    expect(await Promise.all([ask(), ask()])).toEqual(["number 2", "number 2"]);
    expect(await renewed.opened()).toBe("number 2");
    await renewed.close();
    expect(log).toEqual(["number 1 outdated", "number 2"]);
  });

  it("says that it was closed to whoever is in the middle of something then", async () => {
    const { renewed } = opener(() => ({}));
    const gate = Promise.withResolvers<void>();
    const work = renewed.use(async () => gate.promise.then(() => Promise.reject(new Error("the file is closed"))));
    await renewed.opened();
    await renewed.close();
    gate.resolve();
    await expect(work).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("closed") });
  });

  it("stays open for the work that was begun with it, and is closed once after the last of it", async () => {
    let state = {};
    const { renewed, log } = opener(() => state);
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const works = gates.map(({ promise }) => renewed.use(async (value) => promise.then(() => value)));
    await renewed.opened();
    state = {};
    expect(await renewed.use(async (value) => value)).toBe("number 2");
    gates[0]?.resolve();
    await works[0];
    expect(log).toEqual([]);
    gates[1]?.resolve();
    expect(await works[1]).toBe("number 1");
    await renewed.close();
    expect(log).toEqual(["number 1 outdated", "number 2"]);
  });

  it("is closed with work under way, is not opened again then, and not twice closed", async () => {
    const state = {};
    const { renewed, log } = opener(() => state);
    const gate = Promise.withResolvers<void>();
    const work = renewed.use(async () => gate.promise);
    await renewed.opened();
    await renewed.close();
    await renewed.close();
    gate.resolve();
    await work;
    expect(log).toEqual(["number 1"]);
    await expect(renewed.use(async () => undefined)).rejects.toThrowError(/was closed/);
  });

  it("is tried again where it could not be opened, and nothing is done where nothing is open", async () => {
    const state = {};
    let isBroken = true;
    const renewed = createRenewed({
      state: async () => state,
      open: async () => {
        if (isBroken) throw new RangeError("broken");
        return "whole";
      },
      close: async () => {},
    });
    await renewed.useOpened(async () => expect.unreachable());
    await expect(renewed.opened()).rejects.toThrowError("broken");
    isBroken = false;
    expect(await renewed.opened()).toBe("whole");
    await renewed.close();
  });
});
