import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bearer, type HttpRequest, type HttpWorld, httpWorld } from "../helpers/http-server.ts";
import { detailsOf, textOf } from "../helpers/mcp.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { wholeAnswer } from "../helpers/whole-answer.ts";

const folders = temporaryFolders();
const modern = "2026-07-28";

/** What one agent asks for: something of the other's, or something of the same form that there is not. */
interface Target {
  readonly root: string;
  readonly name: string;
  /** A word that stands in it. */
  readonly word: string;
  /** A file of the agent's own. */
  readonly file: string;
  readonly agent: string;
  readonly rev: string;
}

let at: HttpWorld;
let [alpha, beta] = ["", ""];
let [hers, none]: Target[] = [];
const clients = new Map<string, Client>();

beforeAll(async () => {
  const world = memoryWorld(folders.make());
  for (const folder of ["alpha", "beta"]) world.write(`work/app/${folder}/own-${folder}.md`, `# Own\n\nof ${folder}\n`);
  at = await httpWorld(world, { flags: { "--additional-folders": "alpha,beta", "--memory-path": world.bank } });
  alpha = await at.token({ name: "alpha", agentId: "alpha", scopes: ["alpha:all"] });
  beta = await at.token({ name: "beta", agentId: "beta", scopes: ["beta:all"] });
  const hersOnly = at.workspace.session({ author: "agent:beta", agentId: "beta", grants: new Map() });
  await hersOnly.agent?.memory.writeMemoryFile("beta", "plans/launch.md", "the zirconium launch\n");
  const client = await at.connect(beta);
  // A token that does not see every folder of notes changes notes, and makes none (MEM-6).
  await at.workspace.memories.write("BETA_launch", "# Launch\n\nThe zirconium code is 4711.\n");
  const content = "# Launch\n\nThe zirconium code is 4712.\n";
  const input = { memory_name: "BETA_launch", content };
  const written = (await client.callTool({ name: "write_memory", arguments: input })) as CallToolResult;
  const rev = String(detailsOf(written)["rev"]);
  hers = { root: "beta", name: "BETA_launch", word: "zirconium", file: "plans/launch.md", agent: "beta", rev };
  none = {
    root: "gone",
    name: "GONE_launch",
    word: "tellurium",
    file: "plans/vanish.md",
    agent: "gone",
    rev: "0".repeat(32),
  };
  for (const pin of ["", modern]) clients.set(pin, await at.connect(alpha, pin === "" ? undefined : pin));
});
afterAll(() => at.close());

type Attempt = readonly [says: string, ask: (target: Target) => Promise<string>];

function tools(pin: string): Attempt[] {
  const tool = (says: string, name: string, args: (target: Target) => Record<string, unknown>): Attempt => [
    `${says} over MCP ${pin === "" ? "2025-11-25" : pin}`,
    async (target) => {
      const result = (await clients.get(pin)?.callTool({ name, arguments: args(target) })) as CallToolResult;
      return JSON.stringify([result.isError ?? false, textOf(result), result.structuredContent, result._meta]);
    },
  ];
  const history = (action: string, rev?: string) =>
    tool(`${action} its history`, "memory_history", ({ name }) => ({ path: name, action, ...(rev ? { rev } : {}) }));
  return [
    tool("read", "read_memory", ({ name }) => ({ memory_name: name })),
    tool("read by path", "read_memory", ({ root, name }) => ({ memory_name: `${root}/${name}` })),
    tool("edit", "edit_memory", ({ name, word }) => ({ memory_name: name, needle: word, repl: "x", mode: "literal" })),
    tool("delete", "delete_memory", ({ name }) => ({ memory_name: name })),
    tool("rename", "rename_memory", ({ name }) => ({ old_name: name, new_name: "stolen" })),
    tool("overwrite by revision", "write_memory", ({ name, rev }) => ({
      memory_name: name,
      content: "x",
      if_rev: rev,
    })),
    tool("list", "list_memories", ({ root }) => ({ topic: root })),
    history("log"),
    history("show"),
    history("diff"),
    history("restore", "~1"),
    tool("history by path", "memory_history", ({ root, name }) => ({ path: `${root}/${name}.md` })),
    tool("search", "search_memory", ({ word }) => ({ query: word })),
    tool("search in its folder", "search_memory", ({ root }) => ({ query: "launch code", path: `${root}/**` })),
    tool("recall", "recall_context", ({ word }) => ({ query: `the ${word} code` })),
    tool("read a file of the other agent", "read_memory_file", ({ file }) => ({ relative_file_path: file })),
    tool("read it by its folder", "read_memory_file", ({ agent, file }) => ({
      relative_file_path: `../${agent}/${file}`,
    })),
    tool("read it by its whole path", "read_memory_file", ({ agent, file }) => ({
      relative_file_path: `/agent_memory/${agent}/${file}`,
    })),
    [
      `read as a resource over MCP ${pin === "" ? "2025-11-25" : pin}`,
      async ({ name }) =>
        String(
          await clients
            .get(pin)
            ?.readResource({ uri: `memory:///${name}` })
            .catch((error: unknown) => error),
        ),
    ],
  ];
}

