import { describe, expect, it, onTestFinished } from "vitest";
import type { WorkspaceOptions } from "../../../src/app.ts";
import { type DatabaseProxy, databaseProxy } from "../../helpers/database-proxy.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { databaseWorld } from "./open-workspaces.ts";

const folders = temporaryFolders();
/** Less than it takes until connections that nobody uses are closed anyway. */
const patience = { timeout: 5000 };

async function failToOpen(options: WorkspaceOptions): Promise<{ proxy: DatabaseProxy; error: unknown }> {
  const world = await databaseWorld(folders.make());
  const proxy = await databaseProxy(world.url);
  onTestFinished(() => proxy.close());
  const flags = { ...options.flags, "--database-url": proxy.url };
  return { proxy, error: await errorOf(() => world.open({ ...options, flags })) };
}

describe("a workspace that fails to open after its database", () => {
  it("PG-1 leaves no connection where a space has a name that no database takes", async () => {
    const space = Array.from("abcd", (letter) => letter.repeat(60)).join("/");
    const { proxy, error } = await failToOpen({ flags: { "--memories-folder": `postgres:${space}` } });
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(proxy.connections().made).toBeGreaterThan(0);
    await expect.poll(() => proxy.connections().open, patience).toBe(0);
  });

  it("PG-1 leaves no connection where it fails at its first sync, when all else is open", async () => {
    const { proxy, error } = await failToOpen({
      flags: {
        "--external-memory": true,
        "--external-memory-type": "git_repo",
        "--external-memory-path": `file://${folders.make()}/nowhere.git`,
      },
      log: (_, event) => {
        if (event === "sync") throw new Error("There is nowhere to say so.");
      },
    });
    expect(error).toMatchObject({ message: "There is nowhere to say so." });
    expect(proxy.connections().made).toBeGreaterThan(0);
    await expect.poll(() => proxy.connections().open, patience).toBe(0);
  });
});
