import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/main.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { scratchFolder } from "./scratch.ts";

const value = "Kq72-planted-value-nowhere-else";
const draft = ".recollect-draft-0f8fad5b-d9cb-469f-a165-70867728950e";

async function world(): Promise<MemoryWorld> {
  const made = memoryWorld(join(scratchFolder(), "world"));
  await made.cli(["memories", "write", "login"], "first\n");
  await made.cli(["log"]);
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
  it("HIST-5 purge removes what a killed write of an agent staged", async () => {
    const made = await world();
    await agentFile(made);
    const staged = made.write(
      "home/.local/share/recollect/agent_memory/ada/.recollect/new-112029942530204",
      `x ${value}`,
    );
    const seen = await made.cli(["purge", "--dry-run"], value);
    expect(seen).toMatchObject({ code: 0, out: expect.stringContaining("agent_memory/ada/.recollect/new-1120299425") });
    expect(await made.cli(["purge", "--yes"], value)).toMatchObject({
      code: 0,
      out: expect.stringContaining("Removed."),
    });
    expect(existsSync(staged)).toBe(false);
    expect(filesWith(made.folder)).toEqual([]);
  });

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

  it("HIST-5 purge removes staged files, drafts and crash reports of git wherever they were left", async () => {
    const made = await world();
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
    expect(filesWith(made.folder)).toEqual([]);
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

  it("HIST-5 purge takes the value out of a text that waits in an editor's folder", async () => {
    const made = await world();
    const folder = mkdtempSync(join(tmpdir(), "recollect-entry-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "entry.md"), `## Title\n${value}\n`);
    expect((await made.cli(["purge", "--yes"], value)).out).not.toContain(value);
    expect(readFileSync(join(folder, "entry.md"), "utf8")).toBe("## Title\n‹removed›\n");
  });

  it("HIST-5 purge names a file that it could not clean, fails, and does not claim success", async () => {
    const made = await world();
    made.write("home/.local/share/recollect/foreign-record.json", `{"x":"${value}"}`);
    const note = join(made.project, ".serena/memories/login.md");
    writeFileSync(note, `token: ${value}\n`);
    const { code, out } = await made.cli(["purge", "--yes"], value);
    expect(code).toBe(1);
    expect(out).toMatch(/left: .*foreign-record\.json” still holds it/);
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
