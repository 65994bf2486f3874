import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { AgentMemoryService, openWorkspace, type SettingFlags, type Workspace } from "../../../src/app.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { type MemoryWorld, memoryWorld } from "../../helpers/memory-world.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { wholeAnswer } from "../../helpers/whole-answer.ts";

const folders = temporaryFolders();
const name = "cache/agent_memory/bob/secret";
let world: MemoryWorld;
let place: string;

beforeEach(() => {
  world = memoryWorld(folders.make());
  place = join(world.project, ".serena/memories/cache/agent_memory");
  mkdirSync(join(place, "bob"), { recursive: true });
  // As a build without markers left it.
  writeFileSync(join(place, "bob/secret.md"), "the xylophone is under the staircase\n");
});

async function open(options: { stays?: boolean; flags?: SettingFlags } = {}): Promise<Workspace> {
  const env = { PATH: process.env["PATH"] ?? "", XDG_CACHE_HOME: world.env["XDG_CACHE_HOME"] ?? "" };
  const workspace = await openWorkspace({ cwd: world.project, home: world.home, env, log: () => {}, ...options });
  onTestFinished(() => workspace.close());
  return workspace;
}

async function bobReads(): Promise<void> {
  const bob = new AgentMemoryService(join(place, ".."), { log: () => {} });
  expect(await bob.readMemoryFile("bob", "secret.md")).toContain("xylophone");
  await bob.close();
}

async function found(workspace: Workspace): Promise<readonly string[]> {
  const search = workspace.search;
  return (await wholeAnswer(() => search.search({ query: "xylophone" }))).hits.map(({ path }) => path);
}

describe("a place of agents without a marker", () => {
  it("AGT-4 gets one when an agent opens it, and a running server forgets what it knew of it", async () => {
    const server = await open({ stays: true });
    await server.memories.write("known", "known\n");
    expect(await found(server)).toEqual([`${name}.md`]);
    await server.history.catchUp({ waitMs: 60_000 });
    await bobReads();
    expect(JSON.parse(readFileSync(join(place, ".recollect/agents"), "utf8"))).toEqual({ format: 1 });
    expect(await found(server)).toEqual([]);
    expect(await server.memories.names()).toEqual(["known"]);
    for (const run of [
      () => server.memories.read(name),
      () => server.memories.delete(name),
      () => server.memories.rename(name, "taken"),
    ])
      expect(await errorOf(run)).toMatchObject({ code: "NOT_FOUND" });
    for (const run of [
      () => server.memories.write(name, "forged\n"),
      () => server.memories.append("cache/agent_memory/bob/new", "forged\n"),
    ])
      expect(await errorOf(run)).toBeInstanceOf(Error);
    expect(existsSync(join(place, "bob/new.md"))).toBe(false);
    await bobReads();
  });

  it("AGT-4 HIST-2 what history recorded of it before is shown to nobody, and verify finds no fault", async () => {
    const before = await open();
    await before.memories.append(name, "and more\n");
    await before.memories.write("known", "known\n");
    await before.history.catchUp({ waitMs: 60_000 });
    const told = await before.history.timeline({ limit: 9 });
    expect(JSON.stringify(told)).toContain("secret.md");
    await before.close();
    await bobReads();
    const after = await open();
    await after.history.catchUp({ waitMs: 60_000 });
    expect(JSON.stringify(await after.history.timeline({ limit: 9 }))).not.toMatch(/secret|bob/);
    await after.close();
    const shown = await world.cli(["show", name]);
    expect([shown.code, shown.out]).toEqual([3, ""]);
    const undone = await world.cli(["undo", "--path", name, "--yes"]);
    expect(`${undone.out}${undone.err}`).not.toContain("xylophone");
    expect(await world.cli(["verify"])).toMatchObject({ code: 0 });
    await bobReads();
  });

  it("AGT-4 a look at agents that have none makes nothing", async () => {
    rmSync(place, { recursive: true });
    const bob = new AgentMemoryService(join(place, ".."), { log: () => {} });
    expect((await bob.listMemoryFiles("bob")).files).toEqual([]);
    await bob.close();
    expect(existsSync(place)).toBe(false);
  });

  it.each<[string, SettingFlags]>([
    ["the memories", { "--memories-folder": ".serena/memories/cache/agent_memory/bob" }],
    ["additional memories", { "--additional-folders": ".serena/memories/cache/agent_memory" }],
    ["the topics", { "--topics-folder": ".serena/memories/cache/agent_memory/bob/topics" }],
  ])("AGT-4 nobody makes a root of what an agent has marked: %s", async (_, flags) => {
    await bobReads();
    expect(await errorOf(() => open({ flags }))).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("where agents keep files of their own"),
    });
  });

  it("AGT-4 a folder of this name that no agent has is a folder like any other", async () => {
    const workspace = await open();
    await workspace.memories.write("agent_memory/plan", "a plan for the memory of agents\n");
    expect(await workspace.memories.names()).toEqual(["agent_memory/plan", name]);
  });
});
