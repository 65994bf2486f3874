import { describe, expect, it } from "vitest";
import { unavailable } from "../../src/search/meaning/embedder.ts";
import { noMeaning } from "../../src/search/meaning.ts";
import { createMeaningQueue } from "../../src/search/meaning-queue.ts";

describe("documents that wait for their meaning", () => {
  it("SRCH-2 all get it once a model that failed works again, also those that come while the last is written", async () => {
    let fails = true;
    const done: string[] = [];
    const meaning = {
      ...noMeaning,
      compute: async () => (fails ? unavailable("There is no model.") : undefined),
    };
    const queue = createMeaningQueue(
      meaning,
      async (paths) => {
        done.push(...paths);
        if (paths.includes("b")) queue.add("c", ["text"]);
      },
      Date.now,
    );
    queue.add("a", ["text"]);
    await queue.idle(() => undefined);
    expect([queue.size(), queue.reason()]).toEqual([1, "There is no model."]);
    fails = false;
    queue.add("b", ["text"]);
    await queue.idle(() => undefined);
    expect([done, queue.size(), queue.reason()]).toEqual([["a", "b", "c"], 0, undefined]);
    await queue.close();
  });
});
