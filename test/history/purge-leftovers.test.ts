import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/main.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { scratchFolder } from "./scratch.ts";

const value = "Kq72-planted-value-nowhere-else";
const allObjects = ["cat-file", "--batch-all-objects", "--batch"];
const draft = ".recollect-draft-0f8fad5b-d9cb-469f-a165-70867728950e";

async function world(): Promise<MemoryWorld> {
  const made = memoryWorld(join(scratchFolder(), "world"));
  await made.cli(["memories", "write", "login"], "first\n");
  return made;
}

function filesWith(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(value));
}

async function agentFile({ cli }: MemoryWorld, args: readonly string[] = []): Promise<void> {
  const written = await cli(["agent", "write", "--agent-id", "ada", ...args, "plan"], "first\n");
  expect(written).toMatchObject({ code: 0 });
}

describe("HIST-5 what a purge finds beside documents and history", () => {
  it("HIST-5 purge reaches agents in the default place while another one is configured", async () => {
    const made = await world();
    await agentFile(made);
    const document = join(made.home, ".local/share/recollect/agent_memory/ada/plan.md");
    writeFileSync(document, `the value is ${value}\n`);
    const elsewhere = ["--app-cache-dir", join(made.folder, "elsewhere")];
    await agentFile(made, elsewhere);
    expect(await made.cli(["purge", "--yes", ...elsewhere], value)).toMatchObject({ code: 0 });
    expect(readFileSync(document, "utf8")).toBe("the value is ‹removed›\n");
    expect(filesWith(made.folder)).toEqual([]);
  });

  it("HIST-5 purge finds agents wherever they keep their files, and removes what a killed write of one staged", async () => {
    const made = await world();
    await agentFile(made);
    const staged = "home/.local/share/recollect/agent_memory/ada/.recollect/new-112029942530204";
    made.write(staged, `x ${value}`);
    const places = ["work/app/.serena/memories/cache", "work/app/deep/cachedir", "outside"];
    for (const place of places) {
      await agentFile(made, ["--app-cache-dir", join(made.folder, place)]);
      writeFileSync(join(made.folder, place, "agent_memory/ada/plan.md"), `the value is ${value}\n`);
      made.write(`${place}/agent_memory/ada/.recollect/new-112029942530204`, `x ${value}`);
      made.write(`${place}/agent_memory/ada/.recollect/kept-0123456789abcdef`, `x ${value}`);
    }
    const { out } = await made.cli(["purge", "--dry-run"], value);
    for (const place of places) expect(out).toContain(`${place}/agent_memory/ada/plan.md`);
    expect(out).toContain("agent_memory/ada/.recollect/new-1120299425");
    const purged = await made.cli(["purge", "--yes"], value);
    expect(purged).toMatchObject({ code: 0, out: expect.stringContaining("Removed.") });
    expect(existsSync(join(made.folder, staged))).toBe(false);
    expect(filesWith(made.folder)).toEqual([]);
    for (const place of places) {
      expect(readFileSync(join(made.folder, place, "agent_memory/ada/plan.md"), "utf8")).toBe(
        "the value is ‹removed›\n",
      );
    }
  });

  it("AGT-4 HIST-5 the list of agents' places is private, and forgets a place that is gone or not theirs", async () => {
    const made = await world();
    const [kept = "", gone = "", taken = ""] = ["kept", "gone", "taken"].map((name) => join(made.folder, name));
    for (const place of [kept, gone, taken]) await agentFile(made, ["--app-cache-dir", place]);
    const records = join(made.home, ".local/share/recollect/agent-places");
    expect(readdirSync(records)).toHaveLength(3);
    for (const name of readdirSync(records)) expect(statSync(join(records, name)).mode & 0o777).toBe(0o600);
    rmSync(gone, { recursive: true });
    rmSync(join(taken, "agent_memory/.recollect"), { recursive: true });
    writeFileSync(join(taken, "agent_memory/mine.md"), value);
    await made.cli(["purge", "--yes"], value);
    expect(readFileSync(join(taken, "agent_memory/mine.md"), "utf8")).toBe(value);
    expect(readdirSync(records)).toHaveLength(1);
  });

  it("HIST-5 purge removes staged files, drafts and crash reports of git, and cleans a text that waits in an editor's folder", async () => {
    const made = await world();
    const folder = mkdtempSync(join(tmpdir(), "recollect-entry-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "entry.md"), `## Title\n${value}\n`);
    await made.cli(["topics", "store", "build", "cache", "--title", "First", "--problem", "p"]);
    const text = `half of a text: ${value}`;
    for (const place of [
      "work/app/.serena/memories/.recollect/new-7",
      "work/app/.serena/memories/.recollect/new-whole-a",
      "work/app/.serena/memories/.recollect/intent-draft",
      "work/app/.serena/memories/.recollect/history/fast_import_crash_17",
      "work/app/.serena/memories/.recollect/history/objects/pack/tmp_pack_a1b2c3",
      "work/app/memory/build/.recollect/new-9-restored",
      `work/app/src/deep/${draft}`,
      `work/app/.serena/memories/${draft}`,
    ]) {
      made.write(place, text);
    }
    const { code, out } = await made.cli(["purge", "--yes"], value);
    expect([code, out]).toEqual([0, expect.stringContaining("Removed.")]);
    expect(out).not.toContain(value);
    expect(filesWith(made.folder)).toEqual([]);
    expect(readFileSync(join(folder, "entry.md"), "utf8")).toBe("## Title\n‹removed›\n");
    expect((await made.cli(["verify"])).code).toBe(0);
  });

  it("HIST-5 purge leaves a draft that does not hold the value, and files of the project, alone", async () => {
    const made = await world();
    const kept = [
      made.write(`work/app/src/${draft}`, "another text"),
      made.write("work/app/src/code.ts", `// ${value}`),
    ];
    expect(await made.cli(["purge", "--yes"], value)).toMatchObject({ code: 3 });
    expect(kept.map((file) => existsSync(file))).toEqual([true, true]);
  });

  it("HIST-5 purge names a file that it could not clean, fails, and does not claim success", async () => {
    const made = await world();
    made.write("home/.local/share/recollect/foreign-record.json", `{"x":"${value}"}`);
    made.write("home/.local/share/recollect/some/deep/record.json", `{"x":"${value}"}`);
    made.write("work/app/.serena/memories/.recollect/unknown", value);
    const note = join(made.project, ".serena/memories/login.md");
    writeFileSync(note, `token: ${value}\n`);
    const { code, out } = await made.cli(["purge", "--yes"], value);
    expect(code).toBe(1);
    for (const file of ["foreign-record.json", "some/deep/record.json", ".recollect/unknown"]) {
      expect(out).toContain(`${file}” still holds it. Delete it.`);
    }
    expect(out).not.toContain("Purge it again");
    expect(out).not.toContain("Removed.");
    expect(out).not.toContain(value);
    expect(readFileSync(note, "utf8")).toBe("token: ‹removed›\n");
  });

  it.skipIf(process.getuid?.() === 0)(
    "HIST-5 purge says of a file that it cannot read that it may hold it",
    async () => {
      const made = await world();
      const note = join(made.project, ".serena/memories/login.md");
      writeFileSync(note, `token: ${value}\n`);
      const folder = join(made.project, ".serena/memories/.recollect/closed");
      mkdirSync(folder);
      chmodSync(folder, 0);
      onTestFinished(() => chmodSync(folder, 0o700));
      expect(await made.cli(["purge", "--yes"], value)).toMatchObject({
        code: 1,
        out: expect.stringContaining("cannot be read"),
      });
    },
  );
});

describe("HIST-5 what a purge finds in second copies of history", () => {
  /** A folder of notes whose history had the value, and that is gone with its history. */
  async function formerFolder(made: MemoryWorld): Promise<void> {
    mkdirSync(join(made.project, "orphan"));
    for (const text of [`the value is ${value}\n`, "clean\n"]) {
      await made.cli(["memories", "write", "ORPHAN_a", "--additional-folders", "orphan"], text);
    }
    rmSync(join(made.project, "orphan"), { recursive: true });
  }

  function objectsIn(mirrors: string): string {
    const names = readdirSync(mirrors).filter((name) => /^[0-9a-f]{40}$/.test(name));
    return names
      .map((name) => execFileSync("git", ["--git-dir", join(mirrors, name), ...allObjects], { encoding: "utf8" }))
      .join("");
  }

  it.each([
    ["a repository", true],
    ["no repository", false],
  ])("HIST-5 ONE-3 purge finds a value that only a former folder in %s had", async (_, isRepository) => {
    const made = await world();
    rmSync(join(made.project, ".git"), { recursive: true, force: true });
    if (isRepository) execFileSync("git", ["init", "-q", made.project]);
    await formerFolder(made);
    const mirrors = isRepository ? ".git/recollect" : "../../home/.local/share/recollect/mirrors";
    expect(objectsIn(join(made.project, mirrors))).toContain(value);
    expect(await made.cli(["purge", "--dry-run"], value)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/orphan\/ORPHAN_a\.md: 1 revision in history/),
    });
    expect(await made.cli(["purge", "--yes"], value)).toMatchObject({
      code: 0,
      out: expect.stringContaining("Removed."),
    });
    expect(objectsIn(join(made.project, mirrors))).not.toContain(value);
    expect((await made.cli(["memories", "write", "other"], value)).code).toBe(5);
  });

  it("HIST-5 purge finds a value in an object of history that nothing names", async () => {
    const made = await world();
    const history = join(made.project, ".serena/memories/.recollect/history");
    execFileSync("git", ["--git-dir", history, "hash-object", "-w", "--stdin"], { input: value });
    const { code, out } = await made.cli(["purge", "--yes"], value);
    expect([code, out]).toEqual([0, expect.stringMatching(/\.recollect\/history\n.*Removed\./s)]);
    const left = execFileSync("git", ["--git-dir", history, ...allObjects], { encoding: "utf8" });
    expect(left).not.toContain(value);
  });
});

