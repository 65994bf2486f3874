import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type CliResult, cli, cliProcess } from "../helpers/cli.ts";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { textOf } from "../helpers/mcp.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const rev = expect.stringMatching(/^[0-9a-f]{32}$/);
const folder = ".serena/memories";
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

const run = (...args: string[]): Promise<CliResult> => world.cli(["memories", ...args]);
const json = async (...args: string[]) => {
  const { code, out, err } = await run(...args, "--json");
  expect([code, err]).toEqual([0, ""]);
  expect(out.split("\n")).toHaveLength(2);
  return JSON.parse(out);
};
const write = (name: string, content: string, ...args: string[]) => run("write", name, "--content", content, ...args);
const onDisk = (name: string) => readFileSync(join(world.project, folder, `${name}.md`), "utf8");

const operations = ["list", "read", "write", "append", "prepend", "edit", "rename", "delete", "check"];

describe("CLI-1 recollect memories", () => {
  it("CLI-1 shows examples, and each operation its settings and --json", async () => {
    const help = await run("--help");
    expect([help.code, help.err]).toEqual([0, ""]);
    expect(help.out).toContain("$ recollect memories write build --content");
    for (const operation of operations) {
      const { code, out } = await run(operation, "--help");
      expect(code, operation).toBe(0);
      for (const text of ["--json", "--project <folder>", "--additional-folders", "--log-level", "Settings ("]) {
        expect(out, operation).toContain(text);
      }
    }
  });

  it("CLI-1 every example of its help works as it stands there", async () => {
    const examples = [...(await run("--help")).out.matchAll(/^ {2}\$ (?:.* \| )?recollect memories (.*)$/gm)];
    expect(examples.length).toBeGreaterThanOrEqual(4);
    for (const [, line = ""] of examples) {
      const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
      expect([line, await world.cli(["memories", ...args], "from a pipe\n")]).toMatchObject([line, { code: 0 }]);
    }
  });

  it("CLI-1 MEM-6 write says what it did and where, in words and in JSON", async () => {
    const created = await write("auth/login", "# Login\n");
    expect(created).toMatchObject({ code: 0, err: "" });
    expect(created.out).toMatch(/^Created auth\/login in \.serena\/memories \(rev [0-9a-f]{32}\)\.\n$/);
    expect((await write("auth/login", "# Again\n")).out).toMatch(/^Replaced auth\/login/);
    expect(await json("write", "b", "--content", "x")).toEqual({ name: "b", folder, rev, created: true });
  });

  it("CLI-1 the text comes from --content, from --file or from standard input, byte by byte", async () => {
    const text = "\ufeffline\r\nनमस्ते 😀\nno newline at the end";
    const file = world.write("text.txt", text);
    await run("write", "a", "--file", file);
    await world.cli(["memories", "write", "b"], text);
    for (const name of ["a", "b"]) expect([onDisk(name), (await run("read", name)).out]).toEqual([text, text]);
    await world.cli(["memories", "append", "b"], "\nmore");
    await run("prepend", "b", "--content", "above\n");
    expect(onDisk("b")).toContain("more");
    expect(await run("write", "c")).toMatchObject({ code: 2, err: expect.stringContaining("No text") });
    expect(await write("c", "x", "--file", file)).toMatchObject({ code: 2, err: expect.stringContaining("not both") });
    expect(await world.cli(["memories", "write", "c"], Buffer.from([0xe9]))).toMatchObject({ code: 2 });
    const missing = await run("write", "c", "--file", join(world.folder, "missing"));
    expect(missing).toMatchObject({ code: 2, err: expect.not.stringContaining(world.folder) });
  });

  it("CLI-1 a real process passes text through and answers with its exit code", async () => {
    const options = { cwd: world.project, env: world.env };
    expect(await cliProcess(["memories", "write", "a"], { ...options, input: "über\n" })).toMatchObject({ code: 0 });
    expect(await cliProcess(["memories", "read", "a"], options)).toEqual({ code: 0, out: "über\n", err: "" });
    expect(await cliProcess(["memories", "read", "nothing"], options)).toMatchObject({ code: 3, out: "" });
  });

  it("CLI-1 MEM-5 read prints the text alone, a range of it, or all there is to know", async () => {
    await write("a", "zero\none\ntwo\nthree\n");
    expect((await run("read", "mem:a.md", "--start-line", "1", "--end-line", "2")).out).toBe("one\ntwo\n");
    expect(await json("read", "a", "--start-line", "3")).toEqual({
      name: "a",
      folder,
      rev,
      content: "three\n",
      part: { from: 3, to: 3, of: 4 },
    });
    expect(await run("read", "a", "--start-line", "9")).toMatchObject({ code: 2 });
    expect(await run("read", "a", "--start-line", "-1")).toMatchObject({ code: 2 });
    expect(await run("read", "missing")).toMatchObject({ code: 3, out: "" });
  });

  it("CLI-1 outside of a project, list says what works there, and init makes it work", async () => {
    const outside = join(world.folder, "elsewhere");
    mkdirSync(outside);
    const there = (...args: string[]) => cli(args, undefined, { cwd: outside, env: {}, home: world.home });
    const { code, out } = await there("memories", "list");
    expect([code, out]).toEqual([
      0,
      expect.stringContaining("make this folder a project with: recollect init --project ."),
    ]);
    expect(out).not.toContain("memories write");
    expect(await there("memories", "write", "build", "--content", "x")).toMatchObject({ code: 3 });
    const said = await world.connect([], { cwd: outside });
    expect(said.client.getInstructions()).toContain("recollect init");
    expect(textOf(await said.call("list_memories", {}))).toContain("recollect init");
    await said.close();
    expect(await there("init", "--yes", "--project", outside, "--client", "codex")).toMatchObject({ code: 0 });
    expect((await there("memories", "list")).out).toContain("recollect memories write build");
    expect(await there("memories", "write", "build", "--content", "x")).toMatchObject({ code: 0 });
  });

  it("CLI-1 MEM-4 list shows names, summaries, folders and pages", async () => {
    expect((await run("list")).out).toContain("No notes yet");
    for (const name of ["auth/login", "auth/session", "build"]) await write(name, `# About ${name}\n`);
    world.write("home/.serena/memories/global/style.md", "# Style\n");
    const all = await run("list");
    expect(all.out).toMatch(/^\d{4}-\d\d-\d\d {2}auth\/login +About auth\/login {2}\[\.serena\/memories\]$/m);
    expect(all.out).toContain("[global; read-only]");
    expect((await run("list", "auth")).out.trimEnd().split("\n")).toHaveLength(2);
    expect((await run("list", "none")).out).toContain("No notes below “none”");
    expect((await run("list", "--limit", "2")).out).toContain('2 of 4 shown. More: --after "auth/session"');
    const page = await json("list", "--limit", "1", "--after", "auth/session");
    expect(page).toMatchObject({
      total: 4,
      leftOut: 3,
      next: "build",
      memories: [{ name: "build", summary: "About build" }],
    });
    expect(await run("list", "--limit", "0")).toMatchObject({ code: 2 });
    expect(await run("list", "../..")).toMatchObject({ code: 2 });
  });

  it("CLI-1 MEM-9 edit replaces one match, or all where asked", async () => {
    await write("a", "one one\n$!1\n");
    expect(await run("edit", "a", "one", "two")).toMatchObject({ code: 2, err: expect.stringContaining("2 times") });
    expect((await run("edit", "a", "one", "two", "--all")).out).toContain("Replaced 2 matches in a");
    expect(await json("edit", "a", "t(w)o t", "$!1", "--mode", "regex")).toMatchObject({ count: 1, name: "a" });
    expect(onDisk("a")).toBe("wwo\n$!1\n");
    expect(await run("edit", "a", "x", "y", "--mode", "fuzzy")).toMatchObject({ code: 2 });
    const [, slow] = [
      await write("slow", `${"a".repeat(40)}!`),
      await run("edit", "slow", "^(a+)+$", "", "--mode", "regex"),
    ];
    expect(slow).toMatchObject({ code: 2, err: expect.stringContaining("was stopped") });
  });

  it("CLI-1 MEM-11 rename tells of references it rewrote, and of those it could not", async () => {
    mkdirSync(join(world.folder, "ice"));
    await write("old", "x");
    await write("refers", "see `mem:old`");
    writeFileSync(join(world.folder, "ice/frozen.md"), "see `mem:old`");
    const shared = ["--additional-folders", "../../ice:ro"];
    const { code, out } = await run("rename", "old", "topic/new", ...shared);
    expect([code, out.split("\n")]).toEqual([
      0,
      [
        "Renamed old to topic/new in .serena/memories.",
        "  rewrote the references in refers",
        "  frozen in ../../ice still refers to mem:old, and is read-only",
        "",
      ],
    ]);
    expect(await run("rename", "refers", "topic/new")).toMatchObject({ code: 4 });
    expect(await run("rename", "nothing", "x")).toMatchObject({ code: 3 });
    expect(await json("rename", "refers", "r")).toMatchObject({ from: "refers", to: "r", rewritten: [] });
  });

  it("CLI-1 MEM-10 delete says what shows through, and refuses what is missing", async () => {
    world.write("shared/a.md", "shared\n");
    const shared = ["--additional-folders", "../../shared"];
    await world.cli(["memories", "write", "a"], "x");
    expect(await json("delete", "a", "--if-rev", "0".repeat(32)).catch(() => "refused")).toBe("refused");
    const deleted = await run("delete", "a", ...shared);
    expect(deleted.out).toBe("Deleted a from .serena/memories. The one of the same name in ../../shared shows now.\n");
    expect(await run("delete", "a")).toMatchObject({ code: 3, out: "" });
  });

  it("CLI-1 KER-6 --if-rev and --create-only end with exit code 4 where it is not as expected", async () => {
    const { rev: first } = await json("write", "a", "--content", "one");
    expect(await write("a", "two", "--if-rev", first)).toMatchObject({ code: 0 });
    for (const args of [
      ["write", "a", "--content", "x", "--if-rev", first],
      ["append", "a", "--content", "x", "--if-rev", first],
      ["prepend", "a", "--content", "x", "--if-rev", first],
      ["edit", "a", "two", "x", "--if-rev", first],
      ["delete", "a", "--if-rev", first],
      ["write", "a", "--content", "x", "--create-only"],
    ]) {
      expect([args, await run(...args)]).toMatchObject([args, { code: 4, out: "" }]);
    }
    expect(await write("a", "x", "--if-rev", "yesterday")).toMatchObject({ code: 2 });
    expect(await write("a", "x", "--if-rev", first, "--create-only")).toMatchObject({ code: 2 });
    expect(onDisk("a")).toBe("two");
  });

  it("CLI-1 MEM-12 read-only folders, patterns and the user's own end with exit code 5", async () => {
    world.write("ice/frozen.md", "x");
    world.write("home/.serena/memories/global/mine.md", "x");
    const shared = ["--additional-folders", "../../ice:ro", "--read-only", "kept/**"];
    for (const name of ["frozen", "ICE_new", "kept/x", "global/mine"]) {
      expect([name, await write(name, "y", ...shared)]).toMatchObject([name, { code: 5, out: "" }]);
    }
    expect(await write("global/mine", "y", "--global-writable")).toMatchObject({ code: 0 });
  });

  it("CLI-1 MEM-12 check ends with exit code 1 where it finds something", async () => {
    await write("a", "fine\n");
    expect(await run("check")).toMatchObject({ code: 0, out: "1 note checked, nothing found.\n" });
    await write("b", "see `mem:gone`\n");
    world.write("shared/a.md", "x");
    const found = await run("check", "--additional-folders", "../../shared");
    expect(found).toMatchObject({ code: 1, err: "" });
    expect(found.out).toContain("b (.serena/memories) refers to mem:gone, which does not exist");
    expect(found.out).toContain("a in .serena/memories hides the one in ../../shared");
    const { code, out } = await run("check", "--json");
    expect([code, JSON.parse(out)]).toEqual([
      1,
      { dangling: [{ name: "b", folder, reference: "gone" }], shadowed: [], checked: 2 },
    ]);
  });

  it("CLI-1 KER-9 errors in JSON have code, message and data, and leave stdout empty", async () => {
    const { code, out, err } = await run("write", "../x", "--content", "x", "--json");
    expect([code, out]).toEqual([2, ""]);
    expect(JSON.parse(err)).toMatchObject({ error: { code: "INVALID_PATH", data: { rule: "dot-segment" } } });
    expect(snapshotOf(world.project)).toEqual({ ".git": "folder" });
  });

  it("CLI-1 KER-3 reading and listing make nothing", async () => {
    for (const args of [["list"], ["read", "a/b"], ["check"], ["delete", "a"], ["edit", "a", "x", "y"]])
      await run(...args);
    expect(snapshotOf(world.project)).toEqual({ ".git": "folder" });
  });

  it("CLI-1 names from elsewhere cannot change the terminal, whatever is done with them", async () => {
    const evil = "evil\u001b[2J\u009b31m\u202e";
    world.write(`work/app/${folder}/${evil}.md`, "see `mem:old`");
    await write("old", "x");
    const answers = [
      await run("list"),
      await run("check"),
      await run("rename", "old", "new"),
      await run("read", `${evil}x`),
      await run("write", `${evil}x`, "--content", "x"),
      await run("delete", evil),
      await world.cli(["doctor"]),
    ];
    for (const { out, err } of answers) {
      expect(`${out}${err}`.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    }
    expect(answers.at(-2)).toMatchObject({ code: 0, out: expect.stringContaining("\\u{1b}") });
  });

  it("CLI-1 a project that does not exist, or a folder without one, is said so", async () => {
    expect(await run("list", "--project", "nowhere")).toMatchObject({
      code: 2,
      err: expect.stringContaining("nowhere"),
    });
    const elsewhere = { cwd: world.folder, env: world.env };
    const { code, err } = await cliProcess(["memories", "write", "a", "--content", "x"], elsewhere);
    expect([code, err]).toEqual([3, expect.stringContaining("no folder of project memories here")]);
  });

  it("CFG-1 a wrong setting is refused with the nearest right one, wherever it stands", async () => {
    world.write("work/app/recollect.yaml", "memories:\n  additonal_folders: [x]\n");
    const { code, err } = await run("list");
    expect(code).toBe(2);
    expect(err).toContain("additional_folders");
    expect(await world.cli(["doctor"])).toMatchObject({ code: 1, out: expect.stringContaining("additional_folders") });
  });
});
