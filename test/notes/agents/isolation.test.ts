import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AgentMemoryFileNotFoundError, AgentMemoryService } from "../../../src/app.ts";
import { cli } from "../../helpers/cli.ts";
import { documentStores, inRoot } from "../../helpers/document-stores.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { documentsOf } from "../../helpers/folder-snapshot.ts";
import { connectMcp, type McpConnection, textOf } from "../../helpers/mcp.ts";
import { memoryWorld } from "../../helpers/memory-world.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";

const folders = temporaryFolders();

/** Ids that a prefix compare, a case fold or a normalisation could take for each other. */
const agents = ["agent1", "agent10", "agent", "Agent1", "agent1.md", "café", "cafe"];

/** Each with a file of the same name, and one of its own. */
async function fillAgents(memory: AgentMemoryService): Promise<void> {
  for (const agent of agents) {
    await memory.writeMemoryFile(agent, "same.md", `of ${agent}`);
    await memory.writeMemoryFile(agent, `only-${agents.indexOf(agent)}.md`, `only of ${agent}`);
  }
}

describe.each(documentStores)("PG-1 AGT-4 one agent and another on $name", (stores) => {
  async function open() {
    const opened = await stores.open([{ name: "agent_memory" }]);
    const memory = new AgentMemoryService("/nowhere", { log: () => {}, store: opened.store });
    await fillAgents(memory);
    return { memory, ...inRoot(opened, "agent_memory") };
  }

  it.each(agents)("AGT-4 the library gives %s its own files alone", async (agent) => {
    const { memory } = await open();
    expect(await memory.readMemoryFile(agent, "same.md")).toBe(`of ${agent}`);
    const { files } = await memory.listMemoryFiles(agent);
    expect(files.map((file) => file.path)).toEqual([`only-${agents.indexOf(agent)}.md`, "same.md"]);
    for (const other of agents.filter((one) => one !== agent)) {
      const path = `only-${agents.indexOf(other)}.md`;
      expect(await errorOf(() => memory.readMemoryFile(agent, path))).toBeInstanceOf(AgentMemoryFileNotFoundError);
    }
  });

  it("AGT-4 a list that continues after a path of another agent stays in its own folder", async () => {
    const { memory } = await open();
    for (const after of ["", "../agent10/", "../../", "/", "\u{10ffff}", "../../"]) {
      const { files } = await memory.listMemoryFiles("agent1", { after });
      expect(
        files.every((file) => ["only-0.md", "same.md"].includes(file.path)),
        after,
      ).toBe(true);
    }
  });

  it("AGT-4 a write of one changes no file of any other", async () => {
    const { memory, all } = await open();
    const others = async () => Object.entries(await all()).filter(([path]) => !path.startsWith("agent1/"));
    const before = await others();
    await memory.writeMemoryFile("agent1", "same.md", "changed");
    await memory.appendToMemoryFile(
      "agent1",
      "agent10/same.md",
      "a folder of its own that is called like another agent",
    );
    await memory.writeMemoryFile("agent1", "same.md", "of agent1");
    expect(await others()).toEqual(before);
  });
});

describe("AGT-4 one agent and another", () => {
  let cache: string;
  let memory: AgentMemoryService;
  let server: McpConnection;

  beforeAll(async () => {
    cache = folders.make();
    memory = new AgentMemoryService(cache, { log: () => {} });
    await fillAgents(memory);
    server = await connectMcp({ folder: cache, agentId: "agent1" });
  });
  afterAll(async () => {
    await server.close();
    await memory.close();
  });

  it("AGT-4 the command line reads and lists for the agent that it was given alone", async () => {
    const options = ["--agent-id", "agent1", "--app-cache-dir", cache];
    expect((await cli(["agent", "read", "same.md", ...options])).out).toBe("of agent1");
    expect((await cli(["agent", "read", "only-1.md", ...options])).code).toBe(3);
    expect((await cli(["agent", "list", ...options])).out).not.toContain("only-1.md");
  });

  it("AGT-4 MCP-1 no tool has an argument for the agent or the folder", async () => {
    const { tools } = await server.client.listTools();
    const names = tools.flatMap((tool) => Object.keys(tool.inputSchema.properties ?? {}));
    expect([...new Set(names)].sort()).toEqual(["content", "create_only", "cursor", "if_rev", "relative_file_path"]);
  });

  it("AGT-4 MCP-1 nor has any tool of the other sets, and none of them reaches an agent's files", async () => {
    const world = memoryWorld(folders.make());
    const flags = ["--memory-path", world.bank, "--agent-id", "agent1", "--app-cache-dir", cache];
    const all = await world.connect(flags);
    const { tools } = await all.client.listTools();
    expect(tools.length).toBeGreaterThan(10);
    const names = tools.flatMap((tool) => Object.keys(tool.inputSchema.properties ?? {}));
    expect(names.filter((name) => /agent|cache|author|root|project/.test(name))).toEqual([]);
    for (const agent of ["agent1", "agent10"]) {
      const place = join(cache, "agent_memory", agent, "same.md");
      for (const path of [place, relative(world.project, place)]) {
        expect((await all.call("read_file", { relative_path: path })).isError, path).toBe(true);
        expect((await all.call("read_memory", { memory_name: path })).isError, path).toBe(true);
      }
    }
    await all.close();
  });

  it.each(["agent_id", "agentId", "agent_instance_id", "agent", "app_cache_dir", "root", "author"])(
    "AGT-4 MCP-1 an additional argument %s is refused and changes no agent",
    async (argument) => {
      const before = documentsOf(cache);
      const result = await server
        .call("write_memory_file", { relative_file_path: "same.md", content: "attack", [argument]: "agent10" })
        .catch(() => ({ isError: true, content: [] }));
      expect(result.isError).toBe(true);
      expect(documentsOf(cache)).toEqual(before);
    },
  );

  it("AGT-4 MCP-1 a server lists and reads for its own agent alone", async () => {
    expect(textOf(await server.call("read_memory_file", { relative_file_path: "same.md" }))).toBe("of agent1");
    expect(textOf(await server.call("list_memory_files", {}))).not.toContain("only-1.md");
    for (const cursor of ["../agent10/", "../../", "/"]) {
      expect(textOf(await server.call("list_memory_files", { cursor }))).not.toContain("only-1.md");
    }
    expect((await server.call("read_memory_file", { relative_file_path: "only-1.md" })).isError).toBe(true);
  });
});
