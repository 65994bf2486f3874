import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { bin } from "../helpers/checkout.ts";
import { type CliResult, cli, cliProcess, runProcess } from "../helpers/cli.ts";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let folder: string;
let options: string[];

beforeEach(() => {
  folder = folders.make();
  options = ["--agent-id", "agent-1", "--app-cache-dir", folder];
});

const agent = (operation: string, ...args: string[]): Promise<CliResult> =>
  cli(["agent", operation, ...options, ...args]);
const write = (path: string, content: string, ...args: string[]) => agent("write", path, "--content", content, ...args);
const revIn = (result: CliResult): string => String(JSON.parse(result.out).rev);

describe("CLI-1 help", () => {
  it("CLI-1 of the program names the commands and the meaning of the exit codes", async () => {
    const { code, out, err } = await cli(["--help"]);
    expect([code, err]).toEqual([0, ""]);
    for (const text of ["agent", "start-mcp-server", "Exit codes:", "3  not found"]) expect(out).toContain(text);
  });

  it("CLI-1 of a command shows examples", async () => {
    expect((await cli(["agent", "--help"])).out).toContain("$ recollect agent write notes/build.md");
    expect((await cli(["start-mcp-server", "--help"])).out).toContain('"mcpServers"');
  });

  it.each(["read", "write", "append", "list"])("CLI-1 of agent %s names its options", async (operation) => {
    const { code, out } = await cli(["agent", operation, "--help"]);
    expect(code).toBe(0);
    for (const option of ["--agent-id", "--app-cache-dir", "--json", "--log-level"]) expect(out).toContain(option);
  });

  it("CLI-1 prints the version of the package", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(await cli(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });
});

describe("CLI-1 wrong usage ends with exit code 2 and says what is wrong", () => {
  it.each([
    ["an unknown command", ["agnt"]],
    ["an unknown operation", ["agent", "delete", "a.md"]],
    ["an unknown option", ["agent", "list", "--agent-id", "a", "--frobnicate"]],
    ["a missing path", ["agent", "read", "--agent-id", "a"]],
    ["an option without its value", ["agent", "list", "--agent-id"]],
    ["a log level that does not exist", ["agent", "list", "--agent-id", "a", "--log-level", "loud"]],
  ])("CLI-1 %s", async (_, args) => {
    const { code, out, err } = await cli([...args]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).not.toBe("");
  });

  it.each([
    ["agent", "list"],
    ["agent", "read", "a.md"],
  ])("CLI-1 a missing --agent-id: %s %s", async (...args) => {
    const { code, err } = await cliProcess([...args, "--app-cache-dir", folder]);
    expect(code).toBe(2);
    expect(err).toContain("--agent-id");
    expect(snapshotOf(folder)).toEqual({});
  });

  it.each(["0", "-1", "1.5", "many"])("CLI-1 --limit %s", async (limit) => {
    expect(await agent("list", `--limit=${limit}`)).toMatchObject({ code: 2, out: "" });
  });

  it("CLI-1 --content together with --file", async () => {
    expect(await write("a.md", "x", "--file", "y")).toMatchObject({
      code: 2,
      err: expect.stringContaining("not both"),
    });
  });

  it("CLI-1 no text at all, where a person sits at the terminal", async () => {
    expect(await agent("write", "a.md")).toMatchObject({ code: 2, err: expect.stringContaining("No text") });
  });

  it("CLI-1 --if-rev that is no revision", async () => {
    expect(await write("a.md", "x", "--if-rev", "yesterday")).toMatchObject({ code: 2 });
  });

  it("CLI-1 KER-6 --create-only together with --if-rev, and writes nothing", async () => {
    expect(await write("a.md", "x", "--create-only", "--if-rev", "0".repeat(32))).toMatchObject({
      code: 2,
      err: expect.stringContaining("not both"),
    });
    expect(snapshotOf(folder)).toEqual({});
  });

  it.each([["agent", "read", "a.md"], ["agent", "list"], ["start-mcp-server"]])(
    "CLI-1 AGT-3 an agent id that leads elsewhere, in words about the id: %s %s",
    async (...args) => {
      const { code, out, err } = await cliProcess([...args, "--agent-id", "..", "--app-cache-dir", folder]);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(
        /^recollect: (--agent-id: )?Invalid agent id: it is “\.” or “\.\.”\. Give one plain name such as reviewer\.\n$/,
      );
      expect(snapshotOf(folder)).toEqual({});
    },
  );

  it("CLI-1 --json of a server, whose answers are JSON anyway", async () => {
    const { code, err } = await cliProcess(["start-mcp-server", "--json", ...options]);
    expect(code).toBe(2);
    expect(err).toContain("--json");
  });

  it("CLI-1 KER-9 --file that cannot be read, without its host path", async () => {
    const { code, err } = await agent("write", "a.md", "--file", join(folder, "missing"));
    expect(code).toBe(2);
    expect(err).not.toContain(folder);
  });

  it("CLI-1 KER-9 an app cache folder that is a file, without a stack or a host path", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const { code, err } = await cliProcess(["agent", "list", "--agent-id", "a", "--app-cache-dir", file]);
    expect(code).toBe(2);
    expect(err).toMatch(/^recollect: .*\n$/);
    expect(err).not.toContain(folder);
  });
});

