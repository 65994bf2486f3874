import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { settingKeys } from "../../src/app.ts";
import { cliProcess, runProcess } from "../helpers/cli.ts";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

describe("CLI-1 --help of the commands about settings", () => {
  it.each([["config"], ["config", "show"], ["trust"], ["doctor"]])(
    "CLI-1 %s %s explains itself with an example",
    async (...args) => {
      const { code, out, err } = await world.cli([...args, "--help"]);
      expect([code, err]).toEqual([0, ""]);
      expect(out).toContain(`$ recollect ${args[0]}`);
    },
  );
});

describe("CFG-1 recollect config show", () => {
  it("CFG-1 shows every setting, its value and who said so", async () => {
    const file = world.write("work/app/recollect.yaml", "memories:\n  read_only: [frozen/**]\n");
    world.write("home/.config/recollect/config.yaml", "log_level: error\n");
    const args = ["config", "show", "--additional-folders", "a,b:ro", "--memory-path", world.bank];
    const { code, out } = await world.cli(args);
    expect(code).toBe(0);
    for (const key of settingKeys) expect(out).toContain(key);
    expect(out).toContain(`Project: ${world.project}`);
    expect(out).toMatch(/memories\.read_only +frozen\/\*\* +project .*recollect\.yaml:2/);
    expect(out).toMatch(/memories\.additional_folders +a, b:ro +flag --additional-folders/);
    expect(out).toMatch(/log_level +error +user .*config\.yaml:1/);
    expect(out).toMatch(/tools +memories, topics, search, bank, files +default/);
    const shown = JSON.parse((await world.cli([...args, "--json"])).out);
    expect(shown.settings["memories.read_only"]).toEqual({
      value: ["frozen/**"],
      source: "project",
      name: file,
      line: 2,
    });
    expect(Object.keys(shown.settings).sort()).toEqual([...settingKeys].sort());
  });

  it("CFG-1 later sources win: default, project, user, environment, flag", async () => {
    const limit = async (flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}) => {
      const options = { cwd: world.project, env: { ...world.env, ...env } };
      const { out } = await cliProcess(["config", "show", "--json", ...flags], options);
      return JSON.parse(out).settings["limits.document_bytes"].value;
    };
    expect(await limit()).toBe(1024 * 1024);
    world.write("work/app/recollect.yaml", "limits: { document_bytes: 2001 }\n");
    expect(await limit()).toBe(2001);
    world.write("home/.config/recollect/config.yaml", "limits: { document_bytes: 2002 }\n");
    expect(await limit()).toBe(2002);
    const env = { RECOLLECT_DOCUMENT_BYTES: "2003" };
    expect(await limit([], env)).toBe(2003);
    expect(await limit(["--document-bytes", "2004"], env)).toBe(2004);
  });

  it("CFG-1 makes nothing, and works without a project", async () => {
    const { code, out } = await cliProcess(["config", "show"], { cwd: world.folder, env: world.env });
    expect([code, out]).toEqual([0, expect.stringContaining("none found here")]);
    expect(snapshotOf(world.project)).toEqual({ ".git": "folder" });
  });
});

describe("CFG-2 USE-16 recollect trust", () => {
  const asks = () => world.write("work/app/recollect.yaml", `# a\nbank: { memory_path: ${world.bank} }\n`);
  const recalls = "Hooks will recall all notes of this project, also those that a pull brings.\n";
  const recalled = "Trusted. Hooks recall the notes of this project from now on.\n";

  it("CFG-2 shows what it is about, and needs --yes where nobody can be asked", async () => {
    asks();
    const { code, out, err } = await world.cli(["trust"]);
    expect([code, err]).toEqual([2, expect.stringContaining("--yes")]);
    expect(out).toContain(`line 2  bank.memory_path: "${world.bank}"  (it lies outside of the project)`);
    expect((await world.cli(["trust", "--list"])).out).toBe("You trust no project yet.\n");
  });

  it("CFG-2 answers in words and in JSON", async () => {
    const file = asks();
    const trusted = await world.cli(["trust", "--yes", "--json"]);
    expect(JSON.parse(trusted.out)).toMatchObject({
      file,
      recall: true,
      trusted: true,
      asked: [{ key: "bank.memory_path" }],
    });
    expect((await world.cli(["trust", "--yes"])).out).toBe("This project is trusted already.\n");
    const repositories = [`${world.project}/.git`];
    expect(JSON.parse((await world.cli(["trust", "--list", "--json"])).out)).toMatchObject({
      files: [{ file }],
      repositories,
    });
    const taken = JSON.parse((await world.cli(["trust", "--revoke", "--json"])).out);
    expect(taken).toEqual({ file, revoked: true, recallRevoked: true });
    expect((await world.cli(["trust", "--revoke"])).out).toBe("This project was not trusted.\n");
    expect((await world.cli(["trust", "--yes", "--project", world.project])).code).toBe(0);
  });

  it("USE-16 lets hooks recall the notes of a project that has no settings file, after counting those of strangers", async () => {
    world.write("work/app/.serena/memories/a.md", "# A\n");
    await world.cli(["memories", "write", "b", "--content", "# B\n"]);
    const refused = await world.cli(["trust"]);
    expect(refused.code).toBe(2);
    expect(refused.out).toBe(
      "Hooks will recall all notes of this project, also 1 note not written on this machine, and what a pull brings.\n",
    );
    const { code, out } = await world.cli(["trust", "--yes"]);
    expect([code, out]).toEqual([0, `${refused.out}${recalled}`]);
    expect((await world.cli(["trust", "--list"])).out).toBe(`notes of    ${world.project}/.git\n`);
    expect((await world.cli(["trust", "--revoke"])).out).toBe("Hooks recall only what was written on this machine.\n");
    expect((await world.cli(["trust", "--list"])).out).toBe("You trust no project yet.\n");
  });

  it("CFG-2 asks for nothing but recall where the file asks for nothing outside, and says where there is no project", async () => {
    world.write("work/app/recollect.yaml", "memories: { read_only: [x] }\n");
    expect((await world.cli(["trust", "--yes"])).out).toBe(`${recalls}${recalled}`);
    expect((await world.cli(["trust", "--yes"])).out).toBe("This project is trusted already.\n");
    expect(await cliProcess(["trust"], { cwd: world.folder, env: world.env })).toMatchObject({ code: 3 });
  });

  it("CFG-2 says of what belongs to the user that no trust can allow it", async () => {
    world.write("work/app/recollect.yaml", "memories: { global_writable: true }\n");
    for (const _ of ["first", "again"]) {
      const { code, out } = await world.cli(["trust", "--yes"]);
      expect([code, out]).toEqual([0, expect.stringContaining("memories.global_writable stays without effect")]);
    }
    expect(JSON.parse((await world.cli(["trust", "--list", "--json"])).out)).toMatchObject({ files: [] });
  });
});

