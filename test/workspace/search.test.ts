import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordsInFolder } from "../../src/backends/files/records.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { errorOf } from "../helpers/error-of.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { complete, databasesIn, indexFiles, pathsOf, searchWorld } from "../search/whole/search-world.ts";
import { startPartner } from "../search/whole/start-partner.ts";

const folders = temporaryFolders();

describe("the search of a workspace", () => {
  it("SRCH-3 costs nothing until it is asked for", async () => {
    const world = searchWorld(folders.make());
    const workspace = await world.open({ stays: true });
    await workspace.memories.write("a", "# A\n\nharbour\n");
    expect(indexFiles(world)).toEqual([]);
    expect(pathsOf(await complete(workspace.search, "harbour"))).toEqual(["a.md"]);
    const databases = databasesIn(world);
    expect(databases.length).toBeGreaterThan(0);
    expect(pathsOf(await complete(workspace.search, "harbour"))).toEqual(["a.md"]);
    expect(databasesIn(world)).toEqual(databases);
  });

  it("SRCH-3 has the writes of its own workspace, whatever they are", async () => {
    const world = searchWorld(folders.make(), "search: { meaning: false }\n");
    for (const stays of [true, false]) {
      const { memories, topics, search } = await world.open({ stays });
      const found = async (word: string) => pathsOf(await complete(search, word));
      await memories.write("a", "# A\n\nkingfisher\n");
      expect(await found("kingfisher")).toEqual(["a.md"]);
      await memories.append("a", "\nlighthouse\n");
      expect(await found("lighthouse")).toEqual(["a.md"]);
      await memories.rename("a", "b/c");
      expect(await found("lighthouse")).toEqual(["b/c.md"]);
      await topics.store({
        topic: "sea",
        subtopic: "tide",
        title: "Low",
        context: "c",
        problem: "sandbank",
        solution: "s",
      });
      expect(await found("sandbank")).toEqual(["sea/tide.md"]);
      await memories.delete("b/c");
      expect(await found("kingfisher")).toEqual([]);
      rmSync(world.at("memory"), { recursive: true });
    }
  });

  it("SRCH-3 a damaged record of what the guard may let pass is told, and mended without a restart", async () => {
    const world = searchWorld(folders.make());
    world.note("a.md", "# A\n\nharbour\n");
    const { openAllowList } = await import("../../src/credentials/allow-list.ts");
    const folder = join(world.home, ".local/share/recollect");
    await openAllowList({ records: recordsInFolder(folder) }).allow("0123456789abcdef0123456789abcdef", "an example");
    const [name = ""] = readdirSync(join(folder, "guard-allowed"));
    writeFileSync(join(folder, "guard-allowed", name), "{ not json");
    const workspace = await world.open();
    expect(await errorOf(() => workspace.search.search({ query: "harbour" }))).toMatchObject({
      name: "RecollectError",
    });
    rmSync(join(folder, "guard-allowed", name));
    expect(pathsOf(await complete(workspace.search, "harbour"))).toEqual(["a.md"]);
  });

  it("SRCH-3 many questions at once have the answers of one after the other", async () => {
    const world = searchWorld(folders.make(), "search: { recency_weight: 0 }\n");
    for (let number = 0; number < 40; number += 1)
      world.note(`n${number}.md`, `# N${number}\n\nharbour crane${number % 5}\n`);
    for (const stays of [true, false]) {
      const search = await (await world.open({ stays })).search;
      const queries = ["harbour", "crane1", "crane2 harbour", "-crane1 harbour", '"harbour crane3"'];
      const single = [];
      for (const query of queries) single.push(await complete(search, query));
      const together = await Promise.all([...queries, ...queries].map((query) => complete(search, query)));
      expect(together).toEqual([...single, ...single]);
    }
  });

  it("SRCH-3 answers are whole while others throw the index away and build it anew", async () => {
    const world = searchWorld(folders.make(), "search: { meaning: false }\n");
    for (let number = 0; number < 120; number += 1)
      world.note(`n${number}.md`, `# N${number}\n\nharbour crane${number % 5}\n`);
    const partner = startPartner();
    const { project, home } = world;
    await partner.tell({ open: { project, home, stays: false } });
    const ended = partner.tell({ forever: [{ kind: "reindex" }] });
    const [staying, brief] = [await world.open({ stays: true }), await world.open()];
    const totals = new Set<number>();
    try {
      for (let round = 0; round < 40; round += 1) {
        for (const workspace of [staying, brief]) totals.add((await complete(workspace.search, "harbour")).total);
      }
      const own = staying.search;
      const [page, counts, other] = await Promise.all([
        complete(own, "harbour"),
        own.reindex(),
        complete(own, "harbour"),
      ]);
      expect(counts).toMatchObject({ documents: 120, units: 120 });
      for (const one of [page, other]) totals.add(one.total);
    } finally {
      await partner.kill();
      await ended;
    }
    expect([...totals]).toEqual([120]);
  });

  it("SRCH-3 can be closed at any time, also twice, and nothing keeps it from being opened again", async () => {
    const world = searchWorld(folders.make());
    for (let number = 0; number < 300; number += 1)
      world.note(`n${number}.md`, `# N${number}\n\nharbour crane${number % 5}\n`);
    for (const [round, stays] of [true, false, true, false].entries()) {
      const workspace = await openWorkspace({ project: world.project, home: world.home, env: {}, stays });
      const asked = workspace.search.search({ query: "harbour" }).catch(() => undefined);
      for (let turn = 0; turn < round * 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await workspace.close();
      await workspace.close();
      await asked;
    }
    expect((await world.ask("harbour")).total).toBe(300);
  });

  it("SRCH-3 tells how far a long build is, and counts up to the end", async () => {
    const world = searchWorld(folders.make(), "search: { meaning: false }\n");
    for (let number = 0; number < 700; number += 1) world.note(`n${number}.md`, `# N${number}\n\nharbour\n`);
    const search = await (await world.open()).search;
    const told: { done: number; total: number; root: string }[] = [];
    expect((await search.search({ query: "harbour" }, (progress) => void told.push(progress))).total).toBe(700);
    expect(told[0]).toEqual({ root: ".serena/memories", done: 0, total: 700 });
    expect(told.at(-1)).toEqual({ root: ".serena/memories", done: 700, total: 700 });
    const counts = told.map(({ done }) => done);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(new Set(counts).size).toBeGreaterThan(50);
  });
});
