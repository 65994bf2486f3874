import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runCli } from "../../src/cli/main.ts";
import { made } from "../../src/guard/rules/made.ts";
import { cli, cliProcess } from "../helpers/cli.ts";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
  mkdirSync(temporary());
  vi.stubEnv("TMPDIR", temporary());
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const temporary = () => join(world.folder, "temporary");

const run = (...args: string[]) => world.cli(["topics", ...args]);
const json = async (...args: string[]) => {
  const { code, out, err } = await run(...args, "--json");
  expect([code, err]).toEqual([0, ""]);
  expect(out.split("\n")).toHaveLength(2);
  return JSON.parse(out);
};
const text = (path: string) => readFileSync(join(world.project, "memory", path), "utf8");
const fields = ["--context", "T-1", "--problem", "stale", "--solution", "a new key"];
const store = (title: string, ...args: string[]) =>
  run("store", "build", "cache", "--title", title, ...fields, ...args);

/** As somebody whose editor is this shell script; $1 is the file. */
async function withEditor(script: string, ...args: string[]) {
  const env = { PATH: process.env["PATH"], EDITOR: `sh "${world.write("an editor.sh", script)}"` };
  const given = ["topics", "store", "build", "cache", ...args];
  return cli(given, undefined, { cwd: world.project, env, home: world.home });
}

describe("CLI-1 recollect topics store by flags", () => {
  it("TOP-3 says where, what was archived, and what was there already", async () => {
    expect(await store("One", "--date", "2026-01-02", "--code", "x = 1")).toEqual({
      code: 0,
      out: "Stored in build/cache.\n",
      err: "",
    });
    expect(text("build/cache.md")).toBe(
      "## 2026-01-02: One\n**Context:** T-1\n**Problem:** stale\n**Solution:** a new key\n**Code:**\n```\nx = 1\n```\n\n---\n\n",
    );
    const again = await store("One", "--date", "2026-01-02", "--code", "x = 1");
    expect(again.out).toBe("It is in build/cache or its archive already.\n");
    for (let one = 0; one < 10; one += 1) await store(`More ${one}`);
    const last = await json("store", "build", "cache", "--title", "Last", ...fields);
    expect(last).toMatchObject({ path: "build/cache.md", alreadyStored: false, archived: 1, title: "Last" });
    expect((await store("Once more")).out).toBe("Stored in build/cache.\n1 older went into the archive.\n");
  });

  it("TOP-1b a date is today where the user is, unless given", async () => {
    const { date } = await json("store", "build", "cache", "--title", "Now", ...fields);
    const now = new Date();
    expect(date).toBe(new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10));
  });

  it.each([
    [["store", "build"], 2],
    [["store", "build", "cache", "--title", "", ...fields], 2],
    [["store", "build", "cache", "--title", "two\nlines", ...fields], 2],
    [["store", "build", "cache", "--title", "x", "--date", "2026-02-30", ...fields], 2],
    [["store", "build", "cache", "--title", "x", "--date", "yesterday", ...fields], 2],
    [["store", "../x", "cache", "--title", "x", ...fields], 2],
    [["store", "archive", "cache", "--title", "x", ...fields], 2],
    [["store", "a/b", "cache", "--title", "x", ...fields], 2],
    [["store", "build", "cache", "--problem", "x"], 2],
    [["store", "build", "cache", "--title", "x", "--solution", "y".repeat(70_000)], 2],
    [["load", "missing"], 3],
    [["load", "build", "--limit", "0"], 2],
    [["load", "build", "--limit", "x"], 2],
    [["prune", "missing"], 3],
    [["archive", "build", "cache"], 2],
    [["archive", "missing", "cache", "--keep", "1"], 3],
    [["archive", "build", "cache", "--before", "soon"], 2],
    [["frobnicate"], 2],
  ])("CLI-1 %j ends with %i, says why, and writes nothing", async (args, code) => {
    const before = snapshotOf(world.folder);
    const [plain, data] = [await run(...args), await run(...args, "--json")];
    expect([plain.code, plain.out, data.code, data.out]).toEqual([code, "", code, ""]);
    expect(plain.err).not.toMatch(/undefined|\[object|\bat .*\.ts:/);
    expect(JSON.parse(data.err)).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
    expect(snapshotOf(world.folder)).toEqual(before);
  });

  it.each([[[]], [["--date", "2026-01-02"]], [["--problem", " \n", "--context", ""]]])(
    "CLI-1 TOP-3 a title alone is no entry, also with %j: it says which options are missing",
    async (args) => {
      const { code, out, err } = await run("store", "build", "cache", "--title", "x", ...args);
      expect([code, out]).toEqual([2, ""]);
      for (const option of ["--context", "--problem", "--solution", "--code"]) expect(err).toContain(option);
      expect(() => readdirSync(join(world.project, "memory"))).toThrow();
      expect(await run("store", "build", "cache", "--title", "x", "--code", "y")).toMatchObject({ code: 0 });
    },
  );

  it("CLI-1 other fields without a title open no editor", async () => {
    const result = await withEditor("exit 9\n", "--problem", "p", "--code", "c");
    expect(result).toMatchObject({
      code: 2,
      err: expect.stringContaining("Give --title as well as --problem, --code"),
    });
  });

  it("CLI-1 without a project there is no folder for topics, and no editor is opened", async () => {
    const env = { EDITOR: "exit 9;" };
    const given = ["topics", "store", "build", "cache"];
    const result = await cli(given, undefined, { cwd: world.home, env, home: world.home });
    expect(result).toMatchObject({ code: 3, err: expect.stringContaining("no folder for topics") });
  });
});

