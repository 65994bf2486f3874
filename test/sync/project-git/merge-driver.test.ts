import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseTopicFile } from "../../../src/app.ts";
import { parseIndex } from "../../../src/notes/topics/index-file.ts";
import { mergeFile } from "../../../src/sync/project-git/merge-file.ts";
import { findUntidy, noteUntidy } from "../../../src/sync/project-git/untidy-note.ts";
import { type GitProject, gitProject } from "../../helpers/git-project.ts";
import { someCases } from "../../helpers/some-cases.ts";
import { diskFolder, temporaryFolders } from "../../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let project: GitProject;

const entry = (date: string, title: string, text = "x") => `## ${date}: ${title}\n**Context:** ${text}\n\n---\n\n`;
const base = entry("2026-01-01", "Base");
const topic = "memory/build/cache.md";
const titles = (text: string) => parseTopicFile(text).entries.map(({ title }) => title);
const anyMarker = /^(<{7}|>{7}|={7})/m;

let prepared: GitProject;
beforeAll(async () => {
  project = gitProject(folders.make());
  const set = await project.cli(["merge-driver", "--install", "--yes"]);
  expect([set.code, set.err]).toEqual([0, ""]);
  project.put(topic, base);
  project.put(".serena/memories/build.md", "one\ntwo\nthree\n");
  project.put("src/main.ts", "one\ntwo\nthree\n");
  project.commitAll("base");
  expect(project.read(".git/config")).not.toContain(project.folder);
  prepared = project;
});

beforeEach(() => {
  project = gitProject(folders.make(), prepared);
});

/** Two branches from here: `other`, and `main`, which is checked out. */
function branch(onOther: () => void, onMain: () => void): void {
  project.git("checkout", "-q", "-b", "other");
  onOther();
  project.commitAll("other");
  project.git("checkout", "-q", "main");
  onMain();
  project.commitAll("main");
}

