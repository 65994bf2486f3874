import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type GitProject, gitProject } from "../../helpers/git-project.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const on = "--commit-to-project";
const memories = ".serena/memories";
let project: GitProject;

const write = (name: string, content: string, ...flags: string[]) =>
  project.cli(["memories", "write", name, "--content", content, on, ...flags]);
const status = () => project.git("status", "--porcelain", "--untracked-files=all");
const inCommit = (commit = "HEAD") => project.git("show", "--format=", "--name-status", commit);
const doctor = async () => (await project.cli(["doctor", on])).out;

beforeEach(() => {
  project = gitProject(folders.make());
  project.put("src/main.ts", "one\n");
  project.commitAll("first");
});

describe("HIST-3b commits in a repository that is not as others are", () => {
  it("HIST-3b never takes what a sparse checkout leaves out for deleted", async () => {
    await write("build", "one\n");
    await write("sub/other", "two\n");
    status();
    project.git("sparse-checkout", "set", "--no-cone", "/*", `!/${memories}/sub/other.md`);
    expect(existsSync(join(project.project, memories, "sub/other.md"))).toBe(false);
    await write("third", "three\n");
    expect(inCommit()).toBe(`A\t${memories}/third.md\n`);
    expect(status()).toBe("");
  });

  it("HIST-3b leaves a document alone that somebody asked git to leave alone", async () => {
    for (const name of ["build", "kept"]) await write(name, "one\n");
    project.git("update-index", "--skip-worktree", `${memories}/build.md`);
    project.git("update-index", "--assume-unchanged", `${memories}/kept.md`);
    for (const name of ["build", "kept"]) await write(name, "mine alone\n");
    await write("new", "new\n");
    expect(project.git("log", "--format=", "--name-status", "-1")).toBe(`A\t${memories}/new.md\n`);
    const tags = ["S", "h", "H"].map((tag, index) => `${tag} ${memories}/${["build", "kept", "new"][index]}.md\n`);
    expect(project.git("ls-files", "-v", memories)).toBe(tags.join(""));
  });

  it("HIST-3b a document that was taken out of the index stays out, also where it changes", async () => {
    await write("build", "one\n");
    project.git("rm", "-q", "--cached", `${memories}/build.md`);
    const before = project.git("diff", "--cached", "--name-status");
    await write("build", "two\n");
    await write("new", "new\n");
    expect(inCommit()).toBe(`A\t${memories}/new.md\n`);
    expect(project.git("diff", "--cached", "--name-status")).toBe(before);
  });

  it("HIST-3b runs no program that the repository's own settings name, and does not commit around it", async () => {
    const ran = join(project.home, "ran");
    await write("plain", "one\n");
    project.git("config", "filter.evil.clean", `touch ${ran}; cat`);
    project.git("config", "core.fsmonitor", `touch ${ran}`);
    project.put(".gitattributes", `${memories}/secret* filter=evil\n`);
    project.put(".git/hooks/post-index-change", `#!/bin/sh\ntouch ${ran}\n`);
    chmodSync(join(project.project, ".git/hooks/post-index-change"), 0o755);
    await write("secret", "to be encrypted\n");
    await write("plain", "two\n");
    expect(existsSync(ran)).toBe(false);
    expect(inCommit()).toBe(`M\t${memories}/plain.md\n`);
    const why = "the repository's own settings have a program filter it (evil)";
    expect(await doctor()).toContain(`${memories}/secret.md: ${why}`);
  });

  it("HIST-3b runs what the user's own settings name", async () => {
    const file = join(project.home, ".gitconfig");
    writeFileSync(file, '[user]\n\tname = Ada\n\temail = a@example.org\n[filter "up"]\n\tclean = tr a-z A-Z\n');
    project.put(".gitattributes", "*.md filter=up\n");
    await write("build", "one\n");
    expect(project.git("cat-file", "blob", `HEAD:${memories}/build.md`)).toBe("ONE\n");
  });

  it("HIST-3b commits documents and folders that changed places", async () => {
    await write("a", "one\n");
    await write("d/x", "one\n");
    for (const name of ["a.md", "d"]) rmSync(join(project.project, memories, name), { recursive: true });
    mkdirSync(join(project.project, memories, "a.md"));
    project.put(`${memories}/a.md/in.md`, "in\n");
    project.put(`${memories}/d`, "now a file\n");
    const done = await write("z", "z\n");
    expect([done.code, done.err]).toEqual([0, ""]);
    const names = ["D\ta.md", "A\ta.md/in.md", "A\td", "D\td/x.md", "A\tz.md"];
    const expected = names.map((line) => line.replace("\t", `\t${memories}/`));
    expect(inCommit().trim().split("\n").toSorted()).toEqual(expected.toSorted());
    expect([status(), project.git("fsck", "--strict", "--no-dangling")]).toEqual(["", ""]);
  });

  it("HIST-3b works in a linked worktree and in a submodule, each on its own branch", async () => {
    const tree = join(project.home, "tree");
    project.git("worktree", "add", "-q", "-b", "side", tree);
    await project.cli(["memories", "write", "w", "--content", "x\n", on, "--project", tree]);
    expect(inCommit("side")).toBe(`A\t${memories}/w.md\n`);
    expect(project.git("-C", tree, "status", "--porcelain")).toBe("");
    const inner = join(project.project, "inner");
    project.git(
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "--quiet",
      "add",
      "-b",
      "main",
      project.project,
      "inner",
    );
    project.commitAll("submodule");
    const before = project.git("rev-parse", "HEAD");
    await project.cli(["memories", "write", "s", "--content", "x\n", on, "--project", inner]);
    expect(project.git("rev-parse", "HEAD")).toBe(before);
    expect(project.git("-C", inner, "show", "--format=", "--name-status")).toBe(`A\t${memories}/s.md\n`);
  });

  it("HIST-3b takes any name that git takes", async () => {
    const names = ["-x", "a b", "[a]", "ü", 'q"q', "line\nend", ":(top)", "*"];
    for (const name of names) project.put(`${memories}/${name}.md`, "text\n");
    await write("z", "z\n");
    const tree = project.git("ls-tree", "-r", "-z", "--name-only", "HEAD", memories).split("\0").filter(Boolean);
    const expected = [...names, "z"].map((name) => `${memories}/${name}.md`);
    expect(tree.toSorted()).toEqual(expected.toSorted());
    expect(status()).toBe("");
  });
});
