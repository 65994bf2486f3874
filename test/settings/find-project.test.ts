import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { findProject } from "../../src/settings/find-project.ts";
import { errorOf } from "../helpers/error-of.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let top: string;

beforeEach(() => {
  top = folders.make();
});

function make(path: string, content?: string): string {
  const place = join(top, path);
  mkdirSync(content === undefined ? place : dirname(place), { recursive: true });
  if (content !== undefined) writeFileSync(place, content);
  return place;
}

function git(cwd: string, ...args: string[]): void {
  const settings = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"];
  const env = { PATH: process.env["PATH"] ?? "", HOME: top, GIT_CONFIG_NOSYSTEM: "1" };
  execFileSync("git", [...settings, ...args], { cwd, env, stdio: "pipe" });
}

function repository(path: string): string {
  const folder = make(path);
  make(`${path}/packages/a/index.md`, "a");
  git(folder, "init", "-q");
  git(folder, "add", ".");
  git(folder, "commit", "-q", "-m", "first");
  return folder;
}

/** The folder above all of these tests is nobody's project. */
const find = (cwd: string, given?: string) =>
  findProject({ cwd, home: join(top, "home"), ...(given === undefined ? {} : { given }) });

describe("the project", () => {
  it.each([".serena/", "recollect.yaml", ".git/", ".git"])(
    "CFG-1 is the nearest folder at or above the working directory with %s",
    (marker) => {
      make("outer/.git");
      make(`outer/app/${marker}`, marker.endsWith("/") ? undefined : "");
      const deep = make("outer/app/src/deep");
      for (const cwd of [deep, dirname(deep), join(top, "outer/app")]) {
        expect(find(cwd)).toEqual({ folder: join(top, "outer/app") });
      }
      expect(find(make("outer/sibling"))).toEqual({ folder: join(top, "outer") });
    },
  );

  it("CFG-1 is none where nothing above looks like one", () => {
    expect(find(make("a/b"))).toBeUndefined();
    make("a/.serena", "a file");
    expect(find(join(top, "a/b"))).toBeUndefined();
  });

  it("CFG-1 is also found by a settings file that is a link, so that its refusal is told", () => {
    const folder = make("app/src");
    symlinkSync("nowhere", join(top, "app/recollect.yaml"));
    expect(find(folder)).toEqual({ folder: join(top, "app") });
  });

  it("CFG-1 is the home only with recollect.yaml or .git, since ~/.serena is the user's own", () => {
    const cwd = make("home/notes");
    make("home/.serena/memories");
    expect(find(cwd)).toBeUndefined();
    symlinkSync(join(top, "home"), join(top, "linked-home"));
    expect(findProject({ cwd, home: join(top, "linked-home") })).toBeUndefined();
    expect(find(cwd, "..")).toEqual({ folder: join(top, "home") });
    make("home/recollect.yaml", "");
    expect(find(cwd)).toEqual({ folder: join(top, "home") });
  });

  it("CFG-1 is the folder that was given, whatever is in it", () => {
    make("outer/.git");
    const cwd = make("outer/plain");
    for (const given of ["./", ".", cwd, "../plain/", "~/../outer/plain"]) {
      expect(find(cwd, given)).toEqual({ folder: cwd });
    }
  });

  it.each([
    ["missing", "does not exist"],
    ["file", "is not a folder"],
    ["file/below", "does not exist"],
    ["loop", "cannot be followed"],
    ["", "is not the name of a folder"],
    ["a\0b", "is not the name of a folder"],
  ])("CFG-1 says what is wrong with the given folder %j", async (given, says) => {
    make("file", "");
    symlinkSync("loop", join(top, "loop"));
    const error = await errorOf(() => find(top, given));
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining(says) });
  });
});

describe("a git worktree", () => {
  it("CFG-1 is its own project, and knows the main one", () => {
    const main = repository("main");
    git(main, "worktree", "add", "-q", "../tree");
    const tree = join(top, "tree");
    expect(find(join(tree, "packages/a"))).toEqual({ folder: tree, mainWorktree: main });
    expect(find(tree, ".")).toEqual({ folder: tree, mainWorktree: main });
    expect(find(main)).toEqual({ folder: main });
  });

  it("CFG-1 with a project in a sub-folder knows the same sub-folder of the main one, if it is there", () => {
    const main = repository("main");
    git(main, "worktree", "add", "-q", "../tree");
    make("tree/packages/a/recollect.yaml", "");
    make("tree/packages/new/recollect.yaml", "");
    expect(find(join(top, "tree/packages/a"))).toEqual({
      folder: join(top, "tree/packages/a"),
      mainWorktree: join(main, "packages/a"),
    });
    expect(find(join(top, "tree/packages/new"))).toEqual({ folder: join(top, "tree/packages/new") });
  });

  it("CFG-1 may lie inside of the main one, and name its repository by a relative path", () => {
    const main = repository("main");
    git(main, "worktree", "add", "-q", ".trees/x");
    const tree = join(main, ".trees/x");
    expect(find(tree)).toEqual({ folder: tree, mainWorktree: main });
    writeFileSync(join(tree, ".git"), "gitdir: ../../.git/worktrees/x\n");
    writeFileSync(join(main, ".git/worktrees/x/gitdir"), "../../../.trees/x/.git\n");
    expect(find(tree)).toEqual({ folder: tree, mainWorktree: main });
  });

  it("CFG-1 of a bare repository, and a submodule, have no main one", () => {
    const main = repository("main");
    git(top, "clone", "-q", "--bare", main, "bare.git");
    git(join(top, "bare.git"), "worktree", "add", "-q", "../tree");
    expect(find(join(top, "tree"))).toEqual({ folder: join(top, "tree") });
    const outer = repository("outer");
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", main, "sub");
    expect(find(join(outer, "sub"))).toEqual({ folder: join(outer, "sub") });
  });

  it("CFG-2 is not believed where the repository does not know it: an archive can bring any .git file", () => {
    const main = repository("main");
    git(main, "worktree", "add", "-q", "../tree");
    const evil = make("evil/.git", `gitdir: ${main}/.git/worktrees/tree\n`);
    expect(find(dirname(evil))).toEqual({ folder: dirname(evil) });
    renameSync(join(top, "tree"), join(top, "moved"));
    expect(find(join(top, "moved"))).toEqual({ folder: join(top, "moved") });
  });

  it.each([
    ["nothing", ""],
    ["no gitdir", "hello\n"],
    ["an empty gitdir", "gitdir: \n"],
    ["a missing folder", "gitdir: /nowhere/at/all\n"],
    ["a NUL", "gitdir: a\0b\n"],
    ["a file as folder", "gitdir: .git\n"],
    ["two lines", "gitdir: a\ngitdir: b\n"],
    ["a long name", `gitdir: ${"a".repeat(5000)}\n`],
    ["a huge file", `gitdir: ${"a/".repeat(100_000)}\n`],
    ["bytes", "\u{fffd}\u{1}\u{2}"],
  ])("CFG-1 a .git file with %s in it is no error", (_, content) => {
    const folder = dirname(make("app/.git", content));
    expect(find(folder)).toEqual({ folder });
  });

  it("CFG-1 a .git that is a dangling link is no error", () => {
    const folder = make("app");
    symlinkSync("nowhere", join(folder, ".git"));
    expect(find(folder)).toEqual({ folder });
  });
});