describe("HIST-4 the merge driver, run by git", () => {
  it.each([
    ["merge", ["merge", "-q", "--no-edit", "other"]],
    ["rebase", ["rebase", "-q", "other"]],
    ["cherry-pick", ["cherry-pick", "other"]],
  ])("HIST-4 %s keeps the entries of both sides, without markers", (_, command) => {
    branch(
      () => project.put(topic, entry("2026-03-01", "Theirs") + base),
      () => project.put(topic, entry("2026-02-01", "Ours") + base),
    );
    project.git(...command);
    expect(titles(project.read(topic))).toEqual(["Theirs", "Ours", "Base"]);
    expect(project.git("status", "--porcelain")).toBe("");
  });

  it("HIST-4 HIST-1 many branches, one after the other, lose no entry", () => {
    const names = ["a", "b", "c"];
    for (const name of names) {
      project.git("checkout", "-q", "-b", name, "main");
      project.put(topic, entry(`2026-02-0${names.indexOf(name) + 1}`, name) + base);
      project.put(`memory/build/${name}.md`, entry("2026-02-01", name));
      project.commitAll(name);
      project.git("checkout", "-q", "main");
    }
    for (const name of names) project.git("merge", "-q", "--no-edit", name);
    expect(titles(project.read(topic)).toSorted()).toEqual(["Base", ...names]);
  });

  it("HIST-4 former revisions that crossed are joined without a document beside them", () => {
    const [mine, other] = ["one\nmine\nthree\n", "one\nother\nthree\n"];
    branch(
      () => project.put(".serena/memories/build.md", other),
      () => project.put(".serena/memories/build.md", mine),
    );
    const [left, right] = [project.git("rev-parse", "main").trim(), project.git("rev-parse", "other").trim()];
    // Each takes the other in, and keeps its own version.
    project.git("merge", "-q", "--no-edit", "-s", "ours", right);
    project.git("checkout", "-q", "other");
    project.git("merge", "-q", "--no-edit", "-s", "ours", left);
    project.put(topic, entry("2026-03-01", "Theirs") + base);
    project.commitAll("more");
    project.git("checkout", "-q", "main");
    const merged = project.tryGit("merge", "--no-edit", "other");
    expect(titles(project.read(topic))).toEqual(["Theirs", "Base"]);
    expect(project.read(".serena/memories/build.md")).not.toMatch(anyMarker);
    // One document for the conflict that there is, none for that of the bases.
    const beside = readdirSync(join(project.project, ".serena/memories")).filter((name) => name.includes(".conflict-"));
    expect(beside).toHaveLength(merged.code === 0 ? 0 : 1);
  });

  it("HIST-4 a true conflict stops git, with both versions as documents, and resolve settles it", async () => {
    branch(
      () => project.put(".serena/memories/build.md", "one\nother\nthree\n"),
      () => project.put(".serena/memories/build.md", "one\nmine!!\nthree\n"),
    );
    const merged = project.tryGit("merge", "--no-edit", "other");
    expect([merged.code, merged.err]).toEqual([1, expect.stringContaining("both sides changed the same lines")]);
    const [, beside = ""] = /the other version is (\S+)\.\n/.exec(merged.err) ?? [];
    expect(project.read(".serena/memories/build.md")).toBe("one\nmine!!\nthree\n");
    expect(project.read(beside)).toBe("one\nother\nthree\n");
    expect(project.git("show", ":3:.serena/memories/build.md")).toBe("one\nother\nthree\n");
    expect((await project.cli(["resolve", "build", "--keep", "theirs"])).code).toBe(0);
    project.commitAll("merged");
    expect(project.read(".serena/memories/build.md")).toBe("one\nother\nthree\n");
    expect(project.git("status", "--porcelain")).toBe("");
  });

  const ways = ["ours", "theirs", "both", "merged"].flatMap((keep) => [
    { keep, isAdded: false },
    { keep, isAdded: true },
  ]);

  describe.each([
    ["build.md", ".serena/memories/build.md", 0],
    ["a name with blanks, quotes and brackets", ".serena/memories/it's [my] note.md", 1],
    ["a name that is cut beside it", `.serena/memories/${"long".repeat(45)}.md`, 2],
  ])("HIST-4 CLI-1 the command that it prints for %s", (_, path, turn) => {
    const name = path.slice(".serena/memories/".length, -".md".length);
    // Others that begin like it, and are no business of this merge.
    const others = ["ing.md", `${name.slice(5)}.notes.md`].map((end) => `.serena/memories/${name.slice(0, 5)}${end}`);
    const drafts = ["-my-draft.md", ".my.md", ".conflict-my.md"].map((end) => `.serena/memories/${name}${end}`);
    let stopped: GitProject;
    let printed: string;
    /** The command names the folder of the project, and each test has a copy of it. */
    const add = () => printed.replaceAll(stopped.project, project.project);

    beforeAll(() => {
      project = gitProject(folders.make(), prepared);
      project.put(path, "one\ntwo\nthree\n");
      for (const other of others) project.put(other, "committed\n");
      project.commitAll("before");
      branch(
        () => project.put(path, "one\nother\nthree\n"),
        () => project.put(path, "one\nmine!!\nthree\n"),
      );
      const { err } = project.tryGit("merge", "--no-edit", "other");
      [, printed = ""] = /then: (git .*)\n/.exec(err) ?? [];
      expect(printed).toContain(project.project);
      stopped = project;
    });

    beforeEach(() => {
      project = gitProject(folders.make(), stopped);
    });

    // Another three for each name: together they are all of them.
    it.each(someCases([...ways.slice(turn), ...ways.slice(0, turn)], 3))(
      "HIST-4 ends the merge after --keep $keep, where the other version was added before: $isAdded",
      async (how) => {
        if (how.isAdded) project.git("add", "-A");
        for (const other of others) project.put(other, "at work\n");
        for (const draft of drafts) project.put(draft, "at work\n");
        const text = how.keep === "merged" ? ["--content", "one\nboth\nthree\n"] : [];
        const place = (await project.cli(["resolve", "--json"])).out;
        const [found] = JSON.parse(place).conflicts;
        const settled = await project.cli(["resolve", `${found.root}/${found.path}`, "--keep", how.keep, ...text]);
        expect([settled.err, settled.code]).toEqual(["", 0]);
        // From anywhere in the project.
        execFileSync("sh", ["-c", add()], {
          cwd: join(project.project, ".serena"),
          env: { PATH: process.env["PATH"] },
        });
        project.git("commit", "-q", "--no-edit");
        const made = how.keep === "both" ? [found.path.replace(/\.conflict-[0-9a-f]+\.md$/, "-other.md")] : [];
        const left = project.git("status", "--porcelain", "-z").split("\0").filter(Boolean);
        expect(left.toSorted()).toEqual(
          [
            ...others.map((other) => ` M ${other}`),
            ...[...drafts, ...made.map((one) => `.serena/memories/${one}`)].map((other) => `?? ${other}`),
          ].toSorted(),
        );
        expect(project.git("ls-files", ".serena")).not.toContain(".conflict-");
      },
    );

    it("HIST-4 takes the other version along where nobody settled it", () => {
      execFileSync("sh", ["-c", add()], { cwd: project.project, env: { PATH: process.env["PATH"] } });
      project.git("commit", "-q", "--no-edit");
      expect(project.git("status", "--porcelain")).toBe("");
      expect(project.git("ls-files", ".serena")).toContain(".conflict-");
    });
  });

  it("HIST-4 keeps both where both sides made the file, and for what is no text", () => {
    const [one, other] = [Buffer.from([0xff, 1, 2, 3]), Buffer.from([0xff, 9])];
    branch(
      () => {
        project.put(".serena/memories/new.md", "their new note\n");
        project.put("memory/build/new.md", entry("2026-03-01", "Theirs"));
        project.put(".serena/memories/picture.bin", other);
      },
      () => {
        project.put(".serena/memories/new.md", "my own new note\n");
        project.put("memory/build/new.md", entry("2026-02-01", "Ours"));
        project.put(".serena/memories/picture.bin", one);
      },
    );
    expect(project.tryGit("merge", "--no-edit", "other").code).toBe(1);
    expect(titles(project.read("memory/build/new.md"))).toEqual(["Theirs", "Ours"]);
    const texts = readdirSync(join(project.project, ".serena/memories"))
      .filter((name) => /^(new|picture)\./.test(name))
      .map((name) => readFileSync(join(project.project, ".serena/memories", name)));
    const expected = [Buffer.from("their new note\n"), Buffer.from("my own new note\n"), one, other];
    expect(texts.toSorted(Buffer.compare)).toEqual(expected.toSorted(Buffer.compare));
  });

  it("HIST-4 never touches a file that is no memory", () => {
    branch(
      () => project.put("src/main.ts", "one\nother\nthree\n"),
      () => project.put("src/main.ts", "one\nmine\nthree\n"),
    );
    const merged = project.tryGit("merge", "--no-edit", "other");
    expect([merged.code, merged.err]).toEqual([1, expect.not.stringContaining("recollect")]);
    expect(project.read("src/main.ts")).toMatch(anyMarker);
    expect(project.git("status", "--porcelain")).toBe("UU src/main.ts\n");
  });

  it("HIST-4 git alone decides where one side deleted the file, and keeps what the other changed", () => {
    branch(
      () => rmSync(join(project.project, topic)),
      () => project.put(topic, entry("2026-02-01", "Ours") + base),
    );
    expect(project.tryGit("merge", "--no-edit", "other")).toMatchObject({
      code: 1,
      out: expect.stringContaining("modify/delete"),
    });
    expect(titles(project.read(topic))).toEqual(["Ours", "Base"]);
  });

  it.each(someCases(["--help.md", "$(touch evil).md", "-rf.md", "it's; touch evil #.md", '"a" b.md'], 3))(
    "HIST-4 takes a file that is called %s for nothing but a file",
    (name) => {
      const path = `.serena/memories/${name}`;
      branch(
        () => project.put(path, "theirs, and much longer\n"),
        () => project.put(path, "ours\n"),
      );
      expect(project.tryGit("merge", "--no-edit", "other").code).toBe(1);
      expect(project.read(path)).toBe("theirs, and much longer\n");
      const beside = readdirSync(join(project.project, ".serena/memories")).filter((one) => one.includes(".conflict-"));
      expect(beside.map((one) => project.read(`.serena/memories/${one}`))).toEqual(["ours\n"]);
      expect(existsSync(join(project.project, "evil"))).toBe(false);
    },
  );

  it("HIST-4 KER-2 writes nothing through a link that came with a branch", async () => {
    const outside = join(project.folder, "outside");
    project.write("outside/keep.md", "mine\n");
    rmSync(join(project.project, ".serena/memories"), { recursive: true });
    symlinkSync(outside, join(project.project, ".serena/memories"));
    project.put("base", "one\n");
    project.put("ours", "ours\n");
    project.put("theirs", "theirs\n");
    const args = ["merge-driver", "--", "base", "ours", "theirs", ".serena/memories/build.md"];
    const ended = await project.cli(args);
    expect([ended.code, ended.err]).toEqual([1, expect.stringContaining("as it was here")]);
    expect(project.read("ours")).toBe("ours\n");
    expect(readdirSync(outside)).toEqual(["keep.md"]);
  });

  it.each([
    ["merge-tree", ["merge-tree", "--write-tree", "main", "other"], 1],
    ["show --remerge-diff", ["show", "--remerge-diff", "joined"], 0],
  ])("HIST-4 git %s only looks, and leaves nothing behind", (_, command, code) => {
    branch(
      () => {
        project.put(".serena/memories/build.md", "one\nother\nthree\n");
        project.put(topic, entry("2026-03-01", "Theirs") + base);
      },
      () => {
        project.put(".serena/memories/build.md", "one\nmine!!\nthree\n");
        project.put(topic, entry("2026-02-01", "Ours") + base);
      },
    );
    project.git(
      "tag",
      "joined",
      project.git("commit-tree", "-m", "x", "-p", "main", "-p", "other", "main^{tree}").trim(),
    );
    expect(project.tryGit(...command).code).toBe(code);
    expect(project.git("status", "--porcelain")).toBe("");
    expect(existsSync(join(project.project, ".git/recollect-untidy"))).toBe(false);
  });

  it.each([
    ["stash pop", () => project.git("stash", "-q"), ["stash", "pop"]],
    ["checkout -m", () => {}, ["checkout", "-m", "other"]],
    ["revert", () => project.commitAll("local"), ["revert", "--no-edit", "HEAD~1"]],
  ])("HIST-4 git %s has both versions as documents", (_, prepare, command) => {
    branch(
      () => project.put(".serena/memories/build.md", "one\nother\nthree\n"),
      () => project.put(".serena/memories/build.md", "one\nmine!!\nthree\n"),
    );
    project.put(".serena/memories/build.md", "one\nlocal\nthree\n");
    prepare();
    if (command[0] === "stash") {
      project.put(".serena/memories/build.md", "one\nmeanwhile\nthree\n");
      project.commitAll("meanwhile");
    }
    project.tryGit(...command);
    const names = readdirSync(join(project.project, ".serena/memories")).filter((name) => name.endsWith(".md"));
    expect(names).toEqual([expect.stringContaining(".conflict-"), "build.md"]);
    for (const name of names) expect(project.read(`.serena/memories/${name}`)).not.toMatch(anyMarker);
  });

  const otherDisk = [diskFolder, "/dev/shm"].find(
    (one) => existsSync(one) && statSync(one).dev !== statSync(tmpdir()).dev,
  );
  it.runIf(otherDisk)("HIST-4 works in a linked worktree that lies on another disk", () => {
    branch(
      () => project.put(".serena/memories/build.md", "one\nother\nthree\n"),
      () => project.put(".serena/memories/build.md", "one\nmine!!\nthree\n"),
    );
    const tree = mkdtempSync(join(otherDisk ?? "", "recollect-test-"));
    try {
      project.git("worktree", "add", "-q", "-b", "side", join(tree, "app"), "main");
      const merged = project.tryGit("-C", join(tree, "app"), "merge", "--no-edit", "other");
      expect(merged.err).toContain("the other version is ");
      const names = readdirSync(join(tree, "app/.serena/memories"));
      expect(names).toEqual([expect.stringContaining(".conflict-"), "build.md"]);
    } finally {
      rmSync(tree, { recursive: true, force: true });
    }
  });

  it("HIST-4 works in a linked worktree", () => {
    branch(
      () => project.put(".serena/memories/build.md", "one\nother\nthree\n"),
      () => project.put(".serena/memories/build.md", "one\nmine!!\nthree\n"),
    );
    const tree = join(project.home, "tree");
    project.git("worktree", "add", "-q", "-b", "side", tree, "main");
    expect(project.tryGit("-C", tree, "merge", "--no-edit", "other").code).toBe(1);
    expect(project.git("-C", tree, "status", "--porcelain")).toMatch(/^UU .*build\.md\n\?\? .*\.conflict-/);
    expect(project.git("status", "--porcelain")).toBe("");
  });

  it("HIST-4 says how it is set up where git did not call it", async () => {
    expect(await project.cli(["merge-driver"])).toMatchObject({ code: 2, err: expect.stringContaining("--install") });
    expect(await project.cli(["merge-driver", "--", "a", "b", "c", "d"])).toMatchObject({ code: 3 });
  });
});

