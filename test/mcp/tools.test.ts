import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromJsonSchema, type Tool } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowedTools, askedTools } from "../../src/clients/permission.ts";
import { expectLean } from "../helpers/lean-answer.ts";
import { detailsOf, type McpConnection, textOf } from "../helpers/mcp.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { wholeAnswer } from "../helpers/whole-answer.ts";

const folders = temporaryFolders();
const rev = expect.stringMatching(/^[0-9a-f]{32}$/);

const readers = [
  "list_dir",
  "list_memories",
  "list_memory_files",
  "load_from_memory",
  "read_file",
  "read_memory",
  "read_memory_file",
  "recall_context",
  "search_memory",
];
const destructive = [
  "create_text_file",
  "delete_memory",
  "edit_memory",
  "memory_history",
  "rename_memory",
  "write_memory",
  "write_memory_file",
];
const adding = ["append_memory", "append_to_memory_file", "create_task_file", "store_in_memory"];

describe.each([undefined, "2026-07-28"])("MCP-1 all tools in protocol revision %s", (pin) => {
  let world: MemoryWorld;
  let server: McpConnection;
  let tools: readonly Tool[];
  const called = new Set<string>();

  beforeAll(async () => {
    world = memoryWorld(folders.make());
    mkdirSync(join(world.folder, "shared"));
    world.write("bank/templates/plan-mode.md", "# Plan\n");
    world.write("home/.serena/memories/global/style.md", "# Style\n");
    const flags = ["--additional-folders", "../../shared", "--memory-path", world.bank, "--agent-id", "agent-1"];
    server = await world.connect([...flags, "--app-cache-dir", join(world.folder, "cache")], { pin });
    ({ tools } = await server.client.listTools());
  });
  afterAll(() => server.close());

  /** Calls it for real, and holds its structured content against its own output schema. */
  async function call(name: string, args: Record<string, unknown>) {
    called.add(name);
    const result = await server.call(name, args);
    expect(result.isError ?? false, textOf(result)).toBe(false);
    const schema = tools.find((tool) => tool.name === name)?.outputSchema;
    if (!schema) throw new Error(`${name} has no output schema`);
    const checked = await fromJsonSchema(schema as never)["~standard"].validate(result.structuredContent);
    expect(checked.issues, name).toBeUndefined();
    expectLean(result);
    return { text: textOf(result), data: detailsOf(result), structured: result.structuredContent };
  }

  it("MCP-1 have annotations that say which read, which add and which replace", () => {
    const names = (kept: (tool: Tool) => boolean | undefined) =>
      tools
        .filter(kept)
        .map((tool) => tool.name)
        .sort();
    expect(names((tool) => tool.annotations?.readOnlyHint)).toEqual(readers);
    expect(names((tool) => tool.annotations?.destructiveHint)).toEqual(destructive);
    expect(names((tool) => tool.annotations?.destructiveHint === false)).toEqual(adding);
    expect(names((tool) => tool.annotations?.openWorldHint === false)).toHaveLength(tools.length);
    expect(names((tool) => tool.title !== undefined && tool.title !== "")).toHaveLength(tools.length);
  });

  it("MCP-1 describe their parameters without what only costs tokens", () => {
    for (const { name, inputSchema } of tools) {
      expect(inputSchema, name).toMatchObject({ type: "object" });
      expect(JSON.stringify(inputSchema), name).not.toMatch(/\$schema|9007199254740991|additionalProperties/);
    }
  });

  it("MEM-6 MEM-13 MEM-9 memories are written, extended, edited and read", async () => {
    const written = await call("write_memory", { memory_name: "auth/login", content: "# Login\nfirst\n" });
    expect(written.data).toEqual({ name: "auth/login", folder: ".serena/memories", rev, created: true });
    expect(written.text).toBe(`Memory auth/login written (in .serena/memories, rev ${written.data["rev"]}).`);
    const again = await call("write_memory", {
      memory_name: "mem:auth/login.md",
      content: "# Login\nfirst\n",
      if_rev: written.data["rev"],
    });
    expect(again.data).toMatchObject({ name: "auth/login", created: false });
    expect((await call("append_memory", { memory_name: "auth/login", content: "second" })).data).toMatchObject({
      created: false,
    });
    const edit = { memory_name: "auth/login", needle: "f(ir)st.", repl: "$1 $!1\n", mode: "regex" };
    expect((await call("edit_memory", edit)).data).toMatchObject({ count: 1 });
    const literal = { memory_name: "auth/login", needle: "second", repl: "$!1 $& \\1", mode: "literal" };
    await call("edit_memory", literal);
    const read = await call("read_memory", { memory_name: "auth/login" });
    expect(read.text).toBe("# Login\n$1 ir\n$!1 $& \\1");
    expect(read.data).toEqual({ name: "auth/login", folder: ".serena/memories", rev });
    expect(readFileSync(join(world.project, ".serena/memories/auth/login.md"), "utf8")).toBe(read.text);
  });

  it("MEM-15 lines count from 0 with both ends included, and a cut answer says how to go on", async () => {
    const content = Array.from({ length: 10 }, (_, line) => `line ${line}\n`).join("");
    await call("write_memory", { memory_name: "lines", content });
    const part = await call("read_memory", { memory_name: "lines", start_line: 2, end_line: 3 });
    expect(part.text).toMatch(/^line 2\nline 3\n\n/);
    expect(part.data).toMatchObject({ part: { from: 2, to: 3, of: 10 } });
    expect(part.text).toContain("(Lines 3 to 4 of 10. Read on: lines:5-10)");
    expect((await call("read_memory", { memory_name: "lines:5-10" })).text).toMatch(/^line 4\n/);
    const cut = await call("read_memory", { memory_name: "lines", max_answer_chars: 16 });
    expect(cut.text).toMatch(/^line 0\nline 1\n\n/);
    expect(cut.data).toMatchObject({ part: { from: 0, to: 1, of: 10 } });
    const rest = await call("read_memory", { memory_name: "lines", start_line: 8, end_line: null });
    expect(rest.text).toMatch(/^line 8\nline 9\n/);
  });

  it("MEM-4 MEM-14 memories are listed in pages, the user's own apart and read-only", async () => {
    const all = await call("list_memories", {});
    const names = (all.data["memories"] as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(["auth/login", "lines", "global/style"]);
    expect(all.text).toContain("auth/login: Login (.serena/memories, ");
    expect(all.data["memories"]).toMatchObject([{}, {}, { folder: "global", read_only: true, summary: "Style" }]);
    const first = await call("list_memories", { limit: 1 });
    expect(first.data).toMatchObject({ total: 3, left_out: 2, next_cursor: "auth/login" });
    expect(first.text).toContain('(1 of 3 shown. Next page: cursor "auth/login". Narrow with topic.)');
    const second = await call("list_memories", { limit: 1, cursor: first.data["next_cursor"] });
    expect(second.data).toMatchObject({ memories: [{ name: "lines" }] });
    expect((await call("list_memories", { topic: "auth" })).data).toMatchObject({ total: 1 });
    expect((await call("list_memories", { topic: "" })).data).toMatchObject({ total: 3 });
    expect((await call("list_memories", { topic: "none/such" })).text).toContain("no memories below");
  });

  it("MEM-7 MEM-11 MEM-10 are routed by prefix, renamed with their references, and deleted", async () => {
    const routed = await call("write_memory", { memory_name: "SHARED_api", content: "see `mem:auth/login`\n" });
    expect(routed.data).toMatchObject({ folder: "../../shared" });
    const renamed = await call("rename_memory", { old_name: "auth/login", new_name: "auth/session" });
    expect(renamed.data).toMatchObject({
      from: "auth/login",
      to: "auth/session",
      folder: ".serena/memories",
      rewritten: ["SHARED_api"],
      not_rewritten: [],
    });
    expect(readFileSync(join(world.folder, "shared/SHARED_api.md"), "utf8")).toBe("see `mem:auth/session`\n");
    const deleted = await call("delete_memory", { memory_name: "SHARED_api" });
    expect(deleted.data).toEqual({ kind: "note", name: "SHARED_api", folder: "../../shared" });
    expect(deleted.text).toMatch(/^Deleted the note SHARED_api from \.\.\/\.\.\/shared\. To bring it back: /);
  });

  it("MEM-10 a deletion says which copy shows through", async () => {
    await call("write_memory", { memory_name: "twice", content: "primary\n" });
    world.write("shared/twice.md", "shared\n");
    const listed = await call("list_memories", { topic: "", limit: 500 });
    expect(listed.data["memories"]).toContainEqual(
      expect.objectContaining({ name: "twice", shadowed: ["../../shared"] }),
    );
    expect((await call("delete_memory", { memory_name: "twice" })).data).toMatchObject({ uncovered: "../../shared" });
  });

  it("BANK-2 BANK-3 files of the project and of the bank are created, read and listed", async () => {
    const [area, templates] = [join(world.bank, "app"), join(world.bank, "templates")];
    const created = await call("create_text_file", { relative_path: "src/a.ts", content: "one\ntwo\n" });
    expect([created.text, created.data]).toEqual([
      "File created: src/a.ts.",
      { path: "src/a.ts", rev, overwrote: false },
    ]);
    const again = await call("create_text_file", { relative_path: "src/a.ts", content: "one\ntwo\nthree\n" });
    expect(again.text).toBe("File created: src/a.ts. Overwrote existing file.");
    await call("create_text_file", { relative_path: `${area}/foundation/x.md`, content: "stack\n" });
    const range = { relative_path: "src/a.ts", start_line: 1, end_line: 1 };
    expect((await call("read_file", range)).data).toMatchObject({ part: { from: 1, to: 1, of: 3 } });
    expect((await call("read_file", { relative_path: `${templates}/plan-mode.md` })).text).toBe("# Plan\n");
    const plan = await call("create_task_file", { task_id: "T-1", kind: "plan" });
    expect(plan.data).toEqual({ path: `${area}/develop/T-1/plan-mode.md`, rev, from: "template" });
    const review = await call("create_task_file", { task_id: "T-1", kind: "review", content: "mine" });
    expect(review.data).toMatchObject({ from: "content" });
    expect((await call("list_dir", { relative_path: area, recursive: true })).structured).toEqual({
      dirs: ["develop", "develop/T-1", "foundation"],
      files: ["develop/T-1/plan-mode.md", "develop/T-1/review-mode.md", "foundation/x.md"],
    });
    const listed = await call("list_dir", { relative_path: "src", recursive: false });
    expect(listed.text).toBe('{"dirs":[],"files":["src/a.ts"]}');
  });

  it("MEM-15 BANK-2 Serena's optional parameters are accepted", async () => {
    await call("write_memory", { memory_name: "m", content: "x", max_chars: -1 });
    await call("write_memory", { memory_name: "m", content: "x", max_chars: 10 });
    await call("read_file", { relative_path: "src/a.ts", start_line: 0, end_line: null, max_answer_chars: -1 });
    world.write("work/app/.gitignore", "ignored/\n");
    world.write("work/app/ignored/x.txt", "x");
    const dir = { relative_path: ".", recursive: true, max_answer_chars: -1 };
    const [skipping, showing] = [
      await call("list_dir", { ...dir, skip_ignored_files: true }),
      await call("list_dir", { ...dir, skip_ignored_files: false }),
    ];
    expect(skipping.text).not.toContain("ignored/x.txt");
    expect(showing.text).toContain("ignored/x.txt");
    expect((await call("list_dir", dir)).text).toBe(skipping.text);
    const few = await call("list_dir", { ...dir, max_answer_chars: 12 });
    expect(Number(few.data["left_out"])).toBeGreaterThan(0);
    expect(few.text).toContain("left out");
    expect(few.structured).toMatchObject({ notes: [expect.stringContaining("left out")] });
  });

  it("AGT-1 memory files of the agent are written, extended, read and listed", async () => {
    const file = { relative_file_path: "notes/a.md" };
    await call("write_memory_file", { ...file, content: "one\n", create_only: true });
    await call("append_to_memory_file", { ...file, content: "two\n" });
    expect((await call("read_memory_file", file)).text).toBe("one\ntwo\n");
    expect((await call("list_memory_files", {})).data).toMatchObject({ files: [{ path: "notes/a.md", rev }] });
  });

  it("TOP-3 TOP-6 entries are stored once, and loaded", async () => {
    const entry = { topic: "build", subtopic: "cache", title: "Stale", context: "T-1", problem: "p", solution: "s" };
    const stored = await call("store_in_memory", { ...entry, code: "x = 1", date: "2026-01-02" });
    expect(stored.data).toEqual({
      path: "build/cache.md",
      date: "2026-01-02",
      title: "Stale",
      already_stored: false,
      archived: 0,
    });
    const again = await call("store_in_memory", { ...entry, code: "x = 1", date: "2026-01-02" });
    expect(again.data).toMatchObject({ already_stored: true });
    const loaded = await call("load_from_memory", { topic: "build" });
    expect(loaded.data).toMatchObject({
      total: 1,
      entries: [{ title: "Stale", fields: { problem: "p", code: "x = 1" } }],
    });
  });

  it("SRCH-1 SRCH-4 TOP-10 what was written and stored is found and recalled at once", async () => {
    await call("write_memory", { memory_name: "deploy", content: "# Deploy\nThe canary waits ten minutes.\n" });
    const first = async (args: Record<string, unknown>) => {
      const { text, data } = await wholeAnswer(() => call("search_memory", args));
      return { text, hit: (data["hits"] as readonly unknown[])[0] };
    };
    const found = await first({ query: "canary", explain: true });
    expect(found.hit).toMatchObject({
      path: "deploy.md",
      title: "Deploy",
      explanation: { terms: [{ for: "canary" }] },
    });
    expect(found.text).toMatch(/^1\. deploy \(note, \d{4}-\d\d-\d\d, lines 1-2\)\n.*\*\*canary\*\*/);
    const entry = { topic: "build", subtopic: "proxy", title: "Socket hangs", context: "T-2", problem: "ECONNRESET" };
    await call("store_in_memory", { ...entry, solution: "Raise the keepalive" });
    const limited = await first({ query: "keepalive", topic: "build" });
    expect(limited.hit).toMatchObject({ root: "memory", path: "build/proxy.md", title: "Socket hangs" });
    const asked = { query: "socket hangs", max_tokens: 200, task: "T-2" };
    const recalled = await wholeAnswer(() => call("recall_context", asked));
    expect(recalled.text).toContain("> **Solution:** Raise the keepalive");
    expect(recalled.data).toMatchObject({ items: [{ path: "build/proxy.md", trimmed: false }] });
    await call("memory_history", { path: "deploy" });
    await call("delete_memory", { memory_name: "deploy" });
    const later = await wholeAnswer(() => call("search_memory", { query: "canary" }));
    expect(later.text).not.toContain("deploy.md");
  });

  it("MCP-2 every tool was called", () => {
    expect([...called].sort()).toEqual(tools.map((tool) => tool.name).sort());
    expect([...called].sort()).toEqual([...readers, ...destructive, ...adding].sort());
  });
});

describe("MCP-2 tool sets", () => {
  const namesOf = async (args: (world: MemoryWorld) => readonly string[]) => {
    const world = memoryWorld(folders.make());
    const server = await world.connect(args(world));
    const names = (await server.client.listTools()).tools.map((tool) => tool.name).sort();
    const told = server.client.getInstructions() ?? "";
    await server.close();
    return { names, told };
  };

  it("MCP-2 memories are served without any flag", async () => {
    expect((await namesOf(() => [])).names).toEqual([
      "append_memory",
      "delete_memory",
      "edit_memory",
      "list_memories",
      "load_from_memory",
      "memory_history",
      "read_memory",
      "recall_context",
      "rename_memory",
      "search_memory",
      "store_in_memory",
      "write_memory",
    ]);
  });

  it("MCP-2 BANK-2 the file tools can be chosen without a bank", async () => {
    expect((await namesOf(() => ["--tools", "files"])).names).toEqual(["create_text_file", "list_dir", "read_file"]);
  });

  it("MCP-2 a set that has nothing to work on is left out, and the user is told", async () => {
    const { names, told } = await namesOf(() => ["--tools", "memories,bank,agent"]);
    expect(names).not.toContain("create_task_file");
    expect(names).not.toContain("read_memory_file");
    expect(told).toContain("bank.memory_path is not set");
    expect(told).toContain("agent.id is not set");
  });

  it("BANK-2 the instructions name the two areas by their absolute paths, also with the file tools alone", async () => {
    const { told } = await namesOf(({ bank }) => ["--memory-path", bank, "--tools", "files"]);
    expect(told).toMatch(/\/bank\/app\b.*\/bank\/templates/);
  });
});

it("USE-9 the leave that init gives clients is for the tools that read and add, and for no other", () => {
  expect(allowedTools.toSorted()).toEqual([...readers, ...adding].toSorted());
  expect(askedTools.toSorted()).toEqual(destructive.toSorted());
});
