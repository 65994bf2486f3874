import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { diskFolder, temporaryFolders } from "../helpers/temporary-folders.ts";
import { turnsDuring } from "../helpers/turns-during.ts";

// In memory nothing waits for a disk.
const folders = temporaryFolders(diskFolder);

it.each([
  { answersMany: true, turns: "turns" },
  { answersMany: false, turns: "stands still until the last one" },
])("WEB-1 while many clients write at once, the event loop $turns", async ({ answersMany }) => {
  const home = folders.make();
  const project = join(home, "shop");
  mkdirSync(join(project, ".git"), { recursive: true });
  const workspace = await openWorkspace({ project, home, env: {}, answersMany });
  onTestFinished(() => workspace.close());
  await workspace.memories.write("first", "What a process does once is done.\n");
  const rounds = 10;
  const writeAll = async (client: number) => {
    for (let round = 0; round < rounds; round += 1)
      await workspace.memories.write(`folder-${client}/note`, `${round}\n`);
  };
  const turns = await turnsDuring(Promise.all(Array.from({ length: 8 }, (_, client) => writeAll(client))));
  if (answersMany) expect(turns).toBeGreaterThan(rounds);
  else expect(turns).toBeLessThan(rounds);
});
