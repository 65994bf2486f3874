import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { AgentMemoryService, openWorkspace, type SettingFlags, type Workspace } from "../../../src/app.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { documentsOf } from "../../helpers/folder-snapshot.ts";
import { gitProject } from "../../helpers/git-project.ts";
import { asJson, type HttpWorld, httpWorld } from "../../helpers/http-server.ts";
import { textOf } from "../../helpers/mcp.ts";
import { type MemoryWorld, memoryWorld } from "../../helpers/memory-world.ts";
import { postgresUrl } from "../../helpers/postgres-stores.ts";
import { someCases } from "../../helpers/some-cases.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { wholeAnswer } from "../../helpers/whole-answer.ts";

const folders = temporaryFolders();
const secret = "the xylophone is under the staircase";
type Flags = Readonly<Record<string, string>>;
const telling = /xylophone|staircase|bob|secret/;

/** Where the cache folder of the agents can lie, by paths from the project. */
const caches: readonly { in: string; cache: string; flags: Flags; root?: string }[] = [
  { in: "the project", cache: "cache", flags: {} },
  { in: "the folder of memories", cache: "notes/cache", flags: { "--memories-folder": "notes" }, root: "notes" },
  { in: "what is the folder of memories too", cache: "cache", flags: { "--memories-folder": "cache" }, root: "cache" },
  { in: "an additional folder", cache: "more/a/cache", flags: { "--additional-folders": "more" }, root: "more" },
  {
    in: "the global memories",
    cache: "../own/cache",
    flags: { "--global-folder": "../own", "--global-writable": "true" },
    root: "global",
  },
  { in: "the topics", cache: "topics/cache", flags: { "--topics-folder": "topics" }, root: "topics" },
  { in: "the bank", cache: "../../bank/app", flags: {}, root: "bank" },
  { in: "the base of a bank in the project", cache: "base", flags: { "--memory-path": "base" } },
  { in: "the project, by another way", cache: "../app/.serena/../cache/./", flags: {} },
];

/** Bob writes as another process would that has the same cache folder. */
async function bobWrites(cache: string): Promise<void> {
  const bob = new AgentMemoryService(cache, { log: () => {} });
  await bob.writeMemoryFile("bob", "secret.md", `# Secret\n\n${secret}\n`);
  await bob.close();
}

/** With the setting, or without it: then the marker in bob's folder alone tells whose it is. */
const servers = [
  { when: "before", how: "the same setting", knows: true },
  { when: "after", how: "the same setting", knows: true },
  { when: "before", how: "no such setting", knows: false },
  { when: "after", how: "no such setting", knows: false },
];

/**
 * Each place with and without the setting; half of them before the server began, half of them after. Every other row has
 * each place once, and each server with some of them.
 */
const doors = caches.flatMap((place, index) => {
  const both = servers.filter((_, turn) => (index + turn) % 2 === 0).map((server) => ({ ...place, ...server }));
  return index % 4 < 2 ? both : both.toReversed();
});

describe("AGT-4 KER-8 what bob wrote", () => {
  it.each(someCases(doors, 6))(
    "AGT-4 KER-8 $when the server began that has $how is reached by alice by no door: $in",
    async (door) => {
      const { cache: given, flags, root, when, knows } = door;
      const world = memoryWorld(folders.make());
      const cache = join(world.project, given);
      for (const folder of ["notes", "more", "../own", "topics"]) mkdirSync(join(world.project, folder));
      world.write("work/app/notes.md", "a note of the project\n");
      if (when === "before") await bobWrites(cache);
      const setting = knows ? { "--app-cache-dir": given } : {};
      const all = { "--memory-path": world.bank, "--agent-id": "alice", ...setting, ...flags };
      const http = await httpWorld(world, { flags: all });
      onTestFinished(() => http.close());
      const args = Object.entries(all).flat();
      const server = await world.connect(args);
      onTestFinished(() => server.close());
      const overStdio: Call = async (tool, input) => toCalled(await server.call(tool, input));
      // Everything is indexed and recorded once without it.
      await http.workspace.memories.write("known", "what everybody may know\n");
      await http.workspace.search.status();
      if (when === "after") await bobWrites(cache);
      const names = namesOf(world, join(cache, "agent_memory/bob/secret.md"));
      await readByTools(overStdio, names);
      await readByTools(await callerOverHttp(http), names);
      await readByApi(http, names, root);
      // A command begins anew each time.
      if (when === "before") await readByCommands(world, args, knows ? ["agents/bob", "agents/bob/secret.md"] : []);
      const before = documentsOf(join(cache, "agent_memory"));
      await writeAll(http, overStdio, names);
      expect(documentsOf(join(cache, "agent_memory"))).toEqual(before);
      if (knows) await ownFilesWork(http, cache);
    },
  );
});

