import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bearer, type HttpWorld, httpWorld, initialize, modernCall } from "../helpers/http-server.ts";
import { detailsOf, textOf } from "../helpers/mcp.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { wholeAnswer } from "../helpers/whole-answer.ts";

const folders = temporaryFolders();
const revisions = [undefined, "2026-07-28"] as const;

describe.each(revisions)("MCP-1 WEB-1 a client over HTTP in protocol revision %s", (pin) => {
  let world: MemoryWorld;
  let at: HttpWorld;
  let client: Client;
  beforeAll(async () => {
    world = memoryWorld(folders.make());
    world.write("bank/templates/task.md", "# Task\n");
    at = await httpWorld(world, { flags: { "--memory-path": world.bank } });
    client = await at.connect(await at.token({ agentId: "builder", scopes: ["*:all", "project:all"] }), pin);
  });
  afterAll(() => at.close());

  async function call(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
    return (await client.callTool({ name, arguments: args })) as CallToolResult;
  }

  it("MCP-1 says its name, its version, its revision and how to use it", () => {
    expect(client.getServerVersion()).toMatchObject({ name: "recollect", version: "1.2.3" });
    expect(client.getNegotiatedProtocolVersion()).toBe(pin ?? "2025-11-25");
    expect(client.getInstructions()).toContain("Call search_memory before you change code");
    expect(client.getInstructions()).toContain("memory files of your own");
  });

  it("MCP-1 every tool answers what it answers over stdin", async () => {
    const calls: readonly [tool: string, args: Record<string, unknown>, says: RegExp][] = [
      ["write_memory", { memory_name: "auth/login", content: "# Login\n\nuse tokens\n" }, /auth\/login written/],
      ["append_memory", { memory_name: "auth/login", content: "and rotate them\n" }, /auth\/login/],
      ["edit_memory", { memory_name: "auth/login", needle: "tokens", repl: "keys", mode: "literal" }, /auth\/login/],
      ["read_memory", { memory_name: "auth/login" }, /use keys[\s\S]*rotate/],
      ["list_memories", {}, /auth\/login/],
      ["rename_memory", { old_name: "auth/login", new_name: "auth/sign-in" }, /auth\/sign-in/],
      ["memory_history", { path: "auth/sign-in" }, /agent:builder/],
      [
        "store_in_memory",
        { topic: "build", subtopic: "cache", title: "Stale cache", context: "c", problem: "p", solution: "s" },
        /build/,
      ],
      ["load_from_memory", { topic: "build" }, /Stale cache/],
      ["search_memory", { query: "rotate keys" }, /auth\/sign-in/],
      ["recall_context", { query: "rotate keys" }, /rotate/],
      ["create_text_file", { relative_path: "notes.txt", content: "of the project\n" }, /notes\.txt/],
      ["read_file", { relative_path: "notes.txt" }, /of the project/],
      ["list_dir", { relative_path: ".", recursive: false }, /notes\.txt/],
      ["create_task_file", { kind: "plan", task_id: "T-1", content: "# T-1\n" }, /T-1/],
      ["write_memory_file", { relative_file_path: "own.md", content: "mine\n" }, /own\.md|rev/i],
      ["append_to_memory_file", { relative_file_path: "own.md", content: "more\n" }, /own\.md|rev/i],
      ["read_memory_file", { relative_file_path: "own.md" }, /mine\nmore/],
      ["list_memory_files", {}, /own\.md/],
      ["delete_memory", { memory_name: "auth/sign-in" }, /auth\/sign-in/],
    ];
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(calls.map(([name]) => name).sort());
    for (const [name, args, says] of calls) {
      const result = await wholeAnswer(() => call(name, args));
      expect(textOf(result), name).toMatch(says);
      expect(result.isError ?? false, `${name}: ${textOf(result)}`).toBe(false);
    }
  });

  it("MCP-1 errors are results with a code, and prompts and resources are there", async () => {
    const missing = await call("read_memory", { memory_name: "nothing" });
    expect([missing.isError, textOf(missing)]).toEqual([true, expect.stringMatching(/^NOT_FOUND: /)]);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name).sort()).toEqual(["recall", "review_topic", "store_learned"]);
    await call("write_memory", { memory_name: "note", content: "text\n" });
    const { contents } = await client.readResource({ uri: "memory:///note" });
    expect(contents).toMatchObject([{ text: "text\n" }]);
    expect((await client.listResources()).resources.map(({ name }) => name)).toContain("note");
  });

  it("MCP-1 tells of changes: of this server's, of another process's, and of the list", async () => {
    const heard: string[] = [];
    const listener = await at.connect(await at.token(), pin);
    listener.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
    listener.setNotificationHandler("notifications/resources/list_changed", () => void heard.push("list"));
    await call("write_memory", { memory_name: "watched", content: "one\n" });
    const uri = "memory:///watched";
    if (pin === undefined) {
      await listener.subscribeResource({ uri });
      await listener.listResources();
    } else await listener.listen({ resourceSubscriptions: [uri], resourcesListChanged: true });
    const soon = (what: string[]) => expect.poll(() => heard, { interval: 20 }).toEqual(what);
    const other = await at.connect(await at.token(), pin);
    await other.callTool({ name: "append_memory", arguments: { memory_name: "watched", content: "two\n" } });
    await soon([uri]);
    world.write("work/app/.serena/memories/watched.md", "by hand\n");
    await soon([uri, uri]);
    world.write("work/app/.serena/memories/fresh.md", "new\n");
    await soon([uri, uri, "list"]);
  });

  it("MCP-1 KER-5 many calls at once are all done", async () => {
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        call("append_memory", { memory_name: "log", content: `line ${index}\n` }),
      ),
    );
    expect(results.filter(({ isError }) => isError)).toEqual([]);
    const lines = textOf(await call("read_memory", { memory_name: "log" })).split("\n");
    for (let index = 0; index < 40; index += 1) expect(lines).toContain(`line ${index}`);
    expect(detailsOf(await call("list_memories", {}))["memories"]).toBeDefined();
  });
});

