import { describe, expect, it } from "vitest";
import type { ApiOverview } from "../../../src/http/api/contract/overview.ts";
import { type ApiSearch, lastOffset } from "../../../src/http/api/contract/search.ts";
import type { ApiEntries, ApiTopics } from "../../../src/http/api/contract/topics.ts";
import { wholeAnswer } from "../../helpers/whole-answer.ts";
import { apiWorlds } from "./open-api.ts";

const open = apiWorlds();
const root = ".serena/memories";
const entry = (date: string, title: string) => `## ${date}: ${title}\n**Problem:** about ${title}\n\n---\n\n`;

describe("SRCH-1 search over the JSON API", () => {
  async function searched() {
    const world = await open({ askers: { bot: { author: "agent:bot", agentId: "bot" } } });
    world.write(`work/app/${root}/auth/login.md`, "# Login\n\nThe session cookie expires early.\n");
    world.write("work/app/memory/build/cache.md", entry("2026-01-02", "Stale cookie cache"));
    const find = async (query: Record<string, string>, who?: string) =>
      (await wholeAnswer(() => world.get<ApiSearch>("/search", query, who))).body;
    return { ...world, find };
  }

  it("SRCH-5 finds with marks, explains on request, and pages", async () => {
    const world = await searched();
    const { hits, total } = await world.find({ q: "cookie", explain: "1" });
    expect(total).toBe(2);
    expect(hits.map((hit) => hit.path).sort()).toEqual(["auth/login.md", "build/cache.md"]);
    const login = hits.find(({ path }) => path === "auth/login.md");
    const [mark] = login?.snippet.marks ?? [];
    expect(login?.snippet.text.slice(mark?.from, mark?.to)).toBe("cookie");
    expect(login?.explanation?.terms.length).toBeGreaterThan(0);
    const second = await world.find({ q: "cookie", limit: "1", offset: "1" });
    expect(second.hits).toHaveLength(1);
    expect(second.hits[0]?.explanation).toBeUndefined();
    const inTopics = await world.find({ q: "cookie", root: "memory" });
    expect(inTopics.hits.map(({ path }) => path)).toEqual(["build/cache.md"]);
    expect((await world.find({ q: "cookie", path: "auth/**" })).total).toBe(1);
    expect((await world.find({ q: "cookie", topic: "build", since: "2026-01-01" })).total).toBe(1);
  });

  it("AGT-4 an agent finds its own files under the root agent_memory", async () => {
    const world = await searched();
    await world.send(
      "PUT",
      "/document",
      { root: "agent_memory", path: "n.md", content: "my cookie jar\n", ifRev: null },
      "bot",
    );
    const { hits } = await world.find({ q: "jar", root: "agent_memory" }, "bot");
    expect(hits).toMatchObject([{ root: "agent_memory", path: "n.md" }]);
    const others = await world.find({ q: "jar" });
    expect(others.hits.filter(({ path }) => path === "n.md")).toEqual([]);
  });

  it("SRCH-1 says what is wrong with a question", async () => {
    const world = await searched();
    const wrong: Record<string, string>[] = [
      { q: "x", root: "none" },
      { q: "x", limit: "51" },
      { q: "x", limit: "0" },
      { q: "x", limit: "-1" },
      { q: "x", limit: "1e3" },
      { q: "x", offset: String(lastOffset + 1) },
      { q: "x", since: "yesterday" },
      { q: "x", explain: "yes" },
      { q: "x", unknown: "1" },
      {},
    ];
    const statuses = await Promise.all(wrong.map(async (query) => (await world.get("/search", query)).status));
    expect(statuses).toEqual([404, ...wrong.slice(1).map(() => 400)]);
  });

  it("SRCH-1 goes through its pages as far as search itself does, and says how far that is", async () => {
    const world = await searched();
    const { search } = world.workspace.session({ author: "person:ada" }).search;
    for (const [offset, status] of [
      [lastOffset, 200],
      [lastOffset + 1, 400],
    ] as const) {
      const answer = await world.get("/search", { q: "cookie", offset: String(offset) });
      expect([answer.status, offset]).toEqual([status, offset]);
      const isTaken = search({ query: "cookie", offset }).then(
        () => true,
        () => false,
      );
      expect(await isTaken).toBe(status === 200);
    }
    const refused = await world.failure(world.get("/search", { q: "cookie", offset: String(lastOffset + 1) }));
    expect(refused.message).toContain(`from 0 to ${lastOffset}`);
  });
});

