import { describe, expect, it } from "vitest";
import { followHistory } from "../../src/history/follow-history.ts";
import { createHistory } from "../../src/history/history.ts";
import { ada, at, openWorld, scratchFolder, textsOf } from "./scratch.ts";

describe("a process that stays", () => {
  it("HIST-3 takes over what it found, what is written since, and at its end what is left", async () => {
    const { documents, history: own } = openWorld(scratchFolder());
    const history = createHistory({ histories: [own], documents });
    await documents.write(at("a.md"), "one", ada);
    const follower = followHistory({ history, log: () => {}, delayMs: 10 });
    await expect.poll(() => textsOf(own, "a.md")).toEqual(["one"]);
    await documents.write(at("a.md"), "two", ada);
    follower.written();
    await expect.poll(() => textsOf(own, "a.md")).toEqual(["two", "one"]);
    await documents.write(at("a.md"), "three", ada);
    follower.written();
    await follower.close();
    expect(await textsOf(own, "a.md")).toEqual(["three", "two", "one"]);
  });

  it("HIST-3 says what went wrong, and goes on", async () => {
    const said: unknown[] = [];
    let runs = 0;
    const history = {
      catchUp: async () => {
        runs += 1;
        if (runs === 1) throw new Error("no space");
        return [];
      },
      maintain: async () => {},
    };
    const follower = followHistory({ history, log: (_, __, fields) => said.push(fields), delayMs: 1 });
    await expect.poll(() => said).toEqual([{ message: "no space" }]);
    follower.written();
    await expect.poll(() => runs).toBe(2);
    await follower.close();
  });

  it("HIST-3 lets those who wait for answers go first, for a moment: what was written is taken over soon", async () => {
    const { documents, history: own } = openWorld(scratchFolder());
    const history = createHistory({ histories: [own], documents });
    await documents.write(at("a.md"), "one", ada);
    let looks = 0;
    const follower = followHistory({
      history,
      log: () => {},
      delayMs: 1,
      isAsked: () => {
        looks += 1;
        return true;
      },
    });
    await expect.poll(() => looks).toBeGreaterThan(0);
    expect(await textsOf(own, "a.md")).toEqual([]);
    await expect.poll(() => textsOf(own, "a.md")).toEqual(["one"]);
    await follower.close();
  });
});
