import { Client } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeEach, describe, expect, it } from "vitest";
import { clientAuthor } from "../../src/mcp/client-author.ts";
import { bin } from "../helpers/checkout.ts";
import { httpWorld } from "../helpers/http-server.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

interface Write {
  readonly note: string;
  readonly args?: readonly string[];
  readonly pin?: string | undefined;
}

/** A client of this name writes a note over stdin and stdout, and ends. */
async function write(name: string, { note, args = [], pin }: Write): Promise<void> {
  const client = new Client({ name, version: "1" }, pin === undefined ? {} : { versionNegotiation: { mode: { pin } } });
  const env = { ...getDefaultEnvironment(), ...world.env };
  const command = { command: process.execPath, args: [bin, "start-mcp-server", ...args] };
  await client.connect(new StdioClientTransport({ ...command, env, cwd: world.project, stderr: "ignore" }));
  const result = await client.callTool({ name: "write_memory", arguments: { memory_name: note, content: "text\n" } });
  expect(result.isError ?? false).toBe(false);
  await client.close();
}

async function authors(): Promise<Record<string, { author: string; run?: string }>> {
  const { operations } = JSON.parse((await world.cli(["log", "--json"])).out);
  return Object.fromEntries(
    operations.map((one: { changes: { path: string }[]; author: string; run?: string }) => [one.changes[0]?.path, one]),
  );
}

describe("who a write over MCP is told to be by", () => {
  it.each([undefined, "2026-07-28"])("USE-8 the client names itself, in revision %s of the protocol", async (pin) => {
    await write("claude-code", { note: "one", pin });
    await write("codex-mcp-client", { note: "two", pin });
    await world.cli(["memories", "write", "three", "--content", "by hand"]);
    const told = await authors();
    expect(told["one.md"]).toMatchObject({ author: "agent:claude-code", run: expect.stringMatching(/^[0-9a-f]{8}$/) });
    expect(told["two.md"]).toMatchObject({ author: "agent:codex" });
    expect(told["two.md"]?.run).not.toBe(told["one.md"]?.run);
    expect(told["three.md"]?.author).toMatch(/^person:/);
  });

  it("USE-8 --agent-id says who it is, whatever the client is called", async () => {
    await write("claude-code", { note: "one", args: ["--agent-id", "reviewer"] });
    expect((await authors())["one.md"]).toMatchObject({ author: "agent:reviewer" });
  });

  it("USE-8 undo takes back what a client did today, or its last session, and leaves what is a person's", async () => {
    await write("claude-code", { note: "one" });
    await write("codex-mcp-client", { note: "two" });
    await write("claude-code", { note: "three" });
    await world.cli(["memories", "write", "four", "--content", "by hand"]);
    expect(await world.cli(["undo", "--session", "last", "--yes"])).toMatchObject({ code: 0 });
    expect((await world.cli(["memories", "list"])).out).not.toContain("three");
    const all = await world.cli(["undo", "--author", "agent:claude-code", "--since", "today", "--yes"]);
    expect(all).toMatchObject({ code: 0 });
    const listed = (await world.cli(["memories", "list"])).out;
    expect(listed).not.toMatch(/one|three/);
    expect(listed).toMatch(/four[\s\S]*two/);
  });

  it("USE-8 undo of the last session says so where there was none", async () => {
    await world.cli(["memories", "write", "four", "--content", "by hand"]);
    const { code, err } = await world.cli(["undo", "--session", "last", "--yes"]);
    expect([code, err]).toEqual([3, expect.stringContaining("No session has written anything here")]);
  });

  it.each([undefined, "2026-07-28"])("USE-8 WEB-2 over HTTP the credential says who writes, in %s", async (pin) => {
    const at = await httpWorld(world);
    try {
      const client = await at.connect(await at.token({ name: "ada", author: "person:ada" }), pin);
      await client.callTool({ name: "write_memory", arguments: { memory_name: "one", content: "text\n" } });
      const { operations } = await (await at.workspace.history()).timeline({ limit: 1 });
      expect(operations[0]).toMatchObject({ author: "person:ada", run: expect.stringMatching(/./) });
    } finally {
      await at.close();
    }
  });

  it.each([
    ["Claude Code", "agent:claude-code"],
    ["gemini-cli-mcp-client", "agent:gemini-cli"],
    ["Visual Studio Code", "agent:vscode"],
    ["cursor-vscode", "agent:cursor"],
    ["../../etc/passwd", "agent:etc-passwd"],
    ["person:root\nDate: 1970", "agent:person-root-date-1970"],
    ["\u202eevil\u0000\u001b[31m", "agent:evil-31m"],
    ["", "agent:unknown"],
    ["日本", "agent:unknown"],
    [undefined, "agent:unknown"],
    ["x".repeat(10_000), `agent:${"x".repeat(64)}`],
  ])("USE-8 a client called %j writes as %s", (name, author) => {
    expect(clientAuthor(name)).toBe(author);
  });
});
