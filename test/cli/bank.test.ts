import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const rev = expect.stringMatching(/^[0-9a-f]{32}$/);
let world: MemoryWorld;
let area: string;

beforeEach(() => {
  world = memoryWorld(folders.make());
  area = join(world.bank, "app");
  world.write("bank/templates/plan-mode.md", "# Plan\n");
  world.write("bank/other/secret.md", "secret\n");
});

const run = (...args: string[]) => world.cli(["bank", ...args, "--memory-path", world.bank]);

describe("CLI-1 recollect bank", () => {
  it("CLI-1 shows examples, and each operation its settings and --json", async () => {
    expect((await run("--help")).out).toContain("$ recollect bank task PROJ-12 plan");
    for (const operation of ["list", "read", "write", "task"]) {
      const { code, out } = await run(operation, "--help");
      expect(code).toBe(0);
      for (const text of ["--json", "--memory-path", "--project-name"]) expect(out).toContain(text);
    }
  });

  it("CLI-1 BANK-1 writes, reads and lists, in words and in JSON", async () => {
    const file = world.write("stack.md", "zero\none\n");
    expect(await run("write", "foundation/stack.md", "--file", file)).toEqual({
      code: 0,
      out: `Created ${area}/foundation/stack.md.\n`,
      err: "",
    });
    const again = await world.cli(
      ["bank", "write", "foundation/stack.md", "--json", "--memory-path", world.bank],
      "a\nb\n",
    );
    expect(JSON.parse(again.out)).toEqual({ path: `${area}/foundation/stack.md`, rev, overwrote: true });
    expect((await run("read", "foundation/stack.md")).out).toBe("a\nb\n");
    expect((await run("read", "foundation/stack.md", "--start-line", "1")).out).toBe("b\n");
    expect(JSON.parse((await run("read", "foundation/stack.md", "--json")).out)).toEqual({
      path: `${area}/foundation/stack.md`,
      content: "a\nb\n",
      rev,
    });
    expect((await run("list")).out).toBe("foundation/\n");
    expect((await run("list", "--recursive")).out).toBe("foundation/\nfoundation/stack.md\n");
    expect(JSON.parse((await run("list", "foundation", "--json")).out)).toMatchObject({
      dirs: [],
      files: ["foundation/stack.md"],
      leftOut: 0,
    });
  });

  it("CLI-1 BANK-1 the templates are read and listed, and never written", async () => {
    expect((await run("list", "--templates")).out).toBe("plan-mode.md\n");
    expect((await run("read", "plan-mode.md", "--templates")).out).toBe("# Plan\n");
    const before = snapshotOf(world.bank);
    const write = (path: string) => world.cli(["bank", "write", path, "--memory-path", world.bank], "x");
    expect(await write("../templates/x.md")).toMatchObject({ code: 2 });
    expect(await write(join(world.bank, "templates/x.md"))).toMatchObject({ code: 5 });
    expect(snapshotOf(world.bank)).toEqual(before);
  });

  it("CLI-1 BANK-3 task makes a file from its template, and never overwrites", async () => {
    expect((await run("task", "T-1", "plan")).out).toBe(
      `Created ${area}/develop/T-1/plan-mode.md from its template.\n`,
    );
    expect((await run("task", "T-1", "review")).out).toContain("empty: there is no template");
    const given = await run("task", "T-2", "review", "--content", "mine", "--json");
    expect(JSON.parse(given.out)).toMatchObject({ from: "content", rev });
    expect(readFileSync(join(area, "develop/T-2/review-mode.md"), "utf8")).toBe("mine");
    expect(await run("task", "T-1", "plan")).toMatchObject({ code: 4, out: "" });
    expect(await run("task", "T-1", "poem")).toMatchObject({ code: 2 });
    expect(await run("task", "../x", "plan")).toMatchObject({ code: 2 });
  });

  it.each(["../other/secret.md", "/etc/passwd", "a/../../other/secret.md", ".git/config", ""])(
    "CLI-1 BANK-1 %j does not lead out of the area",
    async (path) => {
      const { code, out, err } = await run("read", path);
      expect([code === 5 || code === 2, out]).toEqual([true, ""]);
      expect(err).not.toContain("secret\n");
    },
  );

  it("CLI-1 a folder to list may end in one slash; nothing else may", async () => {
    world.write("bank/app/develop/T-1/plan-mode.md", "# Plan\n");
    expect(await run("list", "develop/")).toEqual(await run("list", "develop"));
    expect(await run("list", "develop/")).toEqual({ code: 0, out: "develop/T-1/\n", err: "" });
    expect((await run("list", "develop/T-1/")).out).toBe("develop/T-1/plan-mode.md\n");
    for (const path of ["develop//", "/", "//", "develop/../", "../other/"]) {
      const { code, out } = await run("list", path);
      expect([path, code === 2 || code === 5, out]).toEqual([path, true, ""]);
    }
    const before = snapshotOf(world.bank);
    expect((await run("read", "develop/T-1/plan-mode.md/")).out).toBe("");
    expect((await run("write", "develop/new.md/", "--content", "x")).code).not.toBe(0);
    expect(snapshotOf(world.bank)).toEqual(before);
  });

  it("CLI-1 exit codes: 3 for what is missing, 2 without a bank", async () => {
    expect(await run("read", "nothing.md")).toMatchObject({ code: 3 });
    expect(await run("list", "nothing")).toMatchObject({ code: 3 });
    expect((await run("list")).out).toBe("Nothing here yet.\n");
    expect(await world.cli(["bank", "list"])).toMatchObject({ code: 2, err: expect.stringContaining("--memory-path") });
    expect(await world.cli(["bank", "task", "T-1", "plan"])).toMatchObject({ code: expect.any(Number), out: "" });
    expect(await run("list", "--project-name", "a/b")).toMatchObject({ code: 2 });
  });
});