describe("HIST-4 the index of topics, merged by git", () => {
  const store = (subtopic: string, title: string) => {
    const said = ["--title", title, "--context", "c", "--problem", "p", "--solution", "s"];
    return project.cli(["topics", "store", "build", subtopic, ...said]);
  };
  const rows = () => parseIndex(project.read("memory/index.md"));

  it("HIST-4 TOP-5 has the rows of both sides", async () => {
    await store("cache", "First");
    project.commitAll("index");
    project.git("checkout", "-q", "-b", "other");
    await store("theirs", "Theirs");
    project.commitAll("other");
    project.git("checkout", "-q", "main");
    await store("ours", "Ours");
    project.commitAll("main");
    project.git("merge", "-q", "--no-edit", "other");
    expect(rows()?.map(({ subtopic, entries }) => [subtopic, entries])).toEqual([
      ["cache", 2],
      ["ours", 1],
      ["theirs", 1],
    ]);
    expect(JSON.parse((await project.cli(["topics", "reindex", "--json"])).out)).toMatchObject({ changed: false });
  });

  it("HIST-4 TOP-5 does not give a number that it cannot know, and the next store counts", async () => {
    await store("cache", "First");
    project.commitAll("index");
    project.git("checkout", "-q", "-b", "other");
    for (const title of ["A", "B"]) await store("cache", title);
    project.commitAll("other");
    project.git("checkout", "-q", "main");
    await store("cache", "C");
    project.commitAll("main");
    project.git("merge", "-q", "--no-edit", "other");
    expect(project.read("memory/index.md")).toMatch(
      /^- \[build\/cache\]\(build\/cache\.md\): newest \d{4}-\d\d-\d\d$/m,
    );
    await store("more", "More");
    expect(rows()?.map(({ subtopic, entries }) => [subtopic, entries])).toEqual([
      ["cache", 5],
      ["more", 1],
    ]);
  });
});

