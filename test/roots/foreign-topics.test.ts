import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { cli } from "../helpers/cli.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

const run = (...args: string[]) => cli(args, undefined, { cwd: world.project, home: world.home, env: world.env });
const store = (...more: string[]) =>
  run("topics", "store", "build", "cache", "--title", "Stale", "--problem", "p", "--solution", "s", ...more);
const memory = (...names: string[]) => join(world.project, "memory", ...names);
const entry = "## 2026-01-01: One\n**Problem:** p\n---\n";

describe("ONE-5 a folder called memory", () => {
  it.each([
    ["code", "arena.c", "int main(void);\n"],
    ["code in a folder of it", "arena/arena.c", "int main(void);\n"],
    ["a page about it", "README.md", "# The allocator\n"],
    ["Markdown in the place of a topic", "arena/DESIGN.md", "# Arenas\n\nHow the allocator works.\n"],
    ["Markdown further down", "arena/notes/DESIGN.md", entry],
    ["a page called index alone", "index.md", "# Pages\n"],
  ])("that holds %s is neither searched nor written, and the first store says what to do", async (_, name, text) => {
    world.write(`work/app/memory/${name}`, text);
    const stored = await store();
    expect(stored).toMatchObject({ code: 5, out: "" });
    expect(stored.err).toContain("The folder “memory” is left alone");
    expect(stored.err).toContain(`“${name}”`);
    expect(stored.err).toContain("memory_path: docs/memory");
    expect((await run("search", "allocator", "arenas", "pages", "One")).out).not.toContain("memory/");
    await run("memories", "write", "note", "--content", "one");
    await run("memories", "write", "note", "--content", "two");
    expect((await run("undo", "--path", "note", "--yes")).code).toBe(0);
    expect(existsSync(memory(".recollect"))).toBe(false);
    expect(readdirSync(memory())).toEqual([name.split("/")[0]]);
    const doctor = await run("doctor");
    expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining("“memory” is left alone")]);
  });

  it("is used once the user names it", async () => {
    world.write("work/app/memory/arena.c", "int main(void);\n");
    world.write("work/app/recollect.yaml", "memory_path: memory\n");
    expect(await store()).toMatchObject({ code: 0 });
    expect(existsSync(memory("build/cache.md"))).toBe(true);
  });

  it("is left alone where the user names another one", async () => {
    world.write("work/app/memory/arena.c", "int main(void);\n");
    world.write("work/app/recollect.yaml", "memory_path: docs/memory\n");
    expect(await store()).toMatchObject({ code: 0 });
    expect(existsSync(join(world.project, "docs/memory/build/cache.md"))).toBe(true);
    expect(readdirSync(memory())).toEqual(["arena.c"]);
  });

  it.each([
    ["nothing", "memory/.gitkeep", ""],
    ["topic files alone", "memory/build/old.md", entry],
    ["an empty topic file", "memory/build/old.md", "\n"],
    ["a file that is not text in the place of a topic", "memory/build/old.md", Buffer.from([0xe9])],
    ["an archive", "memory/archive/build/2025.md", entry],
  ])("that holds %s is ours", async (_, name, text) => {
    world.write(`work/app/${name}`, text);
    expect(await store()).toMatchObject({ code: 0 });
  });

  it("is ours with topic files and an index that a person wrote", async () => {
    world.write("work/app/memory/index.md", "# What I know\n");
    world.write("work/app/memory/build/old.md", entry);
    expect(await store()).toMatchObject({ code: 0 });
  });

  it("stays ours with our index, whatever else is put there", async () => {
    await store();
    world.write("work/app/memory/README.md", "# What this is\n");
    expect(await store("--date", "2026-02-02")).toMatchObject({ code: 0 });
    expect((await run("search", "Stale")).out).toContain("build/cache › Stale");
  });
});

it("TOP-5 an undo in a project without topics makes no index", async () => {
  await run("memories", "write", "note", "--content", "one");
  await run("memories", "write", "note", "--content", "two");
  await run("undo", "--path", "note", "--yes");
  expect(existsSync(memory())).toBe(false);
});
