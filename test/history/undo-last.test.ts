import { existsSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openWorkspace } from "../../src/app.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

const run = (...args: string[]) => world.cli(args);
const write = (name: string, content: string) => run("memories", "write", name, "--content", content);
const file = (name: string) => join(world.project, ".serena/memories", `${name}.md`);
const onDisk = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), "utf8") : undefined);
async function asAgent(name: string, content: string) {
  const place = { cwd: world.project, env: {}, home: world.home };
  const workspace = await openWorkspace({ ...place, author: "agent:ada", run: "r1" });
  await workspace.memories.write(name, content);
  await workspace.close();
}
const topic = () => readFileSync(join(world.project, "memory/build/cache.md"), "utf8");
const store = (title: string, solution: string) =>
  run(
    "topics",
    "store",
    "build",
    "cache",
    "--title",
    title,
    "--context",
    "c",
    "--problem",
    "p",
    "--solution",
    solution,
  );

describe("HIST-1 undo of the last change", () => {
  it("of a note and of a folder, and the undo can be undone", async () => {
    await write("auth/a", "one\n");
    await write("auth/a", "two\n");
    await write("auth/b", "b\n");
    await write("c", "c\n");
    expect((await run("undo", "--path", "auth/a", "--yes")).out).toContain("1 operation undone.");
    expect([onDisk("auth/a"), onDisk("auth/b")]).toEqual(["one\n", "b\n"]);
    expect((await run("undo", "--path", "auth/a", "--yes")).code).toBe(0);
    expect(onDisk("auth/a")).toBe("two\n");
    await write("auth/b", "b2\n");
    expect((await run("undo", "--folder", "auth", "--dry-run")).out).toContain("auth/b: to be restored");
    expect((await run("undo", "--folder", "auth/", "--yes")).code).toBe(0);
    expect([onDisk("auth/b"), onDisk("c")]).toEqual(["b\n", "c\n"]);
    expect((await run("undo", "--path", "auth/a", "--author", "nobody", "--yes")).out).toContain(
      "Nothing found to undo.",
    );
    expect(await run("undo", "--entry", "x")).toMatchObject({ code: 2, out: "" });
    expect(await run("undo", "--path", "a", "--folder", "b")).toMatchObject({ code: 2, out: "" });
  });

  it("USE-8 of an agent, where nothing else is named", async () => {
    await write("mine", "one\n");
    expect(await run("undo", "--yes")).toMatchObject({ code: 3, err: expect.stringContaining("No agent's session") });
    await asAgent("a", "theirs\n");
    await asAgent("b", "theirs, too\n");
    await write("mine", "two\n");
    expect((await run("undo", "--dry-run")).out).toBe("  b: to be removed\n1 operation to undo.\n");
    expect((await run("undo", "--yes")).out).toContain("1 operation undone.");
    expect([onDisk("a"), onDisk("b"), onDisk("mine")]).toEqual(["theirs\n", undefined, "two\n"]);
    expect(await run("undo", "--since", "today", "--yes")).toMatchObject({ code: 2 });
  });

  it("of one entry, with what others stored since left as it is", async () => {
    await store("Old", "s");
    await store("New", "s");
    expect((await run("undo", "--path", "memory/build/cache.md", "--entry", "Old", "--yes")).code).toBe(0);
    expect([topic().includes("Old"), topic().includes("New")]).toEqual([false, true]);
  });
});