describe.skipIf(process.platform === "win32")("CLI-1 recollect topics store in an editor", () => {
  it("TOP-3 stores what was written, with the date if it was changed", async () => {
    const script = `sed -i -e 's/^## .*/## 2025-05-05: By hand/' -e 's/^\\*\\*Problem:\\*\\* /&it broke/' "$1"\n`;
    expect(await withEditor(script)).toEqual({ code: 0, out: "Stored in build/cache.\n", err: "" });
    expect(text("build/cache.md")).toBe("## 2025-05-05: By hand\n**Problem:** it broke\n\n---\n\n");
  });

  it("TOP-3 an unchanged date is today's, and the same entry again is the same", async () => {
    const script = `sed -i -e 's/: Title$/: Mine/' -e 's/^\\*\\*Problem:\\*\\* /&it broke/' "$1"\n`;
    await withEditor(script);
    expect((await withEditor(script)).out).toBe("It is in build/cache or its archive already.\n");
    expect(text("build/cache.md")).not.toContain("<!--");
  });

  it("TOP-3 long texts, code with fences and what looks like an entry come through", async () => {
    const script = `cat > "$1" <<'END'
## 2025-05-05: Fenced
**Problem:** first

second paragraph
**Code:**
\`\`\`sh
## not a heading
---
\`\`\`
END
`;
    expect(await withEditor(script)).toMatchObject({ code: 0 });
    const { entries } = await json("load", "build", "cache");
    expect(entries).toMatchObject([
      { title: "Fenced", fields: { problem: "first\n\nsecond paragraph", code: "```sh\n## not a heading\n---\n```" } },
    ]);
  });

  it.each([
    ["leaves the template as it is", "exit 0\n", "No title was written"],
    ["empties the title", `sed -i 's/: Title$/: /' "$1"\n`, "No title was written"],
    ["takes the heading out", `sed -i '/^## /d' "$1"\n`, "No title was written"],
    ["empties the file", `: > "$1"\n`, "No title was written"],
    ["writes a title alone", `sed -i 's/: Title$/: Mine/' "$1"\n`, "Nothing was written under Context, Problem"],
    ["fails", `echo written > "$1"; exit 3\n`, "The editor failed"],
    ["is killed", "kill -9 $$\n", "The editor failed"],
    [
      "writes no day that there is",
      `printf '## 2025-02-30: X\\n**Problem:** p\\n' > "$1"\n`,
      "A date is written YYYY-MM-DD",
    ],
  ])("CLI-1 whoever %s stores nothing, and is told", async (_, script, says) => {
    const result = await withEditor(script);
    expect(result).toMatchObject({ code: 2, out: "", err: expect.stringContaining(says) });
    expect(() => readdirSync(join(world.project, "memory"))).toThrow();
  });

  it("CLI-1 an editor that takes the file away, or is not there, is an error in words", async () => {
    expect(await withEditor(`rm "$1"\n`)).toMatchObject({
      code: 2,
      err: expect.stringContaining("Nothing was stored"),
    });
    const env = { PATH: process.env["PATH"], EDITOR: "no-such-editor 2>/dev/null" };
    const given = ["topics", "store", "build", "cache"];
    const result = await cli(given, undefined, { cwd: world.project, env, home: world.home });
    expect(result).toMatchObject({ code: 2, err: expect.stringContaining("The editor failed") });
  });

  it("CLI-1 VISUAL comes first; without either, it says what to set", async () => {
    const file = world.write("visual.sh", `sed -i -e 's/: Title$/: Visual/' -e 's/^\\*\\*Code:\\*\\* /&x/' "$1"\n`);
    const env = { PATH: process.env["PATH"], EDITOR: "exit 1;", VISUAL: `sh ${file}` };
    const given = ["topics", "store", "build", "cache", "--json"];
    const result = await cli(given, undefined, { cwd: world.project, env, home: world.home });
    expect(JSON.parse(result.out)).toMatchObject({ title: "Visual" });
    const unset = await run("store", "build", "other");
    expect(unset).toMatchObject({ code: 2, err: expect.stringContaining("set EDITOR") });
  });

  it("CLI-1 as a real process, nothing stays in the folder for temporary files", async () => {
    world.write("tmp/.keep", "");
    const editor = world.write(
      "editor.sh",
      `ls -l "$1" >&2; printf '## 2026-01-02: Real\\n**Problem:** p\\n' > "$1"\n`,
    );
    const env = { ...world.env, EDITOR: `sh ${editor}`, TMPDIR: join(world.folder, "tmp") };
    const result = await cliProcess(["topics", "store", "build", "cache"], { cwd: world.project, env });
    expect(result).toMatchObject({
      code: 0,
      out: "Stored in build/cache.\n",
      err: expect.stringMatching(/^-rw-------/),
    });
    expect(readdirSync(join(world.folder, "tmp"))).toEqual([".keep"]);
  });
});