describe("MCP-1 WEB-2 answers", () => {
  it("MCP-1 WEB-2 get to who asked, also where everybody uses the same ids at once", async () => {
    const at = await httpWorld(memoryWorld(folders.make()));
    const names = Array.from({ length: 12 }, (_, index) => `note-${index}`);
    for (const name of names) await at.workspace.memories.write(name, `text of ${name}.\n`);
    const [one, other] = [await at.token(), await at.token({ name: "other", agentId: "other" })];
    const sessions = await Promise.all([at.connect(one), at.connect(other), at.connect(one)]);
    const read = (name: string) => ({ name: "read_memory", arguments: { memory_name: name } });
    const answers = await Promise.all(
      names.flatMap((name) => [
        ...sessions.map(async (client) => [name, textOf((await client.callTool(read(name))) as CallToolResult)]),
        ...[one, other].map(async (secret) => {
          const asked = modernCall("tools/call", read(name));
          const answer = await at.ask({ ...asked, headers: { ...asked.headers, ...bearer(secret) } });
          return [name, textOf(JSON.parse(answer.text).result)];
        }),
      ]),
    );
    expect(answers).toHaveLength(60);
    for (const [name, text] of answers) expect(text).toBe(`text of ${name}.\n`);
    await at.close();
  });
});

describe("MCP-1 clients of one credential that listen", () => {
  it("MCP-1 are told of what they follow, once each, whatever another one follows or ends", async () => {
    const at = await httpWorld(memoryWorld(folders.make()));
    const secret = await at.token();
    await at.workspace.memories.write("alpha", "one\n");
    const uri = "memory:///alpha";
    const listening = async (uris: string[]) => {
      const heard: string[] = [];
      const client = await at.connect(secret, "2026-07-28");
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
      await client.listen({ resourceSubscriptions: uris });
      return { client, heard };
    };
    const [first, same] = [await listening([uri]), await listening([uri])];
    const others = await listening(Array.from({ length: 500 }, (_, index) => `memory:///other-${index}`));
    await others.client.close();
    await at.workspace.memories.write("alpha", "two\n");
    await vi.waitFor(() => expect([first.heard, same.heard]).toEqual([[uri], [uri]]), 20_000);
    await at.workspace.memories.write("alpha", "three\n");
    await vi.waitFor(() => expect(first.heard).toHaveLength(2), 20_000);
    expect(first.heard).toEqual([uri, uri]);
    await at.close();
  });
});

