import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  AgentMemoryService,
  createContentGuard,
  createDocuments,
  type DocumentPath,
  fullAccess,
  openFilesStore,
  openWorkspace,
  type Workspace,
} from "../../src/app.ts";
import { loadCommands } from "../../src/cli/commands.ts";
import { cli, cliProcess } from "../helpers/cli.ts";
import { errorOf } from "../helpers/error-of.ts";
import { documentsOf } from "../helpers/folder-snapshot.ts";
import { type McpConnection, textOf } from "../helpers/mcp.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { freshToken } from "./fresh-token.ts";

const folders = temporaryFolders();
const words = "Security violation: Cannot store sensitive data (";

/** Whatever holds both ends of it, or one of them, in its bytes or its name. */
function leaksBelow(folder: string, token: string): string[] {
  const parts = [token.slice(4, 20), token.slice(-16)].map((part) => Buffer.from(part));
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const bytes = entry.isFile() ? readFileSync(path) : Buffer.alloc(0);
    return parts.some((part) => bytes.includes(part) || path.includes(part.toString())) ? [path] : [];
  });
}

function leaksIn(text: string, token: string): boolean {
  return text.includes(token.slice(4, 20)) || text.includes(token.slice(-16));
}

function makeWorld(): MemoryWorld {
  const world = memoryWorld(folders.make());
  world.write("work/app/.serena/memories/note.md", "# Note\nalpha\n");
  world.write("bank/templates/plan-mode.md", "# Plan\n");
  world.write("cache/agent_memory/agent-1/own.md", "own\n");
  world.write("work/app/memory/build/cache.md", "## 2026-01-01: One\n**Problem:** p\n\n---\n\n");
  return world;
}

type Row<Args> = readonly [what: string, args: (token: string, world: MemoryWorld) => Args];
type ToolArgs = Record<string, unknown>;

const entry = { topic: "build", subtopic: "cache", title: "Title", context: "c", problem: "p", solution: "s" };
const entryFields = ["topic", "subtopic", "title", "context", "problem", "solution", "code"] as const;

/** Every tool that writes, with each of its parameters that reaches the disk. */
const tools: Readonly<Record<string, readonly Row<ToolArgs>[]>> = {
  write_memory: [
    ["content", (token) => ({ memory_name: "new", content: `first\n  see ${token} here\n` })],
    ["content over a note", (token) => ({ memory_name: "note", content: token })],
    ["front matter", (token) => ({ memory_name: "new", content: `---\ntitle: x\nkey: ${token}\n---\nbody\n` })],
    ["name", (token) => ({ memory_name: `notes/${token}`, content: "harmless" })],
    ["base64", (token) => ({ memory_name: "new", content: Buffer.from(`a ${token} b`).toString("base64") })],
    ["split", (token) => ({ memory_name: "new", content: `${token.slice(0, 20)}\u200b${token.slice(20)}` })],
  ],
  edit_memory: [
    ["literal", (token) => ({ memory_name: "note", needle: "alpha", repl: token, mode: "literal" })],
    ["regex", (token) => ({ memory_name: "note", needle: "a(lph)a", repl: `$!1 ${token}`, mode: "regex" })],
  ],
  append_memory: [
    ["to a note", (token) => ({ memory_name: "note", content: `\n${token}\n` })],
    ["to nothing", (token) => ({ memory_name: "new", content: token })],
  ],
  rename_memory: [["new name", (token) => ({ old_name: "note", new_name: token })]],
  create_text_file: [
    [
      "into the bank",
      (token, { bank }) => ({ relative_path: join(bank, "app/foundation/stack.md"), content: `x ${token}` }),
    ],
    ["name in the bank", (token, { bank }) => ({ relative_path: join(bank, "app", `${token}.md`), content: "x" })],
    ["folder in the bank", (token, { bank }) => ({ relative_path: join(bank, "app", token, "a.md"), content: "x" })],
    ["into the memories", (token) => ({ relative_path: ".serena/memories/sneaky.md", content: token })],
    ["into the topics", (token) => ({ relative_path: "memory/build/sneaky.md", content: token })],
  ],
  create_task_file: [
    ["content", (token) => ({ task_id: "T-1", kind: "plan", content: token })],
    ["task", (token) => ({ task_id: token, kind: "plan" })],
  ],
  write_memory_file: [["content", (token) => ({ relative_file_path: "new.md", content: token })]],
  append_to_memory_file: [
    ["to a file", (token) => ({ relative_file_path: "own.md", content: token })],
    ["to nothing", (token) => ({ relative_file_path: "new.md", content: token })],
  ],
  store_in_memory: entryFields.map((field): Row<ToolArgs> => [field, (token) => ({ ...entry, [field]: token })]),
};
/** Those that write, and take nothing that could be kept. */
const toolsThatAddNothing = ["delete_memory", "memory_history"];