describe("TOP-1 topics over the JSON API", () => {
  it("TOP-1 the topics and their files, and what is in them as a timeline", async () => {
    const world = await open();
    world.write("work/app/memory/build/cache.md", entry("2026-03-01", "New") + entry("2026-01-01", "Old"));
    world.write("work/app/memory/build/tests.md", entry("2026-02-01", "Middle"));
    world.write("work/app/memory/auth/login.md", entry("2026-02-02", "Login"));
    world.write(
      "work/app/memory/archive/build/2020.md",
      "## 2020-01-01: Archived\n**Archived from:** cache\n**Problem:** p\n\n---\n\n",
    );
    const { topics } = (await world.get<ApiTopics>("/topics")).body;
    expect(topics).toEqual([
      { topic: "auth", subtopics: [{ subtopic: "login", entries: 1, path: "auth/login.md" }] },
      {
        topic: "build",
        subtopics: [
          { subtopic: "cache", entries: 2, path: "build/cache.md" },
          { subtopic: "tests", entries: 1, path: "build/tests.md" },
        ],
      },
    ]);
    const titles = async (query: Record<string, string>) =>
      (await world.get<ApiEntries>("/topics/entries", query)).body.entries.map(({ title }) => title);
    expect(await titles({})).toEqual(["New", "Login", "Middle", "Old"]);
    expect(await titles({ topic: "build" })).toEqual(["New", "Middle", "Old"]);
    expect(await titles({ topic: "build", subtopic: "cache", archive: "1" })).toEqual(["New", "Old", "Archived"]);
    expect(await titles({ archive: "1" })).toHaveLength(5);
    const { entries } = (await world.get<ApiEntries>("/topics/entries", { topic: "build", archive: "1" })).body;
    expect(entries[0]).toEqual({
      root: "memory",
      path: "build/cache.md",
      topic: "build",
      subtopic: "cache",
      date: "2026-03-01",
      title: "New",
      text: "**Problem:** about New\n\n",
      isArchived: false,
    });
    expect(entries.at(-1)).toMatchObject({
      path: "archive/build/2020.md",
      subtopic: "cache",
      isArchived: true,
      text: "**Problem:** p\n\n",
    });
    expect(await world.failure(world.get("/topics/entries", { topic: "none" }))).toMatchObject({ status: 404 });
    expect(await world.failure(world.get("/topics/entries", { after: "x" }))).toMatchObject({ status: 400 });
  });

  it("TOP-1 a long timeline comes in pages, each entry once", async () => {
    const world = await open();
    const many = (from: number) => Array.from({ length: 60 }, (_, at) => entry("2026-01-01", `E${from + at}`)).join("");
    world.write("work/app/memory/a/one.md", many(0));
    world.write("work/app/memory/b/two.md", many(100));
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const query: Record<string, string> = after === undefined ? {} : { after };
      const { entries, next } = (await world.get<ApiEntries>("/topics/entries", query)).body;
      seen.push(...entries.map(({ title }) => title));
      if (next === undefined) break;
      after = next;
    }
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
  });

  it("TOP-1 without topics there are none, and no failure", async () => {
    const world = await open({
      askers: { eve: { author: "person:eve", grants: new Map([[root, new Set(["list", "read"])]]) } },
    });
    world.write("work/app/memory/a/one.md", entry("2026-01-01", "E"));
    expect((await world.get<ApiTopics>("/topics", {}, "eve")).body).toEqual({ topics: [] });
    expect((await world.get("/topics/entries", {}, "eve")).status).toBe(404);
  });
});

