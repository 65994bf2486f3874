import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openAccessStats } from "../../../src/search/service/access-stats.ts";
import { cliProcess } from "../../helpers/cli.ts";
import { snapshotOf } from "../../helpers/folder-snapshot.ts";
import { type MemoryWorld, memoryWorld } from "../../helpers/memory-world.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;
let data: string;

beforeEach(() => {
  world = memoryWorld(folders.make());
  data = join(world.home, ".local/share/recollect");
  world.write("work/app/memory/build/cache.md", "## 2026-01-01: One\n**Problem:** p\n\n---\n\n");
  world.write("work/app/memory/build/tests.md", "## 2026-01-02: Two\n**Problem:** p\n\n---\n\n");
});

const database = () => join(data, "access.sqlite");
const load = (...args: string[]) => world.cli(["topics", "load", "build", ...args]);
const counted = () => {
  const stats = openAccessStats({ folder: data, root: join(world.project, "memory") });
  const found = Object.fromEntries(stats.list().map(({ path, count }) => [path, count]));
  stats.close();
  return found;
};

describe("TOP-6 access statistics", () => {
  it("TOP-6 count loads by file, with the last time, and change nothing in the project", async () => {
    const before = snapshotOf(world.project);
    await load();
    await load("cache");
    await load("missing");
    expect(counted()).toEqual({ "build/cache.md": 2, "build/tests.md": 1 });
    expect(snapshotOf(world.project)).toEqual(before);
    const stats = openAccessStats({ folder: data, root: "other", now: () => 0 });
    stats.record(["a.md", "b.md"]);
    expect(stats.list()).toEqual([
      { path: "a.md", count: 1, last: "1970-01-01T00:00:00.000Z" },
      { path: "b.md", count: 1, last: "1970-01-01T00:00:00.000Z" },
    ]);
    stats.close();
    stats.record([]);
    expect(stats.list()).toHaveLength(2);
    stats.close();
  });

  it("TOP-6 the archive is counted too, a store and a list are not", async () => {
    world.write("work/app/memory/archive/build/2020.md", "## 2020-01-01: Old\n**Archived from:** cache\n\n---\n\n");
    await load("cache", "--archive");
    await world.cli(["topics", "list"]);
    await world.cli(["topics", "store", "build", "cache", "--title", "New", "--problem", "p"]);
    expect(counted()).toEqual({ "build/cache.md": 1, "archive/build/2020.md": 1 });
  });

  it.each([
    ["garbage", () => writeFileSync(database(), "this is no database ".repeat(500))],
    ["an empty file", () => writeFileSync(database(), "")],
    ["a cut file", () => writeFileSync(database(), readFileSync(database()).subarray(0, 5000))],
    ["a flipped page", () => writeFileSync(database(), readFileSync(database()).fill(0x5a, 1024))],
    ["a missing file", () => rmSync(database())],
  ])("TOP-6 after %s a load works, and it counts from there on", async (_, damage) => {
    await load();
    for (const ending of ["-wal", "-shm"]) rmSync(database() + ending, { force: true });
    damage();
    expect(await load()).toMatchObject({ code: 0, err: "", out: expect.stringContaining("One") });
    await load();
    expect(counted()["build/cache.md"]).toBeGreaterThanOrEqual(1);
  });

  it("TOP-6 a table of another shape is begun anew", async () => {
    mkdirSync(data, { recursive: true });
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const other = new DatabaseSync(database());
    other.exec("CREATE TABLE access (something TEXT)");
    other.close();
    expect(await load()).toMatchObject({ code: 0, err: "" });
    expect(counted()).toEqual({ "build/cache.md": 1, "build/tests.md": 1 });
  });

  it("TOP-6 a load works where nothing can be kept: a folder or a file in the way", async () => {
    mkdirSync(database(), { recursive: true });
    expect(await load()).toMatchObject({ code: 0, err: "" });
    rmSync(data, { recursive: true });
    world.write("home/.local/share/recollect", "a file");
    expect(await load()).toMatchObject({ code: 0, err: "" });
    expect(counted()).toEqual({});
  });

  it("TOP-6 a database that another process holds locked costs a moment, and no load", async () => {
    await load();
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const holder = new DatabaseSync(database());
    holder.exec("BEGIN EXCLUSIVE");
    const takes = async () => {
      const begun = performance.now();
      expect(await load()).toMatchObject({ code: 0, err: "" });
      return performance.now() - begun;
    };
    // Others may keep the machine busy for a while; to wait for the database would take as long each time.
    await expect.poll(takes).toBeLessThan(3000);
    holder.exec("ROLLBACK");
    holder.close();
    expect(counted()).toEqual({ "build/cache.md": 1, "build/tests.md": 1 });
  });

  it("TOP-6 processes that load at the same time are all counted", async () => {
    const loads = Array.from({ length: 4 }, () =>
      cliProcess(["topics", "load", "build"], { cwd: world.project, env: world.env }),
    );
    for (const result of await Promise.all(loads)) expect(result).toMatchObject({ code: 0, err: "" });
    expect(counted()).toEqual({ "build/cache.md": 4, "build/tests.md": 4 });
  });

  it("TOP-6 whoever does not load makes no database", async () => {
    await world.cli(["memories", "list"]);
    await world.cli(["topics", "list"]);
    expect(() => readdirSync(data)).toThrow();
  });
});
