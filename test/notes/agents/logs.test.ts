import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { cliProcess } from "../../helpers/cli.ts";
import { connectMcp } from "../../helpers/mcp.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const secret = "the-content-of-the-document";
let folder: string;

interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly event: string;
  readonly agent?: string;
  readonly path?: string;
  readonly code?: string;
}

const linesOf = (text: string): LogLine[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as LogLine);

async function logOf(...args: string[]): Promise<{ lines: LogLine[]; err: string }> {
  const { err } = await cliProcess([
    "agent",
    ...args,
    "--agent-id",
    "agent-1",
    "--app-cache-dir",
    folder,
    "--log-level",
    "info",
  ]);
  return { lines: linesOf(err), err };
}

beforeEach(() => {
  folder = folders.make();
});

describe("AGT-6 logs", () => {
  it("AGT-6 say as JSON lines on stderr what was done, for which agent and path, and never the content", async () => {
    const { lines, err } = await logOf("write", "notes/a.md", "--content", secret);
    expect(lines).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        level: "info",
        event: "agent memory write",
        agent: "agent-1",
        path: "notes/a.md",
      },
    ]);
    expect(err).not.toContain(secret);
    expect((await logOf("read", "notes/a.md")).err).not.toContain(secret);
  });

  it("AGT-6 a refused path is a warning with its rule's words, a missing file is information", async () => {
    const refused = await logOf("write", "../a.md", "--content", secret);
    expect(refused.lines).toMatchObject([{ level: "warning", agent: "agent-1", code: "INVALID_PATH" }]);
    expect(refused.err).not.toContain(secret);
    const missing = await logOf("read", "missing.md");
    expect(missing.lines).toMatchObject([{ level: "info", path: "missing.md", code: "NOT_FOUND" }]);
  });

  it("AGT-6 KER-6 a conflict is a warning: the caller asked for the comparison", async () => {
    await logOf("write", "a.md", "--content", "x");
    const { lines } = await logOf("write", "a.md", "--content", "y", "--create-only");
    expect(lines).toMatchObject([{ level: "warning", path: "a.md", code: "CONFLICT" }]);
  });

  it("AGT-6 a failure is an error", async () => {
    await logOf("write", "a.md", "--content", "x");
    writeFileSync(join(folder, "agent_memory", "agent-1", "a.md"), Buffer.from([0xff]));
    expect((await logOf("read", "a.md")).lines).toMatchObject([{ level: "error", path: "a.md", code: "NOT_UTF8" }]);
  });

  it("AGT-6 cannot be forged by a path or an id with a newline in it", async () => {
    const forged = 'a\n{"level":"error","event":"forged"}';
    const { lines } = await logOf("write", forged, "--content", "x");
    expect(lines).toHaveLength(1);
    expect(lines[0]?.level).toBe("warning");
  });

  it("AGT-6 of a command are silent unless asked for", async () => {
    const args = ["agent", "write", "a.md", "--content", "x", "--agent-id", "agent-1", "--app-cache-dir", folder];
    expect((await cliProcess(args)).err).toBe("");
  });

  it("AGT-6 of a server go to stderr from information on, with agent and path, and never the content", async () => {
    const server = await connectMcp({ folder, agentId: "agent-1" });
    await server.call("write_memory_file", { relative_file_path: "a.md", content: secret });
    await server.call("append_to_memory_file", { relative_file_path: "a.md", content: secret });
    await server.call("read_memory_file", { relative_file_path: "a.md" });
    await server.call("read_memory_file", { relative_file_path: "../a.md" });
    await server.close();
    const lines = linesOf(server.log());
    expect(lines.map((line) => [line.level, line.agent, line.path])).toEqual([
      ["info", "agent-1", "a.md"],
      ["info", "agent-1", "a.md"],
      ["info", "agent-1", "a.md"],
      ["warning", "agent-1", undefined],
    ]);
    expect(server.log()).not.toContain(secret);
  });
});
