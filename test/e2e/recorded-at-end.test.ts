import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cliProcess } from "../helpers/cli.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { greeting, type RawServer, request, startRaw } from "../helpers/raw-server.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const noteOf = (world: MemoryWorld) => join(world.project, ".serena/memories/note.md");

async function write(server: RawServer): Promise<void> {
  const [greeted, written] = [server.answer(1), server.answer(2)];
  server.send(greeting(1));
  await greeted;
  const note = { memory_name: "note", content: "the only copy\n" };
  server.send(request(2, "tools/call", { name: "write_memory", arguments: note }));
  expect((await written).result).not.toHaveProperty("isError", true);
}

/** A git that does this, before all others. */
function gitThat(world: MemoryWorld, does: string): NodeJS.ProcessEnv {
  const programs = join(world.folder, "programs");
  mkdirSync(programs);
  writeFileSync(join(programs, "git"), `#!/bin/sh\n${does}\n`, { mode: 0o755 });
  return { ...world.env, PATH: `${programs}:${process.env["PATH"]}` };
}

describe("HIST-1 what a process wrote last", () => {
  it.each<[string, (server: RawServer) => void]>([
    ["by the end of its input", (server) => server.endInput()],
    ["by SIGTERM", (server) => server.signal("SIGTERM")],
    ["by SIGINT", (server) => server.signal("SIGINT")],
  ])("HIST-1 is in history where a server is ended %s right after", async (_, end) => {
    const world = memoryWorld(folders.make());
    const server = startRaw([], { cwd: world.project, env: { ...process.env, ...world.env } });
    await write(server);
    end(server);
    expect(await server.ended).toMatchObject({ code: 0 });
    rmSync(noteOf(world));
    expect((await world.cli(["show", "note", "~1"])).out).toBe("the only copy\n");
  });

  it("HIST-3 is written and acknowledged also where git hangs, and the command ends", async () => {
    const world = memoryWorld(folders.make());
    const env = gitThat(world, "exec sleep 60");
    const args = ["memories", "write", "note", "--content", "the only copy\n"];
    const started = performance.now();
    const said = expect.stringContaining("not recorded in history: git took too long");
    expect(await cliProcess(args, { cwd: world.project, env })).toMatchObject({ code: 0, err: said });
    expect(performance.now() - started).toBeLessThan(50_000);
    expect(readFileSync(noteOf(world), "utf8")).toBe("the only copy\n");
    expect((await world.cli(["show", "note"])).out).toBe("the only copy\n");
  });

  it("HIST-3 the same where history cannot be written, which is said", async () => {
    const world = memoryWorld(folders.make());
    await world.cli(["memories", "write", "first", "--content", "x"]);
    const settings = join(world.project, ".serena/memories/.recollect/history/config");
    rmSync(settings);
    mkdirSync(settings);
    const result = await world.cli(["memories", "write", "note", "--content", "y"]);
    expect(result).toMatchObject({ code: 0, err: expect.stringContaining("not recorded in history") });
  });

  it("HIST-3 the same where git fails, which is said", async () => {
    const world = memoryWorld(folders.make());
    const env = gitThat(world, "echo broken >&2; exit 9");
    const args = ["memories", "write", "note", "--content", "y"];
    const { code, out, err } = await cliProcess(args, { cwd: world.project, env });
    expect([code, out]).toEqual([0, expect.stringContaining("Created note")]);
    expect(err).toContain("not recorded in history");
    expect(err).not.toContain("    at ");
  });
});
