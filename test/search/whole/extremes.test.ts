import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { SearchPage } from "../../../src/search/search.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { complete, pathsOf, type SearchWorld, searchWorld } from "./search-world.ts";

const folders = temporaryFolders();
const words = ["harbour", "crane", "gate", "badge", "lighthouse", "mooring", "pilot", "tide", "anchor", "cargo"];
const wordAt = (number: number) => words[number % words.length];

/** What is shown of one unit is short, however long it is. */
function expectBounded({ hits }: SearchPage): void {
  for (const { snippet, title, breadcrumb } of hits) {
    expect(snippet.text.length).toBeLessThanOrEqual(300);
    expect(JSON.stringify([title, breadcrumb]).length).toBeLessThanOrEqual(4000);
    for (const { from, to } of snippet.marks) {
      expect(from).toBeLessThan(to);
      expect(to).toBeLessThanOrEqual(snippet.text.length);
    }
  }
}

describe("nothing at all", () => {
  it.each([false, true])("SRCH-1 an empty workspace has an empty answer (staying: %s)", async (stays) => {
    const world = searchWorld(folders.make());
    const search = await (await world.open({ stays })).search;
    expect(await complete(search, "harbour")).toEqual({ hits: [], total: 0, warnings: [] });
    expect(await search.recall({ query: "harbour" })).toEqual({ text: "", tokens: 0, items: [], warnings: [] });
    expect(await search.reindex()).toMatchObject({ documents: 0, units: 0 });
    // Folders that come later are looked into.
    world.note("deep/er/n.md", "# Harbour\n\nHere.\n");
    expect(pathsOf(await complete(search, "harbour"))).toEqual(["deep/er/n.md"]);
    world.remove(".serena");
    expect((await complete(search, "harbour")).total).toBe(0);
    world.note("n.md", "# Harbour\n\nAgain.\n");
    expect(pathsOf(await complete(search, "harbour"))).toEqual(["n.md"]);
    world.note("n.md", "");
    world.note("blank.md", " \n\n\t\n");
    world.note("front.md", "---\ntitle: Harbour\n---\n");
    expect(pathsOf(await complete(search, "harbour"))).toEqual(["front.md"]);
  });

  it("SRCH-1 without a project there are the notes of the user alone", async () => {
    const world = searchWorld(folders.make());
    const { project: _, ...place } = { project: "", cwd: world.home };
    const page = await world.ask("harbour", place);
    expect(page.hits).toEqual([]);
  });
});

describe("something else in a folder's place", () => {
  it.each([
    ["a file", (world: SearchWorld) => void world.write(".serena/memories", "I am a file")],
    ["a link to nowhere", (world: SearchWorld) => linkTo(world, "nowhere")],
  ])("SRCH-1 %s: what lies elsewhere is found", async (_, place) => {
    const world = searchWorld(folders.make());
    place(world);
    world.write("memory/sea/tide.md", "## 2026-01-01: Tide\n**Problem:** The harbour is dry.\n");
    for (const stays of [false, true]) {
      const page = await world.ask("harbour", { stays });
      expect(pathsOf(page)).toEqual(["sea/tide.md"]);
      expect(page.warnings).toEqual([expect.stringMatching(/^“\.serena\/memories” is not searched now: .+\.$/)]);
      expect(page.warnings.join()).not.toContain(world.project);
    }
  });

  it("SRCH-1 a link to itself is as good as no folder", async () => {
    const world = searchWorld(folders.make());
    linkTo(world, "memories");
    world.write("memory/sea/tide.md", "## 2026-01-01: Tide\n**Problem:** The harbour is dry.\n");
    for (const stays of [false, true]) expect(pathsOf(await world.ask("harbour", { stays }))).toEqual(["sea/tide.md"]);
  });

  it("SRCH-1 a folder that becomes a file and a folder again is followed", async () => {
    const world = searchWorld(folders.make());
    world.note("a/n.md", "# N\n\nharbour\n");
    const search = await (await world.open({ stays: true })).search;
    expect((await complete(search, "harbour")).total).toBe(1);
    world.remove(".serena/memories/a");
    world.note("a", "harbour");
    expect((await complete(search, "harbour")).total).toBe(0);
    world.remove(".serena/memories/a");
    world.note("a/b/n.md", "# N\n\nharbour\n");
    expect(pathsOf(await complete(search, "harbour"))).toEqual(["a/b/n.md"]);
    world.remove(".serena/memories");
    world.write(".serena/memories", "harbour");
    expect((await complete(search, "harbour")).total).toBe(0);
    world.remove(".serena/memories");
    world.note("c.md", "# N\n\nharbour\n");
    expect(pathsOf(await complete(search, "harbour"))).toEqual(["c.md"]);
  });
});

