import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { made } from "../../src/guard/rules/made.ts";
import { cliProcess } from "../helpers/cli.ts";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const token = ["gh", "p_", made(36)].join("");
const value = token.slice(4);
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

const run = (...args: string[]) => world.cli(["guard", ...args]);
const file = (path: string, content: string | Buffer) => world.write(`work/app/${path}`, content);

/** In words and in JSON: neither may hold the value. */
async function scan(...paths: string[]) {
  const [plain, json] = [await run("scan", ...paths), await run("scan", ...paths, "--json")];
  expect([plain.err, json.err, json.code]).toEqual(["", "", plain.code]);
  expect(plain.out + json.out).not.toContain(value);
  return { code: plain.code, lines: plain.out.trimEnd().split("\n"), data: JSON.parse(json.out) };
}

describe("CLI-1 recollect guard scan", () => {
  it("GUARD-3 names file, place, rule and fingerprint, ends with 1, and changes nothing", async () => {
    file("notes/a.md", `fine\n  see ${token}\n`);
    file("notes/b.md", "fine\n");
    const before = snapshotOf(world.folder);
    const { code, lines, data } = await scan("notes");
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/^notes\/a\.md:2:7 {2}.*\(github-token\) {2}[0-9a-f]{32}$/),
      "2 files, 1 found.",
    ]);
    expect(data).toEqual({
      files: 2,
      found: [
        {
          file: "notes/a.md",
          findings: [
            {
              rule: "github-token",
              title: expect.any(String),
              line: 2,
              column: 7,
              where: "content",
              fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
            },
          ],
        },
      ],
      leftOut: [],
    });
    expect(snapshotOf(world.folder)).toEqual(before);
  });

  it("GUARD-3 ends with 0 where there is nothing, and takes several files and folders, however they are written", async () => {
    file("a.md", "fine\n");
    file("notes/b.md", "fine\n");
    expect(await scan("a.md", "notes/", join(world.project, "a.md"))).toMatchObject({
      code: 0,
      lines: ["3 files, nothing found."],
    });
    file("c.md", token);
    expect((await scan(".")).data.found).toMatchObject([{ file: "./c.md" }]);
    expect((await scan("./c.md")).data.found).toMatchObject([{ file: "./c.md" }]);
    expect((await scan("../app")).data.found).toMatchObject([{ file: "../app/c.md" }]);
    expect((await scan(world.project)).data.found).toMatchObject([{ file: join(world.project, "c.md") }]);
  });

  it("GUARD-3 follows no link, and says how many it left out", async () => {
    const outside = world.write("outside/a.md", token);
    file("notes/b.md", "fine\n");
    symlinkSync(outside, join(world.project, "notes/link.md"));
    symlinkSync(join(outside, ".."), join(world.project, "notes/folder"));
    symlinkSync(join(world.project, "notes"), join(world.project, "notes/loop"));
    expect(await scan("notes")).toMatchObject({ code: 0, lines: ["1 file, nothing found. 3 left out: 3 linked."] });
    expect((await scan("notes/link.md")).lines).toEqual(["0 files, nothing found. 1 left out: 1 linked."]);
  });

  it("GUARD-3 skips .git and node_modules; binary and huge files are counted as left out", async () => {
    file(".git/config", token);
    file("sub/.git/config", token);
    file("node_modules/x/a.md", token);
    file("latin.md", Buffer.concat([Buffer.from([0xe9]), Buffer.from(token)]));
    file("huge.txt", Buffer.alloc(16 * 1024 * 1024 + 1, "a\n"));
    file("nul.txt", `a\0b\n${token}`);
    const { code, lines, data } = await scan(".");
    expect([code, lines.at(-1)]).toEqual([1, "1 file, 1 found. 2 left out: 1 over 16 MiB, 1 not text."]);
    expect(lines.slice(-3, -1)).toEqual(["./huge.txt: not checked, over 16 MiB", "./latin.md: not checked, not text"]);
    expect(data.found).toMatchObject([{ file: "./nul.txt" }]);
    expect(data.leftOut).toEqual([
      { file: "./huge.txt", why: "size" },
      { file: "./latin.md", why: "binary" },
    ]);
  });

  it("GUARD-3 reads UTF-16 with a byte order mark, in either order; what only begins like it is not text", async () => {
    const wide = Buffer.from(`\ufefffine\n  see ${token}\n`, "utf16le");
    file("little.txt", wide);
    file("big.txt", Buffer.from(wide).swap16());
    file("odd.bin", Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41]));
    const { code, data, lines } = await scan(".");
    expect([code, data.files]).toEqual([1, 2]);
    expect(data.found).toMatchObject([
      { file: "./big.txt", findings: [{ rule: "github-token", line: 2, column: 7 }] },
      { file: "./little.txt", findings: [{ rule: "github-token", line: 2, column: 7 }] },
    ]);
    expect(lines).toContain("./odd.bin: not checked, not text");
  });

  it("GUARD-3 finds a name that is a token, and does not print it", async () => {
    file(`${token}/inside.md`, token);
    file(`notes/${token}.md`, "fine\n");
    const { code, data, lines } = await scan("notes", ".", `notes/${token}.md`);
    expect(code).toBe(1);
    expect(data.found.map(({ file: one }: { file: string }) => one)).toEqual([
      "notes/(name left out)",
      "./(name left out)",
      "./(name left out)/inside.md",
      "./notes/(name left out)",
      "notes/(name left out)",
    ]);
    expect(lines[0]).toMatch(/^notes\/\(name left out\):in its name {2}/);
  });

  it.runIf(process.platform === "linux")("GUARD-3 what cannot be looked at is named, and is not clean", async () => {
    mkdirSync(join(world.project, "odd"));
    writeFileSync(Buffer.concat([Buffer.from(join(world.project, "odd/x")), Buffer.from([0xff])]), token);
    const { code, lines } = await scan("odd");
    expect([code, lines]).toEqual([
      1,
      ["odd/x\ufffd: cannot be read", "0 files, nothing found. 1 left out: 1 not readable."],
    ]);
  });

  it("GUARD-4 leaves out what is allowed, and follows the policy", async () => {
    file("a.md", `a token\n${token}\n`);
    const [{ findings }] = (await scan("a.md")).data.found;
    await run("allow", findings[0].fingerprint, "--reason", "an example");
    expect((await scan("a.md")).code).toBe(0);
    expect((await run("scan", "a.md", "--guard-policy", "strict")).code).toBe(1);
    file("b.md", `${["gh", "p_", made(40).slice(3, 39)].join("")}\n`);
    expect((await run("scan", "b.md", "--guard-policy", "warn")).code).toBe(1);
  });

  it("CLI-1 says what is missing", async () => {
    expect(await run("scan", "nothing")).toMatchObject({
      code: 3,
      err: expect.stringContaining("There is no “nothing”"),
    });
    file("a.md", "x");
    expect(await run("scan", "a.md/b")).toMatchObject({ code: 3 });
  });

  it("GUARD-1 without a path looks at everything that memory keeps, and at nothing else", async () => {
    expect(await run("scan")).toMatchObject({ code: 0, out: "0 files, nothing found.\n" });
    file(".serena/memories/ops/db.md", `plain\npassword: ${value}\n`);
    file("memory/build/cache.md", `## 2026-01-01: One\n${token}\n`);
    file("memory/build/latin.md", Buffer.from([0xe9]));
    file("outside.md", `${token}\n`);
    const { code, out } = await run("scan");
    expect([code, out.includes(value), out.includes("outside")]).toEqual([1, false, false]);
    expect(out).toMatch(/^\.serena\/memories\/ops\/db\.md:2:\d+ .*\nmemory\/build\/cache\.md:2:1 /);
    expect(out).toContain("2 files, 2 found. 1 left out: 1 not text.");
    const { found } = JSON.parse((await run("scan", "--json")).out);
    for (const { findings } of found) await run("allow", findings[0].fingerprint, "--reason", "an example");
    expect((await run("scan")).code).toBe(0);
  });

  it("CLI-1 as a real process", async () => {
    file("a.md", `x ${token}\n`);
    const { code, out, err } = await cliProcess(["guard", "scan", "a.md"], { cwd: world.project, env: world.env });
    expect([code, err, out.includes(value)]).toEqual([1, "", false]);
  });
});

