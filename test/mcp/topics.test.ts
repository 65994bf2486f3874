import { expect, it, onTestFinished } from "vitest";
import { made } from "../../src/guard/rules/made.ts";
import { detailsOf, textOf } from "../helpers/mcp.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();

it("TOP-6 a file of a topic that cannot be read is named, and hides no other", async () => {
  const world = memoryWorld(folders.make());
  world.write("work/app/memory/build/cache.md", "## 2026-01-01: One\nfree text\n**Owner:** me\n");
  world.write("work/app/memory/build/latin.md", Buffer.from([0xe9]));
  const server = await world.connect();
  onTestFinished(() => server.close());
  const loaded = await server.call("load_from_memory", { topic: "build" });
  expect(detailsOf(loaded)).toEqual({
    entries: [
      {
        topic: "build",
        subtopic: "cache",
        date: "2026-01-01",
        title: "One",
        text: "free text",
        fields: { owner: "me" },
      },
    ],
    total: 1,
    unreadable: ["build/latin.md"],
  });
  expect(textOf(loaded)).toBe(
    "build/cache › One (lesson, 2026-01-01)\nfree text\nowner: me\n\n(Left out, since they cannot be read: build/latin.md.)",
  );
});

it("KER-11 a broken index is a warning of what was stored, and no error", async () => {
  const world = memoryWorld(folders.make());
  world.write("work/app/memory/index.md", Buffer.from([0xff]));
  const server = await world.connect();
  onTestFinished(() => server.close());
  const entry = { topic: "build", subtopic: "cache.md.md", title: "One", context: "c", problem: "p", solution: "s" };
  const stored = await server.call("store_in_memory", entry);
  expect(detailsOf(stored)).toMatchObject({
    path: "build/cache.md.md",
    already_stored: false,
    warning: expect.stringContaining("index.md"),
  });
  expect(textOf(stored)).toMatch(/^Stored build\/cache\.md › One\.\n\nWarning: The index was not updated/);
});

it("GUARD-3 a token in the place of a parameter, or as a topic, is not shown", async () => {
  const world = memoryWorld(folders.make());
  const server = await world.connect();
  onTestFinished(() => server.close());
  const token = ["gh", "p_", made(60).slice(0, 36)].join("");
  for (const args of [{ topic: "x", [token]: 1 }, { topic: token }, { topic: "x", subtopic: token }]) {
    const result = await server.call("load_from_memory", args);
    expect([result.isError, JSON.stringify(result).includes(token.slice(4, 24))]).toEqual([true, false]);
  }
});

it("TOP-6 a load that leaves entries out says how many", async () => {
  const world = memoryWorld(folders.make());
  world.write("work/app/memory/build/cache.md", "## 2026-01-02: Two\n\n---\n\n## 2026-01-01: One\n");
  const server = await world.connect();
  onTestFinished(() => server.close());
  const loaded = await server.call("load_from_memory", { topic: "build", subtopic: null, limit: 1 });
  expect(detailsOf(loaded)).toMatchObject({ total: 2, entries: [{ title: "Two" }] });
  expect(textOf(loaded)).toContain("(1 of 2 shown. Raise limit, or name a subtopic.)");
});
