import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace } from "../../src/app.ts";
import { createOverviews } from "../../src/http/api/overview/overviews.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { makeRemote, scratch } from "./clones.ts";

/** Two users of one remote; `file` is where a topic of theirs lies. */
function users() {
  const folder = scratch();
  const remote = makeRemote(join(folder, "team.git"));
  const make = (name: string) => {
    const world = memoryWorld(join(folder, name));
    const lines = ["external_memory_enabled: true", "memory_type: git_repo", "sync_strategy: manual"];
    const text = [...lines, `memory_path: "file://${remote}"`].map((line) => `  ${line}\n`).join("");
    world.write("home/.config/recollect/config.yaml", `memory_configuration:\n${text}`);
    return world;
  };
  return [make("one"), make("other")] as const;
}

function file(world: MemoryWorld, path: string): string {
  const clones = join(world.home, ".local/share/recollect/repositories");
  return join(clones, readdirSync(clones)[0] ?? "", path);
}

function edit(world: MemoryWorld, path: string, from: string, to: string): void {
  writeFileSync(file(world, path), readFileSync(file(world, path), "utf8").replace(from, to));
}

async function shared(): Promise<readonly [MemoryWorld, MemoryWorld]> {
  const worlds = users();
  const [one, other] = worlds;
  for (const subtopic of ["cache", "else"]) {
    await one.cli(["topics", "store", "build", subtopic, "--title", "T", "--context", "c", "--solution", "first"]);
  }
  for (const world of [one, other]) await world.cli(["sync"]);
  return worlds;
}

async function inOverview({ project, home, env }: MemoryWorld): Promise<number> {
  const workspace = await openWorkspace({ project, home, env: { ...env }, log: () => {} });
  const overview = await createOverviews(workspace, { patienceMs: 30_000 }).of(workspace);
  await workspace.close();
  expect(overview).toMatchObject({ partial: [], warnings: [] });
  return overview.conflicts;
}

describe("HIST-4 resolve lists what has nothing beside it", () => {
  it("HIST-4 a change that outlived a deletion stays or goes, as somebody says", async () => {
    const [one, other] = await shared();
    for (const name of ["cache", "else"]) {
      rmSync(file(one, `build/${name}.md`));
      edit(other, `build/${name}.md`, "first", "second");
    }
    await one.cli(["sync"]);
    expect((await other.cli(["sync"])).code).toBe(4);
    const listed = await other.cli(["resolve"]);
    expect(listed.code).toBe(4);
    expect(listed.out).toContain("one side deleted what the other changed, and the change is kept");
    expect(listed.out).toMatch(/recollect resolve \S*cache\.md\S* --keep theirs: it is deleted/);
    const { unsettled } = JSON.parse((await other.cli(["resolve", "--json"])).out);
    expect(unsettled).toMatchObject([
      { path: "build/cache.md" },
      { path: "build/else.md", kind: "deleted-and-changed" },
    ]);
    const looked = await other.cli(["doctor"]);
    expect([looked.code, looked.out]).toEqual([
      1,
      expect.stringMatching(/✗ conflicts +\S*build\/cache\.md: one side deleted/),
    ]);
    expect(await inOverview(other)).toBe(2);
    expect((await other.cli(["resolve", "build/cache.md", "--keep", "merged"])).code).toBe(2);
    expect((await other.cli(["resolve", "build/cache.md", "--keep", "theirs", "--dry-run"])).code).toBe(0);
    expect(readFileSync(file(other, "build/cache.md"), "utf8")).toContain("second");
    for (const [name, keep] of [
      ["build/cache.md", "ours"],
      ["build/else.md", "theirs"],
    ] as const) {
      expect((await other.cli(["resolve", name, "--keep", keep])).code).toBe(0);
    }
    expect(readFileSync(file(other, "build/cache.md"), "utf8")).toContain("second");
    expect(readdirSync(file(other, "build")).filter((name) => name.endsWith(".md"))).toEqual(["cache.md"]);
    expect(readFileSync(file(other, "index.md"), "utf8")).not.toContain("else");
    expect(await other.cli(["resolve"])).toMatchObject({ code: 0, out: "No conflicts wait.\n" });
    expect(await inOverview(other)).toBe(0);
    await other.cli(["sync"]);
    expect((await other.cli(["resolve"])).code).toBe(0);
  });

  it("HIST-4 asks which one is meant where a note of that name has another version beside it", async () => {
    const [one, other] = await shared();
    rmSync(file(one, "build/cache.md"));
    edit(other, "build/cache.md", "first", "second");
    await one.cli(["sync"]);
    await other.cli(["sync"]);
    other.write("work/app/.serena/memories/build/cache.md", "mine\n");
    other.write("work/app/.serena/memories/build/cache.conflict-1a2b3c4d.md", "other\n");
    expect(await other.cli(["resolve", "build/cache", "--keep", "theirs"])).toMatchObject({ code: 2 });
    expect(readFileSync(file(other, "build/cache.md"), "utf8")).toContain("second");
    const place = ".serena/memories/build/cache";
    expect(await other.cli(["resolve", place, "--keep", "theirs"])).toMatchObject({ code: 0 });
    expect(await other.cli(["resolve", "build/cache", "--keep", "theirs"])).toMatchObject({ code: 0 });
    expect(readdirSync(file(other, "build"))).not.toContain("cache.md");
  });

  it("HIST-4 entries of which both versions are kept are settled by hand, or stay", async () => {
    const [one, other] = await shared();
    for (const [world, word] of [
      [one, "mine"],
      [other, "theirs"],
    ] as const) {
      for (const name of ["cache", "else"]) edit(world, `build/${name}.md`, "first", word);
      await world.cli(["sync"]);
    }
    const listed = await other.cli(["resolve"]);
    expect([listed.code, listed.out]).toEqual([4, expect.stringContaining("or take one version out of the file")]);
    expect((await other.cli(["resolve", "build/cache.md", "--keep", "both"])).code).toBe(0);
    const entries = readFileSync(file(other, "build/else.md"), "utf8").split(/(?=^## )/m);
    writeFileSync(file(other, "build/else.md"), entries[0] ?? "");
    expect((await other.cli(["resolve"])).out).toBe("No conflicts wait.\n");
    const both = readFileSync(file(other, "build/cache.md"), "utf8");
    expect([both.includes("mine"), both.includes("theirs")]).toEqual([true, true]);
    // What lets both stay changes no document: elsewhere it is settled on its own.
    for (const world of [one, other, one]) await world.cli(["sync"]);
    expect((await one.cli(["resolve", "--json"])).out).toContain("build/cache.md");
    expect((await one.cli(["resolve", "build/cache.md", "--keep", "both"])).code).toBe(0);
    expect((await one.cli(["resolve"])).out).toBe("No conflicts wait.\n");
    expect((await other.cli(["resolve"])).out).toBe("No conflicts wait.\n");
  });

  it("HIST-4 a clone that cannot be read keeps nobody from settling what lies elsewhere", async () => {
    const [one] = users();
    await one.cli(["topics", "store", "build", "cache", "--title", "T", "--context", "c", "--solution", "first"]);
    await one.cli(["sync"]);
    one.write("work/app/.serena/memories/build.md", "mine\n");
    one.write("work/app/.serena/memories/build.conflict-1a2b3c4d.md", "other\n");
    rmSync(file(one, ".git/HEAD"));
    expect((await one.cli(["resolve"])).code).toBe(4);
    expect((await one.cli(["resolve", "build", "--keep", "ours"])).code).toBe(0);
  });
});