describe("CLI-1 recollect guard allow, revoke and list", () => {
  const fingerprint = "0123456789abcdef0123456789abcdef";

  it("GUARD-4 allow, list and revoke in words and in JSON", async () => {
    expect(await run("list")).toMatchObject({ code: 0, out: "Nothing is allowed.\n" });
    const allowed = JSON.parse((await run("allow", fingerprint, "--reason", "because", "--json")).out);
    expect(allowed).toEqual({ fingerprint, reason: "because", allowedAt: expect.any(String) });
    expect(JSON.parse((await run("list", "--json")).out)).toEqual({ allowed: [allowed] });
    expect(JSON.parse((await run("revoke", fingerprint, "--json")).out)).toEqual({ fingerprint, revoked: true });
    expect(await run("revoke", fingerprint)).toMatchObject({ code: 0, out: "It was not allowed.\n" });
  });

  it("GUARD-4 refuses no reason, an empty one, one that holds a secret, and what is no fingerprint", async () => {
    expect(await run("allow", fingerprint)).toMatchObject({ code: 2, err: expect.stringContaining("--reason") });
    expect(await run("allow", fingerprint, "--reason", " ")).toMatchObject({ code: 2 });
    expect(await run("allow", fingerprint, "--reason", `it is ${token}`)).toMatchObject({ code: 5 });
    for (const wrong of [token, "abc", fingerprint.toUpperCase(), "../x"]) {
      const { code, err } = await run("allow", wrong, "--reason", "because");
      expect([code, err.includes("32 hexadecimal digits"), err.includes(wrong)]).toEqual([2, true, false]);
      expect((await run("revoke", wrong)).code).toBe(2);
    }
    expect((await run("list")).out).toBe("Nothing is allowed.\n");
  });

  it("GUARD-4 a reason cannot change the screen", async () => {
    await run("allow", fingerprint, "--reason", "\u001b[2Jgone\nnext");
    expect((await run("list")).out).toMatch(/\\u\{1b\}\[2Jgone\\u\{a\}next\n$/);
  });

  it("GUARD-4 a damaged record says what to do, in every command", async () => {
    await run("allow", fingerprint, "--reason", "because");
    const record = world.write(`home/.local/share/recollect/guard-allowed/${fingerprint}.json`, "{");
    file("a.md", "x");
    for (const args of [["list"], ["scan", "a.md"]]) {
      const { code, err } = await run(...args);
      expect([code, err]).toEqual([
        6,
        expect.stringContaining(`${record}. Remove that file, then run “recollect guard allow” again`),
      ]);
    }
    expect((await run("revoke", fingerprint)).code).toBe(0);
    expect((await run("list")).code).toBe(0);
  });

  it("CLI-1 every example of its help works as it stands there", async () => {
    file(".serena/memories/a.md", "x\n");
    file("memory/a/b.md", "x\n");
    const examples = [...(await run("--help")).out.matchAll(/^ {2}\$ recollect guard (.*)$/gm)];
    expect(examples).toHaveLength(2);
    for (const [, line = ""] of examples) {
      const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
      expect([line, await run(...args)]).toMatchObject([line, { code: 0 }]);
    }
  });
});
