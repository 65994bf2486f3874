import type { Command } from "commander";
import { beforeEach, expect, it } from "vitest";
import { loadCommands } from "../../src/cli/commands.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

const io = { out: () => {}, err: () => {}, terminal: false, readInput: async () => undefined };
const namesOf = (command: Command, above = ""): string[] => {
  const name = `${above}${command.name()}`;
  return [name, ...command.commands.flatMap((one) => namesOf(one, `${name} `))];
};
const commands = (await loadCommands([], { io, version: "", setExitCode: () => {} })).flatMap((one) => namesOf(one));
const examplesIn = (help: string) => [...help.matchAll(/^ {2}\$ (.*(?:\\\n.*)*)$/gm)].map(([, line = ""]) => line);

it.each(commands)("CLI-1 the help of recollect %s has an example of it", async (command) => {
  const { code, out } = await world.cli([...command.split(" "), "--help"]);
  expect(code).toBe(0);
  // A shell reads what completion prints, so its examples are those of how to install it.
  const shown = command === "completion" ? out.split("Install:").slice(1) : examplesIn(out);
  expect(shown).toContainEqual(expect.stringContaining(`recollect ${command}`));
});

it.each([
  "memories write",
  "memories list",
  "memories read",
  "memories edit",
  "bank write",
  "topics load",
  "agent write",
])("CLI-1 the examples of recollect %s work as they stand there", async (command) => {
  await world.cli(["memories", "write", "build", "--content", "npm test v1 v2"]);
  await world.cli(["topics", "store", "build", "cache", "--title", "x", "--problem", "y"]);
  const file = world.write("stack.md", "x\n");
  const lines = examplesIn((await world.cli([...command.split(" "), "--help"])).out);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    const words = line.replace(/^.* \| /, "").matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
    const args = [...words].map(([, one, other, plain]) => one ?? other ?? plain ?? "").slice(1);
    const here = args.map((arg) => (arg === "~/memory-bank" ? world.bank : arg === "stack.md" ? file : arg));
    expect([line, await world.cli(here, "from a pipe\n")]).toMatchObject([line, { code: 0, err: "" }]);
  }
});
