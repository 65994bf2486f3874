import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SearchPage } from "../../../src/search/search.ts";
import { snapshotOf } from "../../helpers/folder-snapshot.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { complete, pathsOf, type SearchWorld, searchWorld } from "./search-world.ts";

const folders = temporaryFolders();

function put(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const agentFile = ({ home }: SearchWorld, agent: string, path: string) =>
  join(home, ".local/share/recollect/agent_memory", agent, path);

const queries = [
  "zebrafish",
  "zebrafsh",
  "zebra fish harbour",
  '"secret harbour"',
  "path:** harbour",
  "harbour -nothing",
  "since:2000",
];

async function answers(world: SearchWorld, flags: Record<string, string>): Promise<unknown> {
  const pages: unknown[] = [];
  const workspace = await world.open({ flags });
  const search = workspace.search;
  for (const query of queries) pages.push(withoutTime(await complete(search, { query, explain: true, limit: 100 })));
  pages.push(await search.recall({ query: "zebrafish harbour" }), await search.reindex());
  await workspace.close();
  return pages;
}

/** Recency counts the moments between two questions. */
function withoutTime({ hits, ...page }: SearchPage) {
  return { ...page, hits: hits.map(({ score: _, explanation, ...hit }) => ({ ...hit, ...explanation, recency: 0 })) };
}

describe("what is not ours", () => {
  it("AGT-4 whatever another agent keeps, an agent's search is the same, down to scores and totals", async () => {
    const world = searchWorld(folders.make());
    world.note("n.md", "# Note\n\nThe harbour is closed.\n");
    put(agentFile(world, "ada", "own.md"), "# Own\n\nA harbour of my own, with a zebra.\n");
    const alone = await answers(world, { "--agent-id": "ada" });
    for (const agent of ["bob", "ada2", "ad", "ada.b"]) {
      put(
        agentFile(world, agent, "theirs.md"),
        "# Zebrafish\n\nThe secret harbour of the zebrafish. Harbour harbour.\n",
      );
      put(agentFile(world, agent, "own.md"), "# Harbour\n\nHarbour.\n");
      await world.ask("harbour", { flags: { "--agent-id": agent } });
    }
    expect(await answers(world, { "--agent-id": "ada" })).toEqual(alone);
    expect(JSON.stringify(alone)).toContain("own.md");
    const theirs = await world.ask("zebrafish", { flags: { "--agent-id": "bob" } });
    expect(theirs.hits[0]).toMatchObject({ path: "theirs.md", kind: "agent" });
    expect((await world.ask("zebra")).hits.map(({ kind }) => kind)).not.toContain("agent");
  });

  it("AGT-4 a link among an agent's files leads nowhere", async () => {
    const world = searchWorld(folders.make());
    put(agentFile(world, "bob", "theirs.md"), "# Zebrafish\n\nThe secret harbour.\n");
    put(agentFile(world, "ada", "own.md"), "# Own\n\nMine.\n");
    symlinkSync("../bob/theirs.md", agentFile(world, "ada", "link.md"));
    symlinkSync("../bob", agentFile(world, "ada", "folder"));
    symlinkSync("bob", agentFile(world, "eve", "").replace(/\/$/, ""));
    for (const id of ["ada", "eve"]) {
      const page = await world.ask("zebrafish harbour", { flags: { "--agent-id": id } }).catch(() => undefined);
      expect(JSON.stringify(page ?? "")).not.toContain("harbour");
    }
    // Nor one that takes the folder's place later.
    const search = await (await world.open({ flags: { "--agent-id": "ada" }, stays: true })).search;
    expect((await complete(search, "mine")).total).toBe(1);
    rmSync(agentFile(world, "ada", ""), { recursive: true });
    symlinkSync("bob", agentFile(world, "ada", "").replace(/\/$/, ""));
    expect(await complete(search, "zebrafish harbour")).toMatchObject({ hits: [], total: 0 });
    expect((await world.ask("zebrafish", { flags: { "--agent-id": "bob" } })).total).toBe(1);
  });

  it("SRCH-1 the other projects of a bank, and files beside the roots, are not found", async () => {
    const world = searchWorld(folders.make());
    const bank = join(world.home, "bank");
    put(join(bank, "app/plan.md"), "# Plan\n\nOur harbour.\n");
    put(join(bank, "other/plan.md"), "# Plan\n\nThe secret harbour of the zebrafish.\n");
    put(join(bank, "templates/plan.md"), "# Template\n\nDescribe the harbour.\n");
    put(join(bank, "beside.md"), "# Beside\n\nThe zebrafish harbour.\n");
    world.write("src/harbour.md", "# Source\n\nThe zebrafish harbour.\n");
    world.write(".serena/beside.md", "# Beside\n\nThe zebrafish harbour.\n");
    const page = await world.ask("harbour zebrafish", { flags: { "--memory-path": bank } });
    expect(pathsOf(page).sort()).toEqual(["plan.md", "plan.md"]);
    expect(page.hits.map(({ kind }) => kind)).toEqual(["bank", "bank"]);
    expect(page.total).toBe(2);
    expect(JSON.stringify(page)).not.toContain("zebrafish");
  });

  it("SRCH-1 what lies in a root inside another one is found once", async () => {
    const world = searchWorld(folders.make(), "memories: { additional_folders: [.serena/memories/inner] }\n");
    world.note("outer.md", "# Outer\n\nA harbour.\n");
    world.note("inner/note.md", "# Inner\n\nA harbour.\n");
    for (const stays of [false, true]) {
      const page = await world.ask("harbour", { stays });
      expect(page.hits.map(({ root, path }) => `${root}: ${path}`).sort()).toEqual([
        ".serena/memories/inner: note.md",
        ".serena/memories: outer.md",
      ]);
      expect(page.total).toBe(2);
    }
  });

  it("SRCH-1 links, special files and what is hidden are not found", async () => {
    const world = searchWorld(folders.make());
    put(join(world.home, "private.md"), "# Private\n\nThe zebrafish.\n");
    world.note("n.md", "# Note\n\nThe zebra.\n");
    world.note(".hidden.md", "# Hidden\n\nThe zebrafish.\n");
    world.note(".git/n.md", "# Hidden\n\nThe zebrafish.\n");
    symlinkSync(join(world.home, "private.md"), world.at(".serena/memories/link.md"));
    symlinkSync(world.home, world.at(".serena/memories/folder"));
    symlinkSync(world.at(".serena/memories/n.md"), world.at(".serena/memories/same.md"));
    for (const stays of [false, true]) {
      const page = await world.ask("zebrafish zebra", { stays });
      expect(pathsOf(page)).toEqual(["n.md"]);
    }
    // A document that becomes a link is gone.
    const search = await (await world.open({ stays: true })).search;
    await complete(search, "zebra");
    renameSync(world.at(".serena/memories/link.md"), world.at(".serena/memories/n.md"));
    expect((await complete(search, "zebra")).total).toBe(0);
  });

  it.each([false, true])("SRCH-3 a search makes and changes nothing in the roots (staying: %s)", async (stays) => {
    const world = searchWorld(folders.make());
    const flags = {
      "--memory-path": join(world.home, "bank"),
      "--agent-id": "ada",
      "--global-folder": join(world.home, "global"),
    };
    const bare = snapshotOf(world.project);
    const workspace = await world.open({ stays, flags });
    const search = workspace.search;
    await complete(search, "anything");
    expect(snapshotOf(world.project)).toEqual(bare);
    world.note("a/n.md", "# Note\n\nThe zebra.\n");
    put(join(world.home, "bank/app/plan.md"), "# Plan\n\nZebra.\n");
    put(agentFile(world, "ada", "own.md"), "# Own\n\nZebra.\n");
    const before = [
      world.project,
      join(world.home, "bank"),
      join(world.home, ".local/share/recollect/agent_memory"),
    ].map((one) => snapshotOf(one));
    expect((await complete(search, "zebra")).total).toBe(3);
    await search.recall({ query: "zebra" });
    await search.reindex();
    await workspace.close();
    expect(
      [world.project, join(world.home, "bank"), join(world.home, ".local/share/recollect/agent_memory")].map((one) =>
        snapshotOf(one),
      ),
    ).toEqual(before);
  });
});
