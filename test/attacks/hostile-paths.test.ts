import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AgentMemoryService, InvalidPathError, parseDocumentPath, RecollectError } from "../../src/app.ts";
import { cli, cliProcess } from "../helpers/cli.ts";
import { errorOf } from "../helpers/error-of.ts";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { connectMcp, type McpConnection, textOf } from "../helpers/mcp.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { goodPaths, type HostilePath, hostilePaths } from "./hostile-paths.ts";

const folders = temporaryFolders();
const kinds = [...new Set(hostilePaths.map((row) => row.kind))];
const rowsOf = (kind: string) => hostilePaths.filter((row) => row.kind === kind);

let top: string;
let cache: string;
let memory: AgentMemoryService;
let before: Record<string, string>;
const logged: string[] = [];

/** Rows at whose end something other than a clean refusal was met: the list must stay empty. */
async function offenders(
  rows: readonly HostilePath[],
  attempt: (row: HostilePath) => Promise<string | undefined>,
): Promise<string[]> {
  const found: string[] = [];
  for (const row of rows) {
    const wrong = await attempt(row);
    if (wrong !== undefined) found.push(`${JSON.stringify(row.text.slice(0, 60))}: ${wrong}`);
  }
  return found;
}

const attempts = {
  read: (path: string) => memory.readMemoryFile("agent1", path),
  write: (path: string) => memory.writeMemoryFile("agent1", path, "x"),
  append: (path: string) => memory.appendToMemoryFile("agent1", path, "x"),
};

function leaks(text: string): boolean {
  return text.includes(top) || text.includes("/proc/self/fd");
}

beforeAll(async () => {
  top = folders.make();
  cache = join(top, "cache");
  memory = new AgentMemoryService(cache, {
    log: (level, event, fields) => logged.push(JSON.stringify([level, event, fields])),
  });
  for (const agent of ["agent1", "agent2", "agent10"]) await memory.writeMemoryFile(agent, "secret.md", `of ${agent}`);
  await memory.writeMemoryFile("agent1", "notes/a.md", "a note");
  before = snapshotOf(top);
});

afterAll(() => memory.close());

describe("hostile names and paths", () => {
  it("KER-1 are a table of at least 150 rows, of all classes, without a row given twice in one class", () => {
    expect(hostilePaths.length).toBeGreaterThanOrEqual(150);
    expect(kinds).toHaveLength(12);
    for (const kind of kinds) expect(new Set(rowsOf(kind).map((row) => row.text)).size).toBe(rowsOf(kind).length);
  });

  describe.each(kinds)("%s", (kind) => {
    it("KER-1 are refused by the path parser, which says which rule they break", async () => {
      const found = await offenders(rowsOf(kind), async ({ text, rule }) => {
        const error = await errorOf(() => parseDocumentPath(text));
        if (!(error instanceof RecollectError) || error.code !== "INVALID_PATH") return `gave ${error}`;
        const named = String(error.data["rule"]);
        if (named !== (rule ?? named)) return `refused as ${named} instead of ${rule}`;
        return /[\p{Cc}\p{Bidi_Control}]/u.test(error.message) ? "a message with control characters" : undefined;
      });
      expect(found).toEqual([]);
    });

    it.each(["read", "write", "append"] as const)("KER-1 KER-2 are refused by the library on %s", async (operation) => {
      const found = await offenders(rowsOf(kind), async ({ text }) => {
        const error = await errorOf(() => attempts[operation](text));
        if (!(error instanceof InvalidPathError)) return `gave ${error}`;
        return leaks(error.message + JSON.stringify(error.data)) ? "a host path in the error" : undefined;
      });
      expect(found).toEqual([]);
    });

    it("AGT-3 are refused as the id of an agent", async () => {
      const found = await offenders(rowsOf(kind), async ({ text }) => {
        const refused = await memory.listMemoryFiles(text).catch((error: unknown) => error);
        return refused instanceof InvalidPathError ? undefined : `gave ${JSON.stringify(refused)}`;
      });
      expect(found).toEqual([]);
    });

    it.each(["read", "write", "append"])(
      "KER-1 CLI-1 are refused by the command line on %s with exit code 2",
      async (operation) => {
        const text = operation === "read" ? [] : ["--content", "x"];
        const found = await offenders(rowsOf(kind), async (row) => {
          const args = ["agent", operation, "--agent-id", "agent1", "--app-cache-dir", cache, ...text, "--", row.text];
          const { code, out, err } = await cli(args);
          if (code !== 2 || out !== "" || err === "") return `exit code ${code}, printed ${out}${err}`;
          return leaks(err) ? "a host path on stderr" : undefined;
        });
        expect(found).toEqual([]);
      },
    );
  });

  it("KER-1 CLI-1 are refused by the real process too, tried with the last row of each class", async () => {
    const rows = kinds.flatMap((kind) =>
      rowsOf(kind)
        .filter((row) => !row.notInArguments)
        .slice(-1),
    );
    const found = await offenders(rows, async ({ text }) => {
      const args = ["agent", "write", "--agent-id", "agent1", "--app-cache-dir", cache, "--content", "x", "--", text];
      const { code, out, err } = await cliProcess(args);
      return code === 2 && out === "" && !leaks(err) ? undefined : `exit code ${code}, printed ${out}${err}`;
    });
    expect(found).toEqual([]);
  });

  it("KER-2 leave nothing behind, anywhere, and no host path in a log line", () => {
    expect(snapshotOf(top)).toEqual(before);
    expect(logged.filter(leaks)).toEqual([]);
  });
});