const place = /(line \d+|in the name), column \d+/;

describe("GUARD-1 GUARD-3 every tool that writes", () => {
  let world: MemoryWorld;
  let server: McpConnection;

  beforeAll(async () => {
    world = makeWorld();
    const agent = ["--agent-id", "agent-1", "--app-cache-dir", join(world.folder, "cache"), "--log-level", "debug"];
    server = await world.connect(["--memory-path", world.bank, ...agent]);
  });
  afterAll(() => server.close());

  it("GUARD-1 is in the table", async () => {
    const listed = (await server.client.listTools()).tools;
    const writing = listed.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name);
    expect(writing.sort()).toEqual([...Object.keys(tools), ...toolsThatAddNothing].sort());
  });

  const rows = Object.entries(tools).flatMap(([tool, all]) =>
    all.map(([what, args]) => ({ tool, what, args: (token: string) => args(token, world) })),
  );

  it.each(rows)("GUARD-1 GUARD-3 $tool refuses a token: $what", async ({ tool, args }) => {
    const [token, before] = [freshToken(), documentsOf(world.folder)];
    const result = await server.call(tool, args(token));
    const text = textOf(result);
    expect([result.isError, text]).toEqual([true, expect.stringContaining(words)]);
    expect(text).toMatch(/^SENSITIVE_CONTENT: /);
    expect(text).toMatch(/github-token|invisible-character/);
    expect(text).toMatch(place);
    expect(text).toMatch(/Store where the value is kept instead|Take the invisible characters out/);
    expect(documentsOf(world.folder)).toEqual(before);
    expect(leaksBelow(world.folder, token)).toEqual([]);
    expect([leaksIn(JSON.stringify(result), token), leaksIn(server.log(), token)]).toEqual([false, false]);
  });

  // The log line of the agents' files names the path. Mended in src/notes/agents, this begins to fail: move it to the table.
  it("GUARD-3 write_memory_file refuses a token: name, and does not log it", async () => {
    const token = freshToken();
    const result = await server.call("write_memory_file", { relative_file_path: `${token}.md`, content: "x" });
    expect(textOf(result)).toContain(words);
    expect(leaksBelow(world.folder, token)).toEqual([]);
    expect(leaksIn(server.log(), token)).toBe(false);
  });

  it("GUARD-1 two appends do not make a token of two halves", async () => {
    const token = freshToken();
    const append = (content: string) =>
      server.call("append_to_memory_file", { relative_file_path: "halves.md", content });
    expect((await append(token.slice(0, 20))).isError ?? false).toBe(false);
    expect(textOf(await append(token.slice(20)))).toContain(words);
    const halves = join(world.folder, "cache/agent_memory/agent-1/halves.md");
    expect(readFileSync(halves, "utf8")).toBe(token.slice(0, 20));
  });

  it("GUARD-4 a name with an invisible character in it is refused by the rules for names", async () => {
    const [token, before] = [freshToken(), documentsOf(world.folder)];
    const memory_name = `${token.slice(0, 20)}\u2060${token.slice(20)}`;
    expect(textOf(await server.call("write_memory", { memory_name, content: "x" }))).toMatch(/^INVALID_PATH: /);
    expect(documentsOf(world.folder)).toEqual(before);
    expect(leaksBelow(world.folder, token)).toEqual([]);
  });

  it("GUARD-1 a template that holds a token is not copied into the bank", async () => {
    world.write("bank/templates/review-mode.md", `# Review\n${freshToken()}\n`);
    const before = documentsOf(world.folder);
    expect(textOf(await server.call("create_task_file", { task_id: "T-9", kind: "review" }))).toContain(words);
    expect(documentsOf(world.folder)).toEqual(before);
  });

  it("BANK-2 the project's own files are not guarded", async () => {
    const token = freshToken();
    const result = await server.call("create_text_file", { relative_path: "src/a.ts", content: `key = "${token}"\n` });
    expect([result.isError ?? false, textOf(result)]).toEqual([false, "File created: src/a.ts."]);
    expect(leaksBelow(world.folder, token)).toEqual([join(world.project, "src/a.ts")]);
  });

  it("GUARD-1 what adds nothing works", async () => {
    expect((await server.call("delete_memory", { memory_name: "note" })).isError ?? false).toBe(false);
  });
});