describe("HIST-1 a folder as it was", () => {
  it("is restored to an operation or a time, and nothing else is touched", async () => {
    await write("auth/a", "one\n");
    await write("auth/b", "b\n");
    const { operations } = JSON.parse((await run("log", "auth/", "--json")).out);
    await write("auth/a", "two\n");
    await run("memories", "delete", "auth/b");
    await write("auth/new", "new\n");
    await write("other", "other\n");
    const id = operations[0].id.slice(0, 10);
    const planned = await run("restore", "--folder", "auth", "--at", id, "--dry-run");
    expect(planned.out).toContain("2 to be restored, 1 to be removed.");
    expect(onDisk("auth/a")).toBe("two\n");
    expect((await run("restore", "--folder", "auth", "--at", id, "--yes")).out).toContain("2 restored, 1 removed.");
    const state = () => ["auth/a", "auth/b", "auth/new", "other"].map(onDisk);
    expect(state()).toEqual(["one\n", "b\n", undefined, "other\n"]);
    expect((await run("restore", "--folder", "auth", "--at", id)).out).toBe("It is so already.\n");
    expect((await run("restore", "--folder", "auth", "--at", "2020-01-01", "--yes")).out).toContain("\n2 removed.");
    expect(state()).toEqual([undefined, undefined, undefined, "other\n"]);
    expect((await run("undo", "--folder", "auth", "--yes")).code).toBe(0);
    expect(state()).toEqual(["one\n", "b\n", undefined, "other\n"]);
    expect(await run("restore", "--folder", "auth", "--at", "ffffffff")).toMatchObject({ code: 3, out: "" });
    expect(await run("restore", "--folder", "nowhere", "--at", "2020-01-01")).toMatchObject({ code: 3, out: "" });
    for (const wrong of [
      ["auth/a"],
      ["--folder", "auth"],
      ["auth/a", "~1", "--at", "2020-01-01"],
      ["auth/a", "~1", "--yes"],
    ]) {
      expect(await run("restore", ...wrong)).toMatchObject({ code: 2, out: "" });
    }
  });
});

describe("HIST-1 one entry", () => {
  it("is compared, and its lines are told of", async () => {
    await store("Old", "first");
    await store("New", "s");
    const path = join(world.project, "memory/build/cache.md");
    await run("log");
    writeFileSync(path, topic().replace("first", "second"));
    const diff = (await run("diff", "memory/build/cache.md", "--entry", "Old")).out;
    expect(diff).toMatch(/^--- a\/Old\n\+\+\+ b\/Old\n/);
    expect([/^-.*first/m.test(diff), /^\+.*second/m.test(diff), diff.includes("New")]).toEqual([true, true, false]);
    const { lines } = JSON.parse((await run("blame", "memory/build/cache.md", "--entry", "Old", "--json")).out);
    const authorOf = (text: string) => lines.find(({ line }: { line: string }) => line.includes(text))?.author;
    expect([authorOf("second"), authorOf("New")]).toEqual(["outside", undefined]);
    expect(authorOf("## ")).toMatch(/^person:/);
    expect(await run("blame", "memory/build/cache.md", "--entry", "None")).toMatchObject({ code: 3, out: "" });
  });
});

describe("HIST-4b a history that was lost, on the command line", () => {
  it("is said when it is found, by doctor and by verify, until somebody knows of it", async () => {
    await write("a", "one\n");
    await run("log");
    rmSync(join(world.home, ".local/share/recollect/mirrors"), { recursive: true });
    rmSync(join(world.project, ".serena/memories/.recollect/history"), { recursive: true });
    expect((await run("doctor")).out).toContain("is gone");
    expect(await run("log")).toMatchObject({ code: 0, err: expect.stringContaining("was lost") });
    expect(await run("verify")).toMatchObject({ code: 8, out: expect.stringContaining("--accept-loss") });
    expect((await run("doctor")).out).toContain("was lost");
    expect(await run("verify", "--accept-loss")).toMatchObject({ code: 0 });
    expect((await run("doctor")).out).not.toContain("was lost");
    expect(await run("log", "--limit", "0")).toMatchObject({ code: 2, out: "" });
  });

  it("HIST-1 names what is too large for it, in doctor and verify", async () => {
    await write("a", "one\n");
    const big = join(world.project, ".serena/memories/big.md");
    writeFileSync(big, "");
    truncateSync(big, 129 * 1024 * 1024);
    await run("log");
    expect((await run("doctor")).out).toContain("“big.md” is too large for history");
    const { code, out } = await run("verify", "--no-search-index");
    expect([code, out]).toEqual([0, expect.stringContaining("“big.md” is too large for history")]);
    expect(out).toContain(".serena/memories: 1 document, 1 revision in history");
  });

  it("HIST-4b KER-2 something else in its place is told, though nothing was ever recorded", async () => {
    await write("a", "one\n");
    rmSync(join(world.home, ".local/share/recollect/mirrors"), { recursive: true });
    rmSync(join(world.project, ".serena/memories/.recollect/history"), { recursive: true, force: true });
    rmSync(join(world.project, ".serena/memories/.recollect/history-tip"), { force: true });
    symlinkSync(world.home, join(world.project, ".serena/memories/.recollect/history"));
    expect((await run("doctor")).out).toContain("“.recollect/history” is not a folder");
    expect(await run("verify")).toMatchObject({ code: 8, out: expect.stringContaining("is not a folder") });
  });
});
