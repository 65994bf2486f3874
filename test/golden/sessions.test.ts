import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { asJson, httpWorld } from "../helpers/http-server.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { createTranscript } from "./transcript.ts";

// What every surface answers to the same session, word for word. A change of the inside changes nothing here; one that
// is meant is looked at in the diff of the transcripts: RECOLLECT_WRITE_GOLDEN=1 npm test test/golden

const folders = temporaryFolders();

function world(): MemoryWorld {
  const made = memoryWorld(folders.make());
  mkdirSync(join(made.folder, "shared"));
  made.write("work/app/.git/HEAD", "ref: refs/heads/main\n");
  made.write("shared/login.md", "# Login\n\nSessions end after an hour.\n");
  made.write("home/.serena/memories/global/style.md", "# Style\n\nShort sentences.\n");
  return made;
}

const placesOf = ({ folder, project, home, bank }: MemoryWorld, origin?: string) =>
  [
    ...(origin === undefined ? [] : ([[origin, "<origin>"]] as const)),
    [project, "<project>"],
    [home, "<home>"],
    [bank, "<bank>"],
    [folder, "<folder>"],
  ] as const;

const lesson = {
  topic: "ci/cache",
  date: "2026-03-01",
  title: "Stale cache",
  context: "CI-7",
  problem: "CI restored an old cache",
  solution: "Put the hash of the lockfile into its key",
};

describe("a scripted session is answered as before", () => {
  it("CLI-2 on the command line, with --json", async () => {
    const made = world();
    const transcript = createTranscript({ places: placesOf(made) });
    const shared = ["--additional-folders", "../../shared"];
    const steps: readonly (readonly string[])[] = [
      ["memories", "write", "build", "--content", "# Build\n\nRun the tests before the linter. See mem:ci/cache.\n"],
      ["memories", "append", "build", "--content", "Then commit."],
      ["memories", "edit", "build", "before the linter", "first"],
      ["memories", "read", "build"],
      ["memories", "read", "biuld"],
      ["memories", "write", "build", "--content", "x", "--if-rev", "0".repeat(32)],
      ["memories", "write", "../out", "--content", "x"],
      ["memories", "list", ...shared],
      ["memories", "read", "SHARED_login", ...shared],
      ["memories", "check"],
      [
        "topics",
        "store",
        "ci",
        "cache",
        "--date",
        lesson.date,
        "--title",
        lesson.title,
        "--context",
        lesson.context,
      ].concat(["--problem", lesson.problem, "--solution", lesson.solution]),
      ["topics", "list"],
      ["topics", "load", "ci", "cache"],
      ["search", "old", "cache"],
      ["recall", "why", "is", "the", "cache", "stale"],
      ["memories", "rename", "build", "ci/build"],
      ["forget", "ci/build"],
      ["log"],
      ["memories", "read", "ci/build"],
      ["guard", "scan"],
      ["verify"],
    ];
    for (const step of steps) {
      const { code, out, err } = await made.cli([...step, "--json"]);
      transcript.add(`recollect ${step.map((part) => JSON.stringify(part)).join(" ")}`, `${out}${err}exit ${code}`);
    }
    transcript.expectSame("cli.txt");
  });

  it("MCP-1 over MCP", async () => {
    const made = world();
    const server = await made.connect(["--additional-folders", "../../shared", "--memory-path", made.bank]);
    const transcript = createTranscript({ places: placesOf(made) });
    const { tools } = await server.client.listTools();
    transcript.add(
      "tools/list",
      tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
    const steps: readonly (readonly [string, Record<string, unknown>])[] = [
      ["write_memory", { memory_name: "build", content: "# Build\n\nRun the tests before the linter.\n" }],
      ["append_memory", { memory_name: "build", content: "Then commit." }],
      ["edit_memory", { memory_name: "build", needle: "before the linter", repl: "first", mode: "literal" }],
      ["read_memory", { memory_name: "build" }],
      ["read_memory", { memory_name: "biuld" }],
      ["read_memory", { memory_name: "../out" }],
      ["list_memories", {}],
      ["store_in_memory", lesson],
      ["store_in_memory", lesson],
      ["load_from_memory", { topic: "ci", subtopic: "cache" }],
      ["search_memory", { query: "old cache" }],
      ["recall_context", { query: "why is the cache stale" }],
      ["create_task_file", { task_id: "PRB-1", content: "# Task\n" }],
      ["rename_memory", { old_name: "build", new_name: "ci/build" }],
      ["delete_memory", { memory_name: "ci/build" }],
      ["delete_memory", { memory_name: "ci/cache" }],
    ];
    for (const [tool, args] of steps) {
      const { content, structuredContent, isError } = await server.call(tool, args);
      transcript.add(`${tool} ${JSON.stringify(args)}`, { isError, content, structuredContent });
    }
    await server.close();
    transcript.expectSame("mcp.txt");
  });

  describe("WEB-1 over the JSON API", () => {
    let close = async () => {};
    afterAll(() => close());

    it("WEB-1 with both sides of a conflict", async () => {
      const made = world();
      const served = await httpWorld(made);
      close = served.close;
      const secret = await served.token({ name: "ada" });
      const transcript = createTranscript({ places: placesOf(made, served.origin) });
      const put = (path: string, content: string, ifRev: string | null) => ({
        method: "PUT",
        path: "/api/document",
        ...asJson({ root: "memory", path, content, ifRev }),
      });
      const steps = [
        put("build.md", "# Build\n\nRun the tests first.\n", null),
        put("build.md", "# Build\n\nAnother.\n", null),
        put("../out.md", "x", null),
        { path: "/api/document?root=memory&path=build.md" },
        { path: "/api/document?root=memory&path=gone.md" },
        { path: "/api/folder?root=memory" },
        { path: "/api/search?q=tests" },
        { path: "/api/topics" },
        { path: "/api/conflicts" },
        { path: "/api/document?root=nowhere&path=build.md" },
        { path: "/api/search?q=tests&unknown=1" },
      ];
      for (const step of steps) {
        const { status, text } = await served.ask(step, secret);
        transcript.add(`${"method" in step ? step.method : "GET"} ${step.path} ${"body" in step ? step.body : ""}`, {
          status,
          body: text.startsWith("{") ? JSON.parse(text) : text,
        });
      }
      transcript.expectSame("api.txt");
    });
  });
});
