import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { runProcess } from "../helpers/cli.ts";
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
  it("CLI-2 is content with what init would write, and names the flags that are passed on", async () => {
    mcp({ type: "stdio", command: "node", args, timeout: 5 });
    expect(await doctor()).toMatchObject({ code: 0, out: expect.stringMatching(/✓ clients +Claude Code\n/) });
    mcp({ command: "node", args: [...args, "--memory-path", "/bank"] });
    expect((await doctor()).out).toMatch(/✓ clients +Claude Code \(with --memory-path \/bank\)\n/);
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
    expect([code, out]).toEqual([1, expect.stringContaining(`✗ clients   Claude Code, .mcp.json: `)]);
    expect(out).toContain(says);
    expect(out).toContain("→ recollect init --client claude-code (shows the change first)");
    expect(out).not.toMatch(/✓ clients/);
  });

  it("CLI-2 notes an entry that starts another copy", async () => {
    mcp({ command: "npx", args: ["-y", "recollect", ...args.slice(1)] });
    const { code, out } = await doctor();
    expect([code, out]).toEqual([0, expect.stringMatching(/• clients .*it starts: npx -y recollect/)]);
  });

  it("CLI-2 sees the entries in the user's own files, also one that binds every project to one", async () => {
    const codex = (more: string) =>
      world.write(
        "home/.codex/config.toml",
        `[mcp_servers.recollect]\ncommand = "node"\nargs = ["${bin}", "start-mcp-server", ${more}"--context", "codex"]\n`,
      );
    codex("");
    expect((await doctor()).out).toMatch(/✓ clients +Codex \(in ~\/\.codex\/config\.toml\)\n/);
    codex('"--project", "/work/first", ');
    const { code, out } = await doctor();
    expect([code, out]).toEqual([1, expect.stringContaining("Codex, ~/.codex/config.toml: it starts: node ")]);
    expect(out).toContain("→ recollect init --client codex --user");
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
      `✓ project    ${world.project}`,
      "✓ memories   1 note",
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
