import { beforeEach, describe, expect, it } from "vitest";
import { cliProcess } from "../helpers/cli.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

const says = expect.stringContaining("No text was given: standard input is empty.");

describe("CLI-1 a forgotten --content where standard input is empty", () => {
  const bank = () => ["--memory-path", world.bank];
  const agent = () => ["--agent-id", "ada"];
  const commands: [string[], string[], () => string[]][] = [
    [["memories", "write", "a"], ["memories", "read", "a"], () => []],
    [["memories", "append", "a"], ["memories", "read", "a"], () => []],
    [["memories", "prepend", "a"], ["memories", "read", "a"], () => []],
    [["bank", "write", "a.md"], ["bank", "read", "a.md"], bank],
    [["agent", "write", "a.md"], ["agent", "read", "a.md"], agent],
    [["agent", "append", "a.md"], ["agent", "read", "a.md"], agent],
  ];

  it.each(commands)("CLI-1 %j is wrong usage, and what is there stays", async (write, read, place) => {
    const run = (args: string[], input?: string) => world.cli([...args, ...place()], input);
    expect(await run(write, "kept\n")).toMatchObject({ code: 0 });
    expect(await run(write, "")).toMatchObject({ code: 2, out: "", err: says });
    expect((await run(read)).out).toBe("kept\n");
  });

  it.each(commands)(
    "CLI-1 %j takes an empty text that is given, by --content or a file",
    async (write, read, place) => {
      const run = (...args: string[]) => world.cli([...args, ...place()], "");
      expect(await run(...write, "--content", "")).toMatchObject({ code: 0, err: "" });
      expect(await run(...write, "--file", world.write("empty.md", ""))).toMatchObject({ code: 0, err: "" });
      expect(await run(...read)).toMatchObject({ code: 0, out: "" });
    },
  );

  it("CLI-1 as a real process, with --json as well", async () => {
    const options = { cwd: world.project, env: world.env, input: "" };
    expect(await cliProcess(["memories", "write", "a"], options)).toMatchObject({ code: 2, out: "", err: says });
    const { code, err } = await cliProcess(["memories", "write", "a", "--json"], options);
    expect([code, JSON.parse(err).error.code]).toEqual([2, "INVALID_ARGUMENT"]);
    expect(await cliProcess(["memories", "read", "a"], options)).toMatchObject({ code: 3 });
  });
});
