import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { version } from "../../src/cli/version.ts";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { connectMcp, detailsOf, type McpConnection, textOf } from "../helpers/mcp.ts";
import { greeting, request, startRawServer } from "../helpers/raw-server.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const revision = /^[0-9a-f]{32}$/;

/** Undefined is the era that begins with `initialize`. */
describe.each([undefined, "2026-07-28"])("MCP-1 a server spoken to in protocol revision %s", (pin) => {
  let folder: string;
  let server: McpConnection;
  beforeAll(async () => {
    folder = folders.make();
    server = await connectMcp({ folder, agentId: "agent-1", ...(pin === undefined ? {} : { pin }) });
  });
  afterAll(() => server.close());

  it("MCP-1 says its name, its version and how to use it", () => {
    expect(server.client.getServerVersion()).toMatchObject({ name: "recollect", version });
    expect(server.client.getInstructions()).toContain("memory files");
    expect(server.client.getNegotiatedProtocolVersion()).toBe(pin ?? "2025-11-25");
  });

  it("MCP-1 lists its tools with annotations, input and output schemas", async () => {
    const { tools } = await server.client.listTools();
    const names = ["append_to_memory_file", "list_memory_files", "read_memory_file", "write_memory_file"];
    expect(tools.map((tool) => tool.name).sort()).toEqual(names);
    for (const tool of tools) {
      expect(tool.description, tool.name).not.toBe("");
      expect(tool.inputSchema, tool.name).toMatchObject({ type: "object" });
      expect(tool.outputSchema, tool.name).toMatchObject({ type: "object" });
      expect(tool.annotations, tool.name).toMatchObject({ openWorldHint: false });
    }
    const readers = tools.filter((tool) => tool.annotations?.readOnlyHint).map((tool) => tool.name);
    expect(readers.sort()).toEqual(["list_memory_files", "read_memory_file"]);
    const destructive = tools.filter((tool) => tool.annotations?.destructiveHint).map((tool) => tool.name);
    expect(destructive).toEqual(["write_memory_file"]);
  });

  it("MCP-1 writes, appends, reads and lists, with details beside the text", async () => {
    const written = await server.call("write_memory_file", { relative_file_path: "notes/a.md", content: "one\n" });
    expect(detailsOf(written)).toEqual({ rev: expect.stringMatching(revision) });
    const appended = await server.call("append_to_memory_file", { relative_file_path: "notes/a.md", content: "two\n" });
    const read = await server.call("read_memory_file", { relative_file_path: "notes/a.md" });
    expect(textOf(read)).toBe("one\ntwo\n");
    expect(detailsOf(read)).toEqual({ rev: detailsOf(appended)["rev"] });
    const listed = await server.call("list_memory_files", {});
    expect(textOf(listed)).toMatch(/^notes\/a\.md \(8 bytes, \d{4}-\d\d-\d\d, rev [0-9a-f]{32}\)$/);
    expect(detailsOf(listed)).toEqual({
      files: [{ path: "notes/a.md", size: 8, modified: expect.any(String), rev: detailsOf(appended)["rev"] }],
    });
    expect(readFileSync(join(folder, "agent_memory", "agent-1", "notes", "a.md"), "utf8")).toBe("one\ntwo\n");
  });

  it("MCP-1 KER-9 answers errors as results with a code and what to do, said once, not as protocol errors", async () => {
    const missing = await server.call("read_memory_file", { relative_file_path: "missing.md" });
    expect(missing.isError).toBe(true);
    expect(textOf(missing)).toMatch(/^NOT_FOUND: .*missing\.md.*List what exists/);
    const refused = await server.call("write_memory_file", { relative_file_path: "../a.md", content: "x" });
    expect(textOf(refused)).toMatch(/^INVALID_PATH: .*relative path/);
    expect(textOf(refused).match(/notes\/build\.md/g)).toHaveLength(1);
    const large = { relative_file_path: "large.md", content: "x".repeat(1024 * 1024 + 1) };
    expect(textOf(await server.call("write_memory_file", large))).toMatch(
      /^TOO_LARGE: .*1048577.*1048576\. Split [^.]*\.$/,
    );
    const surrogate = await server.call("write_memory_file", { relative_file_path: "b.md", content: "a\ud800" });
    expect(textOf(surrogate)).toMatch(/^INVALID_CONTENT: /);
  });

  it("MCP-1 KER-6 refuses a write that expects another revision, and says the current one", async () => {
    const first = await server.call("write_memory_file", { relative_file_path: "cas.md", content: "one" });
    const rev = String(detailsOf(first)["rev"]);
    const next = { relative_file_path: "cas.md", content: "two", if_rev: rev };
    expect((await server.call("write_memory_file", next)).isError ?? false).toBe(false);
    const conflict = await server.call("write_memory_file", { ...next, content: "three" });
    expect(conflict.isError).toBe(true);
    expect(textOf(conflict)).toMatch(/^CONFLICT: .*[0-9a-f]{32}\. Read it again[^.]*\.$/);
    const create = await server.call("write_memory_file", {
      relative_file_path: "cas.md",
      content: "x",
      create_only: true,
    });
    expect(textOf(create)).toMatch(/^CONFLICT: “cas\.md” exists already/);
    const both = await server.call("write_memory_file", { ...next, create_only: true });
    expect(textOf(both)).toMatch(/^INVALID_ARGUMENT: .*not both/);
    const nonsense = await server.call("write_memory_file", { ...next, if_rev: "yesterday" });
    expect(textOf(nonsense)).toMatch(/^INVALID_ARGUMENT: /);
    expect(textOf(await server.call("read_memory_file", { relative_file_path: "cas.md" }))).toBe("two");
  });

  it.each([
    ["read_memory_file", {}],
    ["read_memory_file", { relative_file_path: 7 }],
    ["read_memory_file", { relative_file_path: null }],
    ["read_memory_file", { relative_file_path: ["a.md"] }],
    ["read_memory_file", { relative_file_path: "a.md", additional: true }],
    ["write_memory_file", { relative_file_path: "a.md" }],
    ["write_memory_file", { relative_file_path: "a.md", content: { toString: "x" } }],
    ["write_memory_file", { relative_file_path: "a.md", content: "x", create_only: "yes" }],
    ["append_to_memory_file", { content: "x" }],
    ["list_memory_files", { cursor: 1 }],
    ["no_such_tool", {}],
  ] as const)("MCP-1 refuses %s with the arguments %j, and goes on", async (tool, args) => {
    const before = snapshotOf(folder);
    const result = await server.call(tool, args).catch((error: unknown) => error);
    expect(result instanceof Error || (result as { isError?: boolean }).isError).toBe(true);
    expect(snapshotOf(folder)).toEqual(before);
    expect((await server.call("list_memory_files", {})).isError ?? false).toBe(false);
  });
});

