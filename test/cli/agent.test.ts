import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { made } from "../../src/guard/rules/made.ts";
import { cli } from "../helpers/cli.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const token = ["gh", "p_", made(60).slice(0, 36)].join("");
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

const write = (content: string, ...args: string[]) =>
  world.cli(["agent", "write", "a.md", "--agent-id", "agent-1", "--content", content, ...args]);
const written = () => {
  const file = join(world.home, ".local/share/recollect/agent_memory/agent-1/a.md");
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
};

describe("GUARD-2 recollect agent goes by guard.policy", () => {
  it("GUARD-2 standard by default", async () => {
    expect(await write("the word token")).toMatchObject({ code: 0 });
    expect(await write(token)).toMatchObject({ code: 5, out: "" });
  });

  it("GUARD-2 strict by a flag, the environment, the user's file or the project's", async () => {
    expect(await write("the word token", "--guard-policy", "strict")).toMatchObject({ code: 5 });
    const place = { cwd: world.project, home: world.home, env: { RECOLLECT_GUARD_POLICY: "strict" } };
    const args = ["agent", "append", "a.md", "--agent-id", "agent-1", "--content", "the word token"];
    expect(await cli(args, undefined, place)).toMatchObject({ code: 5 });
    world.write("work/app/recollect.yaml", "guard:\n  policy: strict\n");
    expect(await write("the word token")).toMatchObject({ code: 5 });
    world.write("work/app/recollect.yaml", "");
    world.write("home/.config/recollect/config.yaml", "guard:\n  policy: strict\n");
    expect(await write("the word token")).toMatchObject({ code: 5 });
    expect(written()).toBeUndefined();
  });

  it("GUARD-2 warn lets pass; a clone cannot ask for it", async () => {
    world.write("work/app/recollect.yaml", "guard:\n  policy: warn\n");
    expect(await write(token)).toMatchObject({ code: 5, err: expect.stringContaining("weakens the guard") });
    world.write("work/app/recollect.yaml", "");
    expect(await write(token, "--guard-policy", "warn")).toMatchObject({ code: 0 });
    expect(written()).toBe(token);
  });
});

describe("GUARD-4 recollect agent goes by the allow-list", () => {
  it("GUARD-4 lets pass what was allowed, and nothing else, until it is taken back", async () => {
    const { error } = JSON.parse((await write(token, "--json")).err);
    const [{ fingerprint }] = error.data.findings;
    await world.cli(["guard", "allow", fingerprint, "--reason", "an example"]);
    expect(await write(token)).toMatchObject({ code: 0 });
    expect(await write(token.replace(/.$/, (last) => (last === "x" ? "y" : "x")))).toMatchObject({ code: 5 });
    await world.cli(["guard", "revoke", fingerprint]);
    expect(await write(`again ${token} and ${token}`)).toMatchObject({ code: 5 });
  });
});

it("AGT-4 CFG-2 the agent comes from a flag, the environment or the user, never from a project", async () => {
  world.write("work/app/recollect.yaml", "agent:\n  id: other\n");
  expect(await world.cli(["agent", "list"])).toMatchObject({ code: 2 });
});
