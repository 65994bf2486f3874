import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { Server } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  AgentMemoryError,
  AgentMemoryFileNotFoundError,
  AgentMemoryService,
  AgentNotFoundError,
  InvalidPathError,
} from "../../src/app.ts";
import { errorOf } from "../helpers/error-of.ts";
import { documentsOf, snapshotOf } from "../helpers/folder-snapshot.ts";
import { connectMcp, type McpConnection, textOf } from "../helpers/mcp.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { craftedAuxiliaries, type Ground, type HostileFile, hostileFiles } from "./hostile-files.ts";

const folders = temporaryFolders();
const isRoot = process.getuid?.() === 0;
const secrets = /of agent2|outside secret|root:x:/;

interface Scene extends Ground {
  readonly top: string;
  readonly cache: string;
}

/** A root with two agents and a folder beyond it, which nobody may reach; nothing else, whatever was there before. */
function makeScene(top = folders.make()): Scene {
  for (const name of readdirSync(top)) if (name !== "cache") rmSync(join(top, name), { recursive: true });
  rmSync(join(top, "cache", "agent_memory"), { recursive: true, force: true });
  const cache = join(top, "cache");
  const [own, sibling] = [join(cache, "agent_memory", "agent1"), join(cache, "agent_memory", "agent2")];
  const outside = join(top, "outside");
  for (const folder of [own, sibling, outside]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(own, "own.md"), "of agent1");
  writeFileSync(join(sibling, "secret.md"), "of agent2");
  writeFileSync(join(outside, "secret.md"), "outside secret");
  return { top, cache, own, sibling, outside };
}