describe("HIST-4 an index that both sides left alike", () => {
  it("HIST-4 TOP-5 git asks nobody then, and the next store counts", async () => {
    const said = ["--context", "c", "--problem", "p", "--solution", "s"];
    const store = (subtopic: string, title: string) =>
      project.cli(["topics", "store", "build", subtopic, "--title", title, ...said]);
    await store("cache", "First");
    project.commitAll("index");
    project.git("checkout", "-q", "-b", "other");
    await store("cache", "Theirs");
    project.commitAll("other");
    project.git("checkout", "-q", "main");
    await store("cache", "Ours");
    project.commitAll("main");
    project.git("merge", "-q", "--no-edit", "other");
    expect(titles(project.read(topic))).toHaveLength(4);
    expect(existsSync(join(project.project, ".git/recollect-untidy"))).toBe(true);
    await store("more", "More");
    expect(parseIndex(project.read("memory/index.md"))).toMatchObject([{ entries: 4 }, { entries: 1 }]);
    expect(existsSync(join(project.project, ".git/recollect-untidy"))).toBe(false);
  });
});

describe("HIST-4 the note of what is to be counted", () => {
  it("HIST-4 outlives a count that did not see the merge", () => {
    const gitDir = join(project.project, ".git");
    const memory = join(project.project, "memory");
    for (const folder of ["memory", "other"]) noteUntidy(gitDir, folder);
    const seen = findUntidy(memory);
    noteUntidy(gitDir, "memory");
    seen?.remove();
    expect(readFileSync(join(gitDir, "recollect-untidy"), "utf8")).toBe('"other"\n"memory"\n');
    findUntidy(memory)?.remove();
    expect([findUntidy(memory), findUntidy(join(project.project, "other")) !== undefined]).toEqual([undefined, true]);
  });
});

