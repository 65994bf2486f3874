import { beforeEach, describe, expect, it } from "vitest";
import { made } from "../../src/guard/rules/made.ts";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const token = ["gh", "p_", made(60).slice(0, 36)].join("");
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

/** Names that the rules of paths refuse before the guard sees them, each with the secret in it. */
const names = [
  ["split by what nobody sees", `${token.slice(0, 8)}\u200b${token.slice(8)}`],
  ["split at its beginning", `gh\u00adp_${token.slice(4)}`],
  ["with a dot at its end", `${token}.`],
  ["with a dot in front", `.${token}`],
  ["with a reserved character", `${token}?`],
  ["with a backslash", `a\\${token}`],
  ["in a folder", `notes/${token} `],
  ["too deep", `${"a/".repeat(16)}${token}`],
] as const;

const commands: readonly (readonly [string, (name: string) => string[]])[] = [
  ["memories write", (name) => ["memories", "write", "--content", "x", "--", name]],
  ["memories read", (name) => ["memories", "read", "--", name]],
  ["topics store", (name) => ["topics", "store", "--title", "x", "--problem", "p", "--", name, "cache"]],
  ["topics store a subtopic", (name) => ["topics", "store", "--title", "x", "--problem", "p", "--", "build", name]],
  ["agent write", (name) => ["agent", "write", "--agent-id", "a", "--content", "x", "--", name]],
  ["agent write for an id", (name) => ["agent", "write", `--agent-id=${name}`, "--content", "x", "--", "a.md"]],
];

describe("GUARD-3 a name that the rules of paths refuse is not shown", () => {
  it.each(names.flatMap(([what, name]) => commands.map(([command, args]) => [command, what, args(name)] as const)))(
    "GUARD-3 %s: %s",
    async (command, _, args) => {
      const before = snapshotOf(world.folder);
      for (const flags of [[], ["--json"], ["--log-level", "debug"]]) {
        const { code, out, err } = await world.cli([...args.slice(0, 2), ...flags, ...args.slice(2)]);
        expect(code === 0 ? command : "refused").toBe("refused");
        expect(`${out}${err}`).not.toContain(token.slice(8, 24));
      }
      expect(snapshotOf(world.folder)).toEqual(before);
    },
  );
});