describe("CLI-1 agent write, append and read", () => {
  it("CLI-1 take the text from --content, from --file or from standard input", async () => {
    const file = join(folder, "text.txt");
    writeFileSync(file, "from a file\n");
    expect(await write("a.md", "from an option")).toMatchObject({ code: 0, err: "" });
    expect(await agent("write", "b.md", "--file", file)).toMatchObject({ code: 0 });
    expect(await cli(["agent", "write", "c.md", ...options], "from standard input\n")).toMatchObject({ code: 0 });
    expect((await agent("read", "a.md")).out).toBe("from an option");
    expect((await agent("read", "b.md")).out).toBe("from a file\n");
    expect((await agent("read", "c.md")).out).toBe("from standard input\n");
  });

  it("CLI-1 KER-11 pass standard input through a real process byte by byte", async () => {
    const text = "\ufeffline\r\nनमस्ते 😀\n\nno newline at the end";
    expect(await cliProcess(["agent", "write", "a.md", ...options], { input: text })).toMatchObject({
      code: 0,
      err: "",
    });
    expect((await cliProcess(["agent", "read", "a.md", ...options])).out).toBe(text);
    expect(readFileSync(join(folder, "agent_memory", "agent-1", "a.md"))).toEqual(Buffer.from(text));
  });

  it("CLI-1 append adds to the end, and creates what is missing", async () => {
    await agent("append", "a.md", "--content", "one\n");
    await agent("append", "a.md", "--content", "two\n");
    expect((await agent("read", "a.md")).out).toBe("one\ntwo\n");
  });

  it("CLI-1 a missing file ends with exit code 3", async () => {
    expect(await agent("read", "a.md")).toMatchObject({ code: 3, out: "", err: expect.stringContaining("a.md") });
    expect(snapshotOf(folder)).toEqual({});
  });

  it("CLI-1 KER-6 --if-rev lets a write pass once, and ends with exit code 4 when the file has changed", async () => {
    const first = revIn(await write("a.md", "one", "--json"));
    const second = revIn(await write("a.md", "two", "--json", "--if-rev", first));
    const refused = await write("a.md", "three", "--if-rev", first);
    expect(refused).toMatchObject({ code: 4, out: "", err: expect.stringContaining(second) });
    expect(await agent("append", "a.md", "--content", "x", "--if-rev", first)).toMatchObject({ code: 4 });
    expect((await agent("read", "a.md")).out).toBe("two");
  });

  it("CLI-1 KER-6 --create-only ends with exit code 4 where a file exists", async () => {
    expect(await write("a.md", "one", "--create-only")).toMatchObject({ code: 0 });
    expect(await write("a.md", "two", "--create-only")).toMatchObject({
      code: 4,
      err: expect.stringContaining("“a.md” exists already"),
    });
    expect((await agent("read", "a.md")).out).toBe("one");
  });

  it("CLI-1 KER-12 a text over the limit ends with exit code 2 and says limit and size", async () => {
    const { code, err } = await cli(["agent", "write", "a.md", ...options], "x".repeat(1024 * 1024 + 1));
    expect(code).toBe(2);
    expect(err).toContain("1048577");
    expect(err).toContain("1048576");
    expect(snapshotOf(folder)).toEqual({});
  });

  it("CLI-1 KER-12 an append that would grow a file over the limit leaves it as it was", async () => {
    await cli(["agent", "write", "a.md", ...options], "x".repeat(1024 * 1024));
    expect(await agent("append", "a.md", "--content", "y")).toMatchObject({ code: 2 });
    expect((await agent("read", "a.md")).out).toHaveLength(1024 * 1024);
  });

  it("CLI-1 KER-11 standard input that is not UTF-8 ends with exit code 2 and writes nothing", async () => {
    const input = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
    expect(await cliProcess(["agent", "write", "a.md", ...options], { input })).toMatchObject({
      code: 2,
      err: expect.stringContaining("UTF-8"),
    });
    expect(snapshotOf(folder)).toEqual({});
  });

  it("CLI-1 agent and folder can come from the environment, and options win over it", async () => {
    const env = { RECOLLECT_AGENT_ID: "from-environment", RECOLLECT_APP_CACHE_DIR: folder };
    expect(await cliProcess(["agent", "write", "a.md", "--content", "x"], { env })).toMatchObject({ code: 0 });
    expect((await cliProcess(["agent", "read", "a.md"], { env })).out).toBe("x");
    expect(await cliProcess(["agent", "read", "a.md", "--agent-id", "other"], { env })).toMatchObject({ code: 3 });
  });
});

