import { describe, expect, it } from "vitest";
import { hostilePaths } from "../../attacks/hostile-paths.ts";
import { documentStores } from "../../helpers/document-stores.ts";
import { newEntry } from "./new-entry.ts";
import { topicsIn } from "./open-topics.ts";

describe.each(documentStores)("PG-1 topics on $name", (stores) => {
  const open = topicsIn(stores);

  describe("the names of topics", () => {
    it.each(["archive", "Archive", "ARCHIVE", "index.md", "INDEX.md"])("TOP-1b %s is no topic", async (topic) => {
      const { topics, all } = await open();
      const attempts = [
        () => topics.store(newEntry("A", { topic })),
        () => topics.load({ topic }),
        () => topics.prune({ topic }),
        () => topics.archive({ topic, subtopic: "x" }, { keep: 1 }),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      expect(await all()).toEqual({});
    });

    it("TOP-1 an archive may be a subtopic, and a topic may be called as what every object has", async () => {
      const { topics } = await open();
      for (const name of ["archive", "constructor", "__proto__", "toString"]) {
        await topics.store(newEntry("A", { topic: name === "archive" ? "x" : name, subtopic: name }));
      }
      expect((await topics.list()).map(({ subtopic }) => subtopic).toSorted()).toEqual(
        ["__proto__", "archive", "constructor", "toString"].toSorted(),
      );
    });

    it("TOP-1 more than one name says what to give instead, which is accepted", async () => {
      const { topics } = await open();
      for (const named of [{ topic: "build/ci" }, { subtopic: "build/ci" }, { topic: "" }]) {
        await expect(topics.store(newEntry("A", named))).rejects.toMatchObject({
          code: "INVALID_PATH",
          message: expect.stringMatching(
            /^Invalid path: [^.]+\. Give topic and subtopic as one name each, such as build/,
          ),
        });
      }
      expect((await topics.store(newEntry("A", { topic: "build", subtopic: "cache" }))).path).toBe("build/cache.md");
    });

    it("TOP-1 KER-1 hostile names are refused as topic and as subtopic, at every door, and nothing is made", async () => {
      const { topics, everything } = await open();
      const before = await everything();
      const wrong: string[] = [];
      // With the extension taken off, these are names like any other.
      const harmless = new Set(["aux.md.md"]);
      for (const { text } of hostilePaths.filter((row) => !harmless.has(row.text))) {
        const attempts = [
          () => topics.store(newEntry("A", { topic: text })),
          () => topics.store(newEntry("A", { subtopic: text })),
          () => topics.load({ topic: text }),
          () => topics.load({ topic: "auth", subtopic: text }),
          () => topics.prune({ topic: text }),
          () => topics.archive({ topic: "auth", subtopic: text }, { keep: 0 }),
        ];
        for (const [index, attempt] of attempts.entries()) {
          const code = await attempt().then(
            () => "accepted",
            (error) => error.code,
          );
          if (code !== "INVALID_PATH") wrong.push(`${index} ${JSON.stringify(text.slice(0, 40))}: ${code}`);
        }
      }
      expect(wrong).toEqual([]);
      expect(await everything()).toEqual(before);
    });

    it.each([undefined, null, 7, {}, ["a"]])("TOP-1 %j is no name", async (name) => {
      const { topics } = await open();
      await expect(topics.store(newEntry("A", { topic: name as never }))).rejects.toMatchObject({
        code: "INVALID_PATH",
      });
      await expect(topics.store(newEntry("A", { subtopic: name as never }))).rejects.toMatchObject({
        code: "INVALID_PATH",
      });
    });

    it("TOP-1 one extension is taken off a subtopic, and a name is one segment", async () => {
      const { topics } = await open();
      expect((await topics.store(newEntry("A", { subtopic: "notes.v1.md" }))).path).toBe("auth/notes.v1.md");
      await expect(topics.store(newEntry("A", { subtopic: "a/b" }))).rejects.toMatchObject({ code: "INVALID_PATH" });
      await expect(topics.store(newEntry("A", { topic: "a/b" }))).rejects.toMatchObject({ code: "INVALID_PATH" });
    });
  });
});
