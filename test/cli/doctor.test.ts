import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { cli, runProcess } from "../helpers/cli.ts";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

const bin = join(import.meta.dirname, "../../bin/recollect.cjs");
const args = [bin, "start-mcp-server", "--project", ".", "--context", "claude-code"];
const mcp = (entry: object) => world.write("work/app/.mcp.json", JSON.stringify({ mcpServers: { recollect: entry } }));
const doctor = () => world.cli(["doctor"]);

describe("CLI-2 doctor on the entries of clients", () => {
  it("CLI-2 USE-9 starts what init would write as the client does, and says what it heard", async () => {
    mcp({ type: "stdio", command: "node", args, timeout: 5 });
    const before = snapshotOf(world.project);
    const { code, out } = await doctor();
    expect(snapshotOf(world.project)).toEqual(before);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/✓ Claude Code {2}connected, \d+ tools in \d+\.\d s \(\.mcp\.json\)\n/),
    ]);
    expect(out).toContain("→ Start “claude” here and choose “Use this MCP server”.");
  });

  it("CLI-2 USE-17 starts our own program without the flags of a project's file", async () => {
    mcp({ command: "node", args: [...args, "--memory-path", "/bank"] });
    const { code, out } = await doctor();
    expect([code, out]).toEqual([0, expect.stringContaining("s (.mcp.json, tried without its --memory-path /bank)")]);
  });

  it("USE-9 says of each client that init set up whether it is connected, and what is left", async () => {
    for (const file of [".claude/x", ".codex/x", ".gemini/x", ".cursor/x", ".config/opencode/x"]) {
      world.write(`home/${file}`, "{}");
    }
    await world.cli(["init", "--yes"]);
    const before = snapshotOf(world.home, (name) => name === ".cache");
    const { code, out } = await doctor();
    expect(snapshotOf(world.home, (name) => name === ".cache")).toEqual(before);
    expect(code).toBe(0);
    for (const title of ["Claude Code", "Codex", "Gemini CLI", "Cursor", "OpenCode"]) {
      expect(out).toMatch(new RegExp(`✓ ${title} +connected, \\d+ tools in \\d`));
      expect(out).toMatch(new RegExp(`✓ ${title} +hooks answer in \\d`));
      expect(out).toMatch(new RegExp(`• ${title} +\\S`));
    }
    expect(out).toContain("✓ recall       hooks may recall all notes of this project");
    expect(out).toContain("✓ sessions     none on record here yet");
  });

  it("USE-9 says what is missing of what init set up, and why a hook does not answer", async () => {
    world.write("home/.claude/x", "");
    await world.cli(["init", "--yes"]);
    await world.cli(["trust", "--revoke"]);
    const event = { session_id: "one", cwd: world.project, hook_event_name: "UserPromptSubmit", prompt: "again" };
    await world.cli(["hook", "claude-code"], JSON.stringify(event));
    rmSync(join(world.home, ".claude/skills/remember"), { recursive: true });
    const hook = { type: "command", command: "/gone/recollect hook claude-code" };
    world.write("home/.claude/settings.json", JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }));
    const { code, out } = await doctor();
    expect([code, out]).toEqual([1, expect.stringContaining("the hooks do not answer: it ended with code 127: ")]);
    expect(out).toMatch(/something is missing or out of date in .*~\/\.claude\/skills\/remember\/SKILL\.md/);
    expect(out).toContain("→ recollect init --client claude-code (shows it first)");
    expect(out).toMatch(/✓ sessions +last ones here: Claude Code \d{4}-\d\d-\d\d \d\d:\d\d\n/);
    expect(out).toMatch(/• recall +hooks recall only notes written on this machine\n +→ recollect trust\n/);
  });

  it.each([
    ["a command that is gone", { command: "/gone/away/node", args }, "its command /gone/away/node does not exist here"],
    ["another command", { command: "node", args: ["evil.js"] }, "it starts: node evil.js; init would write: node "],
    ["no command", {}, "it starts: nothing; init would write: node "],
    ["another project", { command: "node", args: args.with(3, "/else") }, "--project /else --context"],
    ["code in env", { command: "node", args, env: { NODE_OPTIONS: "-r ./e.js" } }, 'it sets env: {"NODE_OPTIONS":'],
    ["a file of variables", { command: "node", args, envFile: ".env" }, 'it sets envFile: ".env"'],
    ["a working directory", { command: "node", args, cwd: "x" }, 'it sets cwd: "x"'],
  ])("CLI-2 finds %s", async (_, entry, says) => {
    mcp(entry);
    const { code, out } = await doctor();
    expect([code, out]).toEqual([1, expect.stringContaining("✗ Claude Code  .mcp.json: ")]);
    expect(out).toContain(says);
    expect(out).toContain("→ recollect init --client claude-code --project (shows the change first)");
    expect(out).not.toContain("✓ Claude Code");
  });

  it("USE-9 is not content with a hook that ends well and complains, as ours does on an old Node", async () => {
    const says = "recollect needs Node 22.13 or newer; this is 20.1.0.";
    const path = world.write("bin/recollect", `#!/bin/sh\necho "${says}" >&2\n[ "$1" = hook ]\n`);
    chmodSync(path, 0o755);
    const hook = { type: "command", command: `${path} hook claude-code` };
    world.write("home/.claude/settings.json", JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }));
    world.write("home/.claude.json", JSON.stringify({ mcpServers: { recollect: { command: path } } }));
    const { out } = await doctor();
    expect(out).toContain(`the hooks do not answer: it says: ${says}\n               → Make a newer Node`);
    expect(out).toContain(`~/.claude.json: it ended with code 1: ${says}\n               → Make a newer Node`);
  });

  it("USE-9 says that words which no program can be given cannot be started", async () => {
    const entry = { command: "node", args: ["a\0b"] };
    world.write("home/.cursor/mcp.json", JSON.stringify({ mcpServers: { recollect: entry } }));
    expect((await doctor()).out).toMatch(/✗ Cursor +~\/\.cursor\/mcp\.json: it cannot be started: /);
  });

  it("USE-9 does not miss a client that is only documented beside others, and says so of one that is set up", async () => {
    world.write("home/.qwen/x", "");
    expect((await doctor()).out).toMatch(
      /• clients +found, but not set up: Qwen Code\n +→ recollect init --client qwen-code\n/,
    );
    world.write("home/.cursor/x", "");
    expect((await doctor()).out).toMatch(/• clients +found, but not set up: Cursor\n +→ recollect init\n/);
    await world.cli(["init", "--yes", "--client", "qwen-code"]);
    const { out } = await doctor();
    expect(out).toMatch(/✓ Qwen Code +connected, /);
    expect(out).toMatch(/• Qwen Code +its files are only documented, not tried by us/);
  });

  it.each([
    ["https://memory.example:7325/mcp?key=abc", "https://memory.example:7325"],
    ["https://ada:secret@memory.example/mcp", "an address of its own"],
  ])("USE-9 names the place of a server that runs elsewhere, and nothing that may be secret", async (url, says) => {
    mcp({ type: "http", url, headers: { Authorization: "Bearer rcl_abc" } });
    const { code, out } = await doctor();
    expect([code, out]).toEqual([0, expect.stringContaining(`.mcp.json: uses a server at ${says}, which is not`)]);
    expect(out).not.toMatch(/abc|secret/);
  });

  it("USE-17 starts nothing of a cloned repository, whatever its files name", async () => {
    const pwned = JSON.stringify(join(world.folder, "pwned"));
    world.write("work/app/evil.cjs", `require("node:fs").writeFileSync(${pwned}, "")`);
    world.write("work/app/.npmrc", "node-options=--require ./evil.cjs\n");
    const bins = join(world.project, "node_modules/.bin");
    for (const name of ["recollect", "npx", "node"]) {
      world.write(`work/app/node_modules/.bin/${name}`, `#!/bin/sh\n${process.execPath} ${world.project}/evil.cjs\n`);
      chmodSync(join(bins, name), 0o755);
    }
    const evil = `${world.project}/evil.cjs`;
    const hook = { type: "command", command: `node ${evil}; recollect hook claude-code` };
    world.write("work/app/.claude/settings.json", JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }));
    const plugin = `const command = ${JSON.stringify([process.execPath, evil])};\n// recollect\n`;
    world.write("work/app/.opencode/plugin/recollect.js", plugin);
    const entries = [
      { command: "node", args },
      { command: process.execPath, args: ["evil.cjs"] },
      { command: "node", args, env: { NODE_OPTIONS: "--require ./evil.cjs" } },
      { command: "npx", args: ["-y", "recollect", ...args.slice(1)] },
      { command: "recollect", args: args.slice(1) },
      { command: "./node_modules/.bin/recollect", args: args.slice(1) },
    ];
    for (const entry of entries) {
      mcp(entry);
      world.write("work/app/.cursor/mcp.json", JSON.stringify({ mcpServers: { recollect: entry } }));
      const path = process.env["PATH"] ?? "";
      vi.stubEnv("PATH", [bins, "node_modules/.bin", "", path].join(delimiter));
      const { out } = await doctor();
      vi.unstubAllEnvs();
      expect(out).toContain("Claude Code");
      expect(readdirSync(world.folder)).not.toContain("pwned");
    }
  });

  it("CLI-2 notes an entry that starts another copy", async () => {
    mcp({ command: "npx", args: ["-y", "recollect", ...args.slice(1)] });
    const { code, out } = await doctor();
    expect([code, out]).toEqual([0, expect.stringMatching(/• Claude Code .*it starts: npx -y recollect/)]);
  });

  it("CLI-2 sees the entries in the user's own files, also one that binds every project to one", async () => {
    const codex = (more: string) =>
      world.write(
        "home/.codex/config.toml",
        `[mcp_servers.recollect]\ncommand = "node"\nargs = ["${bin}", "start-mcp-server", ${more}"--context", "codex"]\n`,
      );
    codex("");
    expect((await doctor()).out).toMatch(/✓ Codex +connected, \d+ tools in \d+\.\d s \(~\/\.codex\/config\.toml\)\n/);
    codex('"--project", "/work/first", ');
    const { code, out } = await doctor();
    expect([code, out]).toEqual([1, expect.stringContaining("~/.codex/config.toml: it starts: node ")]);
    expect(out).toContain("→ recollect init --client codex (shows");
  });

  it("USE-17 looks for no files of the user where there is no home folder, least of all in a clone", async () => {
    world.write("work/app/.cursor/mcp.json", JSON.stringify({ mcpServers: { recollect: { command: "node", args } } }));
    const { out } = await cli(["doctor"], undefined, { cwd: world.project, env: {}, home: "" });
    expect(out).toMatch(/• clients +were not looked at, since there is no home folder\n +→ Set HOME\.\n/);
  });

  it("CLI-2 leaves files at home alone that have nothing of ours", async () => {
    world.write("home/.gemini/settings.json", "{ broken");
    expect(await doctor()).toMatchObject({ code: 0 });
  });
});