/** How somebody could name the file, from the project and from each folder that it lies in. */
function namesOf(world: MemoryWorld, file: string): string[] {
  const inner = ["notes", "cache", "more", "topics", "../own", "../../bank/app"].map((one) => join(world.project, one));
  const paths = inner.map((folder) => relative(folder, file)).filter((path) => !path.startsWith(".."));
  const named = paths.flatMap((path) => [path, `global/${path}`, path.replace(/\.md$/, "")]);
  return [...new Set([file, relative(world.project, file), ...named])];
}

type Call = (tool: string, input: Record<string, unknown>) => Promise<{ isError: boolean; text: string }>;

async function callerOverHttp(http: HttpWorld): Promise<Call> {
  const scopes = ["*:all", "project:all", "agent_memory:all"];
  const client = await http.connect(await http.token({ name: "alice", agentId: "alice", scopes }));
  expect(JSON.stringify(await client.listResources())).not.toMatch(telling);
  return async (name, input) => toCalled((await client.callTool({ name, arguments: input })) as CallToolResult);
}

function toCalled(result: CallToolResult): { isError: boolean; text: string } {
  return { isError: result.isError === true, text: textOf(result) };
}

async function readByTools(call: Call, names: readonly string[]): Promise<void> {
  expect(await call("read_file", { relative_path: "notes.md" })).toMatchObject({ isError: false });
  for (const name of names) {
    const attempts = {
      read_file: { relative_path: name },
      read_memory: { memory_name: name },
      memory_history: { path: name, action: "show" },
    };
    for (const [tool, input] of Object.entries(attempts)) {
      const { isError, text } = await call(tool, input);
      expect({ isError, text }, `${tool} ${name}`).toEqual({ isError: true, text });
      expect(text).not.toMatch(/xylophone|staircase/);
    }
    for (const folder of [name.replace(/\/[^/]*$/, ""), name.replace(/\/bob\/.*/, "")]) {
      const { text } = await call("list_dir", { relative_path: folder, recursive: true });
      expect(text).not.toMatch(/secret/);
    }
  }
  expect((await call("list_dir", { relative_path: ".", recursive: true })).text).not.toMatch(/secret|bob/);
  expect((await call("list_memories", {})).text).not.toMatch(telling);
  for (const tool of ["search_memory", "recall_context"]) {
    const found = await wholeAnswer(() => call(tool, { query: "xylophone staircase" }));
    expect(found.text).not.toMatch(/under the|bob/);
  }
  const loaded = await call("load_from_memory", { topic: "cache/agent_memory/bob" });
  expect(loaded.text.replaceAll("cache/agent_memory/bob", "")).not.toMatch(telling);
}

