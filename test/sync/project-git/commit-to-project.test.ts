import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createDocuments, fullAccess, openFilesStore, openWorkspace, parseDocumentPath } from "../../../src/app.ts";
import { type GitProject, gitProject } from "../../helpers/git-project.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let project: GitProject;
const on = "--commit-to-project";

beforeEach(() => {
  project = gitProject(folders.make());
  project.put("src/main.ts", "one\n");
  project.put("src/other.ts", "one\n");
  project.commitAll("first");
});

const write = (name: string, content: string, ...flags: string[]) =>
  project.cli(["memories", "write", name, "--content", content, on, ...flags]);
const status = () => project.git("status", "--porcelain", "--untracked-files=all");
const head = () => project.git("rev-parse", "HEAD").trim();
const inCommit = (commit = "HEAD") => project.git("show", "--format=", "--name-status", commit);
const doctorSays = async () => {
  const { findings } = JSON.parse((await project.cli(["doctor", "--json", on])).out);
  return findings.filter(({ about }: { about: string }) => about === "commits");
};

describe("HIST-3b history.commit_to_project", () => {
  it("HIST-3b commits what was written and deleted, and nothing else", async () => {
    expect((await write("build", "Run the tests.\n")).code).toBe(0);
    expect(inCommit()).toBe("A\t.serena/memories/build.md\n");
    expect(project.git("show", "HEAD:.serena/memories/build.md")).toBe("Run the tests.\n");
    expect(project.git("log", "-1", "--format=%s|%an")).toBe("recollect: 1 document|Ada\n");
    expect(status()).toBe("");
    const said = ["--title", "T", "--context", "c", "--problem", "p", "--solution", "s"];
    await project.cli(["topics", "store", "build", "cache", ...said, on]);
    expect(inCommit()).toBe("A\tmemory/build/cache.md\nA\tmemory/index.md\n");
    await project.cli(["memories", "delete", "build", on]);
    expect(inCommit()).toBe("D\t.serena/memories/build.md\n");
    expect([status(), project.git("fsck", "--strict", "--no-dangling")]).toEqual(["", ""]);
  });

  it("HIST-3b leaves what is staged, changed and untracked as it was", async () => {
    await write("build", "one\n");
    project.put("src/main.ts", "staged\n");
    project.git("add", "src/main.ts");
    project.put("src/main.ts", "staged, then changed\n");
    project.put("src/other.ts", "changed\n");
    project.put("new.ts", "untracked\n");
    project.put("added.ts", "new and staged\n");
    project.git("add", "added.ts");
    project.git("rm", "-q", "--cached", "src/other.ts");
    // No document, though it lies among them.
    project.put(".serena/memories/.draft", "mine\n");
    const [before, staged] = [status(), project.git("diff", "--cached")];
    await write("build", "two\n");
    expect(inCommit()).toBe("M\t.serena/memories/build.md\n");
    expect([status(), project.git("diff", "--cached")]).toEqual([before, staged]);
    expect(project.read("src/main.ts")).toBe("staged, then changed\n");
  });

  it("HIST-3b is off by default, and commits nothing twice", async () => {
    await project.cli(["memories", "write", "build", "--content", "one\n"]);
    const before = head();
    expect(status()).toContain("?? .serena/memories/build.md");
    await write("other", "two\n");
    expect(inCommit()).toBe("A\t.serena/memories/build.md\nA\t.serena/memories/other.md\n");
    expect(project.git("rev-list", "--count", `${before}..HEAD`)).toBe("1\n");
    const now = head();
    await project.cli(["memories", "list", on]);
    await write("other", "two\n");
    expect(head()).toBe(now);
  });

  it.each([
    ["a merge is under way", () => project.tryGit("merge", "--no-commit", "--no-ff", "side")],
    [
      "a cherry-pick is under way",
      () => writeFileSync(join(project.project, ".git/CHERRY_PICK_HEAD"), project.git("rev-parse", "side")),
    ],
    ["no branch is checked out", () => project.git("checkout", "-q", "--detach")],
    ["git ignores the folders of memory", () => project.put(".gitignore", ".serena/\nmemory/\n")],
    ["the branch has no commit yet", () => project.git("checkout", "-q", "--orphan", "fresh")],
    ["another git command holds the index", () => project.put(".git/index.lock", "")],
    [
      "git does not know who you are",
      () => writeFileSync(join(project.home, ".gitconfig"), "[user]\n\tuseConfigOnly = true\n"),
    ],
  ])("HIST-3b waits while %s, says so, and the note is stored", async (why, prepare) => {
    project.git("checkout", "-q", "-b", "side");
    project.put("side.ts", "x\n");
    project.commitAll("side");
    project.git("checkout", "-q", "main");
    prepare();
    const before = project.git("rev-parse", "--all");
    const staged = project.git("diff", "--cached", "--name-only");
    expect((await write("build", "one\n")).code).toBe(0);
    expect(project.read(".serena/memories/build.md")).toBe("one\n");
    expect(project.git("rev-parse", "--all")).toBe(before);
    expect(project.git("diff", "--cached", "--name-only")).toBe(staged);
    // Only what can be seen without writing.
    if (/index|who you are/.test(why)) return;
    expect(await doctorSays()).toMatchObject([{ level: "note", says: expect.stringContaining(why) }]);
  });

  it("HIST-3b runs no hook, and nothing is left behind", async () => {
    project.put(".git/hooks/pre-commit", "#!/bin/sh\ntouch hooked\nexit 1\n");
    project.put(".git/hooks/reference-transaction", "#!/bin/sh\ntouch hooked\n");
    for (const name of ["pre-commit", "reference-transaction"])
      chmodSync(join(project.project, ".git/hooks", name), 0o755);
    const temporary = folders.make();
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    await write("build", "one\n");
    expect(inCommit()).toBe("A\t.serena/memories/build.md\n");
    expect(existsSync(join(project.project, "hooked"))).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("HIST-3b GUARD-1 does not commit what the guard refuses, nor what single rules ignore", async () => {
    const secret = `${["gh", "p_"].join("")}${"aB3dE6gH9k".repeat(4).slice(0, 36)}\n`;
    project.put(".serena/memories/by-hand.md", secret);
    project.put(".serena/memories/private.md", "mine\n");
    project.put(".gitignore", "private.md\n");
    project.commitAll("ignore");
    project.git("rm", "-q", "--cached", ".serena/memories/by-hand.md");
    project.git("commit", "-q", "-m", "not that");
    await write("build", "one\n");
    expect(inCommit()).toBe("A\t.serena/memories/build.md\n");
    expect(await doctorSays()).toMatchObject([{ says: expect.stringContaining("by-hand.md") }]);
  });

  it("HIST-3b commits with the line ends that the repository asks for, and status is clean", async () => {
    project.put(".gitattributes", "*.md text eol=crlf\n");
    project.commitAll("attributes");
    await write("build", "one\r\ntwo\r\n");
    expect(project.git("cat-file", "blob", "HEAD:.serena/memories/build.md")).toBe("one\ntwo\n");
    expect(project.read(".serena/memories/build.md")).toBe("one\r\ntwo\r\n");
    expect(status()).toBe("");
  });

  it("HIST-3b works below the top of a repository, and leaves a repository inside of it alone", async () => {
    const inner = join(project.project, "packages/shop");
    project.put("packages/shop/recollect.yaml", "{}\n");
    project.put("packages/shop/memory/.keep", "");
    project.commitAll("shop");
    project.git("init", "-q", "-b", "main", join(inner, "memory"));
    const flags = ["--project", inner, on];
    expect((await project.cli(["memories", "write", "build", "--content", "one\n", ...flags])).code).toBe(0);
    const said = ["--title", "T", "--context", "c", "--problem", "p", "--solution", "s"];
    await project.cli(["topics", "store", "build", "cache", ...said, ...flags]);
    expect(inCommit()).toBe("A\tpackages/shop/.serena/memories/build.md\n");
  });

  it("HIST-3b CFG-2 has no effect from a file that came with a clone before it is trusted", async () => {
    project.put("recollect.yaml", "history:\n  commit_to_project: true\n");
    project.commitAll("settings");
    const before = head();
    const args = ["memories", "write", "build", "--content", "one\n"];
    expect((await project.cli(args)).err).toContain("history.commit_to_project");
    expect(head()).toBe(before);
    expect((await project.cli(["trust", "--yes"])).code).toBe(0);
    await project.cli(["memories", "append", "build", "--content", "two\n"]);
    expect(inCommit()).toBe("A\t.serena/memories/build.md\n");
  });

  it("HIST-3b commits of several processes at once lose nothing", async () => {
    await Promise.all(["a", "b", "c", "d"].map((name) => write(name, `${name}\n`)));
    await write("e", "e\n");
    const names = project.git("ls-tree", "-r", "--name-only", "HEAD", ".serena").trim().split("\n");
    expect(names).toEqual(["a", "b", "c", "d", "e"].map((name) => `.serena/memories/${name}.md`));
    expect([status(), project.git("fsck", "--strict", "--no-dangling")]).toEqual(["", ""]);
  });

  it("HIST-3b a server commits some time after a write, and what is left when it ends", async () => {
    const workspace = await openWorkspace({
      project: project.project,
      home: project.home,
      env: { PATH: process.env["PATH"] },
      flags: { [on]: true },
      stays: true,
    });
    await workspace.memories.write("build", "one\n");
    expect(await workspace.commitToProject?.()).toMatchObject({ kind: "committed" });
    await workspace.close();
    expect(inCommit()).toBe("A\t.serena/memories/build.md\n");
  });
});

describe("HIST-3b history.keep", () => {
  const logOf = async (...flags: string[]) =>
    JSON.parse((await project.cli(["log", "--json", ...flags])).out).operations;
  /** Two texts that were written to a document 40 days ago, before anything recorded history. */
  const writtenLongAgo = async (folder: string, path: string) => {
    const store = openFilesStore({ roots: [{ name: "notes", folder }], now: () => Date.now() - 40 * 86_400_000 });
    const documents = createDocuments({ roots: [{ name: "notes", policy: fullAccess, store }] });
    const at = { root: "notes", path: parseDocumentPath(path) };
    for (const text of ["one\n", "two\n"]) await documents.write(at, text, { author: "person:ada" });
    await store.close();
  };
  const memories = () => join(project.project, ".serena/memories");

  it("HIST-3b drops old revisions when a command is done, and doctor shows the size", async () => {
    await writtenLongAgo(memories(), "build.md");
    for (const text of ["three\n", "four\n"]) await project.cli(["memories", "write", "build", "--content", text]);
    expect(await logOf()).toHaveLength(4);
    expect(await logOf("--history-keep", "365")).toHaveLength(4);
    await logOf("--history-keep", "30");
    expect(await logOf()).toHaveLength(3);
    expect((await project.cli(["show", "build", "~2"])).out).toBe("two\n");
    expect(project.read(".serena/memories/build.md")).toBe("four\n");
    expect((await project.cli(["verify", "--no-search-index"])).out).toContain("Everything agrees");
    const { findings } = JSON.parse((await project.cli(["doctor", "--json"])).out);
    expect(findings).toContainEqual({
      level: "fine",
      about: "history",
      says: expect.stringMatching(/^\.serena\/memories \d+\.\d KiB$/),
    });
  });

  it("HIST-3b CFG-2 from a project's file it needs trust, and is about the project's own folders alone", async () => {
    const shared = join(project.folder, "FEATURE");
    mkdirSync(shared);
    const flags = ["--additional-folders", shared];
    await writtenLongAgo(memories(), "build.md");
    await writtenLongAgo(shared, "FEATURE_x.md");
    project.put("recollect.yaml", "history:\n  keep: 30\n");
    expect((await project.cli(["log", ...flags])).err).toContain("history.keep");
    expect(await logOf(...flags)).toHaveLength(4);
    await project.cli(["trust", "--yes"]);
    await logOf(...flags);
    const left = await logOf(...flags);
    expect(left.map(({ changes }: { changes: { name: string }[] }) => changes[0]?.name).toSorted()).toEqual([
      "FEATURE_x",
      "FEATURE_x",
      "build",
    ]);
  });
});