describe("CLI-2 doctor on what keeps writes out", () => {
  const auxiliary = () => join(world.project, ".serena/memories/sub/.recollect");
  const damage = (content: string) => {
    const lock = readdirSync(auxiliary()).find((name) => name.startsWith("lock")) ?? "";
    writeFileSync(join(auxiliary(), lock), content);
  };

  it.each([
    ["empty", ""],
    ["cut off", "SQLite format 3"],
    ["junk", "x".repeat(512)],
  ])("CLI-2 KER-5 a damaged lock (%s) repairs itself with the next write", async (_, content) => {
    await world.cli(["memories", "write", "sub/a"], "one\n");
    damage(content);
    expect(await world.cli(["memories", "write", "sub/b"], "two\n")).toMatchObject({ code: 0, err: "" });
    expect((await doctor()).code).toBe(0);
  });

  it("CLI-2 finds a lock that cannot be ours, and what it proposes repairs it", async () => {
    const content = "x".repeat(5000);
    await world.cli(["memories", "write", "sub/a"], "one\n");
    expect((await doctor()).code).toBe(0);
    damage(content);
    expect((await world.cli(["memories", "write", "sub/b"], "two\n")).code).not.toBe(0);
    const before = snapshotOf(world.project);
    const { findings } = JSON.parse((await world.cli(["doctor", "--json"])).out);
    expect(snapshotOf(world.project)).toEqual(before);
    const found = findings.filter(({ about }: { about: string }) => about === "lock");
    expect(found).toMatchObject([{ level: "problem", says: expect.stringContaining(`${auxiliary()}/lock`) }]);
    if (process.platform === "win32") return;
    expect(await runProcess("sh", ["-c", found[0].remedy])).toMatchObject({ code: 0 });
    expect(await world.cli(["memories", "write", "sub/b"], "two\n")).toMatchObject({ code: 0 });
    expect((await doctor()).code).toBe(0);
  });

  it("CLI-2 finds something else in the place of the auxiliary folder", async () => {
    world.write("work/app/.serena/memories/.recollect", "a file");
    const { code, out } = await doctor();
    expect([code, out]).toEqual([8, expect.stringContaining("/.serena/memories/.recollect: ")]);
  });
});