async function readByApi(http: HttpWorld, names: readonly string[], root: string | undefined): Promise<void> {
  const token = await http.token({ name: "ada" });
  const get = async (path: string, query: Record<string, string> = {}) =>
    http.ask({ path: `/api${path}?${new URLSearchParams(query)}` }, token);
  const seen = http.workspace.roots.map(({ name }) => name);
  if (root !== undefined) expect(seen).toContain(root);
  for (const name of [...seen, "project", "files of agents"]) {
    for (const path of names) {
      expect((await get("/document", { root: name, path })).status, `${name} ${path}`).toBeGreaterThanOrEqual(400);
      const folder = path.replace(/\/[^/]*$/, "");
      expect((await get("/folder", { root: name, folder })).text).not.toMatch(/secret/);
      expect((await get("/history", { root: name, path })).text).not.toMatch(/xylophone|agent:bob/);
    }
    expect((await get("/history", { root: name })).text).not.toMatch(telling);
  }
  expect((await get("/search", { q: "xylophone staircase", preview: "1" })).text).not.toMatch(/under the|bob/);
  expect((await get("/overview")).text).not.toMatch(telling);
  expect((await get("/conflicts")).status).toBe(200);
}

/** What a person types, who has the agents' own commands for their files. */
async function readByCommands(
  world: MemoryWorld,
  args: readonly string[],
  exportedFiles: readonly string[],
): Promise<void> {
  const asked = "xylophone staircase";
  const looks = [
    ["memories", "list"],
    ["search", asked],
    ["recall", asked],
    ["log"],
    ["doctor"],
    ["verify"],
    ["reindex"],
  ];
  for (const command of looks) {
    const { out, err } = await world.cli([...command, ...args]);
    expect(`${out}${err}`.replaceAll(asked, ""), command.join(" ")).not.toMatch(telling);
  }
  const exported = join(world.folder, "export");
  expect((await world.cli(["export", exported, ...args])).code).toBe(0);
  const holding = Object.keys(documentsOf(exported)).filter((path) => telling.test(path));
  expect(holding).toEqual(exportedFiles);
}

/** Some of these names are good ones in other roots: there something new may be written. */
async function writeAll(http: HttpWorld, call: Call, names: readonly string[]): Promise<void> {
  const token = await http.token({ name: "ada" });
  for (const name of [...names, ...names.map((one) => one.replace(/secret(?=[^/]*$)/, "planted"))]) {
    await call("create_text_file", { relative_path: name, content: "taken over" });
    await call("write_memory", { memory_name: name, content: "taken over" });
    await call("append_memory", { memory_name: name, content: "taken over" });
    await call("edit_memory", { memory_name: name, needle: "under", repl: "over", mode: "literal" });
    await call("rename_memory", { old_name: name, new_name: "taken" });
    await call("rename_memory", { old_name: "known", new_name: name });
    await call("delete_memory", { memory_name: name });
    for (const { name: root } of http.workspace.roots) {
      const body = { root, path: name, content: "taken over", ifRev: null };
      await http.ask({ path: "/api/document", method: "PUT", ...asJson(body) }, token);
    }
  }
}

/** The plan of the other roots is nothing to the agents' own store. */
async function ownFilesWork({ workspace }: HttpWorld, cache: string): Promise<void> {
  const { agent } = workspace;
  if (!agent) throw new Error("There is no agent.");
  await agent.memory.writeMemoryFile("alice", "mine.md", "about marmalade\n");
  await agent.memory.appendToMemoryFile("alice", "mine.md", "and bread\n");
  expect(await agent.memory.readMemoryFile("alice", "mine.md")).toBe("about marmalade\nand bread\n");
  expect(readFileSync(join(cache, "agent_memory/alice/mine.md"), "utf8")).toContain("marmalade");
  expect((await agent.memory.listMemoryFiles("alice")).files.map(({ path }) => path)).toEqual(["mine.md"]);
  const search = workspace.search;
  const found = await wholeAnswer(() => search.search({ query: "marmalade" }));
  expect(found.hits.map(({ path }) => path)).toEqual(["mine.md"]);
  expect(await workspace.agents.list()).toEqual(["alice", "bob"]);
}