function linkTo(world: SearchWorld, target: string): void {
  mkdirSync(world.at(".serena"), { recursive: true });
  symlinkSync(target, world.at(".serena/memories"));
}

describe("much of it", () => {
  it("SRCH-1 a note of a megabyte is found by a word at its end", async () => {
    const world = searchWorld(folders.make());
    const line = "The crane lifts the cargo while the tide is low and the pilot waits at the gate.\n";
    const text = `# Long\n\n${line.repeat(12_000)}\nThen comes the kingfisher.\n`;
    world.note("long.md", text);
    expect(text.length).toBeGreaterThan(900_000);
    const page = await world.ask("kingfisher");
    expect(page.hits[0]).toMatchObject({ path: "long.md" });
    expect(page.hits[0]?.snippet.text).toContain("kingfisher");
    expectBounded(page);
    expect(
      (await (await world.open()).search.recall({ query: "kingfisher", maxTokens: 100 })).tokens,
    ).toBeLessThanOrEqual(100);
  });

  it("SRCH-1 a note with 100,000 headings is found by each of them, in fewer units", async () => {
    const world = searchWorld(folders.make(), "search: { meaning: false }\n");
    const headings = (count: number, of: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => of(at)).join("\n");
    world.note("many.md", `# Many\n\n${headings(100_000, (at) => `## ${at.toString(36)}`)}\n`);
    world.note("deep.md", `${headings(2000, (at) => `${"#".repeat(1 + (at % 6))} ${wordAt(at)}`)}\n\nkingfisher\n`);
    const search = await (await world.open()).search;
    const page = await complete(search, "1zzz many");
    expect(page.hits[0]).toMatchObject({ path: "many.md", snippet: { text: expect.stringContaining("1zzz") } });
    expect((await search.status()).units).toBeLessThan(10_000);
    expectBounded(page);
    expect((await complete(search, "kingfisher")).hits[0]).toMatchObject({ path: "deep.md" });
  });

  it("SRCH-1 5,000 notes are found one by one, and told apart", async () => {
    const world = searchWorld(folders.make(), "search: { recency_weight: 0 }\n");
    for (let number = 0; number < 5000; number += 1) {
      const own = `k${((number * 7919) % 100_003).toString(26).replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? "")}y${number}`;
      world.note(
        `f${number % 50}/n${number}.md`,
        `# ${wordAt(number)} ${number}\n\nThe ${wordAt(number * 3 + 1)} ${own} of the ${wordAt(number * 7 + 2)}.\n`,
      );
    }
    const search = await (await world.open({ stays: true })).search;
    const told: number[] = [];
    await search.reindex(({ done, total }) => void told.push(done / total));
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    const page = await complete(search, { query: "path:f7/** harbour" });
    expect(page.hits.length).toBe(10);
    expect(page.hits.every(({ path }) => path.startsWith("f7/"))).toBe(true);
    for (const number of [0, 1234, 4999]) {
      expect(pathsOf(await complete(search, `path:f${number % 50}/n${number}.md ${wordAt(number)}`))).toEqual([
        `f${number % 50}/n${number}.md`,
      ]);
    }
    world.note("f3/late.md", "# Late\n\nThe kingfisher.\n");
    expect((await complete(search, "kingfisher")).hits[0]).toMatchObject({ path: "f3/late.md" });
  });
});

describe("hostile questions", () => {
  const long = "harbour gate ".repeat(8000);
  const queries: Readonly<Record<string, string>> = {
    "100,000 characters": long,
    "one word of 100,000 characters": "h".repeat(100_000),
    "100,000 quotes": '"'.repeat(100_000),
    "100,000 minus signs": "-".repeat(100_000),
    "100,000 colons": "topic:".repeat(16_000),
    "50,000 words to leave out": "-a ".repeat(33_000).concat("harbour"),
    "many blanks": `harbour${" ".repeat(99_000)}gate`,
    "long globs": `harbour path:${"*a".repeat(4000)}`,
    "braces in a glob": `harbour path:${"{a,b}".repeat(2000)}`,
    SQL: "'; DROP TABLE documents; --",
    "an FTS operator": 'harbour NEAR/2 gate OR NOT (a AND "b") *',
    "a regular expression": "(a+)+$ [harbour] \\d{5} .*",
    "zero bytes": "har\u0000bour gate\u0000",
    "bidi and zero width": "\u202eharbour\u202c \u200bgate\u200d",
    "combining marks": `h${"\u0301".repeat(5000)}arbour`,
    "nested quotes": '"harbour "gate" "" " \'x\'',
    numbers: "1e400 -1 0x7fffffff NaN Infinity __proto__ constructor toString",
    "a prototype": "__proto__ constructor hasOwnProperty",
    emoji: "👩‍👩‍👧‍👦 🏳️‍🌈 ©",
    "half a page of Chinese": "港口起重机".repeat(5000),
    paths: "../../../../etc/passwd C:\\Windows\\system32 file:///etc/passwd",
  };

  it("SRCH-1 are answered, or refused with a word about it, in bounded size", async () => {
    const world = searchWorld(folders.make());
    for (let number = 0; number < 60; number += 1)
      world.note(
        `n${number}.md`,
        `# ${wordAt(number)}\n\nThe ${wordAt(number)} gate of the harbour ${number}. constructor __proto__\n`,
      );
    const search = await (await world.open()).search;
    for (const [name, query] of Object.entries(queries)) {
      for (const form of [query, `${query} harbour`, `harbour "${query.slice(0, 60)}" ${query}`]) {
        const page = await complete(search, { query: form, explain: true }).catch((error: unknown) => error);
        if (page instanceof Error) {
          expect(page, name).toMatchObject({ name: "RecollectError", code: "INVALID_ARGUMENT" });
          continue;
        }
        expectBounded(page as SearchPage);
        expect(JSON.stringify(page).length, name).toBeLessThan(100_000);
      }
      const recalled = await search.recall({ query: `harbour ${query}`, maxTokens: 60 });
      expect(recalled.tokens).toBeLessThanOrEqual(60);
    }
  });

  it("SRCH-1 paths, topics, tasks and files of any kind are taken as text", async () => {
    const world = searchWorld(folders.make());
    world.note("n.md", "# Harbour\n\nGate.\n");
    const search = await (await world.open()).search;
    for (const value of [
      "",
      "..",
      "/",
      "\u0000",
      "*".repeat(5000),
      "{".repeat(5000),
      "[".repeat(5000),
      "a/".repeat(5000),
      "(((",
      "\\",
    ]) {
      const context = { topic: value, task: `${value} PRB-1 `.repeat(100), files: [value, `${value}/n.md`] };
      const page = await complete(search, { query: "harbour", topic: value, path: value, context }).catch(
        (error: unknown) => error,
      );
      if (page instanceof Error) expect(page).toMatchObject({ name: "RecollectError" });
      expect((await complete(search, { query: "harbour", context })).total).toBe(1);
    }
  });
});