function api(): Attempt[] {
  const json = { "content-type": "application/json" };
  const ask = (says: string, request: (target: Target) => HttpRequest): Attempt => [
    `${says} over the API`,
    async (target) => {
      const asked = request(target);
      const answer = await at.ask({ ...asked, headers: { ...bearer(alpha), ...asked.headers } });
      return `${answer.status} ${answer.text}`;
    },
  ];
  const get = (says: string, path: (target: Target) => string) => ask(says, (target) => ({ path: path(target) }));
  const change = (says: string, method: string, path: string, body: (target: Target) => object) =>
    ask(says, (target) => ({ method, path, headers: json, body: JSON.stringify(body(target)) }));
  return [
    get("read", ({ root, name }) => `/api/document?root=${root}&path=${name}.md`),
    get("read in a root of one's own", ({ name }) => `/api/document?root=alpha&path=${name}.md`),
    get(
      "read through a root of one's own",
      ({ root, name }) => `/api/document?root=alpha&path=..%2F${root}%2F${name}.md`,
    ),
    get("list", ({ root }) => `/api/folder?root=${root}`),
    get("list below", ({ root }) => `/api/folder?root=alpha&folder=${root}`),
    get("list another agent", ({ agent }) => `/api/folder?root=agent_memory%2F${agent}`),
    get(
      "read a file of another agent",
      ({ file }) => `/api/document?root=agent_memory&path=${encodeURIComponent(file)}`,
    ),
    get(
      "read it by its folder",
      ({ agent, file }) => `/api/document?root=agent_memory&path=${encodeURIComponent(`../${agent}/${file}`)}`,
    ),
    get("search", ({ word }) => `/api/search?q=${word}`),
    get("search in its root", ({ root, word }) => `/api/search?q=${word}&root=${root}`),
    get("history", ({ root }) => `/api/history?root=${root}`),
    get("history of one", ({ root, name }) => `/api/history?root=${root}&path=${name}.md`),
    get("history by author", ({ agent }) => `/api/history?author=agent:${agent}`),
    get("show", ({ root, name }) => `/api/history/show?root=${root}&path=${name}.md`),
    get("show a revision", ({ root, name, rev }) => `/api/history/show?root=${root}&path=${name}.md&rev=${rev}`),
    get("diff", ({ root, name }) => `/api/history/diff?root=${root}&path=${name}.md`),
    change("restore", "POST", "/api/history/restore", ({ root, name }) => ({ root, path: `${name}.md`, rev: "~1" })),
    change("write", "PUT", "/api/document", ({ root, name, rev }) => ({
      root,
      path: `${name}.md`,
      content: "x",
      ifRev: rev,
    })),
    change("create", "PUT", "/api/document", ({ root }) => ({ root, path: "planted.md", content: "x", ifRev: null })),
    change("move", "POST", "/api/document/move", ({ root, name, rev }) => ({
      root,
      path: `${name}.md`,
      to: "x.md",
      ifRev: rev,
    })),
    ask("delete", ({ root, name, rev }) => ({
      method: "DELETE",
      path: `/api/document?root=${root}&path=${name}.md&ifRev=${rev}`,
    })),
    get("conflict", ({ root, name }) => `/api/conflicts/show?root=${root}&path=${name}.conflict-12345678.md`),
    change("settle", "POST", "/api/conflicts/settle", ({ root, name }) => ({
      root,
      path: `${name}.conflict-12345678.md`,
      keep: "ours",
    })),
    get("topics", ({ root }) => `/api/topics/entries?topic=${root}&subtopic=x`),
  ];
}

/** The same words for both, with what was asked for taken out. */
function neutral(answer: string, target: Target): string {
  const { name, word, file, root, agent, rev } = target;
  const parts = [name, word, file, encodeURIComponent(file), root, agent, rev];
  return parts.reduce((text, part) => text.replaceAll(part, "…"), answer);
}

const attempts = [...tools(""), ...tools(modern), ...api()];

