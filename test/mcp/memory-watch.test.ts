import { describe, expect, it, vi } from "vitest";
import { openWorkspace } from "../../src/app.ts";
import { createMemoryWatch } from "../../src/mcp/memory-watch.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();

async function watched() {
  const world = memoryWorld(folders.make());
  const place = { env: { XDG_CACHE_HOME: world.env["XDG_CACHE_HOME"] ?? "" }, home: world.home };
  const workspace = await openWorkspace({ project: world.project, ...place });
  const { memories } = workspace;
  const read: string[] = [];
  const watch = createMemoryWatch({
    ...memories,
    read: (name, options) => {
      read.push(name);
      return memories.read(name, options);
    },
  });
  const listen = () => {
    const told: string[] = [];
    const listener = watch.listen({ updated: (name) => void told.push(name), listChanged: () => {} });
    return { listener, told };
  };
  return { workspace, memories, watch, read, listen };
}

describe("MCP-1 several who listen", () => {
  it("MCP-1 what one follows already is not read again for another", async () => {
    const { workspace, memories, watch, read, listen } = await watched();
    await memories.write("alpha", "one\n");
    const [first, second] = [listen(), listen()];
    await first.listener.subscribe("alpha");
    await second.listener.subscribe("alpha");
    expect(read).toEqual(["alpha"]);
    first.listener.end();
    await memories.write("alpha", "two\n");
    watch.changed();
    await vi.waitFor(() => expect(second.told).toEqual(["alpha"]), 10_000);
    expect(first.told).toEqual([]);
    second.listener.end();
    await workspace.close();
  });

  it("MCP-1 where too many are followed a new one is refused, and nobody is silenced", async () => {
    const { workspace, memories, watch, listen } = await watched();
    await memories.write("alpha", "one\n");
    const first = listen();
    await first.listener.subscribe("alpha");
    const many = Array.from({ length: 5 }, listen);
    const follow = async () => {
      for (const [index, { listener }] of many.entries())
        for (let name = 0; name < 450; name += 1) await listener.subscribe(`name-${index}-${name}`);
    };
    await expect(follow()).rejects.toMatchObject({ code: "BUSY" });
    await expect(first.listener.subscribe("one-more")).rejects.toMatchObject({ code: "BUSY" });
    await memories.write("alpha", "two\n");
    watch.changed();
    await vi.waitFor(() => expect(first.told).toEqual(["alpha"]), 20_000);
    for (const { listener } of many) listener.end();
    await first.listener.subscribe("one-more");
    first.listener.end();
    await workspace.close();
  });
});