const bankFlags = (world: MemoryWorld) => ["--memory-path", world.bank];
const agentFlags = (world: MemoryWorld) => ["--agent-id", "agent-1", "--app-cache-dir", join(world.folder, "cache")];
const entryArgs = (token: string, field: (typeof entryFields)[number]) => {
  const { topic, subtopic, ...said } = { ...entry, code: "x", [field]: token };
  return ["store", topic, subtopic, ...Object.entries(said).flatMap(([name, value]) => [`--${name}`, value])];
};

/** Every command that stores what it is given. */
const commands: Readonly<Record<string, readonly Row<string[]>[]>> = {
  "memories write": [
    ["content", (token) => ["new", "--content", `a\n${token}`]],
    ["name", (token) => [token, "--content", "x"]],
  ],
  "memories append": [["content", (token) => ["note", "--content", token]]],
  "memories prepend": [["content", (token) => ["note", "--content", token]]],
  "memories edit": [
    ["literal", (token) => ["note", "alpha", token]],
    ["regex", (token) => ["note", "a(lph)a", token, "--mode", "regex"]],
  ],
  "memories rename": [["new name", (token) => ["note", token]]],
  "bank write": [
    ["content", (token, world) => ["a/b.md", "--content", token, ...bankFlags(world)]],
    ["name", (token, world) => [`a/${token}.md`, "--content", "x", ...bankFlags(world)]],
  ],
  "bank task": [
    ["content", (token, world) => ["T-1", "plan", "--content", token, ...bankFlags(world)]],
    ["task", (token, world) => [token, "plan", ...bankFlags(world)]],
  ],
  "agent write": [
    ["content", (token, world) => ["new.md", "--content", token, ...agentFlags(world)]],
    ["name", (token, world) => [`${token}.md`, "--content", "x", ...agentFlags(world)]],
  ],
  "agent append": [["content", (token, world) => ["own.md", "--content", token, ...agentFlags(world)]]],
  "topics store": entryFields.map((field): Row<string[]> => [field, (token) => entryArgs(token, field).slice(1)]),
  "guard allow": [["reason", (token) => ["0".repeat(32), "--reason", `it is ${token}`]]],
};

/** The others: they read, move what is there, or write no memories. */
const otherCommands = [
  "agent list",
  "agent read",
  "bank list",
  "bank read",
  "blame",
  "completion",
  "config show",
  "diff",
  "doctor",
  "embeddings disable",
  "embeddings enable",
  "embeddings status",
  // It writes plain folders, which are no memory.
  "export",
  "forget",
  "guard list",
  "guard revoke",
  "guard scan",
  "hook",
  "init",
  "log",
  "memories check",
  "memories delete",
  "memories list",
  "memories read",
  // What other branches bring is checked when it is indexed.
  "merge-driver",
  // They copy what is kept as it is.
  "migrate to-files",
  "migrate to-postgres",
  "purge",
  "recall",
  "reindex",
  // test/cli/resolve.test.ts shows that the guard has its say.
  "resolve",
  // What restoring is refused, test/cli/history.test.ts shows.
  "restore",
  "search",
  // What it serves goes through the same tools.
  "serve",
  // It reads what hooks kept, and forgets it.
  "sessions",
  "show",
  "start-mcp-server",
  "sync",
  "token create",
  "token list",
  "token revoke",
  "topics archive",
  "topics list",
  "topics load",
  // What it refuses, test/notes/topics/move-over.test.ts shows.
  "topics move-over",
  "topics prune",
  "topics reindex",
  "trust",
  "undo",
  "uninstall",
  "verify",
];

