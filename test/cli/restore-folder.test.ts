import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/main.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;
/** The state before anything was added. */
let id: string;

beforeEach(async () => {
  world = memoryWorld(folders.make());
  await write("auth/kept", "one\n");
  id = JSON.parse((await world.cli(["log", "auth/", "--json"])).out).operations[0].id.slice(0, 10);
});

const write = (name: string, content: string) => world.cli(["memories", "write", name, "--content", content]);
const restore = (...args: string[]) => world.cli(["restore", "--folder", "auth", "--at", id, ...args]);
const isThere = (name: string) => existsSync(join(world.project, ".serena/memories", `${name}.md`));

/** With somebody at the terminal, who gives this answer. */
async function atTerminal(answer: boolean) {
  const [said, asked]: [string[], string[]] = [[], []];
  const code = await runCli(["restore", "--folder", "auth", "--at", id], {
    out: (text) => said.push(text),
    err: (text) => said.push(text),
    terminal: true,
    place: { cwd: world.project, env: {}, home: world.home },
    readInput: async () => undefined,
    confirm: async (question) => {
      asked.push(question);
      return answer;
    },
  });
  return { code, said: said.join(""), asked };
}

describe("HIST-1 CLI-1 a folder that is restored to before some of its notes", () => {
  beforeEach(async () => {
    await write("auth/kept", "two\n");
    for (const name of ["auth/a", "auth/b"]) await write(name, "new\n");
  });

  it("HIST-1 removes nothing unasked: where nobody can be asked it is wrong usage, with the reason", async () => {
    for (const args of [[], ["--json"]]) {
      const { code, out, err } = await restore(...args);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain("2 documents would be removed");
      expect(err).toContain("--yes");
    }
    expect([isThere("auth/a"), isThere("auth/b")]).toEqual([true, true]);
    expect((await world.cli(["memories", "read", "auth/kept"])).out).toBe("two\n");
  });

  it("HIST-1 --yes removes them, and the counts tell the restored from the removed", async () => {
    expect((await restore("--yes")).out).toBe(
      [
        "  auth/b: removed: it was not there",
        "  auth/a: removed: it was not there",
        "  auth/kept: restored",
        "1 restored, 2 removed.\n",
      ].join("\n"),
    );
    expect([isThere("auth/a"), isThere("auth/b")]).toEqual([false, false]);
  });

  it("HIST-1 a dry run counts them too, in words and in JSON, also with --yes", async () => {
    expect((await restore("--dry-run")).out).toMatch(/\n1 to be restored, 2 to be removed\.\n$/);
    const { restored, removed, dryRun } = JSON.parse((await restore("--dry-run", "--yes", "--json")).out);
    expect([restored, removed, dryRun]).toEqual([1, 2, true]);
    expect(isThere("auth/a")).toBe(true);
    expect(JSON.parse((await restore("--yes", "--json")).out)).toMatchObject({
      restored: 1,
      removed: 2,
      dryRun: false,
    });
  });

  it("HIST-1 on a terminal it shows what would go, and asks", async () => {
    const declined = await atTerminal(false);
    expect([declined.code, declined.asked]).toEqual([0, ["Do this?"]]);
    expect(declined.said).toContain("  auth/a: to be removed: it was not there\n");
    expect(declined.said).toMatch(/1 to be restored, 2 to be removed\.\nNothing was changed\.\n$/);
    expect(isThere("auth/a")).toBe(true);
    expect(await atTerminal(true)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/1 restored, 2 removed\.\n$/),
    });
    expect(isThere("auth/a")).toBe(false);
  });
});

it("HIST-1 CLI-1 where nothing would be removed nobody is asked", async () => {
  await write("auth/kept", "two\n");
  expect((await restore()).out).toMatch(/\n1 restored\.\n$/);
  await write("auth/kept", "three\n");
  expect(await atTerminal(false)).toMatchObject({ code: 0, asked: [] });
});