describe("CLI-2 recollect doctor", () => {
  it("CLI-2 finds nothing wrong in a healthy project, and makes nothing", async () => {
    const { code, out, err } = await world.cli(["doctor"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("✓ folder");
    expect(out).toMatch(/No problems found\. .*recollect verify\n$/);
    expect(snapshotOf(world.project)).toEqual({ ".git": "folder" });
  });

  it("CLI-2 says what is wrong and what mends it, in words and in JSON", async () => {
    const memories = "work/app/.serena/memories";
    world.write(`${memories}/refers.md`, "see `mem:gone`\n");
    world.write(`${memories}/latin.md`, Buffer.from([0xe9]));
    world.write(`${memories}/what?.md`, "x");
    const args = ["doctor", "--additional-folders", "missing", "--memory-path", world.bank];
    const { code, out } = await world.cli(args);
    expect(code).toBe(6);
    for (const text of [
      "refers (.serena/memories) refers to mem:gone",
      "recollect memories rename -- 'what?' \"what-\"",
      "“latin” in .serena/memories",
      "“missing” does not exist",
      "templates does not exist",
      "3 problems.",
    ]) {
      expect(out).toContain(text);
    }
    const { findings, problems } = JSON.parse((await world.cli([...args, "--json"])).out);
    expect(problems).toBe(3);
    for (const finding of findings) {
      expect(finding).toMatchObject({ level: expect.any(String), about: expect.any(String), says: expect.any(String) });
    }
  });

  it.skipIf(process.platform === "win32")(
    "CLI-2 the command that it proposes for an odd name works in a shell, and does nothing else",
    async () => {
      for (const name of ["what?", "a\u0301", "x:y", "it's:", "$(touch pwned):", "`touch pwned`:"]) {
        world.write(`work/app/.serena/memories/${name}.md`, "x");
      }
      const { findings } = JSON.parse((await world.cli(["doctor", "--json"])).out) as {
        findings: { about: string; remedy?: string }[];
      };
      const remedies = findings.filter(({ about }) => about === "name").map(({ remedy = "" }) => remedy);
      expect(remedies).toHaveLength(6);
      for (const remedy of remedies) {
        const { code, out } = await runProcess("sh", ["-c", `for word in ${remedy}; do printf '%s\\n' "$word"; done`]);
        expect([remedy, code]).toEqual([remedy, 0]);
        const args = out.trimEnd().split("\n").slice(1);
        expect([remedy, await world.cli(args)]).toMatchObject([remedy, { code: 0 }]);
      }
      expect((await world.cli(["doctor"])).out).toContain("No problems found.");
    },
  );

  it.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "CLI-2 finds a folder that cannot be written",
    async () => {
      const folder = join(world.project, ".serena/memories");
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o555);
      expect((await world.cli(["doctor"])).out).toContain("cannot be written to by this user");
      chmodSync(folder, 0o755);
    },
  );

  it("CLI-2 finds a file in the place of a folder", async () => {
    world.write("work/app/.serena/memories", "a file");
    const { code, out } = await world.cli(["doctor"]);
    expect([code, out]).toEqual([6, expect.stringContaining(".serena/memories is not a folder")]);
  });

  it("CLI-2 outside of any project it says so and how to make one", async () => {
    const { code, out } = await cliProcess(["doctor"], { cwd: world.folder, env: world.env });
    expect([code, out]).toEqual([1, expect.stringContaining("recollect init")]);
  });
});
