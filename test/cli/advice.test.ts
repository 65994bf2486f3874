import { beforeEach, describe, expect, it } from "vitest";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

const run = (...args: string[]) => world.cli(args);

describe("CLI-1 KER-9 what an error advises can be done on the command line", () => {
  it.each(["literal", "regex"])("MEM-9 several matches, in mode %s: --all", async (mode) => {
    await run("memories", "write", "build", "--content", "e e e");
    const { code, err } = await run("memories", "edit", "build", "e", "x", "--mode", mode);
    expect([code, err]).toEqual([2, expect.stringContaining("matches 3 times")]);
    expect(err).toContain("add --all.");
    expect(err).not.toContain("allow_multiple_occurrences");
    expect(await run("memories", "edit", "build", "e", "x", "--mode", mode, "--all")).toMatchObject({ code: 0 });
  });

  it.each(["../x", "a/../x", "./a", "", "/etc/passwd", "/a/../b"])(
    "BANK-1 %j is no path of the bank: a path in the bank is what is advised",
    async (path) => {
      const { code, err } = await run("bank", "read", path, "--memory-path", world.bank);
      expect([code === 2 || code === 5, err]).toEqual([true, expect.not.stringContaining("src/main.ts")]);
      if (!path.startsWith("/")) expect(err).not.toMatch(/absolute/i);
      else expect(err).toContain("such as foundation/stack.md");
    },
  );

  it.each([
    ["memories", "list"],
    ["topics", "load", "build"],
    ["search", "x"],
    ["log"],
    ["agent", "list", "--agent-id", "ada"],
  ])("CLI-1 a wrong --limit of %s %s means the same whatever is wrong with it", async (...command) => {
    for (const wrong of ["abc", "0", "1.5", "-1"]) {
      const { code, err } = await run(...command, `--limit=${wrong}`);
      expect([wrong, code, err]).toEqual([wrong, 2, expect.stringContaining("It takes a whole number from 1.")]);
    }
  });

  it("KER-1 one is one: of segments", async () => {
    const { err } = await run("bank", "list", "--memory-path", world.bank, "--project-name", "a/b");
    expect(err).toContain("more than 1 segment");
    expect(err).not.toContain("1 segments");
  });
});