describe("HIST-4 setting the driver up", () => {
  it("HIST-4 writes to the repository's own config and .gitattributes, once, and takes it back", async () => {
    const [config, attributes] = [project.read(".git/config"), project.read(".gitattributes")];
    expect(attributes).toContain("/.serena/memories/** merge=recollect\n/memory/** merge=recollect\n");
    const again = await project.cli(["merge-driver", "--install", "--yes"]);
    expect(again.out).toBe("It is set up already.\n");
    expect([project.read(".git/config"), project.read(".gitattributes")]).toEqual([config, attributes]);
    project.put(".gitattributes", `*.png binary\n${attributes}*.sh text\n`);
    expect((await project.cli(["merge-driver", "--uninstall", "--yes"])).code).toBe(0);
    expect(project.read(".gitattributes")).toBe("*.png binary\n*.sh text\n");
    expect(project.read(".git/config")).not.toContain("recollect");
    expect((await project.cli(["merge-driver", "--uninstall"])).out).toContain("nothing to take out");
    expect(readFileSync(join(project.home, ".gitconfig"), "utf8")).not.toContain("recollect");
  });

  it("HIST-4 takes nothing out of .gitattributes but what is ours, and mends a setting that is there twice", async () => {
    project.put(".gitattributes", `* text\r\n*.md text merge=recollect\r\n${project.read(".gitattributes")}`);
    for (const name of ["x", "y"]) project.git("config", "--add", "merge.recollect.name", name);
    expect((await project.cli(["merge-driver", "--install", "--yes"])).code).toBe(0);
    expect(project.git("config", "--get-all", "merge.recollect.name")).toBe("Recollect: memories, by entry\n");
    expect((await project.cli(["merge-driver", "--uninstall", "--yes"])).code).toBe(0);
    expect(project.read(".gitattributes")).toBe("* text\r\n*.md text\r\n");
  });

  it("HIST-4 shows it first, and writes nothing unasked", async () => {
    await project.cli(["merge-driver", "--uninstall", "--yes"]);
    const before = project.read(".git/config");
    const shown = await project.cli(["merge-driver", "--install", "--dry-run"]);
    expect(shown.out).toContain("+ merge.recollect.driver = ");
    expect(shown.out).toContain("/memory/** merge=recollect");
    expect(await project.cli(["merge-driver", "--install"])).toMatchObject({ code: 2 });
    expect(project.read(".git/config")).toBe(before);
    expect(existsSync(join(project.project, ".gitattributes"))).toBe(false);
  });

  it("HIST-4 leaves out what git ignores, and says so where there is nothing to merge", async () => {
    await project.cli(["merge-driver", "--uninstall", "--yes"]);
    project.put(".gitignore", "memory/\n");
    const json = JSON.parse((await project.cli(["merge-driver", "--install", "--yes", "--json"])).out);
    expect(json).toMatchObject({ folders: { all: [".serena/memories"], ignored: ["memory"] }, written: true });
    project.put(".gitignore", "memory/\n.serena/\n");
    expect(await project.cli(["merge-driver", "--install", "--yes"])).toMatchObject({ code: 3 });
    rmSync(join(project.project, ".git"), { recursive: true });
    expect(await project.cli(["merge-driver", "--install", "--yes"])).toMatchObject({ code: 3 });
  });

  it("HIST-4 folders whose names have blanks, quotes and stars are what git matches", async () => {
    const [memories, topics] = ["no tes [1]*", "it's 100% 'quoted'"];
    const flags = ["--memories-folder", memories, "--topics-folder", topics];
    for (const folder of [memories, topics]) project.put(`${folder}/build/a.md`, base);
    expect((await project.cli(["merge-driver", "--install", "--yes", ...flags])).code).toBe(0);
    for (const folder of [memories, topics]) {
      expect(project.git("check-attr", "merge", "--", `${folder}/build/a.md`)).toContain("merge: recollect");
    }
    project.commitAll("names");
    branch(
      () => project.put(`${topics}/build/a.md`, entry("2026-03-01", "Theirs") + base),
      () => project.put(`${topics}/build/a.md`, entry("2026-02-01", "Ours") + base),
    );
    project.git("merge", "-q", "--no-edit", "other");
    expect(titles(project.read(`${topics}/build/a.md`))).toEqual(["Theirs", "Ours", "Base"]);
    expect((await project.cli(["merge-driver", "--install", ...flags])).out).toBe("It is set up already.\n");
  });
});

describe("HIST-4 merging one file", () => {
  const bytes = (text: string) => Buffer.from(text);
  it("HIST-4 a path outside of the topics is a text, whatever it holds", () => {
    const [before, ours, theirs] = [base, entry("2026-02-01", "Ours") + base, entry("2026-03-01", "Theirs") + base].map(
      bytes,
    ) as [Buffer, Buffer, Buffer];
    const merge = (topics: string[]) =>
      titles(Buffer.from(mergeFile({ path: topic, topics, base: before, ours, theirs }).content).toString("utf8"));
    expect(merge(["memory"])).toEqual(["Theirs", "Ours", "Base"]);
    expect(merge([""]).length).toBe(3);
    expect(merge(["mem"]).toSorted()).toEqual(["Base", "Ours", "Theirs"]);
  });
});