describe("AGT-4 where agents keep their files", () => {
  let world: MemoryWorld;
  const opened: Workspace[] = [];

  beforeEach(() => {
    world = memoryWorld(folders.make());
  });
  afterEach(async () => {
    for (const workspace of opened.splice(0)) await workspace.close();
  });

  async function open(flags: SettingFlags, env: NodeJS.ProcessEnv = {}): Promise<Workspace> {
    const { home, project } = world;
    const workspace = await openWorkspace({ cwd: project, home, env, flags, log: () => {} });
    opened.push(workspace);
    return workspace;
  }

  async function expectSealed({ bank }: Workspace, path: string): Promise<void> {
    expect(await errorOf(() => bank.readFile(path))).toMatchObject({ code: "NOT_FOUND" });
    const code = "NOT_ALLOWED";
    expect(await errorOf(() => bank.createFile(path, "x"))).toMatchObject({ code });
  }

  it("AGT-4 KER-8 a server on stdin and stdout gives none of it away", async () => {
    await bobWrites(join(world.project, "cache"));
    const flags = ["--memory-path", world.bank, "--agent-id", "alice", "--app-cache-dir", "./cache"];
    const server = await world.connect([...flags, "--memories-folder", "./cache"]);
    const path = "cache/agent_memory/bob/secret.md";
    expect((await server.call("read_file", { relative_path: path })).isError).toBe(true);
    expect((await server.call("create_text_file", { relative_path: path, content: "x" })).isError).toBe(true);
    expect((await server.call("write_memory", { memory_name: "agent_memory/bob/x", content: "x" })).isError).toBe(true);
    expect(textOf(await server.call("list_dir", { relative_path: ".", recursive: true }))).not.toMatch(/bob/);
    expect(textOf(await server.call("list_memories", {}))).not.toMatch(/bob/);
    const found = await wholeAnswer(() => server.call("search_memory", { query: "xylophone" }));
    expect(textOf(found)).not.toMatch(/staircase/);
    await server.close();
  });

  it("AGT-4 the user's own folder is sealed as well, whatever other one is configured", async () => {
    const env = { XDG_DATA_HOME: join(world.project, "data") };
    await bobWrites(join(world.project, "data/recollect"));
    const path = "data/recollect/agent_memory/bob/secret.md";
    await expectSealed(await open({ "--memory-path": world.bank }, env), path);
    await expectSealed(await open({ "--memory-path": world.bank, "--app-cache-dir": "../cache" }, env), path);
    const both = await open({ "--memory-path": world.bank, "--app-cache-dir": "cache" }, env);
    await expectSealed(both, path);
    await expectSealed(both, "cache/agent_memory/bob/secret.md");
  });

  it("AGT-4 a link leads to what is sealed, also one to a folder that is made later", async () => {
    symlinkSync(join(world.project, "later"), join(world.folder, "cache"));
    mkdirSync(join(world.folder, "linked"));
    symlinkSync(join(world.project, "kept"), join(world.folder, "linked/agent_memory"));
    const early = await open({ "--memory-path": world.bank, "--app-cache-dir": join(world.folder, "cache") });
    const inside = await open({ "--memory-path": world.bank, "--app-cache-dir": join(world.folder, "linked") });
    mkdirSync(join(world.project, "later"));
    mkdirSync(join(world.project, "kept"));
    await bobWrites(join(world.folder, "cache"));
    await bobWrites(join(world.folder, "linked"));
    expect(existsSync(join(realpathSync(world.project), "kept/bob/secret.md"))).toBe(true);
    await expectSealed(early, "later/agent_memory/bob/secret.md");
    await expectSealed(inside, "kept/bob/secret.md");
  });

  it.each<[string, Flags]>([
    ["the memories", { "--memories-folder": "cache/agent_memory/bob" }],
    ["the memories, at the folder itself", { "--memories-folder": "cache/agent_memory" }],
    ["additional memories", { "--additional-folders": "cache/agent_memory/bob/notes:ro" }],
    ["global memories", { "--global-folder": "cache/agent_memory/bob", "--global-writable": "true" }],
    ["the topics", { "--topics-folder": "cache/agent_memory/bob" }],
    ["the bank", { "--memory-path": "cache/agent_memory", "--project-name": "bob" }],
    ["an area of the bank", { "--memory-path": "cache", "--project-name": "agent_memory" }],
  ])("AGT-4 nobody can make a root of what belongs to agents: %s", async (_, flags) => {
    mkdirSync(join(world.project, "cache/agent_memory/bob/notes"), { recursive: true });
    const error = await errorOf(() => open({ "--app-cache-dir": "cache", ...flags }));
    const message = expect.stringMatching(/where agents keep files of their own.*--app-cache-dir/);
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message });
    expect(String(error)).not.toContain(world.folder);
    await bobWrites(join(world.project, "cache"));
    expect((await world.cli(["doctor", "--app-cache-dir", "cache", ...Object.entries(flags).flat()])).err).toBe("");
  });

  it.each([
    ["in that of an agent", "data/recollect/agent_memory/bob/sub", "data"],
    ["around that of other agents", "cache", "cache/agent_memory/bob"],
  ])("AGT-4 no agent keeps its files %s", async (_, cache, data) => {
    const env = { XDG_DATA_HOME: join(world.project, data) };
    const error = await errorOf(() => open({ "--app-cache-dir": cache }, env));
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("--app-cache-dir") });
    expect(String(error)).not.toContain(world.folder);
  });

  it("AGT-4 nor a project", async () => {
    const folder = join(world.project, "cache/agent_memory/bob");
    mkdirSync(folder, { recursive: true });
    const { project, home } = { project: folder, home: world.home };
    const flags = { "--app-cache-dir": join(world.project, "cache") };
    const error = await errorOf(() => openWorkspace({ project, home, env: {}, flags }));
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("AGT-4 PG-1 nor of a space of theirs", async () => {
    const url = await postgresUrl();
    const inDatabase = { "--database-url": url, "--database-space": "team" };
    for (const flags of [
      { "--memories-folder": "postgres:team/agents/bob" },
      { "--additional-folders": "postgres:team/agents/bob", "--app-cache-dir": "postgres:others" },
      { "--memory-path": "postgres:others", "--app-cache-dir": "postgres:others" },
      { "--app-cache-dir": "postgres:team" },
    ]) {
      expect(await errorOf(() => open({ ...inDatabase, ...flags }))).toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    await open({ ...inDatabase, "--app-cache-dir": "postgres:others" });
  });

  it("AGT-4 HIST-3b nothing of it is recorded, committed or copied to a database with the memories around it", async () => {
    const project = gitProject(folders.make());
    project.put("README.md", "x\n");
    project.commitAll("begin");
    await bobWrites(join(project.project, "notes/cache"));
    project.put("notes/known.md", "known\n");
    const flags = { "--memories-folder": "notes", "--app-cache-dir": "notes/cache", "--commit-to-project": "true" };
    const env = { PATH: process.env["PATH"] ?? "" };
    const workspace = await openWorkspace({ cwd: project.project, home: project.home, env, flags, log: () => {} });
    opened.push(workspace);
    await workspace.history.catchUp({ waitMs: 60_000 });
    const { operations } = await workspace.history.timeline({ limit: 100 });
    expect(operations.flatMap(({ changes }) => changes.map(({ path }) => path))).toEqual(["known.md"]);
    expect(await workspace.commitToProject?.()).toMatchObject({ kind: "committed" });
    expect(project.git("ls-files")).not.toContain("agent_memory");
    expect(project.git("ls-files")).toContain("notes/known.md");
    const target = ["--database-url", await postgresUrl(), "--database-space", `sealed-${randomUUID()}`];
    const place = ["--memories-folder", "notes", "--app-cache-dir", "notes/cache"];
    expect((await project.cli(["migrate", "to-postgres", ...place, ...target])).code).toBe(0);
    expect((await project.cli(["memories", "list", ...target])).out).not.toContain("bob");
    expect((await project.cli(["memories", "read", "known", ...target])).out).toContain("known");
    const ofBob = ["agent", "read", "secret.md", "--agent-id", "bob"];
    expect((await project.cli([...ofBob, ...target])).out).toContain(secret);
  });
});