describe("WEB-2 AGT-4 two agents with two tokens", () => {
  it("WEB-2 try at least 60 ways across the border", () => {
    expect(attempts.length).toBeGreaterThanOrEqual(60);
  });

  it.each(attempts)("WEB-2 AGT-4 %s fails like what does not exist", async (_, ask) => {
    if (!hers || !none) throw new Error("not set up");
    const askOf = (target: Target) => wholeAnswer(() => ask(target));
    const [answer, absent] = [await askOf(hers), await askOf(none)];
    expect(neutral(answer, hers)).toBe(neutral(absent, none));
    expect(answer).not.toMatch(/471[12]|of beta/);
  });

  it("WEB-2 reach all of it with the token that it belongs to", async () => {
    const client = await at.connect(beta);
    const call = async (name: string, args: Record<string, unknown>) =>
      textOf((await client.callTool({ name, arguments: args })) as CallToolResult);
    expect(await call("read_memory", { memory_name: "BETA_launch" })).toContain("4712");
    const found = await wholeAnswer(() => call("search_memory", { query: "zirconium" }));
    expect(found).toContain("BETA_launch");
    expect(await call("memory_history", { path: "BETA_launch", action: "diff" })).toContain(
      "+The zirconium code is 4712.",
    );
    expect(await call("read_memory_file", { relative_file_path: "plans/launch.md" })).toContain("zirconium");
    const path = "/api/history/show?root=beta&path=BETA_launch.md";
    expect((await at.ask({ path, headers: bearer(beta) })).text).toContain("4712");
  });

  it("WEB-2 have changed nothing of each other's", async () => {
    const client = await at.connect(beta);
    const read = (await client.callTool({
      name: "read_memory",
      arguments: { memory_name: "BETA_launch" },
    })) as CallToolResult;
    expect(textOf(read)).toContain("4712");
    const files = (await client.callTool({ name: "list_memory_files", arguments: {} })) as CallToolResult;
    expect(textOf(files)).toContain("plans/launch.md");
  });

  it.each([undefined, modern])("WEB-2 hear nothing of each other's changes over MCP %s", async (pin) => {
    const listener = await at.connect(alpha, pin);
    const heard: string[] = [];
    listener.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
    listener.setNotificationHandler("notifications/resources/list_changed", () => void heard.push("list"));
    const uris = ["memory:///BETA_launch", "memory:///beta/BETA_launch", "memory:///own-alpha"];
    if (pin === undefined) {
      for (const uri of uris) await listener.subscribeResource({ uri });
      await listener.listResources();
    } else await listener.listen({ resourceSubscriptions: uris, resourcesListChanged: true });
    const writer = await at.connect(beta);
    const write = (memory_name: string) =>
      writer.callTool({ name: "append_memory", arguments: { memory_name, content: "more\n" } });
    await write("BETA_launch");
    await at.workspace.memories.append(`BETA_new_${pin === undefined ? "one" : "two"}`, "more\n");
    // A change of one's own, made after it, is heard: so was nothing else.
    await (clients.get("") as Client).callTool({
      name: "append_memory",
      arguments: { memory_name: "own-alpha", content: "more\n" },
    });
    await expect.poll(() => heard, { interval: 20 }).toContain("memory:///own-alpha");
    expect(heard).toEqual(["memory:///own-alpha"]);
  });

  it("WEB-2 see no events of each other's changes", async () => {
    const abort = new AbortController();
    const response = await fetch(`${at.origin}/api/events`, { headers: bearer(alpha), signal: abort.signal });
    const told: string[] = [];
    const reading = (async () => {
      for await (const part of response.body ?? []) told.push(Buffer.from(part).toString("utf8"));
    })().catch(() => {});
    await expect.poll(() => told.join("")).toContain("hello");
    const write = (client: Client, memory_name: string) =>
      client.callTool({ name: "append_memory", arguments: { memory_name, content: "again\n" } });
    await write(await at.connect(beta), "BETA_launch");
    await write(clients.get("") as Client, "own-alpha");
    await expect.poll(() => told.join("")).toContain("own-alpha");
    abort.abort();
    await reading;
    expect(told.join("")).not.toMatch(/BETA|beta/);
  });

  it("WEB-2 a session of the other one is a session that there is not", async () => {
    const legacy = await at.connect(beta);
    const id = (legacy.transport as { sessionId?: string } | undefined)?.sessionId ?? "";
    expect(id).not.toBe("");
    const ask = (sessionId: string, secret: string) =>
      at.ask({
        method: "POST",
        path: "/mcp",
        headers: {
          ...bearer(secret),
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-session-id": sessionId,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 5, method: "tools/list" }),
      });
    const [taken, made] = [await ask(id, alpha), await ask("3b241101-e2bb-4255-8caf-4136c566a962", alpha)];
    expect([taken.status, taken.text]).toEqual([made.status, made.text]);
    expect(taken.status).toBe(404);
    expect((await ask(id, beta)).status).toBe(200);
  });
});
