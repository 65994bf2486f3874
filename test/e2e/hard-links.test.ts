import { execFileSync } from "node:child_process";
import { linkSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { canGiveAway, writeForeignFile } from "../backends/files/scratch.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

const bank = (...args: string[]) => world.cli(["bank", ...args, "--memory-path", world.bank]);
const agent = (...args: string[]) => world.cli(["agent", ...args, "--agent-id", "ada"]);
const entry = (title: string, solution: string) =>
  world.cli(
    ["topics", "store", "build", "cache", "--title", title].concat(
      "--context",
      "c",
      "--problem",
      "p",
      "--solution",
      solution,
    ),
  );

/** Everything but compiled code and what is derived, byte for byte. */
function bytesIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const names = files.map((one) => join(one.parentPath, one.name)).filter((name) => !/\.sqlite|\.cache/.test(name));
  return new Map(names.sort().map((name) => [name.slice(folder.length), readFileSync(name, "latin1")]));
}

describe("a backup by hard links of everything that a user has", () => {
  it("KER-2 disables nothing: memories, topics, bank and agents, by command and over MCP", async () => {
    await world.cli(["memories", "write", "a", "--content", "the zebra"]);
    await entry("First", "the giraffe");
    await bank("write", "plan.md", "--content", "the walrus");
    await agent("write", "own.md", "--content", "the lynx");
    const backup = join(folders.make(), "backup");
    execFileSync("cp", ["-al", world.folder, backup]);
    const before = bytesIn(backup);

    const listed = await world.cli(["memories", "list"]);
    expect(listed.out).toContain("hard-link");
    expect((await world.cli(["memories", "read", "a"])).out).toContain("the zebra");
    for (const [word, found] of [
      ["zebra", "the zebra"],
      ["giraffe", "the giraffe"],
    ] as const) {
      expect(await world.cli(["search", word])).toMatchObject({ code: 0, out: expect.stringContaining(found) });
    }
    const doctor = await world.cli(["doctor"]);
    expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining("has a second name (hard link)")]);
    expect(await world.cli(["verify"])).toMatchObject({ code: 0 });

    expect(await world.cli(["memories", "append", "a", "--content", "\nand more"])).toMatchObject({ code: 0, err: "" });
    expect(await world.cli(["memories", "write", "new", "--content", "new"])).toMatchObject({ code: 0, err: "" });
    expect(await entry("Second", "the okapi")).toMatchObject({ code: 0, err: "" });
    expect(await bank("write", "plan.md", "--content", "another walrus")).toMatchObject({ code: 0, err: "" });
    expect(await agent("append", "own.md", "--content", " and a cub")).toMatchObject({ code: 0, err: "" });
    const server = await world.connect(["--agent-id", "ada"]);
    try {
      const written = await server.call("write_memory", { memory_name: "a", content: "by a server" });
      expect(written.isError).toBeFalsy();
      const found = await server.call("search_memory", { query: "okapi" });
      expect(JSON.stringify(found)).toContain("the okapi");
      expect(JSON.stringify(await server.call("read_memory_file", { relative_file_path: "own.md" }))).toContain(
        "the lynx and a cub",
      );
    } finally {
      await server.close();
    }
    expect((await world.cli(["log", "a"])).out.trim().split("\n").length).toBeGreaterThanOrEqual(3);
    expect(await world.cli(["verify"])).toMatchObject({ code: 0 });
    expect(bytesIn(backup)).toEqual(before);
    expect(statSync(join(world.project, ".serena/memories/a.md")).nlink).toBe(1);
  });
});

it.runIf(canGiveAway)("SRCH-1 a search says what it could not read", async () => {
  await world.cli(["memories", "write", "a", "--content", "known"]);
  writeForeignFile(join(world.folder, "foreign.md"), "the zebra");
  linkSync(join(world.folder, "foreign.md"), join(world.project, ".serena/memories/b.md"));
  for (let time = 0; time < 2; time += 1) {
    const { err } = await world.cli(["search", "zebra"]);
    expect(err).toContain("“b.md” in “.serena/memories” may not be read by this user, so it is not searched.");
  }
  const server = await world.connect();
  try {
    expect(JSON.stringify(await server.call("search_memory", { query: "zebra" }))).toContain("is not searched");
  } finally {
    await server.close();
  }
});