describe("MCP-1 a server", () => {
  it("MCP-1 KER-12 lists long memories in pages, each file once", async () => {
    const folder = folders.make();
    const server = await connectMcp({ folder, agentId: "agent-1" });
    await server.call("write_memory_file", { relative_file_path: "0.md", content: "x" });
    for (let index = 1; index < 450; index += 1)
      writeFileSync(join(folder, "agent_memory", "agent-1", `${index}.md`), "x");
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await server.call("list_memory_files", cursor === undefined ? {} : { cursor });
      const content = detailsOf(page) as { files: { path: string }[]; next_cursor?: string };
      seen.push(...content.files.map((file) => file.path));
      cursor = content.next_cursor;
      if (cursor !== undefined) expect(textOf(page)).toContain("More follow");
    } while (cursor !== undefined);
    await server.close();
    expect(new Set(seen).size).toBe(450);
    expect(seen).toHaveLength(450);
  });

  it("MCP-1 finishes a write that is under way when its input ends, and ends by itself", async () => {
    const folder = folders.make();
    const server = startRawServer(folder, "agent-1");
    const content = "x".repeat(500_000);
    server.send(greeting(1));
    await server.answer(1);
    for (let index = 0; index < 5; index += 1) {
      const args = { relative_file_path: `${index}.md`, content };
      server.send(request(10 + index, "tools/call", { name: "write_memory_file", arguments: args }));
    }
    server.endInput();
    const { code, lines } = await server.ended;
    expect(code).toBe(0);
    expect(lines.filter((line) => /"id":1[0-4]\b/.test(line) && !/"isError":true|"error"/.test(line))).toHaveLength(5);
    for (let index = 0; index < 5; index += 1) {
      expect(readFileSync(join(folder, "agent_memory", "agent-1", `${index}.md`), "utf8")).toBe(content);
    }
  });

  it("MCP-1 writes nothing but JSON-RPC to stdout, whatever it is sent", async () => {
    const server = startRawServer(folders.make(), "agent-1");
    server.send(greeting(1));
    await server.answer(1);
    const strange = [
      "not JSON",
      "{",
      "[]",
      "null",
      '"text"',
      "{}",
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"1.0","id":5,"method":"x"}',
      "",
    ];
    for (const line of strange) server.send(line);
    server.send(request(2, "no/such/method"));
    const refused = await server.answer(2);
    expect(refused.error?.code).toBe(-32601);
    server.send(request(3, "tools/call", { name: "list_memory_files", arguments: {} }));
    expect((await server.answer(3)).result).toMatchObject({ _meta: { "recollect/details": { files: [] } } });
    server.endInput();
    const { code, lines } = await server.ended;
    expect(code).toBe(0);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  it("MCP-1 KER-12 answers a message over 10 MiB with an error, and goes on with the next one", async () => {
    const server = startRawServer(folders.make(), "agent-1");
    server.send(greeting(1));
    await server.answer(1);
    const args = { relative_file_path: "large.md", content: "x".repeat(12_000_000) };
    const call = { name: "write_memory_file", arguments: args };
    server.send(request(2, "tools/call", call));
    expect((await server.answer(2)).error).toMatchObject({ code: -32600, message: expect.stringContaining("larger") });
    server.send(JSON.stringify({ params: call, method: "tools/call", jsonrpc: "2.0", id: 3 }));
    expect((await server.answer(3)).error?.code).toBe(-32600);
    server.send("y".repeat(30_000_000));
    server.send(request(4, "tools/call", { name: "list_memory_files", arguments: {} }));
    expect((await server.answer(4)).result).toMatchObject({ _meta: { "recollect/details": { files: [] } } });
    server.endInput();
    const { code, lines } = await server.ended;
    expect([code, lines.filter((line) => line.includes('"id":null')).length]).toEqual([0, 1]);
  });

  it("MCP-1 that nobody ever spoke to ends when its input ends, and has made nothing", async () => {
    const folder = folders.make();
    const server = startRawServer(folder, "agent-1");
    server.endInput();
    expect(await server.ended).toEqual({ code: 0, lines: [] });
    expect(snapshotOf(folder)).toEqual({});
  });

  it("MCP-1 AGT-5 and another server on one store lose nothing of each other, and see each other's writes", async () => {
    const folder = folders.make();
    const servers = await Promise.all([1, 2].map(() => connectMcp({ folder, agentId: "agent-1" })));
    const records = servers.flatMap((server, index) =>
      Array.from({ length: 25 }, (_, record) => ({ server, text: `${index}:${record}\n` })),
    );
    await Promise.all(
      records.map(({ server, text }) =>
        server.call("append_to_memory_file", { relative_file_path: "log.md", content: text }),
      ),
    );
    const texts = await Promise.all(
      servers.map(async (server) => textOf(await server.call("read_memory_file", { relative_file_path: "log.md" }))),
    );
    await Promise.all(servers.map((server) => server.close()));
    expect(texts[0]).toBe(texts[1]);
    expect((texts[0] ?? "").split(/(?<=\n)/).toSorted()).toEqual(records.map(({ text }) => text).toSorted());
  });
});
