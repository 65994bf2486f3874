import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClientSessions } from "../../src/http/client-sessions.ts";
import type { Seat } from "../../src/http/seats.ts";
import { clientAuthor } from "../../src/mcp/client-author.ts";
import { bin } from "../helpers/checkout.ts";
import { asJson, bearer, type HttpWorld, httpWorld, initialize, modernCall, send } from "../helpers/http-server.ts";
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
    expect([code, err]).toEqual([3, expect.stringContaining("No agent's session has written anything here")]);
  });

  it("USE-8 what a person writes in the dashboard beside an agent's server is theirs, and stays", async () => {
    const client = new Client({ name: "claude-code", version: "1" });
    const args = [bin, "start-mcp-server", "--agent-id", "reviewer", "--enable-web-dashboard"];
    const env = { ...getDefaultEnvironment(), ...world.env };
    const command = { command: process.execPath, args, env, cwd: world.project };
    const transport = new StdioClientTransport({ ...command, stderr: "pipe" });
    let said = "";
    transport.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
    });
    await client.connect(transport);
    const dashboard = await vi.waitUntil(() => /(http:\S+)\/#token=(\S+)/.exec(said), { timeout: 20_000 });
    const [origin = "", secret = ""] = dashboard.slice(1);
    await client.callTool({ name: "write_memory", arguments: { memory_name: "agents", content: "text\n" } });
    const body = { root: ".serena/memories", path: "mine.md", content: "by hand\n", ifRev: null };
    const { headers, ...json } = asJson(body);
    const host = new URL(origin).host;
    const asked = { method: "PUT", path: "/api/document", ...json, headers: { host, ...headers, ...bearer(secret) } };
    expect(await send(origin, asked)).toMatchObject({ status: 200 });
    await client.close();
    const told = await authors();
    expect(told["agents.md"]).toMatchObject({ author: "agent:reviewer", run: expect.any(String) });
    expect(told["mine.md"]?.author).toMatch(/^person:/);
    expect(told["mine.md"]?.run).toBeUndefined();
    expect((await world.cli(["undo", "--session", "last", "--yes"])).out).toMatch(/^ +agents: removed\n1 operation/);
  });

  it.each([undefined, "2026-07-28"])("USE-8 WEB-2 over HTTP the credential says who writes, in %s", async (pin) => {
    const at = await httpWorld(world);
    try {
      const client = await at.connect(await at.token({ name: "ada", author: "person:ada" }), pin);
      await client.callTool({ name: "write_memory", arguments: { memory_name: "one", content: "text\n" } });
      const { operations } = await at.workspace.history.timeline({ limit: 1 });
      expect(operations[0]).toMatchObject({ author: "person:ada", run: expect.stringMatching(/./) });
    } finally {
      await at.close();
    }
  });

  it("USE-8 a session without a name in the protocol ends after a long pause, and is its client's alone", () => {
    let time = 0;
    const sessions = createClientSessions({ idleMs: 1000, mostEach: 2, now: () => time });
    const runs: string[] = [];
    const seat = { toolsFor: ({ run }: { run: string }) => ({ warnings: [run] }) } as unknown as Seat;
    const ask = (name: string) => runs.push(sessions.toolsOf(seat, name).warnings?.[0] ?? "");
    for (const wait of [0, 900, 900, 1001]) {
      time += wait;
      ask("claude-code");
    }
    ask("codex");
    expect(new Set(runs.slice(0, 3)).size).toBe(1);
    expect(new Set(runs.slice(2)).size).toBe(3);
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

describe("with the token of the person who started a server", () => {
  let at: HttpWorld;
  const clients: Client[] = [];

  beforeEach(async () => {
    at = await httpWorld(world);
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await at.close();
  });

  const own = () => at.server.secret ?? "";

  async function writeAs(name: string, { note, pin }: Write): Promise<void> {
    const negotiation = pin === undefined ? {} : { versionNegotiation: { mode: { pin } } };
    const client = new Client({ name, version: "1" }, negotiation);
    clients.push(client);
    const requestInit = { headers: bearer(own()) };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${at.origin}/mcp`), { requestInit }));
    await client.callTool({ name: "write_memory", arguments: { memory_name: note, content: "text\n" } });
  }

  it.each([undefined, "2026-07-28"])(
    "USE-8 each client writes as itself and in its own session, in %s",
    async (pin) => {
      await writeAs("claude-code", { note: "one", pin });
      await writeAs("codex-mcp-client", { note: "two", pin });
      const body = { root: ".serena/memories", path: "three.md", content: "by hand\n", ifRev: null };
      const { status } = await at.ask({ method: "PUT", path: "/api/document", ...asJson(body) }, own());
      expect(status).toBe(200);
      const told = await authors();
      expect(told["one.md"]).toMatchObject({
        author: "agent:claude-code",
        run: expect.stringMatching(/^[0-9a-f]{8}$/),
      });
      expect(told["two.md"]).toMatchObject({ author: "agent:codex", run: expect.stringMatching(/^[0-9a-f]{8}$/) });
      expect(told["two.md"]?.run).not.toBe(told["one.md"]?.run);
      expect(told["three.md"]?.author).toMatch(/^person:/);
      expect(told["three.md"]?.run).toBeUndefined();
      expect((await world.cli(["undo", "--session", "last", "--yes"])).out).toMatch(/^ +two: removed\n1 operation/);
    },
  );

  it("USE-8 two sessions of one client are two runs", async () => {
    await writeAs("claude-code", { note: "one" });
    await writeAs("claude-code", { note: "two" });
    const told = await authors();
    expect(told["two.md"]?.run).not.toBe(told["one.md"]?.run);
  });

  it.each([
    ["no clientInfo", { protocolVersion: "2025-11-25", capabilities: {} }],
    ["no version", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x" } }],
    ["no capabilities", { protocolVersion: "2025-11-25", clientInfo: { name: "x", version: "1" } }],
    ["nothing at all", undefined],
  ])("MCP-1 a greeting with %s is answered", async (_, params) => {
    const greeting = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const { status, text } = await at.ask({ ...initialize(), body: greeting }, own());
    expect([status, text]).toEqual([200, expect.stringContaining('"protocolVersion":"2025-11-25"')]);
  });

  it("MCP-1 a request without clientInfo in the era without sessions is answered", async () => {
    const asked = modernCall("tools/call", { name: "write_memory", arguments: { memory_name: "one", content: "x" } });
    const body = JSON.parse(String(asked.body));
    delete body.params._meta["io.modelcontextprotocol/clientInfo"];
    const { status } = await at.ask({ ...asked, body: JSON.stringify(body) }, own());
    expect(status).toBe(200);
    expect((await authors())["one.md"]?.author).toBe("agent:unknown");
  });
});