describe("CLI-1 a file with an entry that has no place for all of it", () => {
  it.each([
    ["a field of its own", "## 2026-01-02: T\n**Problem:** p\n**Notes:** n\n", "The field “notes” would be left out"],
    ["text below the title", "## 2026-01-02: T\nfree\n\n**Problem:** p\n", "between the title and the first field"],
    ["text above the title", "# Mine\n\n## 2026-01-02: T\n**Problem:** p\n", "above the title would be left out"],
    ["a second entry", "## 2026-01-02: T\n**Problem:** p\n\n## 2026-01-01: U\n**Problem:** p\n", "More than one entry"],
  ])("CLI-1 for %s is refused, and says what would be lost", async (_, text, says) => {
    const file = world.write("entry.md", text);
    const result = await run("store", "build", "cache", "--from", file);
    expect(result).toMatchObject({ code: 2, err: expect.stringContaining(says) });
    expect(await run("load", "build", "cache")).not.toMatchObject({ code: 0 });
  });
});

describe.skipIf(process.platform === "win32")("CLI-1 an entry from the editor that is not stored", () => {
  const token = ["gh", "p_", made(60).slice(0, 36)].join("");
  /** An editor that writes this text, whatever was there. */
  const writing = (content: string) => `cat > "$1" <<'END'\n${content}END\nchmod 644 "$1"\n`;
  /** Every file below the folder for temporary files, with its text. */
  const kept = () =>
    readdirSync(temporary(), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name));
  const keptIn = (err: string) =>
    /kept in (\S+?)(?:, without what was refused)?\. Go on with the same command and --from "/.exec(err)?.[1];

  it.each([
    ["a day that there is not", "## 2025-02-30: Mine\n**Problem:** a long story\n", "A date is written"],
    ["no title", "## 2025-02-03: \n**Problem:** a long story\n", "No title was written"],
    ["no heading", "a long story\n", "No title was written"],
    ["no field", "## 2025-02-03: Mine\na long story\n", "Nothing was written under Context, Problem, Solution or Code"],
    ["too much", `## 2025-02-03: Mine\n**Problem:** a long story${" and more".repeat(9000)}\n`, "over the limit"],
  ])("CLI-1 for %s is kept in a private file, from which it goes on", async (_, content, says) => {
    const { code, out, err } = await withEditor(writing(content));
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(says);
    const [file = "", ...others] = kept();
    expect([others, keptIn(err)]).toEqual([[], file]);
    expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual([content, 0o600]);
    world.write(file.slice(world.folder.length), "## 2025-02-03: Mended\n**Problem:** a long story\n");
    expect(await run("store", "build", "cache", "--from", file)).toMatchObject({ code: 0 });
    expect(text("build/cache.md")).toBe("## 2025-02-03: Mended\n**Problem:** a long story\n\n---\n\n");
  });

  it("CLI-1 since the folder cannot be written is kept, and --json says where", async () => {
    world.write("work/app/memory", "a file in its place");
    const { code, err } = await withEditor(writing("## 2025-02-03: Mine\n**Problem:** p\n"), "--json");
    const { error } = JSON.parse(err);
    expect([code === 0, error.data.kept, error.message]).toEqual([false, kept()[0], expect.stringContaining("--from")]);
  });

  it("CLI-1 GUARD-3 for a secret is kept without it: the field is left out, and no copy of the editor's stays", async () => {
    const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq9vNnXUqzZ0C3M\n-----END RSA PRIVATE KEY-----";
    const content = `## 2025-02-03: Mine\n**Context:** T-1\n**Problem:** first\n${token}\n**Code:** ${key}\n`;
    const { code, err } = await withEditor(`${writing(content)}cp "$1" "$1~"\n`);
    expect([code, err]).toEqual([5, expect.stringContaining("without what was refused")]);
    const [file = "", ...others] = kept();
    expect([others, keptIn(err)]).toEqual([[], file]);
    const left = "(left out: the guard refused it)";
    expect(readFileSync(file, "utf8")).toBe(
      `## 2025-02-03: Mine\n**Context:** T-1\n**Problem:** ${left}\n**Code:** ${left}`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await run("store", "build", "cache", "--from", file)).toMatchObject({ code: 0 });
  });

  it("CLI-1 GUARD-3 for a secret as its title, or with no date, is kept without it as well", async () => {
    const { err } = await withEditor(writing(`## 2025-02-30: ${token}\n**Problem:** p\n`));
    expect(err).not.toContain(token.slice(4, 20));
    expect(readFileSync(kept()[0] ?? "", "utf8")).toBe(
      "## 2025-02-30: (left out: the guard refused it)\n**Problem:** p\n",
    );
  });

  /** With somebody at the terminal, who answers as told. */
  async function atTerminal(script: string, answers: boolean[]) {
    const [said, asked]: [string[], string[]] = [[], []];
    const env = { PATH: process.env["PATH"], EDITOR: `sh "${world.write("an editor.sh", script)}"` };
    const code = await runCli(["topics", "store", "build", "cache"], {
      out: (one) => said.push(one),
      err: (one) => said.push(one),
      terminal: true,
      place: { cwd: world.project, env, home: world.home },
      readInput: async () => undefined,
      confirm: async (question) => {
        // Whoever waits has no secret on the disk.
        for (const file of kept()) expect(readFileSync(file, "utf8")).not.toContain(token);
        asked.push(question);
        return answers.shift() ?? false;
      },
    });
    return { code, said: said.join(""), asked };
  }
  /** Writes a text first; in the second round changes what it finds. */
  const twice = (content: string, change: string) =>
    `if grep -q ': Title$' "$1"; then\n${writing(content)}else\n${change}\nfi\n`;

  it("CLI-1 on a terminal is opened again with the whole text, and stored once it is mended", async () => {
    const content = `## 2025-02-03: Mine\n**Problem:** first ${token}\n`;
    const { code, said, asked } = await atTerminal(twice(content, `sed -i 's/${token}/second/' "$1"`), [true]);
    expect([code, asked]).toEqual([0, ["Edit it again?"]]);
    expect(said).toContain("Security violation");
    expect(text("build/cache.md")).toContain("**Problem:** first second\n");
    expect(kept()).toEqual([]);
  });

  it("CLI-1 on a terminal is kept without the secret for whoever has enough", async () => {
    const { code, said } = await atTerminal(writing(`## 2025-02-03: Mine\n**Problem:** ${token}\n`), [true, false]);
    expect([code, kept()]).toEqual([5, [keptIn(said)]]);
    expect(readFileSync(kept()[0] ?? "", "utf8")).not.toContain(token);
  });

  it("CLI-1 on a terminal is kept where the second editor fails", async () => {
    const content = "## 2025-02-30: Mine\n**Problem:** p\n";
    const { code, said } = await atTerminal(twice(content, "exit 1"), [true]);
    expect([code, said]).toEqual([2, expect.stringContaining("The editor failed")]);
    expect([keptIn(said), readFileSync(kept()[0] ?? "", "utf8")]).toEqual([kept()[0], content]);
  });

  it("CLI-1 whoever wrote nothing is asked nothing, and nothing is kept", async () => {
    expect(await atTerminal("exit 0\n", [true])).toMatchObject({ code: 2, asked: [] });
    expect(kept()).toEqual([]);
  });

  it.each([
    [["--from", "missing.md"], "--from cannot be read"],
    [["--from", "x", "--title", "y"], "Give the entry once"],
    [["--from", "x", "--problem", "y"], "Give the entry once"],
  ])("CLI-1 %j says what is wrong", async (args, says) => {
    expect(await run("store", "build", "cache", ...args)).toMatchObject({
      code: 2,
      err: expect.stringContaining(says),
    });
  });

  it("TOP-1 a subtopic loses one extension, as in the other surfaces", async () => {
    expect(await json("store", "build", "cache.md.md", "--title", "One", ...fields)).toMatchObject({
      path: "build/cache.md.md",
    });
    expect(await json("store", "build", "cache.md", "--title", "One", ...fields)).toMatchObject({
      path: "build/cache.md",
    });
  });

  it("KER-11 a broken index is a warning of what changes entries, and a problem for doctor", async () => {
    world.write("work/app/memory/index.md", Buffer.from([0xff]));
    for (const args of [
      ["store", "build", "cache", "--title", "One", ...fields],
      ["archive", "build", "cache", "--keep", "0"],
    ]) {
      const { code, err } = await run(...args);
      expect([code, err]).toEqual([0, expect.stringMatching(/^recollect: The index was not updated\. .*index\.md/)]);
    }
    const told = { warnings: [expect.stringContaining("index.md")] };
    expect(await json("store", "build", "cache", "--title", "Two", ...fields)).toMatchObject(told);
    expect(await run("reindex")).toMatchObject({ code: 2, err: expect.stringContaining("Move it away") });
    const { code, out } = await world.cli(["doctor"]);
    expect([code, out]).toEqual([1, expect.stringMatching(/topics +“index\.md” is not updated any more/)]);
  });

  it("GUARD-3 a token in the place of a name, an option or a value is not shown", async () => {
    const token = ["gh", "p_", made(60).slice(0, 36)].join("");
    world.write(`work/app/memory/${token.slice(0, -1)}Y/x.md`, "## 2026-01-01: One\n");
    for (const args of [
      ["load", token],
      ["load", "build", token],
      ["load", "missing"],
      ["archive", "build", token, "--keep", "1"],
      ["prune", token],
      ["load", "build", `--${token}`],
      ["load", "build", "--limit", token],
      ["load", "build", "cache", token],
      [token],
    ]) {
      for (const flags of [[], ["--json"]]) {
        const { out, err } = await run(...args, ...flags);
        expect([args[0], `${out}${err}`.includes(token.slice(4, 24))]).toEqual([args[0], false]);
      }
    }
    expect((await run("load", "build", "--frobnicate")).err).toContain("'--frobnicate'");
  });

  it("CLI-1 a name that is none is refused before the editor opens", async () => {
    const env = { PATH: process.env["PATH"], EDITOR: "exit 9;" };
    const given = ["topics", "store", "../x", "cache"];
    const result = await cli(given, undefined, { cwd: world.project, env, home: world.home });
    expect(result).toMatchObject({ code: 2, err: expect.stringContaining("Invalid path") });
  });
});