describe("CLI-2 doctor on settings that cannot be read", () => {
  it.each([
    ["the project's file", "work/app/recollect.yaml", "memories: [", /settings +recollect\.yaml/],
    [
      "the project's values",
      "work/app/recollect.yaml",
      "limits: { document_bytes: no }",
      /settings +.*recollect\.yaml/,
    ],
    ["the user's file", "home/.config/recollect/config.yaml", "nonsense: 1", /settings +.*config\.yaml/],
  ])("CLI-2 shows %s as a problem, and goes on", async (_, file, content, says) => {
    world.write(file, `${content}\n`);
    world.write("work/app/.serena/memories/refers.md", "see `mem:gone`\n");
    mcp({ command: "/gone/away/node", args });
    const { code, out, err } = await doctor();
    expect([code, err]).toEqual([1, ""]);
    expect(out).toMatch(says);
    for (const text of [
      "✓ version",
      `✓ project      ${world.project}`,
      "✓ memories     1 note",
      "mem:gone",
      "/gone/away/node",
    ]) {
      expect(out).toContain(text);
    }
    expect(out).toContain("The rest was checked without it.");
    expect(JSON.parse((await world.cli(["doctor", "--json"])).out).problems).toBeGreaterThan(2);
  });

  it("CLI-2 shows both files where both are broken, and still reads what the other settings say", async () => {
    world.write("work/app/recollect.yaml", "a: [\n");
    world.write("home/.config/recollect/config.yaml", "b: [\n");
    const { out } = await world.cli(["doctor", "--memories-folder", "notes"]);
    expect(out.match(/✗ settings/g)).toHaveLength(2);
    expect(out).toContain("notes (made with the first note)");
  });

  it("CLI-2 leaves a wrong flag to its giver", async () => {
    world.write("work/app/recollect.yaml", "a: [\n");
    expect(await world.cli(["doctor", "--document-bytes", "many"])).toMatchObject({ code: 2 });
    expect(await world.cli(["doctor", "--project", "missing"])).toMatchObject({ code: 2 });
  });

  it("CLI-2 shows settings that cannot be put together", async () => {
    symlinkSync(folders.make(), join(world.bank, "app"));
    const { code, out } = await world.cli(["doctor", "--memory-path", world.bank]);
    expect([code, out]).toEqual([1, expect.stringContaining("✗ settings  “app” in the bank is a link.")]);
    expect(out).toContain(`✓ project   ${world.project}`);
    expect(out).toContain("clients");
  });
});

describe.skipIf(process.platform === "win32")("CLI-2 doctor on a link out of the project", () => {
  it("CLI-2 does not call a project fine whose memories are not opened", async () => {
    const elsewhere = folders.make();
    mkdirSync(join(elsewhere, "memories"));
    symlinkSync(elsewhere, join(world.project, ".serena"));
    const { code, out } = await doctor();
    expect(code).toBe(6);
    expect(out).toContain(
      `✗ project   ${world.project}, but its .serena/memories is not opened, since it leads outside of the project through a link`,
    );
    expect(out).not.toContain("✓ project");
    expect(out.match(/not opened/g)).toHaveLength(1);
    expect(readdirSync(elsewhere)).toEqual(["memories"]);
  });
});