describe.skipIf(process.platform === "win32")("links and special files", () => {
  let scene: Scene;
  let memory: AgentMemoryService;
  let listening: Server | undefined;

  beforeEach(() => {
    scene = makeScene();
    memory = new AgentMemoryService(scene.cache, { log: () => {} });
  });
  afterEach(async () => {
    await memory.close();
    listening?.close();
    listening = undefined;
  });

  async function setUp(row: HostileFile, ground: Ground = scene): Promise<void> {
    const made = row.setUp(ground);
    if (!(made instanceof Server)) return;
    listening = made;
    await new Promise((resolve) => made.once("listening", resolve));
  }

  const rows = hostileFiles.filter((row) => isRoot || !row.needsRoot);

  describe.each(rows)("KER-2 $what", (row) => {
    const operations: Record<string, () => Promise<unknown>> = {
      read: () => memory.readMemoryFile("agent1", row.path),
      write: () => memory.writeMemoryFile("agent1", row.path, "attack"),
      append: () => memory.appendToMemoryFile("agent1", row.path, "attack"),
      "create only": () => memory.writeMemoryFile("agent1", row.path, "attack", { mustNotExist: true }),
    };

    it.each(Object.keys(operations))("is refused by the library on %s, and nothing changes", async (operation) => {
      await setUp(row);
      const before = documentsOf(scene.top);
      const error = await errorOf(() => operations[operation]?.());
      // The seed knows nothing to read below a file; everything else is no acceptable path.
      const expected = row.missing && operation === "read" ? AgentMemoryFileNotFoundError : InvalidPathError;
      expect(error).toBeInstanceOf(expected);
      expect(String(error)).not.toContain(scene.top);
      expect(documentsOf(scene.top)).toEqual(before);
    });

    it("shows in a listing as what it is or not at all, and never what lies behind it", async () => {
      await setUp(row);
      const { files } = await memory.listMemoryFiles("agent1");
      const bait = files.find((file) => file.path === row.path);
      expect(bait?.remark).toBe(row.remark);
      expect(files.filter((file) => /secret/.test(file.path))).toEqual([]);
      expect(files.map((file) => file.path)).toContain("own.md");
    });
  });

  it("KER-2 a second name of the folder owner's own file is read, and no write goes through it", async () => {
    const [secret, bait] = [join(scene.outside, "secret.md"), join(scene.own, "bait.md")];
    linkSync(secret, bait);
    expect(await memory.readMemoryFile("agent1", "bait.md")).toBe("outside secret");
    await memory.appendToMemoryFile("agent1", "bait.md", " and more");
    await memory.writeMemoryFile("agent1", "bait.md", "replaced");
    expect([readFileSync(bait, "utf8"), readFileSync(secret, "utf8")]).toEqual(["replaced", "outside secret"]);
  });

  describe("over MCP", () => {
    const top = folders.make();
    let server: McpConnection;
    beforeAll(async () => {
      server = await connectMcp({ folder: makeScene(top).cache, agentId: "agent1" });
    });
    afterAll(() => server.close());

    it.each(rows)("KER-2 MCP-1 $what is refused by every tool, and nothing changes", async (row) => {
      await setUp(row, makeScene(top));
      const before = documentsOf(top);
      for (const tool of ["read_memory_file", "write_memory_file", "append_to_memory_file"]) {
        const content = tool === "read_memory_file" ? {} : { content: "attack" };
        const result = await server.call(tool, { relative_file_path: row.path, ...content });
        expect(result.isError, tool).toBe(true);
        expect(textOf(result)).not.toContain(top);
        expect(textOf(result)).not.toMatch(secrets);
      }
      const listed = await server.call("list_memory_files", {});
      expect(listed.isError ?? false).toBe(false);
      expect(textOf(listed)).toContain("own.md");
      expect(textOf(listed)).not.toMatch(/secret/);
      expect(documentsOf(top)).toEqual(before);
      expect(server.log()).not.toContain(top);
    });
  });

  describe("AGT-2 an agent whose folder is no folder", () => {
    const impostors: Record<string, (place: string) => void> = {
      "a link to the folder of a sibling": (place) => symlinkSync("agent2", place),
      "a link to a folder outside": (place) => symlinkSync(scene.outside, place),
      "a dangling link": (place) => symlinkSync("nowhere", place),
      "a file": (place) => writeFileSync(place, "a file"),
    };

    it.each(Object.keys(impostors))("is AgentNotFoundError where it is %s", async (kind) => {
      const place = join(scene.cache, "agent_memory", "agent3");
      impostors[kind]?.(place);
      const before = documentsOf(scene.top);
      for (const operation of [
        () => memory.writeMemoryFile("agent3", "secret.md", "attack"),
        () => memory.appendToMemoryFile("agent3", "secret.md", "attack"),
        () => memory.writeMemoryFile("agent3", "deep/new.md", "attack"),
      ]) {
        expect(await errorOf(operation)).toBeInstanceOf(AgentNotFoundError);
      }
      expect(await errorOf(() => memory.readMemoryFile("agent3", "secret.md"))).toBeInstanceOf(AgentMemoryError);
      const listed = await memory.listMemoryFiles("agent3").catch((error: unknown) => error);
      expect(listed instanceof AgentNotFoundError || (listed as { files: unknown[] }).files.length === 0).toBe(true);
      expect(documentsOf(scene.top)).toEqual(before);
    });
  });

  describe("a crafted auxiliary folder", () => {
    it.each(craftedAuxiliaries)("KER-2 leads no operation outside: $what", async ({ setUp: craft }) => {
      craft(join(scene.own, ".recollect"), scene);
      const passwords = readFileSync("/etc/passwd", "utf8");
      const [outside, sibling] = [snapshotOf(scene.outside), documentsOf(scene.sibling)];
      const results = [
        await memory.readMemoryFile("agent1", "own.md").catch((error: unknown) => error),
        await memory.writeMemoryFile("agent1", "new.md", "new").catch((error: unknown) => error),
        await memory.appendToMemoryFile("agent1", "own.md", ", more").catch((error: unknown) => error),
        await memory.writeMemoryFile("agent1", "own.md", "replaced").catch((error: unknown) => error),
        await memory.listMemoryFiles("agent1").catch((error: unknown) => error),
      ];
      const said = results
        .map((result) => (result instanceof Error ? String(result) : JSON.stringify(result)))
        .join("\n");
      expect(said).not.toMatch(secrets);
      expect(said).not.toContain(scene.top);
      for (const result of results) {
        if (result instanceof Error) expect(result).toBeInstanceOf(AgentMemoryError);
      }
      expect(snapshotOf(scene.outside)).toEqual(outside);
      // Recovery may lock a folder of the same root; the documents in it are what must not be touched.
      expect(documentsOf(scene.sibling)).toEqual(sibling);
      expect(readFileSync("/etc/passwd", "utf8")).toBe(passwords);
      expect(readFileSync(join(scene.own, "own.md"), "utf8")).toMatch(/^(of agent1(, more)?|replaced)$/);
    });

    it("KER-2 that does harm can be deleted, and the agent works again", async () => {
      const auxiliary = join(scene.own, ".recollect");
      symlinkSync(scene.outside, auxiliary);
      expect(await errorOf(() => memory.writeMemoryFile("agent1", "new.md", "new"))).toBeInstanceOf(AgentMemoryError);
      rmSync(auxiliary);
      await memory.writeMemoryFile("agent1", "new.md", "new");
      expect(await memory.readMemoryFile("agent1", "new.md")).toBe("new");
    });
  });
});