describe("MCP-1 WEB-1 sessions of the era that has them", () => {
  it("MCP-1 begin with a greeting, end with DELETE, and are gone then", async () => {
    const at = await httpWorld(memoryWorld(folders.make()));
    const secret = await at.token();
    const begun = await at.ask({ ...initialize(), headers: { ...initialize().headers, ...bearer(secret) } });
    const id = String(begun.headers["mcp-session-id"]);
    const headers = { ...initialize().headers, ...bearer(secret), "mcp-session-id": id };
    const list = { method: "POST", path: "/mcp", headers, body: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' };
    expect((await at.ask(list)).status).toBe(200);
    expect((await at.ask({ method: "DELETE", path: "/mcp", headers })).status).toBe(200);
    expect((await at.ask(list)).status).toBe(404);
    await at.close();
  });

  it("WEB-1 the longest unused makes room where one credential opens too many", async () => {
    const at = await httpWorld(memoryWorld(folders.make()));
    const [secret, other] = [await at.token(), await at.token({ name: "other" })];
    const begin = async (token: string) => {
      const asked = initialize();
      const answer = await at.ask({ ...asked, headers: { ...asked.headers, ...bearer(token) } });
      return String(answer.headers["mcp-session-id"]);
    };
    const theirs = await begin(other);
    const ids = [];
    for (let index = 0; index < 101; index += 1) ids.push(await begin(secret));
    const statusOf = async (token: string, id: string | undefined) => {
      const headers = { ...initialize().headers, ...bearer(token), "mcp-session-id": id ?? "" };
      return (await at.ask({ method: "POST", path: "/mcp", headers, body: '{"jsonrpc":"2.0","id":2,"method":"ping"}' }))
        .status;
    };
    expect(await statusOf(secret, ids[0])).toBe(404);
    expect(await statusOf(secret, ids[100])).toBe(200);
    expect(await statusOf(other, theirs)).toBe(200);
    await at.close();
  });
});

describe("WEB-2 what is told of a server", () => {
  it("WEB-2 warnings about its folders are for an admin alone", async () => {
    const world = memoryWorld(folders.make());
    const at = await httpWorld(world, { flags: { "--additional-folders": "missing-folder" } });
    const told = async (isAdmin: boolean) =>
      (await at.connect(await at.token({ isAdmin }), "2026-07-28")).getInstructions();
    expect(await told(true)).toContain("missing-folder");
    expect(await told(false)).not.toContain("missing-folder");
    await at.close();
  });

  it("WEB-2 tools for what a token cannot see are not offered", async () => {
    const at = await httpWorld(memoryWorld(folders.make()));
    const toolsOf = async (scopes: string[], agentId?: string) => {
      const asked = modernCall("tools/list");
      const answer = await at.ask({
        ...asked,
        headers: { ...asked.headers, ...bearer(await at.token({ scopes, agentId })) },
      });
      return (JSON.parse(answer.text).result.tools as { name: string }[]).map(({ name }) => name);
    };
    expect(await toolsOf(["memory:read"])).not.toContain("read_memory");
    expect(await toolsOf(["memory:read"])).toContain("load_from_memory");
    expect(await toolsOf([".serena/memories:read"])).not.toContain("load_from_memory");
    expect(await toolsOf(["*:read"])).not.toContain("read_memory_file");
    expect(await toolsOf(["*:read"], "builder")).toContain("read_memory_file");
    await at.close();
  });
});
