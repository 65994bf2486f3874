import { expect, it, onTestFinished } from "vitest";
import { structuredOf, textOf } from "../helpers/mcp.ts";
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
  expect(structuredOf(loaded)).toEqual({
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
    "2026-01-01 One (build/cache)\nfree text\nowner: me\n\n(Left out, since they cannot be read: build/latin.md.)",
  );
});

it("TOP-6 a load that leaves entries out says how many", async () => {
  const world = memoryWorld(folders.make());
  world.write("work/app/memory/build/cache.md", "## 2026-01-02: Two\n\n---\n\n## 2026-01-01: One\n");
  const server = await world.connect();
  onTestFinished(() => server.close());
  const loaded = await server.call("load_from_memory", { topic: "build", subtopic: null, limit: 1 });
  expect(structuredOf(loaded)).toMatchObject({ total: 2, entries: [{ title: "Two" }] });
  expect(textOf(loaded)).toContain("(1 of 2 shown. Raise limit, or name a subtopic.)");
});
