import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createBank } from "../../../src/notes/bank/bank.ts";
import { scratchFolder, stamp } from "../../backends/files/scratch.ts";
import { snapshotOf } from "../../helpers/folder-snapshot.ts";
import { readTrails } from "../../helpers/written-records.ts";
import { fill, openBank } from "./open-bank.ts";

describe("the project's own files", () => {
  it("BANK-2 are read, listed and written by relative paths, and are not memory", async () => {
    const { bank, project, store } = openBank();
    expect(await bank.createFile("src/deep/main.ts", "one")).toMatchObject({
      path: "src/deep/main.ts",
      overwrote: false,
    });
    expect(await bank.createFile("src/deep/main.ts", "two")).toMatchObject({ overwrote: true });
    expect((await bank.readFile("src/deep/main.ts")).content).toBe("two");
    expect(await bank.listFolder(".", { recursive: true })).toMatchObject({
      dirs: ["src", "src/deep"],
      files: ["src/deep/main.ts"],
    });
    expect(await readTrails(store)).toEqual([]);
    expect(Object.keys(snapshotOf(project))).toEqual(["src", "src/deep", "src/deep/main.ts"]);
  });

  it("BANK-2 dot files are like any other, and .git is never reached", async () => {
    const { bank, project } = openBank();
    fill(project, { ".git/config": "[core]", ".env": "A=1", ".github/ci.yml": "ci", "sub/.git/HEAD": "x" });
    expect((await bank.readFile(".env")).content).toBe("A=1");
    await bank.createFile(".github/new.yml", "new");
    expect(await bank.listFolder(".", { recursive: true })).toMatchObject({
      dirs: [".github", "sub"],
      files: [".env", ".github/ci.yml", ".github/new.yml"],
    });
    const spellings = [".git", ".GIT", ".Git", ".git.", ".git ", ".git::$INDEX_ALLOCATION", "git~1", "GIT~2"];
    spellings.push("．git", ".g\u200bit", ".recollect", "RECOLL~1");
    for (const name of spellings) {
      for (const path of [name, `${name}/config`, `sub/${name}/HEAD`]) {
        await expect(bank.readFile(path), path).rejects.toMatchObject({ code: "NOT_ALLOWED" });
        await expect(bank.listFolder(path), path).rejects.toMatchObject({ code: "NOT_ALLOWED" });
        await expect(bank.createFile(path, "x"), path).rejects.toMatchObject({ code: "NOT_ALLOWED" });
      }
    }
    expect(readdirSync(join(project, ".git"))).toEqual(["config"]);
    for (const name of [".gitignore", ".gitattributes", ".github/x", "a:b.md", "git", "src/~x"])
      await bank.createFile(name, "ok");
  });

  it.each(["..", "../x", "a/../../x", "a/..", "a/./b", "a//b", "a\\b", "..\\x", "a\0b"])(
    "BANK-2 refuses %j at every door",
    async (path) => {
      const { bank, project } = openBank();
      fill(project, { "a/b": "b", "../x": "outside" });
      const before = snapshotOf(join(project, ".."));
      const refused = { code: expect.stringMatching(/^(NOT_ALLOWED|INVALID_PATH)$/) };
      await expect(bank.readFile(path)).rejects.toMatchObject(refused);
      await expect(bank.listFolder(path)).rejects.toMatchObject(refused);
      await expect(bank.createFile(path, "x")).rejects.toMatchObject(refused);
      expect(snapshotOf(join(project, ".."))).toEqual(before);
    },
  );

  it("BANK-2 refuses an absolute path, even into the project", async () => {
    const { bank, project } = openBank();
    fill(project, { "a.md": "a" });
    for (const path of [project, join(project, "a.md")]) {
      await expect(bank.readFile(path)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
      await expect(bank.createFile(path, "x")).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    }
  });

  it("KER-2 follows no link, to wherever it leads", async () => {
    const { bank, project } = openBank();
    const outside = scratchFolder();
    fill(outside, { "secret.md": "secret" });
    fill(project, { "real/a.md": "a" });
    symlinkSync(outside, join(project, "out"));
    symlinkSync(join(project, "real"), join(project, "in"));
    symlinkSync(join(outside, "secret.md"), join(project, "file"));
    for (const path of ["out/secret.md", "in/a.md", "file"]) {
      await expect(bank.readFile(path), path).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
      await expect(bank.createFile(path, "x"), path).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
    }
    expect(await bank.listFolder(".", { recursive: true })).toMatchObject({ dirs: ["real"], files: ["real/a.md"] });
    expect(readFileSync(join(outside, "secret.md"), "utf8")).toBe("secret");
  });

  it("KER-8 a read-only folder inside the project stays read-only", async () => {
    const project = join(scratchFolder(), "app");
    fill(project, { "shared/notes/a.md": "a" });
    const { bank } = openBank({ project, readOnlyFolder: "shared/notes" });
    await expect(bank.createFile("shared/notes/a.md", "x")).rejects.toMatchObject({ code: "READ_ONLY" });
    await expect(bank.createFile("shared/notes/new.md", "x")).rejects.toMatchObject({ code: "READ_ONLY" });
    expect((await bank.readFile("shared/notes/a.md")).content).toBe("a");
    expect((await bank.createFile("shared/free.md", "x")).overwrote).toBe(false);
    expect(existsSync(join(project, "shared/notes/.recollect"))).toBe(false);
  });
});

describe("reading a file", () => {
  const text = "zero\none\ntwo\nthree\n";

  it("BANK-2 takes a range of lines from 0, both ends included", async () => {
    const { bank } = openBank();
    await bank.createFile("a.txt", text);
    expect(await bank.readFile("a.txt")).toMatchObject({ content: text });
    expect((await bank.readFile("a.txt")).part).toBeUndefined();
    expect(await bank.readFile("a.txt", { startLine: 1, endLine: 2 })).toMatchObject({
      content: "one\ntwo\n",
      part: { from: 1, to: 2, of: 4 },
    });
    expect((await bank.readFile("a.txt", { startLine: 3, endLine: 99 })).content).toBe("three\n");
    expect((await bank.readFile("a.txt", { endLine: 0 })).content).toBe("zero\n");
    for (const range of [{ startLine: -2 }, { startLine: 1.5 }, { startLine: 2, endLine: 1 }, { startLine: 9 }]) {
      await expect(bank.readFile("a.txt", range)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });

  it("BANK-2 is capped, and says which lines it shows of how many", async () => {
    const { bank } = openBank();
    await bank.createFile("a.txt", text);
    expect(await bank.readFile("a.txt", { maxChars: 10 })).toMatchObject({
      content: "zero\none\n",
      part: { from: 0, to: 1, of: 4 },
    });
    await bank.createFile("long.txt", "line\n".repeat(60_000));
    const { content, part } = await bank.readFile("long.txt", { maxChars: -1 });
    expect(content).toHaveLength(150_000);
    expect(part).toEqual({ from: 0, to: 29_999, of: 60_000 });
    await expect(bank.readFile("a.txt", { maxChars: 0 })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("KER-11 refuses a file that is not UTF-8, and a missing one with advice", async () => {
    const { bank, project } = openBank();
    writeFileSync(join(project, "image.png"), Buffer.from([0x89, 0x50, 0xff]));
    await expect(bank.readFile("image.png")).rejects.toMatchObject({ code: "NOT_UTF8" });
    await expect(bank.readFile("absent/file.ts")).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringMatching(/List its folder/),
    });
  });
});

describe("listing the project", () => {
  it("BANK-2 honours .gitignore: nested, negated and anchored", async () => {
    const { bank, project } = openBank();
    fill(project, {
      ".gitignore": "*.log\n/dist/\nnode_modules/\n!keep.log\n/docs/*\n!/docs/index.md\n",
      "a.log": "",
      "keep.log": "",
      "dist/out.js": "",
      "src/dist/kept.js": "",
      "src/node_modules/x/y.js": "",
      "node_modules/.gitignore": "!*\n",
      "docs/index.md": "",
      "docs/other.md": "",
      "pkg/.gitignore": "/local.txt\n!b.log\n*.tmp\n",
      "pkg/local.txt": "",
      "pkg/b.log": "",
      "pkg/c.log": "",
      "pkg/sub/local.txt": "",
      "pkg/sub/d.tmp": "",
      "e.tmp": "",
    });
    expect(await bank.listFolder(".", { recursive: true })).toEqual({
      dirs: ["docs", "pkg", "pkg/sub", "src", "src/dist"],
      files: [
        ".gitignore",
        "docs/index.md",
        "e.tmp",
        "keep.log",
        "pkg/.gitignore",
        "pkg/b.log",
        "pkg/sub/local.txt",
        "src/dist/kept.js",
      ],
      leftOut: 0,
      counted: true,
      ignored: false,
    });
    // The files of the folders above hold for a folder that is asked for by itself.
    expect(await bank.listFolder("pkg/sub")).toMatchObject({ files: ["pkg/sub/local.txt"] });
    expect(await bank.listFolder("pkg", { skipIgnored: false })).toMatchObject({
      files: ["pkg/.gitignore", "pkg/b.log", "pkg/c.log", "pkg/local.txt"],
    });
  });

  it("BANK-2 shows nothing of a folder that is ignored itself, and says so", async () => {
    const { bank, project } = openBank();
    fill(project, { ".gitignore": "dist\n", "dist/sub/a.js": "" });
    expect(await bank.listFolder("dist/sub")).toMatchObject({ dirs: [], files: [], ignored: true });
    expect(await bank.listFolder("dist/sub", { skipIgnored: false })).toMatchObject({ files: ["dist/sub/a.js"] });
    await expect(bank.listFolder("dist/none", { skipIgnored: false })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("BANK-2 never looks into an ignored folder", async () => {
    const { documents, project } = openBank();
    fill(project, { ".gitignore": "node_modules/\n", "node_modules/a/b/c.js": "", "src/a.ts": "" });
    const looked: (string | undefined)[] = [];
    const watched = {
      ...documents,
      browse: (request: Parameters<typeof documents.browse>[0]) => {
        looked.push(request.folder);
        return documents.browse(request);
      },
    };
    await createBank({ documents: watched, stamp, hasProject: true }).listFolder(".", { recursive: true });
    expect(looked).toEqual([undefined, "src"]);
  });

  it("BANK-2 takes a .gitignore that is a link, or no text, for none", async () => {
    const { bank, project } = openBank();
    fill(project, { rules: "*\n", "a/x.md": "" });
    symlinkSync(join(project, "rules"), join(project, ".gitignore"));
    writeFileSync(join(project, "a/.gitignore"), Buffer.from([0x2a, 0xff]));
    expect(await bank.listFolder(".", { recursive: true })).toMatchObject({
      files: ["a/.gitignore", "a/x.md", "rules"],
    });
  });

  it("BANK-2 is capped from the deepest up, and says how many are left out", async () => {
    const { bank, project } = openBank();
    for (let index = 0; index < 30; index += 1) fill(project, { [`d${index % 3}/f${index}`]: "" });
    const { dirs, files, leftOut, counted } = await bank.listFolder(".", { recursive: true, limit: 10 });
    expect(dirs).toEqual(["d0", "d1", "d2"]);
    expect([files.length, leftOut, counted]).toEqual([7, 23, true]);
    await expect(bank.listFolder(".", { limit: 0 })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("BANK-2 gives up counting at some point, and says so", async () => {
    const { bank, project } = openBank();
    mkdirSync(join(project, "many"));
    for (let index = 0; index < 10_500; index += 1) writeFileSync(join(project, "many", `f${index}`), "");
    expect(await bank.listFolder("many", { limit: 10 })).toMatchObject({ leftOut: 10_000, counted: false });
  });

  it("BANK-2 a .gitignore that is made to be slow is refused, not obeyed for ever", { timeout: 30_000 }, async () => {
    const { bank, project } = openBank();
    const slow = Array.from({ length: 300 }, (_, index) => `${"*a".repeat(100)}${index}`);
    fill(project, { ".gitignore": slow.join("\n") });
    for (let index = 0; index < 200; index += 1) fill(project, { [`${"a".repeat(240)}${index}`]: "" });
    await expect(bank.listFolder(".")).rejects.toMatchObject({ code: "TOO_LARGE" });
    expect((await bank.listFolder(".", { skipIgnored: false })).files).toHaveLength(201);
  });
});