describe("WEB-3 the overview", () => {
  async function settled(world: Awaited<ReturnType<typeof open>>, who?: string): Promise<ApiOverview> {
    for (;;) {
      const { body } = await world.get<ApiOverview>("/overview", {}, who);
      if (body.partial.length === 0) return body;
    }
  }

  it("WEB-3 says what there is, what was learned lately and by whom, what was recalled and what never was", async () => {
    const world = await open({ askers: { bob: { author: "agent:bob" } } });
    const put = (path: string, content: string, who?: string) =>
      world.send("PUT", "/document", { root, path, content, ifRev: null }, who);
    await put("a.md", "alpha cookie\n");
    await put("b.md", "beta\n", "bob");
    await put("c.conflict-1a2b3c4d.md", "gamma\n", "bob");
    await world.send("PUT", "/document", {
      root: "memory",
      path: "t/s.md",
      content: entry("2026-01-01", "T"),
      ifRev: null,
    });
    await wholeAnswer(() => world.get("/search", { q: "beta", preview: "1" }));
    await world.get("/search", { q: "cookie" });
    const overview = await settled(world);
    expect(overview).toMatchObject({ documents: 4, conflicts: 1, warnings: [] });
    expect(overview.bytes).toBe(13 + 5 + 6 + Buffer.byteLength(entry("2026-01-01", "T")));
    expect(overview.recent.map(({ author }) => author)).toContain("agent:bob");
    expect(overview.growth).toHaveLength(90);
    expect(overview.growth.at(-1)).toEqual({ date: new Date().toISOString().slice(0, 10), documents: 4, changes: 4 });
    expect(overview.growth.at(-2)).toMatchObject({ documents: 0, changes: 0 });
    expect(overview.authors).toEqual([
      { author: "agent:bob", changes: 2 },
      { author: "person:ada", changes: 2 },
    ]);
    expect(overview.mostRecalled).toMatchObject([{ root, path: "a.md", count: 1 }]);
    expect(overview.neverRecalled.count).toBe(3);
    expect(overview.neverRecalled.examples).not.toContainEqual({ root, path: "a.md" });
    expect(overview.health?.some(({ about }) => about === "project")).toBe(true);
  });

  it("WEB-2 shows nobody more than they may read, and the health to an admin alone", async () => {
    const world = await open({
      askers: { eve: { author: "person:eve", grants: new Map([["memory", new Set(["list", "read"])]]) } },
    });
    await world.send("PUT", "/document", { root, path: "a.md", content: "alpha\n", ifRev: null });
    await world.get("/search", { q: "alpha" });
    const overview = await settled(world, "eve");
    expect(overview).toMatchObject({ documents: 0, bytes: 0, recent: [], authors: [], mostRecalled: [] });
    expect(overview.neverRecalled).toEqual({ count: 0, examples: [] });
    expect(overview.health).toBeUndefined();
  });

  it("WEB-3 counts moves, removals and hand edits where they belong", async () => {
    const world = await open();
    world.write(`work/app/${root}/hand.md`, "by hand\n");
    const made = (
      await world.send<{ rev: string }>("PUT", "/document", { root, path: "a.md", content: "a\n", ifRev: null })
    ).body;
    await world.send("POST", "/document/move", { root, path: "a.md", to: "b.md", ifRev: made.rev });
    await settled(world);
    await world.send("DELETE", `/document?root=${root}&path=b.md&ifRev=${made.rev}`);
    await expect.poll(async () => (await settled(world)).growth.at(-1)?.documents).toBe(1);
    const overview = await settled(world);
    expect(overview.documents).toBe(1);
    expect(overview.growth.at(-2)?.documents).toBe(0);
  });
});
