import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(join(folders.make(), "world"));
});

/** Verify and doctor end alike and say the same, without words of the system. */
async function expectBoth(code: number, says: RegExp): Promise<void> {
  for (const command of ["verify", "doctor"]) {
    const { code: found, out, err } = await world.cli([command]);
    expect([command, found, out], err).toEqual([command, code, expect.stringMatching(says)]);
    expect(`${out}${err}`).not.toMatch(/\/proc\/|\bE[A-Z]{4,}\b|\n +at /);
  }
}

describe("ONE-3 what vanished", () => {
  it.each([
    [".serena", ".serena/memories"],
    [".serena/memories", ".serena/memories"],
  ])(
    "ONE-3 one note that went with its history is reported where %s was emptied, and comes back",
    async (gone, made) => {
      for (const text of ["one\n", "two\n"]) await world.cli(["memories", "write", "n"], text);
      rmSync(join(world.project, gone), { recursive: true });
      mkdirSync(join(world.project, made), { recursive: true });
      await expectBoth(8, /1 document vanished with no record of a deletion/);
      expect((await world.cli(["restore", "--all", "--yes"])).code).toBe(0);
      expect(readFileSync(join(world.project, ".serena/memories/n.md"), "utf8")).toBe("two\n");
      await expectBoth(0, /agrees|No problems/);
    },
  );

  it("ONE-3 a loss of one note can be accepted, and is not told of again", async () => {
    await world.cli(["memories", "write", "n"], "one\n");
    rmSync(join(world.project, ".serena"), { recursive: true });
    mkdirSync(join(world.project, ".serena/memories"), { recursive: true });
    expect((await world.cli(["verify", "--accept-loss"])).code).toBe(0);
    await expectBoth(0, /agrees|No problems/);
  });

  it("ONE-3 MEM-2 an additional folder that vanished is reported, and restore --all brings its notes back", async () => {
    world.write("work/app/recollect.yaml", "memories:\n  additional_folders: [feature]\n");
    mkdirSync(join(world.project, "feature"));
    await world.cli(["memories", "write", "FEATURE_a"], "one\n");
    await world.cli(["memories", "write", "other"], "one\n");
    rmSync(join(world.project, "feature"), { recursive: true });
    await expectBoth(8, /feature: 1 document vanished with no record of a deletion/);
    expect((await world.cli(["restore", "--all", "--dry-run"])).out).toContain("FEATURE_a");
    await world.cli(["memories", "write", "another"], "one\n");
    expect(existsSync(join(world.project, "feature"))).toBe(false);
    expect((await world.cli(["restore", "--all", "--yes"])).code).toBe(0);
    expect(readFileSync(join(world.project, "feature/FEATURE_a.md"), "utf8")).toBe("one\n");
    await expectBoth(0, /agrees|No problems/);
  });

  it("MEM-2 HIST-4b a configured folder that never was there is not checked, and both commands say so", async () => {
    world.write("work/app/recollect.yaml", "memories:\n  additional_folders: [feature]\n");
    await expectBoth(6, /The folder “feature” does not exist or cannot be opened/);
    expect((await world.cli(["verify"])).out).toContain("Not everything could be checked");
    expect(existsSync(join(world.project, "feature"))).toBe(false);
  });

  it("ONE-3 HIST-4b an additional folder whose loss was accepted is not checked, and not vanished", async () => {
    world.write("work/app/recollect.yaml", "memories:\n  additional_folders: [feature]\n");
    mkdirSync(join(world.project, "feature"));
    await world.cli(["memories", "write", "FEATURE_a"], "one\n");
    rmSync(join(world.project, "feature"), { recursive: true });
    expect((await world.cli(["verify", "--accept-loss"])).code).toBe(6);
    await expectBoth(6, /The folder “feature” does not exist or cannot be opened/);
  });

  it.each([".serena/memories", "memory"])(
    "HIST-4b %s as a link out of the project is not checked, and both commands say so",
    async (name) => {
      const elsewhere = join(world.folder, "elsewhere");
      mkdirSync(elsewhere);
      mkdirSync(join(world.project, ".serena"));
      symlinkSync(elsewhere, join(world.project, name));
      await expectBoth(6, /is not opened, since/);
    },
  );
});
