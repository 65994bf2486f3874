import { expect, it } from "vitest";
import { type McpConnection, textOf } from "../helpers/mcp.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const ask = async (server: McpConnection, args: Record<string, unknown>) =>
  textOf(await server.call("memory_history", args));

it("HIST-1 HIST-2 an agent sees who changed a note, and restores what was, in the folders that are served", async () => {
  const world = memoryWorld(folders.make());
  world.write("work/app/secret.md", "of the project\n");
  world.write("work/app/memory/build/cache.md", "## 2026-01-01: One\n**Problem:** p\n");
  const server = await world.connect(["--tools", "memories"]);
  expect(await ask(server, { path: "note" })).toMatch(/^NOT_FOUND: /);
  await server.call("write_memory", { memory_name: "note", content: "one\n" });
  await server.call("write_memory", { memory_name: "note", content: "two\n" });
  expect((await ask(server, { path: "note" })).split("\n")).toHaveLength(2);
  expect(await ask(server, { path: "note" })).toMatch(/ run [0-9a-f]{8}/);
  expect(await ask(server, { path: "note", action: "show", rev: "~1" })).toBe("one\n");
  expect(await ask(server, { path: "note", action: "diff" })).toContain("-one\n+two");
  expect(await ask(server, { path: "note", action: "restore" })).toMatch(/^INVALID_ARGUMENT: /);
  expect(await ask(server, { path: "note", action: "restore", rev: "~1" })).toMatch(/^note restored /);
  expect(textOf(await server.call("read_memory", { memory_name: "note" }))).toBe("one\n");
  for (const path of ["../../secret", "secret.md", "memory/build/cache.md", "build/cache"]) {
    expect(await ask(server, { path }), path).toMatch(/^(NOT_FOUND|INVALID_PATH): /);
  }
  await server.close();
});
