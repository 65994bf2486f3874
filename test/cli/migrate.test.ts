import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keepWorld, type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { postgresUrl } from "../helpers/postgres-stores.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;
let inDatabase: string[];
let space: string;
let bringBack: () => void;

beforeAll(async () => {
  world = memoryWorld(join(folders.make(), "world"));
  await fill();
  bringBack = keepWorld(world);
});

beforeEach(async () => {
  bringBack();
  space = `cli-${randomUUID()}`;
  inDatabase = ["--database-url", await postgresUrl(), "--database-space", space];
});

async function json(...args: string[]) {
  const { code, out, err } = await world.cli([...args, "--json"]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

async function fill(): Promise<void> {
  await world.cli(["memories", "write", "build", "--content", "one\n"]);
  await world.cli(["memories", "write", "build", "--content", "two\n"]);
  const entry = ["--title", "A title", "--problem", "p", "--solution", "s", "--context", "c"];
  await world.cli(["topics", "store", "api", "rate-limits", ...entry]);
  await world.cli(["agent", "write", "a.md", "--agent-id", "agent-1", "--content", "mine"]);
}

const namesOf = (report: { roots: { name: string }[] }) => report.roots.map(({ name }) => name).toSorted();
/** Without the ids of operations, and the names that places have. */
async function logOf(...args: string[]) {
  const { operations } = (await json("log", ...args)) as { operations: LoggedOperation[] };
  return operations.map(({ id: _, root: _root, changes, ...operation }) => ({
    ...operation,
    changes: changes.map(({ name: _name, ...change }) => change),
  }));
}

interface LoggedOperation {
  readonly id: string;
  readonly root: string;
  readonly changes: readonly { readonly name: string }[];
}

describe("PG-3 recollect migrate", () => {
  it("PG-3 copies memories, topics and agents to a database, where commands find them with their history", async () => {
    const log = await logOf();
    const planned = await json("migrate", "to-postgres", ...inDatabase, "--dry-run");
    expect(namesOf(planned)).toEqual(["agents/agent-1", "memories", "topics"]);
    expect(await logOf(...inDatabase)).toEqual([]);
    const done = await json("migrate", "to-postgres", ...inDatabase);
    expect(namesOf(done)).toEqual(["agents/agent-1", "memories", "topics"]);
    expect(done.roots.map((root: { space: string }) => root.space).toSorted()).toEqual(
      ["agents/agent-1", "memories", "topics"].map((part) => `${space}/${part}`),
    );
    expect(await logOf(...inDatabase)).toEqual(log);
    expect((await world.cli(["memories", "read", "build", ...inDatabase])).out).toContain("two");
    const agent = ["agent", "read", "a.md", "--agent-id", "agent-1"];
    expect((await world.cli([...agent, ...inDatabase])).out).toBe((await world.cli(agent)).out);
    const again = await world.cli(["migrate", "to-postgres", ...inDatabase]);
    expect(again.out.match(/nothing new/g)).toHaveLength(3);
  });

  it("PG-3 copies back into the folders that the settings give, and exports from both alike", async () => {
    const log = await logOf();
    await json("migrate", "to-postgres", ...inDatabase);
    const plain = await json("export", "../plain");
    for (const folder of [".serena", "memory"]) rmSync(join(world.project, folder), { recursive: true });
    rmSync(join(world.home, ".local/share/recollect"), { recursive: true });
    await world.cli(["memories", "write", "later", "--content", "in the database\n", ...inDatabase]);
    const back = await json("migrate", "to-files", ...inDatabase);
    expect(namesOf(back)).toEqual(["agents/agent-1", "memories", "topics"]);
    expect(readFileSync(join(world.project, ".serena/memories/later.md"), "utf8")).toBe("in the database\n");
    expect((await logOf()).slice(1)).toEqual(log);
    expect(await json("export", "../later", ...inDatabase)).toMatchObject({ documents: plain.documents + 1 });
    const exported = (name: string) => join(world.project, "..", name);
    expect(readdirSync(exported("later")).toSorted()).toEqual(["agents", "memories", "topics"]);
    expect(readFileSync(join(exported("plain"), "memories/build.md"), "utf8")).toBe("two\n");
    expect(readFileSync(join(exported("later"), "agents/agent-1/a.md"), "utf8")).toBe("mine");
    expect(existsSync(join(exported("later"), "memories/.recollect"))).toBe(false);
  });

  it("PG-3 HIST-5 what was purged stays refused at the new place, there and back", async () => {
    const [leaked, later] = ["correct horse battery staple", "another word that leaked"];
    const purge = (value: string, ...place: string[]) => world.cli(["purge", "--yes", "--refuse", ...place], value);
    const write = async (value: string, ...place: string[]) => {
      const { code, err } = await world.cli(["memories", "write", "again", "--content", `It is ${value}.`, ...place]);
      return [code, err.includes("was purged")];
    };
    await purge(leaked);
    const planned = await json("migrate", "to-postgres", ...inDatabase, "--dry-run");
    expect(planned.refusedValues).toBe(1);
    expect((await world.cli(["purge", "--list", ...inDatabase])).out).toBe("No value is refused.\n");
    const { out } = await world.cli(["migrate", "to-postgres", ...inDatabase]);
    expect(out).toContain("1 purged value is refused there, as here\n");
    expect(out).toMatch(/^tokens: not copied, .*recollect token create$/m);
    expect(out).toMatch(/^what the guard allows: not copied, .*recollect guard allow$/m);
    expect(await write(leaked, ...inDatabase)).toEqual([5, true]);
    await purge(later, ...inDatabase);
    for (const folder of [".serena", "memory"]) rmSync(join(world.project, folder), { recursive: true });
    rmSync(join(world.home, ".local/share/recollect"), { recursive: true });
    expect((await json("migrate", "to-files", ...inDatabase)).refusedValues).toBe(2);
    expect([await write(leaked), await write(later)]).toEqual([
      [5, true],
      [5, true],
    ]);
    expect((await json("migrate", "to-files", ...inDatabase)).refusedValues).toBe(0);
  });

  it("PG-3 says what to do where no database is given, a place holds something else, or an export would", async () => {
    const none = await world.cli(["migrate", "to-postgres"]);
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining("--database-url") });
    await world.cli(["memories", "write", "other", "--content", "there already\n", ...inDatabase]);
    const taken = await world.cli(["migrate", "to-postgres", ...inDatabase]);
    expect(taken).toMatchObject({ code: 5, err: expect.stringContaining("Choose an empty one") });
    expect(await world.cli(["export", "."])).toMatchObject({ code: 5 });
    expect(await world.cli(["export", ".serena/memories/inside"])).toMatchObject({ code: 5 });
    expect(existsSync(join(world.project, ".serena/memories/inside"))).toBe(false);
  });

  it("PG-3 names the folder that is set, the space of it, and what to set afterwards", async () => {
    world.write("home/.config/recollect/config.yaml", `memories:\n  folder: ${world.project}/notes\n`);
    await world.cli(["memories", "write", "elsewhere", "--content", "in notes\n"]);
    const { out } = await world.cli(["migrate", "to-postgres", ...inDatabase, "--dry-run"]);
    expect(out).toContain(`${world.project}/notes → postgres:${space}/memories`);
    expect(out).toContain(`set memories.folder to postgres:${space}/memories`);
  });
});