describe("CLI-1 recollect topics load, list, prune, archive and reindex", () => {
  it("TOP-6 load prints entries of a subtopic or a topic, with a limit, and the archive on demand", async () => {
    await store("One", "--date", "2026-01-02", "--code", "a\nb");
    await run("store", "build", "tests", "--title", "Two", "--date", "2026-01-03", "--problem", "p");
    expect((await run("load", "build", "cache")).out).toBe(
      "2026-01-02  One  [build/cache]\n  context: T-1\n  problem: stale\n  solution: a new key\n  code: a\n  b\n",
    );
    const first = await run("load", "build", "--limit", "1");
    expect(first.out).toBe("2026-01-03  Two  [build/tests]\n  problem: p\n\n1 of 2 shown. More: --limit\n");
    await run("archive", "build", "cache", "--keep", "0");
    expect(await json("load", "build")).toMatchObject({ total: 1, unreadable: [] });
    expect((await run("load", "build", "cache", "--archive")).out).toContain("One  [build/cache, archived]");
    world.write("work/app/memory/build/latin.md", Buffer.from([0xe9]));
    expect((await run("load", "build")).out).toContain("Left out, since they cannot be read: build/latin.md.");
    expect(await json("load", "build")).toMatchObject({ unreadable: ["build/latin.md"] });
  });

  it("TOP-5 list shows what there is, and says what to do where there is nothing", async () => {
    expect((await run("list")).out).toContain("No topics yet");
    await store("One", "--date", "2026-01-02");
    expect((await run("list")).out).toBe("2026-01-02    1  build/cache\n");
    expect(await json("list")).toEqual({
      topics: [{ topic: "build", subtopic: "cache", entries: 1, newest: "2026-01-02" }],
    });
  });

  it("TOP-4 prune, archive and reindex say what they did", async () => {
    const entry = (one: number) => `## 2025-01-01: E${one}\n**Problem:** p\n\n---\n\n`;
    world.write("work/app/memory/build/cache.md", Array.from({ length: 12 }, (_, one) => entry(one)).join(""));
    expect(await run("reindex")).toMatchObject({ code: 0, out: "1 subtopics; index.md rebuilt.\n" });
    expect(await json("reindex")).toEqual({ topics: 1, changed: false, leftOut: 0 });
    expect(await run("prune")).toMatchObject({ code: 0, out: "2 of build/cache went into the archive.\n" });
    expect(await run("prune", "build", "cache")).toMatchObject({ code: 0, out: "Nothing to prune.\n" });
    expect(await json("prune", "build")).toEqual({ pruned: [] });
    expect(await run("archive", "build", "cache", "--keep", "4")).toMatchObject({ out: "6 went into the archive.\n" });
    expect(await json("archive", "build", "cache", "--before", "2026-01-01")).toMatchObject({ archived: 4 });
    expect(text("archive/build/2025.md").match(/^## /gm)).toHaveLength(12);
  });

  it("CLI-1 names and texts from files cannot change the screen", async () => {
    world.write("work/app/memory/build/cache.md", "## 2025-01-01: \u001b[2Jtitle\n**Problem:** \u001b]0;x\u0007\n");
    const out: string[] = [];
    const { runCli } = await import("../../src/cli/main.ts");
    const place = { cwd: world.project, env: {}, home: world.home };
    const io = { out: (one: string) => out.push(one), err: () => {}, terminal: true, readInput: async () => undefined };
    await runCli(["topics", "load", "build"], { ...io, place });
    expect(out.join("")).toContain("title");
    for (const control of ["\u001b", "\u0007"]) expect(out.join("")).not.toContain(control);
  });

  it("CLI-1 shows examples that work as they stand there", async () => {
    const { out } = await run("--help");
    const examples = [...out.replaceAll("\\\n", "").matchAll(/^ {2}\$ recollect topics (.*)$/gm)].map(
      ([, line = ""]) => line,
    );
    expect(examples).toHaveLength(4);
    for (const line of examples.filter((one) => !one.includes("in your editor"))) {
      const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
      expect([line, await run(...args)]).toMatchObject([line, { code: 0 }]);
    }
    for (const operation of ["store", "load", "list", "prune", "archive", "reindex", "move-over"]) {
      expect((await run(operation, "--help")).out, operation).toMatch(/--json[\s\S]*Settings \(/);
    }
  });
});
