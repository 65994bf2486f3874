import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { makeFolders } from "../../../src/backends/files/make-folders.ts";
import { cli, cliProcess } from "../../helpers/cli.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { type MemoryWorld, memoryWorld } from "../../helpers/memory-world.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let folder: string;

beforeEach(() => {
  folder = folders.make();
});

describe("a folder with those above it", () => {
  it("is made with the mode that was asked for, and may be there already", () => {
    const path = join(folder, "a/b/c");
    makeFolders(path, 0o700);
    makeFolders(path, 0o700);
    for (const one of ["a", "a/b", "a/b/c"]) expect(statSync(join(folder, one)).mode & 0o777).toBe(0o700);
  });

  it.each([
    ["below a file", "file/a", "EEXIST"],
    ["where a file is", "file", "EEXIST"],
    ["where a link leads nowhere", "dangling", "EEXIST"],
  ])("is not made %s", async (_, path, code) => {
    writeFileSync(join(folder, "file"), "");
    symlinkSync(join(folder, "missing"), join(folder, "dangling"));
    expect(await errorOf(() => makeFolders(join(folder, path)))).toMatchObject({ code });
    expect(existsSync(join(folder, "missing"))).toBe(false);
  });

  it("is found behind a link", () => {
    mkdirSync(join(folder, "real"));
    symlinkSync(join(folder, "real"), join(folder, "link"));
    makeFolders(join(folder, "link/a"));
    expect(existsSync(join(folder, "real/a"))).toBe(true);
  });
});

describe.skipIf(!existsSync("/proc/self"))("KER-9 folders of the user below /proc, which takes none", () => {
  const nowhere = "/proc/recollect-test/a";
  let world: MemoryWorld;

  beforeEach(() => {
    world = memoryWorld(folder);
  });

  it("end in an error and not in an endless loop", async () => {
    expect(await errorOf(() => makeFolders(nowhere))).toMatchObject({ code: "ENOENT" });
  });

  it("as XDG_DATA_HOME cost counts and records, and nothing else", async () => {
    const place = { cwd: world.project, home: world.home, env: { XDG_DATA_HOME: nowhere } };
    const run = (...args: string[]) => cli(args, undefined, place);
    expect(await run("topics", "store", "build", "cache", "--title", "One", "--problem", "p")).toMatchObject({
      code: 0,
    });
    expect(await run("topics", "load", "build")).toMatchObject({ code: 0 });
    world.write("work/app/recollect.yaml", "memories:\n  additional_folders: [/tmp]\n");
    expect(await run("trust", "--yes")).toMatchObject({ code: 6, err: expect.stringContaining("remember what you") });
    const fallback = ["--external-memory", "--external-memory-path", "/etc"];
    expect(
      await run("topics", "store", "build", "cache", "--title", "Two", "--problem", "p", ...fallback),
    ).toMatchObject({ code: 0 });
  });

  it.each(["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"])(
    "as %s do not hold up the start of a process",
    async (name) => {
      const env = { ...world.env, [name]: nowhere };
      expect(await cliProcess(["memories", "list"], { cwd: world.project, env })).toMatchObject({ code: 0 });
    },
  );
});