describe("CLI-1 --json", () => {
  it("CLI-1 answers every operation with one JSON object on one line", async () => {
    const written = JSON.parse((await write("a.md", "one", "--json")).out);
    expect(written).toEqual({ path: "a.md", rev: expect.stringMatching(/^[0-9a-f]{32}$/) });
    const appended = JSON.parse((await agent("append", "a.md", "--content", "two", "--json")).out);
    expect(appended).toEqual({ path: "a.md", rev: expect.stringMatching(/^[0-9a-f]{32}$/) });
    const read = await agent("read", "a.md", "--json");
    expect(JSON.parse(read.out)).toEqual({ path: "a.md", content: "onetwo", rev: appended.rev });
    expect(read.out.split("\n")).toHaveLength(2);
    expect(JSON.parse((await agent("list", "--json")).out)).toEqual({
      files: [{ path: "a.md", size: 6, modified: expect.any(Number), rev: appended.rev }],
    });
  });

  it("CLI-1 KER-9 gives an error as an object with code, message and data, on stderr", async () => {
    const refused = await write("../a.md", "x", "--json");
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(JSON.parse(refused.err)).toMatchObject({ error: { code: "INVALID_PATH", data: { rule: "dot-segment" } } });
    await write("a.md", "one");
    const { rev } = JSON.parse((await agent("read", "a.md", "--json")).out);
    const conflict = await write("a.md", "x", "--json", "--create-only");
    expect(JSON.parse(conflict.err)).toMatchObject({ error: { code: "CONFLICT", data: { current: rev } } });
  });

  it.each([
    ["an unknown option", ["agent", "list", "--frobnicate", "--json"], "'--frobnicate'"],
    ["a missing argument", ["agent", "read", "--json"], "'path'"],
    ["an unknown command", ["agnt", "--json"], "'agnt'"],
    ["a value that is not a choice", ["agent", "list", "--json", "--log-level", "loud"], "loud"],
    ["no command", ["agent", "--json"], "'--json'"],
  ])("CLI-1 gives wrong usage as an object too: %s", async (_, args, named) => {
    const { code, out, err } = await cli(args);
    expect([code, out]).toEqual([2, ""]);
    expect(JSON.parse(err)).toEqual({
      error: { code: "INVALID_ARGUMENT", message: expect.stringContaining(named), data: expect.any(Object) },
    });
  });

  it("CLI-1 after -- is a name like any other", async () => {
    const { code, err } = await cli(["agent", "read", ...options, "--", "--json"]);
    expect(code).toBe(2);
    expect(err).toMatch(/^recollect: Invalid path/);
  });
});

describe.skipIf(process.platform === "win32")("CLI-1 an output that takes no more", () => {
  const shell = (script: string) =>
    runProcess("sh", ["-c", script, "sh", process.execPath, bin, "agent", "read", "big.md", ...options]);

  beforeEach(() => cli(["agent", "write", "big.md", ...options], "line\n".repeat(200_000)));

  it("CLI-1 such as head, which has enough, ends the command quietly with exit code 0", async () => {
    const { out, err } = await shell('{ "$@"; echo "exit code $?" >&2; } | head -c 5');
    expect([out, err]).toEqual(["line\n", "exit code 0\n"]);
  });

  it.skipIf(process.platform !== "linux")("CLI-1 such as a full disk is a failure in one line", async () => {
    const { code, err } = await shell('"$@" > /dev/full');
    expect([code, err]).toEqual([1, "recollect: the answer cannot be written to stdout (ENOSPC).\n"]);
  });
});

describe("CLI-1 agent list", () => {
  it("CLI-1 says how to begin where nothing is", async () => {
    expect(await agent("list")).toMatchObject({ code: 0, out: expect.stringContaining("No files yet") });
  });

  it("CLI-1 KER-12 comes in pages that say how to go on", async () => {
    for (const name of ["a.md", "b.md", "c.md"]) await write(name, "x");
    const first = await agent("list", "--limit", "2");
    expect(first.out).toContain('--after "b.md"');
    expect(first.out).not.toContain("c.md");
    const second = JSON.parse((await agent("list", "--limit", "2", "--after", "b.md", "--json")).out);
    expect(second.files.map((file: { path: string }) => file.path)).toEqual(["c.md"]);
  });

  it("CLI-1 escapes control and bidi characters in names that came from elsewhere", async () => {
    await write("a.md", "x");
    const place = join(folder, "agent_memory", "agent-1");
    for (const name of ["evil\u001b[2J.md", "evil\u009b31m.md", "evil\u202edm.exe", "two\nlines.md"]) {
      writeFileSync(join(place, name), "x");
    }
    for (const args of [[], ["--limit", "1"], ["--limit", "2"], ["--limit", "3"], ["--limit", "4"]]) {
      const { code, out } = await agent("list", ...args);
      expect(code).toBe(0);
      expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    }
    expect((await agent("list")).out.split("\n")).toHaveLength(6);
  });
});
