import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApiSaved } from "../../../src/http/api/contract/document.ts";
import type { ApiDiff, ApiHistory, ApiRestored, ApiShown } from "../../../src/http/api/contract/history.ts";
import { apiWorlds } from "./open-api.ts";

const open = apiWorlds();
const root = ".serena/memories";
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`);

async function written() {
  const world = await open({ askers: { bob: { author: "agent:bob", run: "r1" } } });
  const before = lines(1, 40).join("");
  const after = [...lines(1, 19), "line twenty\n", "and more\n", ...lines(21, 40)].join("");
  const first = (await world.send<ApiSaved>("PUT", "/document", { root, path: "a.md", content: before, ifRev: null }))
    .body;
  const second = (
    await world.send<ApiSaved>("PUT", "/document", { root, path: "a.md", content: after, ifRev: first.rev }, "bob")
  ).body;
  return { world, before, after, first, second };
}

describe("HIST-1 history over the JSON API", () => {
  it("HIST-2 lists who changed what, of a document, a folder, an author and everything", async () => {
    const { world, first, second } = await written();
    await world.send("PUT", "/document", { root, path: "sub/b.md", content: "b\n", ifRev: null });
    const of = async (query: Record<string, string>) => (await world.get<ApiHistory>("/history", query)).body;
    const { revisions } = await of({ root, path: "a.md" });
    expect(revisions).toMatchObject([
      { root, author: "agent:bob", run: "r1", changes: [{ path: "a.md", rev: second.rev, was: first.rev }] },
      { root, author: "person:ada", changes: [{ path: "a.md", rev: first.rev }] },
    ]);
    expect((await of({ root, folder: "sub" })).revisions).toHaveLength(1);
    expect((await of({ root, author: "agent:bob" })).revisions).toHaveLength(1);
    expect((await of({ run: "r1" })).revisions).toHaveLength(1);
    expect((await of({})).revisions).toHaveLength(3);
    const page = await of({ root, limit: "2" });
    expect(page.revisions).toHaveLength(2);
    expect((await of({ root, limit: "2", after: page.next ?? "" })).revisions).toHaveLength(1);
  });

  it("HIST-2 goes back to the first operation of all roots, page by page, whatever is written in between", async () => {
    const { world } = await written();
    const topics = world.workspace.topics;
    const learn = (topic: string, title: string) =>
      topics.store({ topic, subtopic: "cache", title, context: "c", problem: "p", solution: "s" });
    const write = (path: string) => world.send("PUT", "/document", { root, path, content: "x\n", ifRev: null }, "bob");
    for (const name of ["b", "c", "d"]) {
      await learn("build", `Lesson ${name}`);
      await write(`${name}.md`);
    }
    await learn("build", "Lesson e");
    await learn("build", "Lesson f");
    const page = async (query: Record<string, string>) => (await world.get<ApiHistory>("/history", query)).body;
    const idsOf = ({ revisions }: ApiHistory) => revisions.map(({ id, root: from }) => `${from} ${id}`);

    const whole = await page({});
    expect([whole.revisions.length, whole.next]).toEqual([10, undefined]);
    for (const limit of ["1", "2", "3"]) {
      const expected = idsOf(await page({}));
      let shown = await page({ limit });
      const seen = idsOf(shown);
      // What comes after the first page is on none of those that follow it.
      await write(`late-${limit}.md`);
      await learn("late", `Late ${limit}`);
      while (shown.next !== undefined) {
        shown = await page({ limit, after: shown.next });
        expect(shown.revisions.length).toBeLessThanOrEqual(Number(limit));
        seen.push(...idsOf(shown));
      }
      expect(seen).toEqual(expected);
    }
    const bobs = await page({ author: "agent:bob", limit: "4" });
    const older = await page({ author: "agent:bob", limit: "4", after: bobs.next ?? "" });
    expect([...bobs.revisions, ...older.revisions].map(({ author }) => author)).toEqual(Array(7).fill("agent:bob"));
    expect(older.next).toBeUndefined();
  });

  it.each([
    ["/history", { root }, "100"],
    ["/search", { q: "x" }, "50"],
  ])("HIST-1 SRCH-1 the limit of %s is from 1 on, and says so", async (path, query, most) => {
    const world = await open();
    for (const limit of ["0", "101"]) {
      const refused = await world.failure(world.get(path, { ...query, limit }));
      expect([refused.status, refused.message]).toEqual([400, expect.stringContaining(`from 1 to ${most}`)]);
    }
    expect((await world.get(path, { ...query, limit: most })).status).toBe(200);
  });

  it("WEB-1 of two long revisions that differ in every line so many rows are shown, and how many more there are", async () => {
    const world = await open();
    const [before, after] = ["a", "b"].map((word) => lines(1, 6000).join("").replaceAll("line", word));
    const { rev } = (
      await world.send<ApiSaved>("PUT", "/document", { root, path: "a.md", content: before, ifRev: null })
    ).body;
    await world.send("PUT", "/document", { root, path: "a.md", content: after, ifRev: rev });
    const { rows, more } = (await world.get<ApiDiff>("/history/diff", { root, path: "a.md" })).body;
    expect([rows?.length, more]).toEqual([5000, 1000]);
    expect(rows?.at(-1)).toMatchObject({ kind: "changed", left: { text: "a 5000" }, right: { text: "b 5000" } });
  });

  it("HIST-1 shows a revision, and two side by side without what they have in common", async () => {
    const { world, before, first } = await written();
    const shown = (await world.get<ApiShown>("/history/show", { root, path: "a.md", rev: first.rev ?? "" })).body;
    expect(shown).toMatchObject({ path: "a.md", rev: first.rev, text: before, revision: { author: "person:ada" } });
    const { rows, from, to } = (await world.get<ApiDiff>("/history/diff", { root, path: "a.md" })).body;
    expect([from?.rev, to.revision.author]).toEqual([first.rev, "agent:bob"]);
    expect(rows?.map(({ kind }) => kind)).toEqual([
      "skipped",
      ...Array(3).fill("same"),
      "changed",
      "added",
      ...Array(3).fill("same"),
      "skipped",
    ]);
    expect(rows?.[0]).toMatchObject({ left: { line: 1 }, right: { line: 1 }, count: 16 });
    expect(rows?.[4]).toEqual({
      kind: "changed",
      left: { line: 20, text: "line 20" },
      right: { line: 20, text: "line twenty" },
    });
    expect(rows?.[5]).toEqual({ kind: "added", right: { line: 21, text: "and more" } });
    const oldest = (await world.get<ApiDiff>("/history/diff", { root, path: "a.md", to: first.rev ?? "" })).body;
    expect(oldest.from).toBeUndefined();
    expect(oldest.rows?.every(({ kind }) => kind === "added")).toBe(true);
  });

  it("HIST-1 restores a revision as a new one, under the name of who asked, and says where nothing was to do", async () => {
    const { world, before, first, second } = await written();
    const restore = { root, path: "a.md", rev: first.rev };
    const late = { ...restore, ifRev: first.rev };
    expect(await world.failure(world.send("POST", "/history/restore", late))).toMatchObject({
      status: 409,
      data: { current: { rev: second.rev } },
    });
    const done = await world.send<ApiRestored>("POST", "/history/restore", { ...restore, ifRev: second.rev }, "bob");
    expect(done.body).toEqual({ root, path: "a.md", rev: first.rev, restored: true });
    expect(readFileSync(join(world.project, root, "a.md"), "utf8")).toBe(before);
    expect((await world.send<ApiRestored>("POST", "/history/restore", restore)).body.restored).toBe(false);
    const { revisions } = (await world.get<ApiHistory>("/history", { root, path: "a.md" })).body;
    expect(revisions[0]).toMatchObject({ author: "agent:bob", reason: expect.stringContaining("restore") });
  });

  it("HIST-1 says what is missing: a root, a document, a revision", async () => {
    const { world } = await written();
    const asked: readonly (readonly [string, Record<string, string>, number])[] = [
      ["/history", { root: "none" }, 404],
      ["/history", { path: "a.md" }, 400],
      ["/history", { root, after: "nothing" }, 400],
      ["/history", { after: "nothing" }, 400],
      ["/history", { after: Buffer.from('{"roots":{"x":1}}').toString("base64url") }, 400],
      ["/history/show", { root, path: "none.md" }, 404],
      ["/history/show", { root, path: "a.md", rev: "abcdabcd" }, 404],
      ["/history/show", { root, path: "a.md", rev: "?" }, 400],
      ["/history/diff", { root, path: "../a.md" }, 400],
    ];
    for (const [path, query, status] of asked) {
      expect((await world.failure(world.get(path, query))).status, `${path} ${JSON.stringify(query)}`).toBe(status);
    }
  });

  it("HIST-1 an operation with very many changes is shown in part, and says so", async () => {
    const world = await open();
    for (let at = 0; at < 60; at += 1) world.write(`work/app/${root}/n${at}.md`, `${at}\n`);
    const { revisions } = (await world.get<ApiHistory>("/history", { root })).body;
    expect(revisions[0]).toMatchObject({ more: 10 });
    expect(revisions[0]?.changes).toHaveLength(50);
  });
});