describe("hostile names and paths over MCP", () => {
  let server: McpConnection;
  beforeAll(async () => {
    server = await connectMcp({ folder: cache, agentId: "agent1" });
  });
  afterAll(() => server.close());

  it.each(["read_memory_file", "write_memory_file", "append_to_memory_file"])(
    "KER-1 MCP-1 are refused by %s with an error result",
    async (tool) => {
      const content = tool === "read_memory_file" ? {} : { content: "x" };
      const found = await offenders(hostilePaths, async ({ text }) => {
        const result = await server.call(tool, { relative_file_path: text, ...content });
        if (result.isError !== true) return "accepted";
        if (!textOf(result).startsWith("INVALID_PATH: ")) return textOf(result);
        return leaks(textOf(result)) ? "a host path in the answer" : undefined;
      });
      expect(found).toEqual([]);
    },
  );

  it("KER-2 leave nothing behind, and no host path in what the server logs", () => {
    expect(snapshotOf(top)).toEqual(before);
    expect(leaks(server.log())).toBe(false);
  });

  it("KER-1 AGT-3 are refused as the id of the agent that a server is started for", async () => {
    for (const agentId of ["..", "../agent2", "agent1/../agent2", "．．", "CON"]) {
      const { code, out, err } = await cliProcess([
        "start-mcp-server",
        "--agent-id",
        agentId,
        "--app-cache-dir",
        cache,
      ]);
      expect([agentId, code, out, err]).toEqual([agentId, 2, "", expect.stringContaining("Invalid agent id")]);
    }
    expect(snapshotOf(top)).toEqual(before);
  });
});

describe("ordinary names and paths", () => {
  it.each(goodPaths)("KER-1 %j is kept, read back and listed under the same name", async (path) => {
    const own = new AgentMemoryService(folders.make());
    try {
      await own.writeMemoryFile("agent1", path, `text of ${path}`);
      await own.appendToMemoryFile("agent1", path, ", more");
      expect(await own.readMemoryFile("agent1", path)).toBe(`text of ${path}, more`);
      const { files } = await own.listMemoryFiles("agent1");
      expect(files.map((file) => [file.path, file.remark])).toEqual([[path, undefined]]);
    } finally {
      await own.close();
    }
  });

  it("KER-1 CLI-1 MCP-1 pass the command line and the server as well", async () => {
    const folder = folders.make();
    const server = await connectMcp({ folder, agentId: "agent1" });
    try {
      for (const path of goodPaths) {
        const args = ["--agent-id", "agent1", "--app-cache-dir", folder, "--content", path, "--", path];
        expect(await cli(["agent", "write", ...args]), path).toMatchObject({ code: 0 });
        const result = await server.call("read_memory_file", { relative_file_path: path });
        expect(textOf(result)).toBe(path);
      }
    } finally {
      await server.close();
    }
  });
});