describe("HIST-5 the question before a purge", () => {
  async function asked(made: MemoryWorld, answer: boolean) {
    const questions: string[] = [];
    const confirm = async (question: string) => questions.push(question) > 0 && answer;
    const out: string[] = [];
    const code = await runCli(["purge"], {
      out: (text) => out.push(text),
      err: (text) => out.push(text),
      terminal: true,
      place: { cwd: made.project, env: {}, home: made.home },
      readInput: async () => Buffer.from(value),
      confirm,
    });
    return { code, out: out.join(""), questions };
  }

  it("HIST-5 purge asks of a value that is nowhere only whether to refuse it, and does what was answered", async () => {
    const made = await world();
    const no = await asked(made, false);
    expect(no).toMatchObject({
      code: 3,
      questions: ["Not found in any note or in history. Refuse it from now on anyway?"],
    });
    expect((await made.cli(["memories", "write", "other"], value)).code).toBe(0);
    await made.cli(["memories", "delete", "other"]);
    const found = await asked(made, false);
    expect(found).toMatchObject({ code: 0, questions: ["Remove it from all of these, for good?"] });
    expect((await made.cli(["purge", "--yes"], value)).code).toBe(0);
    expect((await made.cli(["memories", "write", "other"], value)).code).toBe(5);
  });

  it("HIST-5 a yes refuses a value that was found nowhere", async () => {
    const made = await world();
    expect(await asked(made, true)).toMatchObject({ code: 3, out: expect.stringContaining("found nowhere") });
    expect((await made.cli(["memories", "write", "other"], value)).code).toBe(5);
  });
});
