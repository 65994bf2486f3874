import { describe, expect, it } from "vitest";
import type { Source } from "../../src/kernel/source.ts";
import { watchRoot } from "../../src/workspace/watched-root.ts";

/** A root where nothing tells of changes, as on a network share. */
function silentSource(documents: Map<string, number>): Source {
  return {
    root: "r",
    identity: "r",
    *survey() {
      yield { folder: "", documents: [...documents].map(([path, stamp]) => ({ path, stamp })) };
    },
    changes: async () => undefined,
    watch: async () => ({ kind: "unwatched", reason: "a network share" }),
    read: async () => undefined,
    close: () => {},
  };
}

describe("WEB-3 a root that cannot be watched", () => {
  it("WEB-3 is looked at now and then, and says that something changed", async () => {
    const documents = new Map([["a.md", 1]]);
    let time = 0;
    const root = watchRoot(silentSource(documents), () => time);
    expect(await root.look()).toEqual([]);
    documents.set("a.md", 2);
    expect(await root.look(), "it rests").toEqual([]);
    time += 2000;
    expect(await root.look()).toBe("stale");
    time += 2000;
    expect(await root.look()).toEqual([]);
  });

  it("WEB-3 one that was watched and is not any more has been changed, as far as anybody knows", async () => {
    let answers: (readonly string[] | undefined)[] = [[], undefined, undefined];
    const source: Source = {
      ...silentSource(new Map()),
      watch: async () => ({ kind: "watching" }),
      changes: async () => {
        const [first, ...rest] = answers;
        answers = rest;
        return first;
      },
    };
    const root = watchRoot(source, () => 0);
    expect(await root.look()).toEqual([]);
    expect(await root.look()).toBe("stale");
    expect(await root.look()).toEqual([]);
  });

  it("WEB-3 changes that could not be looked at are told as such the next time", async () => {
    const answers = [["a.md"], [], []];
    let isAway = true;
    const source: Source = {
      ...silentSource(new Map([["a.md", 1]])),
      watch: async () => ({ kind: "watching" }),
      changes: async () => answers.shift() ?? [],
      read: async () => {
        if (isAway) throw new Error("away");
        return undefined;
      },
    };
    const root = watchRoot(source, () => 0);
    await expect(root.look()).rejects.toThrow("away");
    isAway = false;
    expect(await root.look()).toBe("stale");
    expect(await root.look()).toEqual([]);
  });
});
