import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openRecallLedger } from "../../../src/search/service/recall-ledger.ts";
import { scopedSearch } from "../../../src/search/service/workspace-search.ts";
import { fakeSearch, sampleHit } from "../../helpers/fake-search.ts";
import { type MemoryWorld, memoryWorld } from "../../helpers/memory-world.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { wholeAnswer } from "../../helpers/whole-answer.ts";

const folders = temporaryFolders();
let world: MemoryWorld;
let data: string;

beforeEach(() => {
  world = memoryWorld(folders.make());
  data = join(world.home, ".local/share/recollect");
  world.write("work/app/.serena/memories/auth/login.md", "# Login\n\nThe session cookie expires early.\n");
  world.write("work/app/.serena/memories/other.md", "# Other\n\nNothing of that kind.\n");
});

function counted(place = join(world.project, ".serena/memories")): Record<string, number> {
  const ledger = openRecallLedger({ folder: data, placeOf: () => place });
  const found = Object.fromEntries(ledger.list("any").map(({ path, count }) => [path, count]));
  ledger.close();
  return found;
}

describe("SRCH-4 the ledger of what was recalled", () => {
  it("SRCH-4 counts what the command line recalls and finds, each document once for each answer", async () => {
    expect((await world.cli(["recall", "session", "cookie"])).code).toBe(0);
    expect(counted()).toEqual({ "auth/login.md": 1 });
    await world.cli(["search", "cookie"]);
    expect(counted()["auth/login.md"]).toBe(2);
  });

  it("SRCH-4 counts what an agent is given over MCP", async () => {
    const server = await world.connect();
    onTestFinished(() => server.close());
    // Finds nothing, and the index is built by then.
    await wholeAnswer(() => server.call("search_memory", { query: "cookie", path: "elsewhere/**" }));
    await server.call("recall_context", { query: "session cookie" });
    await server.call("search_memory", { query: "cookie" });
    await expect.poll(() => counted()["auth/login.md"], { timeout: 10_000 }).toBe(2);
  });

  it("SRCH-4 counts an agent's own files in their own place", async () => {
    const cache = join(world.folder, "agents");
    const flags = ["--agent-id", "bot", "--app-cache-dir", cache];
    await world.cli(["agent", "write", "n.md", "--content", "a jar of cookies", ...flags]);
    await world.cli(["search", "jar", ...flags]);
    expect(counted(join(cache, "agent_memory/bot"))).toEqual({ "n.md": 1 });
  });

  it("AGT-4 takes no folder of memories for an agent's own files, whatever it is called", async () => {
    const cache = join(world.folder, "agents");
    for (const name of ["agent", "agent_memory"]) {
      world.write(`work/app/${name}/of-all.md`, "# All\n\nA jar of cookies.\n");
      const flags = ["--agent-id", "bot", "--app-cache-dir", cache, "--memories-folder", name];
      await world.cli(["agent", "write", "own.md", "--content", "a jar of cookies", ...flags]);
      const { hits } = JSON.parse((await world.cli(["search", "jar", "--json", ...flags])).out);
      const roots = hits.map(({ root, path }: { root: string; path: string }) => `${root}:${path}`);
      expect(roots.sort()).toEqual([`./${name}:of-all.md`, "agent:own.md"]);
      expect(counted(join(world.project, name))).toEqual({ "of-all.md": 1 });
    }
    expect(counted(join(cache, "agent_memory/bot"))).toEqual({ "own.md": 2 });
  });

  it("SRCH-4 several pieces of one document are one, and a preview is none", async () => {
    const records: unknown[] = [];
    const { search } = fakeSearch({ hits: [sampleHit, sampleHit], total: 2, recalled: "text" });
    const counting = scopedSearch({
      use: (ask) => ask(search),
      handedOut: (documents) => records.push(documents),
      warning: () => undefined,
    });
    await counting.search({ query: "x", preview: true });
    expect(records).toEqual([]);
    await counting.search({ query: "x" });
    await counting.recall({ query: "x" });
    expect(records).toHaveLength(2);
    const ledger = openRecallLedger({
      folder: data,
      placeOf: (root) => (root === "memory" ? "/m" : undefined),
      now: () => 0,
    });
    ledger.record([sampleHit, sampleHit, { root: "elsewhere", path: "x.md" }]);
    expect(ledger.list("memory")).toEqual([{ path: sampleHit.path, count: 1, last: "1970-01-01T00:00:00.000Z" }]);
    expect(ledger.list("elsewhere")).toEqual([]);
    ledger.close();
  });

  it("SRCH-4 whoever only looks at it makes no file, and one that is damaged begins anew", async () => {
    expect(counted()).toEqual({});
    expect(existsSync(join(data, "access.sqlite"))).toBe(false);
    await world.cli(["search", "cookie"]);
    writeFileSync(join(data, "access.sqlite"), "this is no database ".repeat(500));
    expect((await world.cli(["search", "cookie"])).code).toBe(0);
    expect(counted()).toEqual({ "auth/login.md": 1 });
  });

  it("HIST-5 a purged value that was part of a name is gone from it as well", async () => {
    world.write("work/app/.serena/memories/leaked-hunter2secret.md", "# Cookie\n\nA cookie.\n");
    await world.cli(["search", "cookie"]);
    expect(Object.keys(counted())).toContain("leaked-hunter2secret.md");
    const purged = await world.cli(["purge", "--yes"], "hunter2secret");
    expect(purged.err).toBe("");
    expect(Object.keys(counted())).not.toContain("leaked-hunter2secret.md");
    expect(readFileSync(join(data, "access.sqlite")).includes("hunter2secret")).toBe(false);
  });
});
