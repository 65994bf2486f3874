import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { openWorkspace, readOnly, toolSets } from "../../src/app.ts";
import { made } from "../../src/guard/rules/made.ts";
import { servedTools } from "../../src/mcp/served-tools.ts";
import { detailsOf, textOf } from "../helpers/mcp.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { wholeAnswer } from "../helpers/whole-answer.ts";

const folders = temporaryFolders();

async function connect(world: MemoryWorld, args: readonly string[] = []) {
  const server = await world.connect(args);
  onTestFinished(() => server.close());
  return server;
}

/** Twelve entries: the two oldest go into the archive. */
async function withArchive(): Promise<MemoryWorld> {
  const world = memoryWorld(folders.make());
  const server = await world.connect();
  for (let entry = 0; entry < 12; entry += 1) {
    const text = { context: "the orders table", problem: `query ${entry} is slow`, solution: "an index" };
    const date = `2026-03-${String(entry + 1).padStart(2, "0")}`;
    await server.call("store_in_memory", {
      topic: "perf",
      subtopic: "db",
      title: `Slow query ${entry}`,
      date,
      ...text,
    });
  }
  await server.close();
  return world;
}

interface Place {
  readonly name: string;
  readonly path: string;
  readonly title: string;
}

describe("SRCH-1 what search finds can be read", () => {
  it("SRCH-1 TOP-4 an archived entry is read by the name and the lines that search gave", async () => {
    const server = await connect(await withArchive());
    const found = await server.call("search_memory", { query: "slow query", limit: 50 });
    const { hits } = detailsOf(found) as { hits: (Place & { breadcrumb: string[] })[] };
    expect(hits).toHaveLength(12);
    for (const { name, title } of hits) {
      const read = await server.call("read_memory", { memory_name: name });
      expect(textOf(read)).toContain(`: ${title}\n`);
    }
    const archived = hits.filter(({ path }) => path === "archive/perf/2026.md");
    expect(archived.map(({ title }) => title).sort()).toEqual(["Slow query 0", "Slow query 1"]);
    expect(archived[0]?.breadcrumb).toEqual(["perf", "2026"]);
    expect(textOf(found)).toMatch(/archive\/perf\/2026 › Slow query \d \(lesson, 2026-03-\d\d, lines \d+-\d+/);
    expect(textOf(found)).toContain("(read_memory reads one in full, by its name.)");
  });

  it("SRCH-1 a whole file of topics is read by its path, and says how large it is", async () => {
    const world = memoryWorld(folders.make());
    world.write("work/app/memory/perf/db.md", "## 2026-01-01: One\ntext\n");
    const server = await connect(world);
    const read = await server.call("read_memory", { memory_name: "memory/perf/db.md" });
    expect(detailsOf(read)).toMatchObject({
      name: "perf/db",
      folder: "memory",
    });
    expect(textOf(read)).toBe("## 2026-01-01: One\ntext\n");
    const part = await server.call("read_memory", { memory_name: "memory/perf/db.md", start_line: 1 });
    expect(textOf(part)).toMatch(/^text\n/);
    expect(detailsOf(part)).toMatchObject({ part: { from: 1, to: 1, of: 2 } });
  });

  it("WEB-2 who may not read topics reads none by such a name, and is told of none", async () => {
    const world = memoryWorld(folders.make());
    world.write("work/app/memory/perf/db.md", "## 2026-01-01: One\n");
    const { project, home, env } = world;
    const workspace = await openWorkspace({ project, home, env: { ...env }, log: () => {} });
    onTestFinished(() => workspace.close());
    const served = (granted: readonly string[]) => {
      const grants = new Map(granted.map((root) => [root, readOnly] as const));
      const session = workspace.session({ author: "person:ada", grants });
      return servedTools(session, { tools: toolSets, historyRoots: [], topicsWarning: () => undefined }).records;
    };
    await expect(served([".serena/memories"])?.read("memory/perf/db.md")).rejects.toMatchObject({ code: "NOT_FOUND" });
    const seen = served([".serena/memories", "memory"]);
    expect(await seen?.read("memory/perf/db.md")).toMatchObject({ content: "## 2026-01-01: One\n" });
  });

  it("SRCH-1 MEM-5 where a note has the same name, each is read by what search calls it", async () => {
    const world = memoryWorld(folders.make());
    world.write("work/app/memory/perf/db.md", "## 2026-01-01: One\n");
    world.write("work/app/.serena/memories/memory/perf/db.md", "a note");
    world.write("work/app/.serena/memories/memory/perf/other.md", "another note");
    const server = await connect(world);
    const read = async (memory_name: string) => textOf(await server.call("read_memory", { memory_name }));
    expect(await read("memory/perf/db.md")).toBe("## 2026-01-01: One\n");
    expect(await read("memory/perf/db")).toBe("a note");
    expect(await read("mem:memory/perf/db.md")).toBe("a note");
    expect(await read("memory/perf/other.md")).toBe("another note");
  });

  it("SRCH-1 GUARD-1 nothing is read that search does not show: hidden, of another ending, a secret for its name", async () => {
    const world = memoryWorld(folders.make());
    const token = ["gh", "p_", made(60).slice(0, 36)].join("");
    const shown = ["perf/db.md", "plain.md", "a/b/c/deep.md", "archive/perf/2025.md"];
    const others = [
      ".env",
      ".hidden.md",
      "perf/.hidden.md",
      ".obs/a.md",
      "perf/.obs/a.md",
      ".recollect/a.md",
      "perf/.recollect/a.md",
      "key.pem",
      "perf/list.txt",
      "perf/DB2.MD",
      "index.md",
      `${token}/a.md`,
      `perf/${token}.md`,
    ];
    // Few of them are topics, so the folder has to be named.
    world.write("work/app/recollect.yaml", "memory_path: memory\n");
    for (const path of [...shown, ...others]) world.write(`work/app/memory/${path}`, "# Harbour\n\nharbour cranes\n");
    const server = await connect(world);
    const { hits } = detailsOf(
      await wholeAnswer(() => server.call("search_memory", { query: "harbour", limit: 50 })),
    ) as {
      hits: Place[];
    };
    expect([...new Set(hits.map(({ path }) => path))].sort()).toEqual(shown.toSorted());
    for (const path of shown) {
      expect(textOf(await server.call("read_memory", { memory_name: `memory/${path}` }))).toContain("harbour cranes");
    }
    for (const path of others) {
      for (const memory_name of [`memory/${path}`, `mem:memory/${path}`]) {
        const read = await server.call("read_memory", { memory_name });
        expect([path, read.isError, textOf(read).includes("harbour")]).toEqual([path, true, false]);
        expect(textOf(read)).not.toContain(token);
      }
    }
  });

  it("KER-2 what another root keeps inside the folder of topics is not read as a file of topics", async () => {
    const world = memoryWorld(folders.make());
    world.write("work/app/memory/notes/a.md", "of another root");
    const server = await connect(world, ["--additional-folders", "memory/notes"]);
    expect(textOf(await server.call("read_memory", { memory_name: "a" }))).toBe("of another root");
    const read = await server.call("read_memory", { memory_name: "memory/notes/a.md" });
    // By its place: it is the note of that folder.
    expect([detailsOf(read)["folder"], textOf(read)]).toEqual(["memory/notes", "of another root"]);
  });

  it("KER-2 nothing outside of the topics is reached by such a name", async () => {
    const world = memoryWorld(folders.make());
    world.write("work/app/memory/perf/db.md", "## 2026-01-01: One\n");
    world.write("work/app/outside.md", "not memory");
    const server = await connect(world);
    for (const memory_name of [
      "memory/../outside.md",
      "memory//outside.md",
      "memory/.recollect/x",
      "memory/./perf/db.md",
    ]) {
      const read = await server.call("read_memory", { memory_name });
      expect([read.isError, textOf(read).includes("not memory")]).toEqual([true, false]);
    }
  });
});

describe("USE-3 what a lesson is not for", () => {
  it("USE-3 what only a note allows says what is for a lesson", async () => {
    const world = memoryWorld(folders.make());
    const file = world.write("work/app/memory/perf/db.md", "## 2026-01-01: One\ntext\n");
    const server = await connect(world);
    for (const [tool, args, says] of [
      [
        "rename_memory",
        { old_name: "memory/perf/db.md", new_name: "perf" },
        /lessons keep their names.*store_in_memory/,
      ],
      ["write_memory", { memory_name: "memory/perf/db.md", content: "x" }, /store_in_memory adds one, edit_memory/],
      ["append_memory", { memory_name: "memory/perf/db.md", content: "x" }, /store_in_memory adds one, edit_memory/],
      ["write_memory", { memory_name: "perf/db › One", content: "x" }, /takes whole notes.*edit_memory/],
    ] as const) {
      const refused = await server.call(tool, args);
      expect([tool, refused.isError, textOf(refused)]).toEqual([tool, true, expect.stringMatching(says)]);
      expect(readFileSync(file, "utf8")).toBe("## 2026-01-01: One\ntext\n");
    }
    const missing = await server.call("delete_memory", { memory_name: "perf/dv" });
    expect(textOf(missing)).toMatch(/^NOT_FOUND: There is no note or lesson “perf\/dv”\. Did you mean “perf\/db”\?/);
  });

  it("USE-3 MEM-5 a note of the same name is called without .md, and is not taken for the lessons", async () => {
    const world = memoryWorld(folders.make());
    const lessons = world.write("work/app/memory/perf/db.md", "## 2026-01-01: One\ntext\n");
    const note = world.write("work/app/.serena/memories/memory/perf/db.md", "One");
    const server = await connect(world);
    const edit = { memory_name: "memory/perf/db.md", needle: "One", repl: "Two", mode: "literal" };
    expect((await server.call("edit_memory", edit)).isError).toBeFalsy();
    expect([readFileSync(lessons, "utf8"), readFileSync(note, "utf8")]).toEqual(["## 2026-01-01: Two\ntext\n", "One"]);
    expect((await server.call("delete_memory", { memory_name: "memory/perf/db" })).isError).toBeFalsy();
    expect([existsSync(note), existsSync(lessons)]).toEqual([false, true]);
  });

  it("MCP-2 without the tools of lessons and search, no lesson is read", async () => {
    const world = memoryWorld(folders.make());
    world.write("work/app/memory/perf/db.md", "## 2026-01-01: One\n");
    const searching = await connect(world, ["--tools", "memories,search"]);
    expect(textOf(await searching.call("read_memory", { memory_name: "memory/perf/db.md" }))).toContain("One");
    const alone = await connect(world, ["--tools", "memories"]);
    expect(textOf(await alone.call("read_memory", { memory_name: "memory/perf/db.md" }))).toMatch(
      /^NOT_FOUND: There is no note /,
    );
  });
});

describe("SRCH-4 recall names places as read_memory takes them", () => {
  it("SRCH-4 the text, the prompt and the structure agree with read_memory", async () => {
    const world = memoryWorld(folders.make());
    world.write(
      "work/app/.serena/memories/ops/harbour.md",
      "# Top\n\nNothing.\n\n## Harbour cranes\n\nShips moor here.\n",
    );
    world.write("work/app/memory/port/tides.md", "# tides\n\n## 2026-05-01: Harbour\n**Problem:** low water\n");
    const server = await connect(world);
    const recalled = await server.call("recall_context", { query: "harbour", max_items: 5 });
    expect(textOf(recalled)).toContain("**ops/harbour › Harbour cranes** (note, ");
    expect(textOf(recalled)).toContain("**port/tides › Harbour** (lesson, 2026-05-01, lines 3-4)");
    const { items } = detailsOf(recalled) as { items: Place[] };
    expect(items.map(({ name }) => name)).toContain("port/tides › Harbour");
    for (const { name, title } of items) {
      const read = await server.call("read_memory", { memory_name: name });
      expect(textOf(read).split("\n")[0]).toMatch(new RegExp(`^##? .*${title}$`));
    }
    const { messages } = await server.client.getPrompt({ name: "recall", arguments: { task: "harbour" } });
    expect(JSON.stringify(messages)).toContain("ops/harbour › Harbour cranes");
    const small = await server.call("recall_context", { query: "harbour cranes", max_tokens: 60, max_items: 1 });
    expect(textOf(small)).toContain("From ops/harbour › Harbour cranes, ");
    expect((await world.cli(["recall", "harbour"])).out).toContain("**ops/harbour › Harbour cranes** (note, ");
  });
});
