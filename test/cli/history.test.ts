import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openWorkspace } from "../../src/app.ts";
import { cli } from "../helpers/cli.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
  rmSync(join(world.project, ".git"), { recursive: true });
  execFileSync("git", ["init", "-q", world.project]);
});

const run = (...args: string[]) => world.cli(args);
const json = async (...args: string[]) => {
  const { code, out, err } = await run(...args, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
};
const write = (name: string, content: string) => run("memories", "write", name, "--content", content);
const onDisk = (name: string) => readFileSync(join(world.project, ".serena/memories", `${name}.md`), "utf8");
const status = () =>
  execFileSync("git", ["status", "--porcelain", "--untracked-files=all"], { cwd: world.project, encoding: "utf8" });

/** As an agent's server would write. */
async function asAgent(use: (workspace: Awaited<ReturnType<typeof openWorkspace>>) => Promise<unknown>) {
  const place = { cwd: world.project, env: {}, home: world.home };
  const workspace = await openWorkspace({ ...place, author: "agent:ada", run: "r1" });
  await use(workspace);
  await workspace.close();
}

describe("HIST-1 history on the command line", () => {
  it("HIST-1 HIST-2 shows, compares and restores what was overwritten or deleted", async () => {
    await write("auth/login", "one\n");
    await write("auth/login", "one\ntwo\n");
    expect((await run("show", "auth/login", "~1")).out).toBe("one\n");
    expect((await run("diff", "auth/login")).out).toContain("+two");
    expect((await run("blame", "auth/login")).out.trim().split("\n")).toHaveLength(2);
    expect((await run("log", "auth/")).out.trim().split("\n")).toHaveLength(2);
    await run("memories", "delete", "auth/login");
    const { operations } = await json("log", "auth/login");
    expect(operations).toMatchObject([{ changes: [{ kind: "remove", name: "auth/login" }] }, {}, {}]);
    expect(operations[0].author).toMatch(/^person:/);
    expect(await run("show", "auth/login")).toMatchObject({ code: 3, out: "" });
    expect((await run("restore", "auth/login", "~2")).out).toMatch(/^Restored auth\/login as of /);
    expect(onDisk("auth/login")).toBe("one\n");
    expect(await run("log", "nothing")).toMatchObject({ code: 3, out: "" });
    expect(await run("log", "../out")).toMatchObject({ code: 2, out: "" });
    expect(await run("log", "--since", "soon")).toMatchObject({ code: 2, out: "" });
  });

  it("HIST-2 names the file of an entry, not the index that follows it", async () => {
    await run("topics", "store", "perf", "db", "--title", "Slow", "--problem", "No index");
    expect((await run("log")).out).toMatch(/ {2}put memory\/perf\/db\.md and 1 more\n$/);
  });

  it("HIST-1 undoes what an agent did in a run, and keeps what others wrote since", async () => {
    await write("a", "mine\n");
    await asAgent(async ({ memories }) => {
      await memories.write("a", "theirs\n");
      await memories.write("b", "theirs\n");
    });
    const before = await json("undo", "--run", "r1", "--dry-run");
    expect(before).toMatchObject({ operations: 2, dryRun: true });
    expect(onDisk("a")).toBe("theirs\n");
    expect(await run("undo", "--run", "r1")).toMatchObject({ code: 2, out: "" });
    expect(await run("undo")).toMatchObject({ code: 2, out: "" });
    expect((await run("undo", "--author", "agent:ada", "--yes")).out).toContain("2 operations undone.");
    expect(onDisk("a")).toBe("mine\n");
    expect(await run("memories", "read", "b")).toMatchObject({ code: 3 });
  });

  it("HIST-1 brings one entry of a topic back, and the guard has its say", async () => {
    const said = ["--context", "c", "--problem", "p", "--solution", "s"];
    await run("topics", "store", "build", "cache", "--title", "Old", ...said);
    await run("log");
    rmSync(join(world.project, "memory/build/cache.md"));
    await run("topics", "store", "build", "cache", "--title", "New", ...said);
    expect((await run("restore", "memory/build/cache.md", "~1", "--entry", "Old")).code).toBe(0);
    const file = readFileSync(join(world.project, "memory/build/cache.md"), "utf8");
    expect([file.includes("Old"), file.includes("New")]).toEqual([true, true]);
    world.write("work/app/.serena/memories/key.md", `${["gh", "p_"].join("")}${"aB3dE6gH9k".repeat(4).slice(0, 36)}\n`);
    await run("log", "key");
    await write("key", "in the vault\n");
    expect(await run("restore", "key", "~1")).toMatchObject({ code: 5, out: "" });
    expect(onDisk("key")).toBe("in the vault\n");
  });

  it("HIST-3 leaves the project's own repository alone", async () => {
    await write("a", "one");
    const before = status();
    await run("log");
    expect(status()).toBe(before);
    expect(execFileSync("git", ["for-each-ref"], { cwd: world.project, encoding: "utf8" })).toBe("");
  });

  it("HIST-1 says so where there is no history yet, and where git is missing", async () => {
    expect(await run("log")).toMatchObject({ code: 0, out: "Nothing found in history.\n" });
    await write("a", "one");
    mkdirSync(join(world.folder, "empty"));
    const place = { cwd: world.project, env: { PATH: join(world.folder, "empty") }, home: world.home };
    const without = await cli(["log"], undefined, place);
    expect(without).toMatchObject({ code: 6, out: "", err: expect.stringContaining("Install git") });
    expect((await run("log", "a")).code).toBe(0);
  });
});
