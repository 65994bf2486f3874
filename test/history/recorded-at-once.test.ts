import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGitHistory } from "../../src/history/git/history.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { ada, at, openWorld, scratchFolder } from "./scratch.ts";

const folders = temporaryFolders();

function openIn(world: MemoryWorld, stays: boolean) {
  return openWorkspace({ project: world.project, home: world.home, env: world.env, stays });
}

/** The texts that history has of a note, the newest first, as a later process finds them. */
async function textsOf(world: MemoryWorld, name: string): Promise<readonly (string | undefined)[]> {
  const workspace = await openIn(world, false);
  try {
    const history = workspace.history;
    const { at } = await history.locate(name);
    const { operations } = await history.log({ ...at, limit: 10 });
    return await Promise.all(operations.map(async ({ id }) => (await history.show(at, id)).text));
  } finally {
    await workspace.close();
  }
}

describe("what was just acknowledged", () => {
  it.each([
    ["a command", false],
    ["a server whose session was short", true],
  ])("HIST-1 by %s, is restored also where somebody deletes the file right after", async (_, stays) => {
    const world = memoryWorld(folders.make());
    const workspace = await openIn(world, stays);
    await workspace.memories.write("note", "the only copy\n");
    await workspace.close();
    rmSync(join(world.project, ".serena/memories/note.md"));
    expect(await textsOf(world, "note")).toContain("the only copy\n");
  });
});

describe("what was gone before history had it, with its kept copy", () => {
  it("HIST-1 is told by whoever records next, with who wrote it and when", async () => {
    const folder = scratchFolder();
    const said: unknown[] = [];
    const { documents, store } = openWorld(folder);
    await documents.write(at("a.md"), "the only copy", ada);
    await documents.write(at("b.md"), "another", ada);
    rmSync(join(folder, "a.md"));
    for (const name of readdirSync(join(folder, ".recollect"))) {
      if (name.startsWith("kept-")) rmSync(join(folder, ".recollect", name));
    }
    const history = openGitHistory({
      trail: store.trail("notes"),
      env: process.env,
      now: Date.now,
      log: (_, __, fields) => said.push(fields?.["message"]),
    });
    for (let run = 0; run < 2; run += 1) await history.catchUp();
    expect(said).toEqual([
      expect.stringMatching(/^What agent:ada wrote to “a\.md” in “notes” at \d{4}-.* is not in history/),
    ]);
  });
});
