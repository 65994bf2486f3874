import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RecollectError } from "../../src/kernel/errors.ts";
import { maxSettingsFileBytes, readSettingsFile } from "../../src/settings/read-settings-file.ts";
import { settingKeys } from "../../src/settings/settings.ts";
import { errorOf } from "../helpers/error-of.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();

function fileWith(content: string | Uint8Array): string {
  const file = join(folders.make(), "recollect.yaml");
  writeFileSync(file, content);
  return file;
}

function read(file: string, links: "follow" | "refuse" = "refuse") {
  return readSettingsFile({ file, name: "recollect.yaml", links });
}

async function refusal(file: string): Promise<RecollectError> {
  const error = await errorOf(() => read(file));
  expect(error).toBeInstanceOf(RecollectError);
  return error as RecollectError;
}

describe("a settings file", () => {
  it("CFG-1 gives the settings in it under their dotted keys, with their lines", async () => {
    const file = fileWith(
      'project_name: app\nmemories:\n  folder: "notes"\n  additional_folders: [a, b:ro]\nlimits: { document_bytes: 2048 }\n',
    );
    expect([...((await read(file))?.settings ?? [])]).toEqual([
      ["project_name", { raw: "app", line: 1 }],
      ["memories.folder", { raw: "notes", line: 3 }],
      ["memories.additional_folders", { raw: ["a", "b:ro"], line: 4 }],
      ["limits.document_bytes", { raw: 2048, line: 5 }],
    ]);
  });

  it.each([
    ["nothing", ""],
    ["a comment", "# nothing yet\n"],
    ["a byte order mark", "\ufeff"],
    ["blank lines", "\n\n  \n"],
    ["a start mark", "---\n"],
    ["a section without a line", "memories:\n  # folder: notes\n"],
    ["an empty mapping", "{}\n"],
  ])("CFG-1 is fine with %s in it", async (_, content) => {
    expect((await read(fileWith(content)))?.settings.size).toBe(0);
  });

  it("CFG-1 may be missing, also with its folder", async () => {
    expect(await read(join(folders.make(), "recollect.yaml"))).toBeUndefined();
    expect(await read(join(folders.make(), "none", "recollect.yaml"))).toBeUndefined();
    expect(await read(join(fileWith("a file"), "recollect.yaml"))).toBeUndefined();
  });

  it("CFG-1 keeps the very bytes that were read", async () => {
    const content = "# ü\r\nlog_level: info\r\n";
    expect((await read(fileWith(content)))?.content).toEqual(Buffer.from(content));
  });

  it.each([
    ["memorys:\n  folder: x\n", "memorys", "memories", 1, 1],
    ["memories:\n  folders: x\n", "memories.folders", "memories.folder", 2, 3],
    ["memories:\n  foldre: x\n", "memories.foldre", "memories.folder", 2, 3],
    ["folder: x\n", "folder", "memories.folder", 1, 1],
    ["memory_paht: x\n", "memory_paht", "memory_path", 1, 1],
    ["# why\n\nshareWorktrees: true\n", "shareWorktrees", "share_worktrees", 3, 1],
    ["share-worktrees: true\n", "share-worktrees", "share_worktrees", 1, 1],
    ["tool: [bank]\n", "tool", "tools", 1, 1],
    ["limits:\n  document_byte: 1\n", "limits.document_byte", "limits.document_bytes", 2, 3],
    ["bank:\n  memory_path: x\n  log_level: info\n", "bank.log_level", "log_level", 3, 3],
    ["additional_folders: []\n", "additional_folders", "memories.additional_folders", 1, 1],
    ["__proto__: { x: 1 }\n", "__proto__", expect.any(String), 1, 1],
    ["constructor: 1\n", "constructor", expect.any(String), 1, 1],
    ["null: 1\n", "null", expect.any(String), 1, 1],
  ])(
    "CFG-1 refuses an unknown key and names the nearest right one: %j",
    async (content, key, nearest, line, column) => {
      const error = await refusal(fileWith(content));
      expect(error).toMatchObject({
        code: "INVALID_ARGUMENT",
        data: { file: "recollect.yaml", key, nearest, line, column },
      });
      expect(error.message).toContain(`recollect.yaml:${line}:${column} has an unknown key “${key}”`);
      expect(error.message).toContain(`did you mean ${error.data["nearest"]}`);
      expect(settingKeys.join(" ")).toContain(String(error.data["nearest"]));
    },
  );

  it("CFG-1 has one form: a dotted key is refused with the nested one", async () => {
    const { message } = await refusal(fileWith("memories.folder: x\n"));
    expect(message).toBe(
      "recollect.yaml:1:1 has memories.folder in one word: write “memories:” and below it “  folder: …”.",
    );
    expect((await refusal(fileWith("memories:\n  memories.folder: x\n"))).message).toContain("unknown key");
  });

  it.each([
    ["project_name: 12\n", "project_name: expected one plain name, as text, found the number 12", 1, 15],
    ["project_name: ../other\n", "more than 1 segment", 1, 15],
    ["project_name: Templates\n", "a project cannot be called templates", 1, 15],
    ["project_name: ''\n", "is empty", 1, 15],
    ["memories: x\n", "at memories: expected keys with values, found “x”", 1, 11],
    ["memories: [x]\n", "at memories: expected keys with values, found a list", 1, 11],
    [
      "memories:\n  folder: [x]\n",
      "memories.folder: expected a folder, or postgres: and the name of a space, as text, found a list",
      2,
      11,
    ],
    ["memories:\n  folder: ''\n", "memories.folder: the folder is empty", 2, 11],
    [
      "memories:\n  folder:\n",
      "memories.folder: expected a folder, or postgres: and the name of a space, as text, found nothing",
      2,
      10,
    ],
    ["memories:\n  folder: ~bob/notes\n", "only your own home can be written as ~", 2, 11],
    ['memories:\n  folder: "a\\0b"\n', "control character", 2, 11],
    ["memories:\n  additional_folders: x\n", "expected a list of folders", 2, 23],
    ["memories:\n  additional_folders:\n    - a\n    - 5\n", "element 2: expected a list of folders", 4, 7],
    ["memories:\n  additional_folders:\n    - a\n    - ':ro'\n", "element 2: the folder is empty", 4, 7],
    [
      "memories:\n  read_only: { a: 1 }\n",
      "expected a list of patterns such as frozen/**, found keys with values",
      2,
      14,
    ],
    ["memories:\n  global_writable: yes\n", "expected true or false, found the text “yes”", 2, 20],
    ["share_worktrees: 1\n", "expected true or false, found the number 1", 1, 18],
    [
      "tools: [memories, banks]\n",
      "element 2: expected a list of memories, topics, search, bank, files, agent, found the text “banks”",
      1,
      19,
    ],
    ["limits:\n  document_bytes: 100\n", "expected a whole number from 1024 to 16777216, found the number 100", 2, 19],
    ["limits:\n  document_bytes: 2048.5\n", "found the number 2048.5", 2, 19],
    ["limits:\n  document_bytes: .inf\n", "expected a whole number", 2, 19],
    [
      "limits:\n  document_bytes: '2048'\n",
      "expected a whole number from 1024 to 16777216, found the text “2048”",
      2,
      19,
    ],
    ["agent:\n  id: a/b\n", "more than one name", 2, 7],
    ["log_level: loud\n", "expected one of debug, info, warning, error, found the text “loud”", 1, 12],
    ["- a\n", "at the file: expected keys with values, found a list", 1, 1],
    ["just text\n", "at the file: expected keys with values, found “just text”", 1, 1],
  ])("CFG-1 says what was expected and what was found: %j", async (content, says, line, column) => {
    const error = await refusal(fileWith(content));
    expect(error.message).toContain(says);
    expect(error.message.startsWith(`recollect.yaml:${line}:${column} `)).toBe(true);
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", data: { line, column } });
  });

  it.each([
    ["a key twice", "log_level: info\nlog_level: debug\n", "recollect.yaml:2:1 has the key “log_level” twice"],
    ["a section twice", "memories: {}\nmemories: {}\n", "has the key “memories” twice"],
    ["a tab", "memories:\n\tfolder: x\n", "indented with a tab"],
    ["an anchor", "memories: &m\n  folder: x\n", "uses an anchor"],
    ["an anchor on a text", "log_level: &l info\n", "uses an anchor"],
    ["an alias", "memories: { folder: &f x }\nbank: { memory_path: *f }\n", "uses an a"],
    ["an alias to nothing", "log_level: *x\n", "uses an alias"],
    ["a merge key", "<<: { log_level: info }\n", "unknown key"],
    ["a tag", "log_level: !!js/function 'x'\n", "uses a tag"],
    ["a binary tag", "log_level: !!binary aW5mbw==\n", "uses a tag"],
    ["a tag that changes nothing", "log_level: !!str info\n", "uses a tag"],
    ["another YAML version's words", "%YAML 1.1\n---\nshare_worktrees: yes\n", "found the text"],
    ["two documents", "log_level: info\n---\nlog_level: debug\n", "more than one document"],
    ["an open bracket", "tools: [memories\n", "not valid YAML"],
    ["an open quote", 'log_level: "info\n', "not valid YAML"],
    ["a complex key", "? [a]\n: b\n", "a key that is not a text"],
    ["ten thousand brackets", `tools: ${"[".repeat(100_000)}`, ""],
    ["a deep mapping", `${"{a: ".repeat(50_000)}1${"}".repeat(50_000)}`, ""],
  ])("CFG-1 refuses %s", async (_, content, says) => {
    const error = await refusal(fileWith(content));
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toContain(says);
    expect(error.message.length).toBeLessThan(500);
  });

  it("CFG-1 answers a bomb of aliases and a file of countless keys at once", async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index},*a${index}]`);
    const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`);
    for (const content of [`a0: &a0 [x]\n${rows.join("\n")}\n`, `memories: {}\n${keys.join("\n")}\n`]) {
      const start = process.cpuUsage();
      await refusal(fileWith(content));
      expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
    }
  });

  it.each([
    ["Latin-1", Buffer.from("project_name: caf\xe9\n", "latin1")],
    ["UTF-16", Buffer.from("\ufefflog_level: info\n", "utf16le")],
    ["half a character", Buffer.from([0x61, 0xc3])],
  ])("CFG-1 refuses %s", async (_, content) => {
    expect((await refusal(fileWith(content))).message).toBe("recollect.yaml is not UTF-8 text.");
  });

  it("CFG-1 has a limit of size", async () => {
    expect((await read(fileWith(`#${" ".repeat(maxSettingsFileBytes - 1)}`)))?.settings.size).toBe(0);
    const error = await refusal(fileWith(`#${" ".repeat(maxSettingsFileBytes)}`));
    expect(error.message).toBe("recollect.yaml is larger than 262144 bytes.");
  });

  it("CFG-1 refuses a folder and a named pipe in its place", async () => {
    const folder = folders.make();
    mkdirSync(join(folder, "recollect.yaml"));
    expect((await refusal(join(folder, "recollect.yaml"))).message).toContain("is a folder");
    execFileSync("mkfifo", [join(folder, "pipe")]);
    expect((await refusal(join(folder, "pipe"))).message).toContain("is not an ordinary file");
  });

  it("CFG-2 refuses a link in place of a project's file, and follows a user's", async () => {
    const target = fileWith("log_level: info\n");
    const folder = folders.make();
    for (const [name, to] of [
      ["live", target],
      ["dangling", "nowhere"],
      ["loop", "loop"],
    ] as const) {
      symlinkSync(to, join(folder, name));
      expect((await refusal(join(folder, name))).message).toContain("is a link");
    }
    expect((await read(join(folder, "live"), "follow"))?.settings.size).toBe(1);
    expect(await read(join(folder, "dangling"), "follow")).toBeUndefined();
    const loop = await errorOf(() => read(join(folder, "loop"), "follow"));
    expect(loop).toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it.skipIf(process.getuid?.() === 0)("CFG-1 says that a file may not be read", async () => {
    const file = fileWith("");
    chmodSync(file, 0);
    expect(await refusal(file)).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  it("CFG-1 costs no start the YAML parser where there is no file", () => {
    const script = `
      import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      const { readSettingsFile } = await import(${JSON.stringify(new URL("../../src/settings/read-settings-file.ts", import.meta.url).href)});
      const { resolveSettings } = await import(${JSON.stringify(new URL("../../src/settings/resolve-settings.ts", import.meta.url).href)});
      const folder = process.argv[1];
      await resolveSettings({ project: folder, cwd: folder, env: {}, home: folder, trust: { isTrusted: () => false } });
      const isYaml = (url) => url.includes("/node_modules/yaml/");
      const before = loaded.some(isYaml);
      await readSettingsFile({ file: process.argv[2], name: "x", links: "follow" });
      console.log(JSON.stringify([before, loaded.some(isYaml)]));`;
    const args = ["--input-type=module", "-e", script, folders.make(), fileWith("log_level: info\n")];
    expect(JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }))).toEqual([false, true]);
  });
});
