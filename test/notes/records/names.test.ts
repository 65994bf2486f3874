import { describe, expect, it } from "vitest";
import { textOf } from "../../helpers/mcp.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { toolSession } from "../../helpers/tool-session.ts";
import { searchWorld } from "../../search/whole/search-world.ts";

const folders = temporaryFolders();

const lesson = (date: string, title: string, says: string) =>
  `## ${date}: ${title}\n**Problem:** ${says}\n**Solution:** mended\n\n---\n\n`;

/** A note, lessons, both under one name, an archived lesson, and notes of the user and of a folder beside. */
function world() {
  const made = searchWorld(folders.make());
  made.note("build/setup.md", "# Setup\n\nthe note of setup\n\n## Windows\n\nonly on windows\n");
  made.note("deploy/both.md", "# Both\n\nthe note of both\n");
  made.write("memory/ci/cache.md", lesson("2026-03-02", "Stale cache", "stale") + lesson("2026-03-01", "Cold", "cold"));
  made.write("memory/deploy/both.md", lesson("2026-03-03", "Late", "the lesson of both"));
  made.write(
    "memory/archive/ci/2025.md",
    "## 2025-01-01: Old cache\n**Archived from:** cache\n**Problem:** long ago\n\n---\n\n",
  );
  made.write("../home/.config/recollect/config.yaml", "memories:\n  global_writable: true\n");
  made.write("../home/.serena/memories/global/style.md", "# Style\n\nthe style of the user\n");
  made.write("../shared/api.md", "# Api\n\nthe shared api\n");
  return made;
}

const open = async () => {
  const { call } = await toolSession(await world().open({ flags: { "--additional-folders": ["../shared"] } }));
  return async (tool: string, args: Record<string, unknown>) => {
    const result = await call(tool, args);
    return `${result.isError ? "refused: " : ""}${textOf(result)}`;
  };
};

/** Every form in which a surface printed a name, and what is in it. */
const printed: readonly (readonly [name: string, holds: string, holdsNot?: string])[] = [
  ["build/setup", "the note of setup"],
  ["build/setup.md", "the note of setup"],
  ["mem:build/setup", "the note of setup"],
  [".serena/memories/build/setup", "the note of setup"],
  [".serena/memories/build/setup.md", "the note of setup"],
  ["build/setup:7-7", "only on windows", "the note of setup"],
  [".serena/memories/build/setup.md:5-7", "only on windows", "the note of setup"],
  ["build/setup › Windows", "only on windows", "the note of setup"],
  ["build/setup › Windows (note, 2026-03-01, lines 5-7)", "only on windows", "the note of setup"],
  ["global/style", "the style of the user"],
  ["mem:global/style.md", "the style of the user"],
  ["../shared/api", "the shared api"],
  ["api", "the shared api"],
  ["ci/cache", "stale"],
  ["ci/cache", "cold"],
  ["ci/cache.md", "cold"],
  ["mem:ci/cache", "cold"],
  ["memory/ci/cache", "cold"],
  ["memory/ci/cache.md", "cold"],
  ["memory/ci/cache.md:1-3", "stale", "cold"],
  ["ci/cache:1", "stale", "cold"],
  ["ci/cache › Cold", "cold", "stale"],
  ["memory/ci/cache.md › Cold", "cold", "stale"],
  ["ci/cache › Stale cache (lesson, 2026-03-02, 8 months old, by codex)", "stale", "cold"],
  ["archive/ci/2025", "long ago"],
  ["memory/archive/ci/2025.md", "long ago"],
  ["archive/ci/2025 › Old cache", "long ago"],
  ["ci/cache › Old cache", "long ago"],
  ["deploy/both", "the note of both"],
  ["deploy/both", "the lesson of both"],
  ["memory/deploy/both.md", "the lesson of both", "the note of both"],
  [".serena/memories/deploy/both", "the note of both", "the lesson of both"],
];

describe("USE-3 one way to name a thing", () => {
  it("USE-3 read_memory takes every name that a surface printed", async () => {
    const ask = await open();
    for (const [memory_name, holds, holdsNot] of printed) {
      const text = await ask("read_memory", { memory_name });
      expect(text, memory_name).toContain(holds);
      if (holdsNot !== undefined) expect(text, memory_name).not.toContain(holdsNot);
      expect(text, memory_name).not.toMatch(/^refused/);
    }
  });

  it("USE-3 memory_history takes the same names", async () => {
    const ask = await open();
    for (const path of new Set(printed.map(([name]) => name)))
      expect(await ask("memory_history", { path, action: "log" }), path).not.toMatch(/^refused|^$/);
  });

  it("USE-3 edit_memory takes them, and changes what is meant", async () => {
    for (const [memory_name, holds] of printed) {
      const ask = await open();
      const edit = { memory_name, needle: holds, repl: "put right", mode: "literal" };
      expect(await ask("edit_memory", edit), memory_name).toMatch(/^Memory .* edited/);
      expect(await ask("read_memory", { memory_name }), memory_name).toContain("put right");
    }
  });

  it("USE-3 delete_memory takes them, and says how to bring it back", async () => {
    for (const [memory_name, holds] of printed) {
      const ask = await open();
      const deleted = await ask("delete_memory", { memory_name });
      if (deleted.startsWith("refused")) {
        expect(deleted, memory_name).toMatch(/Say which/);
        continue;
      }
      expect(deleted, memory_name).toMatch(/^Deleted the /);
      expect(await ask("read_memory", { memory_name }), memory_name).not.toContain(holds);
      const path = /with path "([^"]+)"/.exec(deleted)?.[1];
      expect(await ask("memory_history", { path, action: "restore", rev: "~1" }), memory_name).not.toMatch(/^refused/);
      expect(await ask("read_memory", { memory_name }), memory_name).toContain(holds);
    }
  });

  it("USE-3 search_memory takes the names of topics and lessons as its topic", async () => {
    const ask = await open();
    for (const topic of ["ci", "ci/cache", "memory/ci/cache.md", "mem:ci/cache", "ci/cache › Cold"])
      expect(await ask("search_memory", { query: "cold", topic }), topic).toContain("ci/cache › Cold (lesson, ");
    expect(await ask("search_memory", { query: "cold", topic: "ci/other" })).not.toContain("Cold");
  });

  it("USE-3 load_from_memory and store_in_memory take names of lessons, and the topic with its subject", async () => {
    const ask = await open();
    for (const topic of ["ci/cache", "memory/ci/cache.md", "mem:ci/cache", "ci/cache:1-3", "ci"])
      expect(await ask("load_from_memory", { topic }), topic).toContain("stale");
    expect(await ask("load_from_memory", { topic: "ci/cache › Cold" })).not.toContain("stale");
    expect(await ask("load_from_memory", { topic: "archive/ci/2025" })).toContain("long ago");
    for (const [at, topic] of ["ci/cache", "memory/ci/cache.md", "mem:ci/cache", "ci/cache › Cold"].entries()) {
      const stored = await ask("store_in_memory", { topic, title: `New ${at}`, problem: "p", solution: "s" });
      expect(stored, topic).toContain("ci/cache");
    }
  });
});
