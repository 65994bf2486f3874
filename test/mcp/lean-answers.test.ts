import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";
import { describe, expect, it } from "vitest";
import type { Search } from "../../src/app.ts";
import { fakeSearch } from "../helpers/fake-search.ts";
import { expectLean } from "../helpers/lean-answer.ts";
import { detailsOf, textOf } from "../helpers/mcp.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { toolSession } from "../helpers/tool-session.ts";
import { wholeAnswer } from "../helpers/whole-answer.ts";
import { searchWorld } from "../search/whole/search-world.ts";

const folders = temporaryFolders();

/** Many notes and lessons, with code, quotes and paths, as projects have them. */
function largeWorld() {
  const world = searchWorld(folders.make());
  const code = '```ts\nconst key = hash("package-lock.json", { node: "22" });\n```';
  for (let at = 0; at < 60; at += 1)
    world.note(
      `ci/cache-${at}.md`,
      `# Cache of job ${at}\n\nThe "restore" step of job ${at} keeps a cache.\n\n${code}\n`,
    );
  const lessons = Array.from(
    { length: 30 },
    (_, at) => `## 2026-03-01: Stale cache ${at}\n**Problem:** npm failed "again"\n**Solution:** A new key.\n${code}\n`,
  );
  world.write("memory/ci/cache.md", lessons.join("\n---\n\n"));
  world.write("memory/ci/latin.md", Buffer.from([0xe9]));
  return world;
}

const calls: readonly (readonly [kind: string, tool: string, args: Record<string, unknown>])[] = [
  ["large", "search_memory", { query: "cache", limit: 50 }],
  ["large", "search_memory", { query: "stale cache", limit: 50, explain: true }],
  ["empty", "search_memory", { query: "zirconium" }],
  ["large", "recall_context", { query: "the cache of a job is stale", max_tokens: 4000, max_items: 10 }],
  ["empty", "recall_context", { query: "zirconium" }],
  ["large", "load_from_memory", { topic: "ci" }],
  ["part", "load_from_memory", { topic: "ci", limit: 2 }],
  ["large", "list_memories", { limit: 500 }],
  ["part", "list_memories", { limit: 3 }],
  ["empty", "list_memories", { topic: "none" }],
  ["large", "read_memory", { memory_name: "memory/ci/cache.md" }],
  ["part", "read_memory", { memory_name: "ci/cache-7", start_line: 2, end_line: 4 }],
  ["large", "list_dir", { relative_path: ".", recursive: true }],
  ["part", "list_dir", { relative_path: ".", recursive: true, max_answer_chars: 200 }],
  ["large", "read_file", { relative_path: ".serena/memories/ci/cache-1.md" }],
];

const failing: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ["search_memory", { query: "cache", since: "soon" }],
  ["recall_context", { query: "" }],
  ["read_memory", { memory_name: "none/such" }],
  ["load_from_memory", { topic: "none" }],
  ["store_in_memory", { topic: "ci" }],
];

describe("USE-12 what a model gets of an answer", () => {
  it("USE-12 structured content is the text with every hint, and no more than 1.15 times as large", async () => {
    const { call } = await toolSession(await largeWorld().open());
    const said: string[] = [];
    for (const [, tool, args] of calls) {
      const result = await wholeAnswer(() => call(tool, args));
      expect(result.isError ?? false, textOf(result)).toBe(false);
      expectLean(result);
      said.push(textOf(result));
    }
    // The kinds really came.
    expect(Math.max(...said.map((text) => text.length))).toBeGreaterThan(3000);
    const all = said.join("\n");
    for (const says of ["Nothing in memory", "shown. Raise limit", "Next page: cursor", "cannot be read", "left out."])
      expect(all).toContain(says);
    expect(all).not.toMatch(/\d\.\d{6}/);
  });

  it("USE-12 an error is text alone, which every client hands on", async () => {
    const { call } = await toolSession(await largeWorld().open());
    for (const [tool, args] of failing) {
      const result = await call(tool, args);
      expect([tool, result.isError, result.structuredContent, textOf(result).length > 20]).toEqual([
        tool,
        true,
        undefined,
        true,
      ]);
    }
  });

  it("USE-12 SRCH-4 the budget of recall_context holds for what a client hands to its model", async () => {
    const { call } = await toolSession(await largeWorld().open());
    const items = [];
    for (const max_tokens of [60, 120, 300, 1000]) {
      const asked = { query: "the cache of a job is stale", max_tokens, max_items: 10 };
      const recalled = await wholeAnswer(() => call("recall_context", asked));
      expect(countTokens(JSON.stringify(recalled.structuredContent))).toBeLessThanOrEqual(max_tokens);
      items.push((detailsOf(recalled)["items"] as readonly unknown[]).length);
    }
    expect(items[0]).toBeGreaterThan(0);
    expect(items.at(-1)).toBeGreaterThan(items[0] ?? 0);
  });

  it("USE-12 a warning is in structured content, and is counted", async () => {
    const warnings = ["The index is still being built: 3 of 9 documents."];
    const { search } = fakeSearch({ warnings, recalled: "> one" });
    let counted = "";
    const recall: Search["recall"] = async (request) => {
      counted = request.sentAs?.("> one", warnings) ?? "";
      return search.recall(request);
    };
    const workspace = await searchWorld(folders.make()).open();
    const { call } = await toolSession({
      ...workspace,
      session: (bearer) => ({ ...workspace.session(bearer), search: { ...search, recall } }),
    });
    for (const tool of ["search_memory", "recall_context"]) {
      const result = await call(tool, { query: "cache" });
      expectLean(result);
      expect(JSON.stringify(result.structuredContent)).toContain("Warning: The index is still being built");
      if (tool === "recall_context") expect(JSON.stringify(result.structuredContent)).toBe(counted);
    }
  });
});