describe("GUARD-1 GUARD-3 every command that writes", () => {
  let world: MemoryWorld;

  beforeAll(() => {
    world = makeWorld();
  });

  it("GUARD-1 is in the table", async () => {
    const io = { out: () => {}, err: () => {}, terminal: false, readInput: async () => undefined };
    const top = await loadCommands([], { io, version: "0", setExitCode: () => {} });
    const leaves = (command: Command, path: string): string[] =>
      command.commands.length === 0 ? [path] : command.commands.flatMap((one) => leaves(one, `${path} ${one.name()}`));
    const found = top.flatMap((command) => leaves(command, command.name()));
    expect(found.sort()).toEqual([...Object.keys(commands), ...otherCommands].sort());
  });

  const rows = Object.entries(commands).flatMap(([command, all]) =>
    all.map(([what, args]) => ({ command, what, args: (token: string) => args(token, world) })),
  );

  it.each(rows)("GUARD-1 GUARD-3 recollect $command refuses a token: $what", async ({ command, args }) => {
    const [token, before] = [freshToken(), documentsOf(world.folder)];
    const given = [...command.split(" "), ...args(token)];
    const [plain, json] = [await world.cli(given), await world.cli([...given, "--json"])];
    expect(plain).toMatchObject({ code: 5, out: "", err: expect.stringContaining(words) });
    expect(plain.err).toMatch(place);
    expect(json).toMatchObject({ code: 5, out: "" });
    const { error } = JSON.parse(json.err);
    expect(error).toMatchObject({ code: "SENSITIVE_CONTENT", message: expect.stringContaining(words) });
    expect(error.data.findings[0]).toMatchObject({
      rule: "github-token",
      line: expect.any(Number),
      column: expect.any(Number),
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(documentsOf(world.folder)).toEqual(before);
    expect(leaksBelow(world.folder, token)).toEqual([]);
    expect(leaksIn(plain.err + json.err, token)).toBe(false);
  });

  it("GUARD-1 GUARD-3 by --file and standard input too, as real processes", async () => {
    const token = freshToken();
    const file = join(folders.make(), "given.txt");
    memoryWorld(join(file, "..")).write("given.txt", `one\ntwo ${token}\n`);
    const options = { cwd: world.project, env: world.env };
    const before = documentsOf(world.folder);
    for (const result of [
      await cliProcess(["memories", "write", "new", "--file", file, "--log-level", "debug"], options),
      await cliProcess(["memories", "append", "note"], { ...options, input: `one\ntwo ${token}\n` }),
      await cliProcess(["agent", "append", "own.md", ...agentFlags(world), "--log-level", "debug"], {
        ...options,
        input: token,
      }),
    ]) {
      expect(result).toMatchObject({ code: 5, out: "", err: expect.stringContaining(words) });
      expect(leaksIn(result.err, token)).toBe(false);
    }
    expect(documentsOf(world.folder)).toEqual(before);
    expect(leaksBelow(world.folder, token)).toEqual([]);
  });

  it("GUARD-1 an entry from the editor is refused, and what is kept of it is without the value", async () => {
    const token = freshToken();
    const temporary = join(world.folder, "tmp");
    world.write("tmp/.keep", "");
    const text = `## 2026-01-01: From the editor\n**Problem:** ${token}\n`;
    const editor = world.write("editor.sh", 'printf "%s" "$TEXT" > "$1"\n');
    const env = { ...process.env, EDITOR: `sh ${editor}`, TEXT: text };
    const given = ["topics", "store", "build", "cache"];
    vi.stubEnv("TMPDIR", temporary);
    const result = await cli(given, undefined, { cwd: world.project, env, home: world.home });
    vi.unstubAllEnvs();
    expect(result).toMatchObject({ code: 5, err: expect.stringContaining(words) });
    expect(leaksIn(result.err + result.out, token)).toBe(false);
    const real = await cliProcess(given, { cwd: world.project, env: { ...world.env, ...env, TMPDIR: temporary } });
    expect(real).toMatchObject({ code: 5, err: expect.stringContaining(words) });
    expect(readdirSync(temporary)).toHaveLength(3);
    expect(leaksBelow(world.folder, token)).toEqual([]);
  });
});

describe("GUARD-1 GUARD-3 every call of the library that writes", () => {
  let world: MemoryWorld;
  let workspace: Workspace;
  let agents: AgentMemoryService;

  beforeAll(async () => {
    world = makeWorld();
    const { project, home, bank, folder } = world;
    workspace = await openWorkspace({ project, home, env: {}, flags: { "--memory-path": bank } });
    agents = new AgentMemoryService(join(folder, "cache"), { log: () => {} });
  });
  afterAll(async () => {
    await workspace.close();
    await agents.close();
  });

  type Call = (token: string) => Promise<unknown>;
  const calls: Readonly<Record<string, Call>> = {
    "memories.write": (token) => workspace.memories.write("new", token),
    "memories.append": (token) => workspace.memories.append("note", token),
    "memories.prepend": (token) => workspace.memories.prepend("note", token),
    "memories.edit": (token) =>
      workspace.memories.edit("note", { needle: "alpha", replacement: token, mode: "literal", multiple: false }),
    "memories.rename": (token) => workspace.memories.rename("note", token),
    "bank.createFile": (token) => workspace.bank.createFile(join(world.bank, "app/x.md"), token),
    "bank.createTaskFile": (token) => workspace.bank.createTaskFile("T-1", "plan", token),
    "topics.store": (token) => workspace.topics.store({ ...entry, solution: token }),
    "topics.change": (token) => workspace.topics.change("build/cache.md", (text) => text.replace("p\n", `${token}\n`)),
    "agents.writeMemoryFile": (token) => agents.writeMemoryFile("agent-1", "new.md", token),
    "agents.appendToMemoryFile": (token) => agents.appendToMemoryFile("agent-1", "own.md", token),
  };
  const reading = {
    memories: ["check", "delete", "list", "names", "overview", "read"],
    bank: ["listFolder", "readFile"],
    topics: ["archive", "check", "list", "load", "names", "prune", "read", "reindex", "shownNames", "timeline"],
  };

  it("GUARD-1 is in the table", () => {
    const facades = { memories: workspace.memories, bank: workspace.bank, topics: workspace.topics };
    for (const [name, facade] of Object.entries(facades)) {
      const written = Object.keys(calls).flatMap((call) => (call.startsWith(`${name}.`) ? [call.split(".")[1]] : []));
      const known = [...written, ...reading[name as keyof typeof reading]];
      expect([
        name,
        Object.keys(facade)
          .filter((key) => typeof facade[key as never] === "function")
          .sort(),
      ]).toEqual([name, known.sort()]);
    }
  });

  it.each(Object.entries(calls))("GUARD-1 GUARD-3 %s refuses a token", async (_, call) => {
    const [token, before] = [freshToken(), documentsOf(world.folder)];
    const error = await errorOf(() => call(token));
    expect(error).toMatchObject({ code: "SENSITIVE_CONTENT", message: expect.stringContaining(words) });
    expect(leaksIn(JSON.stringify(error) + String(error), token)).toBe(false);
    expect(documentsOf(world.folder)).toEqual(before);
    expect(leaksBelow(world.folder, token)).toEqual([]);
  });

  it("GUARD-1 the kernel itself refuses writes, appends, moves and commits", async () => {
    const folder = folders.make();
    const store = openFilesStore({ roots: [{ name: "notes", folder }], now: Date.now });
    const guard = createContentGuard({ policy: "standard", allowed: () => new Set(), log: () => {} });
    const documents = createDocuments({ roots: [{ name: "notes", policy: fullAccess, store }], guard });
    const at = (path: string) => ({ root: "notes", path: path as DocumentPath });
    const stamp = { author: "test" };
    await documents.write(at("a.md"), "fine\n", stamp);
    const token = freshToken();
    for (const write of [
      () => documents.write(at("b.md"), token, stamp),
      () => documents.append(at("a.md"), token, stamp),
      () => documents.move(at("a.md"), at(`${token}.md`), stamp),
      () => documents.commit([at("a.md")], () => [{ kind: "append", at: at("a.md"), content: token }], stamp),
      () => documents.commit([at("a.md"), at("b.md")], () => [{ kind: "put", at: at("b.md"), content: token }], stamp),
    ]) {
      expect(await errorOf(write)).toMatchObject({ code: "SENSITIVE_CONTENT" });
    }
    expect(leaksBelow(folder, token)).toEqual([]);
    expect(await documents.remove(at("a.md"), stamp)).toMatchObject({ kind: "committed" });
    await store.close();
  });
});
