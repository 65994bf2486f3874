import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { unpackProgram } from "../fixtures/fixtures.ts";
import { type GitProject, gitProject } from "../helpers/git-project.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { scratchFolder } from "./scratch.ts";

type Run = (...args: string[]) => Promise<{ code: number; out: string; err: string }>;

const folders = temporaryFolders();
let prepared: GitProject;

/** A project whose repository tracks no notes, with two notes; the first has three versions. */
beforeAll(async () => {
  prepared = gitProject(join(folders.make(), "world"));
  prepared.put("README.md", "hello\n");
  prepared.commitAll("first");
  for (const text of ["one\n", "two\n", "three\n"]) await prepared.cli(["memories", "write", "a"], text);
  await prepared.cli(["memories", "write", "b"], "b\n");
});

/** A copy of it, with the mirror in its repository. */
function filled(): GitProject & { run: Run; memories: string; mirror: string } {
  const project = gitProject(join(scratchFolder(), "world"), prepared);
  const run: Run = (...args) => project.cli(args);
  const memories = join(project.project, ".serena/memories");
  return { ...project, run, memories, mirror: join(project.project, ".git/recollect") };
}

/** The versions of a note that can be shown, the newest first. */
async function versionsOf(run: Run, name: string): Promise<string[]> {
  const { operations } = JSON.parse((await run("log", name, "--json")).out) as { operations: { id: string }[] };
  const shown = await Promise.all(operations.map(async ({ id }) => (await run("show", name, id)).out));
  return shown.filter((text) => text !== "");
}

function removeIndexes(mirror: string): void {
  for (const name of readdirSync(mirror, { recursive: true, encoding: "utf8" })) {
    if (name.endsWith(".idx")) rmSync(join(mirror, name));
  }
}

const agrees = async (run: Run) => (await run("verify", "--no-search-index")).out;

describe("ONE-3 a history that went on without what its mirror has is joined with it", () => {
  it("after a version that knows of no mirror recorded in a folder that git clean had emptied", async () => {
    const project = filled();
    const runOld = unpackProgram(join(scratchFolder(), "program"));
    project.git("clean", "-fdxq");
    mkdirSync(join(project.project, ".serena"));
    const old = await runOld(project, ["memories", "write", "c"], "by the old one\n");
    expect(old.code).toBe(0);
    const told = await project.run("log");
    expect(told.err).toContain("was joined with what was recorded since");
    expect(await versionsOf(project.run, "a")).toEqual(expect.arrayContaining(["one\n", "two\n", "three\n"]));
    expect(await versionsOf(project.run, "c")).toEqual(["by the old one\n"]);
    expect(await agrees(project.run)).toContain("2 documents vanished");
    await project.run("restore", "--all", "--yes");
    expect(await agrees(project.run)).toMatch(/Everything agrees\.\n$/);
  });

  it("after a write while the repository with the mirror was away", async () => {
    const { run, project, memories } = filled();
    rmSync(join(memories, ".recollect"), { recursive: true });
    renameSync(join(project, ".git"), join(project, "git-away"));
    mkdirSync(join(project, ".git"));
    expect((await run("memories", "write", "a", "--content", "four\n")).code).toBe(0);
    rmSync(join(project, ".git"), { recursive: true });
    renameSync(join(project, "git-away"), join(project, ".git"));
    await run("log");
    expect(await versionsOf(run, "a")).toEqual(expect.arrayContaining(["one\n", "two\n", "three\n", "four\n"]));
    expect(await versionsOf(run, "b")).toContain("b\n");
    expect(await agrees(run)).toMatch(/Everything agrees\.\n$/);
  });

  it("tells of documents that only the mirror's part has as removed outside, and brings them back", async () => {
    const { run, project, memories } = filled();
    rmSync(join(memories), { recursive: true });
    renameSync(join(project, ".git/recollect"), join(project, ".git/away"));
    await run("memories", "write", "a", "--content", "four");
    rmSync(join(project, ".git/recollect"), { recursive: true });
    renameSync(join(project, ".git/away"), join(project, ".git/recollect"));
    await run("log");
    expect((await run("log", "b")).out).toContain("outside");
    expect((await run("restore", "b", "~1")).code).toBe(0);
    expect(readFileSync(join(memories, "b.md"), "utf8")).toBe("b\n");
    expect(await agrees(run)).toMatch(/Everything agrees\.\n$/);
  });
});

describe("ONE-3 a mirror that git cannot read", () => {
  it("is repaired where only indexes of packs are gone, and the history comes back", async () => {
    const { run, memories, mirror } = filled();
    removeIndexes(mirror);
    rmSync(join(memories, ".recollect"), { recursive: true });
    expect((await run("log")).err).toContain("was brought back from its mirror");
    expect(await versionsOf(run, "a")).toEqual(["three\n", "two\n", "one\n"]);
    expect(await agrees(run)).toMatch(/Everything agrees\.\n$/);
  });

  it("is repaired where the folder of documents is gone, and restore --all brings the notes back", async () => {
    const { run, memories, mirror, git } = filled();
    removeIndexes(mirror);
    git("clean", "-fdxq");
    expect((await run("verify", "--no-search-index")).code).toBe(8);
    expect((await run("restore", "--all", "--yes")).code).toBe(0);
    expect(readFileSync(join(memories, "a.md"), "utf8")).toBe("three\n");
  });

  it("and whose packs are junk is named by verify as a loss, and never passed over", async () => {
    const { run, memories, mirror } = filled();
    for (const name of readdirSync(mirror, { recursive: true, encoding: "utf8" })) {
      if (name.endsWith(".pack")) {
        rmSync(join(mirror, name));
        writeFileSync(join(mirror, name), "junk");
      }
    }
    rmSync(join(memories, ".recollect"), { recursive: true });
    expect((await run("log")).err).toContain("was lost");
    const verified = await run("verify", "--no-search-index");
    expect([verified.code, verified.out]).toEqual([8, expect.stringContaining("lost")]);
  });

  it("KER-13 of a newer format is left as it is", async () => {
    const { run, mirror } = filled();
    const [name = ""] = readdirSync(join(mirror, "folders"));
    const pointer = join(mirror, "folders", name);
    const newer = readFileSync(pointer, "utf8").replace('"format":1', '"format":9');
    writeFileSync(pointer, newer);
    expect((await run("memories", "write", "a", "--content", "four")).code).toBe(0);
    expect(readFileSync(pointer, "utf8")).toBe(newer);
    expect((await run("doctor")).out).toContain("newer Recollect");
  });
});

describe("ONE-3 a mirror in the user's data folder", () => {
  const inProject = (world: ReturnType<typeof memoryWorld>, args: string[], input?: string) => world.cli(args, input);

  it("is not inherited by another project at the same path", async () => {
    const world = memoryWorld(scratchFolder());
    await inProject(world, ["memories", "write", "secretnote"], "of the first project\n");
    rmSync(world.project, { recursive: true });
    mkdirSync(join(world.project, ".serena"), { recursive: true });
    await inProject(world, ["memories", "write", "hello"], "of the second one\n");
    expect((await inProject(world, ["log"])).out).not.toContain("secretnote");
    await inProject(world, ["restore", "--all", "--yes"]);
    expect(existsSync(join(world.project, ".serena/memories/secretnote.md"))).toBe(false);
  });

  it("HIST-5 is left once the project has a repository, and holds nothing that a purge removes", async () => {
    const world = memoryWorld(scratchFolder());
    rmSync(join(world.project, ".git"), { recursive: true, force: true });
    mkdirSync(join(world.project, ".serena"), { recursive: true });
    await inProject(world, ["memories", "write", "a"], "zebra-walrus-99 inside\n");
    const mirrors = join(world.home, ".local/share/recollect/mirrors");
    const copied = join(world.folder, "copied");
    cpSync(mirrors, copied, { recursive: true });
    execFileSync("git", ["init", "-q", world.project]);
    await inProject(world, ["memories", "write", "a"], "two\n");
    expect(readdirSync(mirrors).filter((name) => name !== "folders")).toEqual([]);
    // As it is where the place was left by a version that did not look back.
    rmSync(mirrors, { recursive: true });
    cpSync(copied, mirrors, { recursive: true });
    expect((await inProject(world, ["purge", "--yes"], "zebra-walrus-99")).code).toBe(0);
    rmSync(join(world.project, ".git"), { recursive: true });
    rmSync(join(world.project, ".serena/memories/.recollect"), { recursive: true });
    await inProject(world, ["log"]);
    expect(await versionsOf((...args) => inProject(world, args), "a")).not.toContain("zebra-walrus-99 inside\n");
  });
});

describe("a worktree", () => {
  it("ONE-3 that is made anew under the name of a removed one inherits nothing", async () => {
    const project = filled();
    const tree = join(project.folder, "work/tree");
    project.git("worktree", "add", "-q", tree);
    await project.run("memories", "write", "of-tree", "--content", "t", "--project", tree);
    project.git("worktree", "remove", "--force", tree);
    project.git("worktree", "add", "-q", "--force", tree, "HEAD");
    mkdirSync(join(tree, ".serena/memories"), { recursive: true });
    expect((await project.run("verify", "--no-search-index", "--project", tree)).code).toBe(0);
    expect((await project.run("log", "--project", tree)).out).not.toContain("of-tree");
  });
});

it("HIST-5 a purge removes packs that were put aside since git cannot read them", async () => {
  const { run, memories, cli } = filled();
  await cli(["memories", "write", "a"], "blue-kestrel-42\n");
  const packs = join(memories, ".recollect/history/objects/pack");
  for (const name of readdirSync(packs)) {
    if (name.endsWith(".idx")) rmSync(join(packs, name));
    else if (name.endsWith(".pack")) {
      const bytes = readFileSync(join(packs, name));
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
      rmSync(join(packs, name));
      writeFileSync(join(packs, name), bytes);
    }
  }
  await run("log");
  const aside = join(memories, ".recollect/history/recollect-damaged");
  expect(existsSync(aside)).toBe(true);
  expect(await versionsOf(run, "a")).toContain("blue-kestrel-42\n");
  expect((await cli(["purge", "--yes"], "blue-kestrel-42")).code).toBe(0);
  expect(existsSync(aside)).toBe(false);
});

it("HIST-1 KER-9 a folder in the place of the branch's lock is removed, and recording goes on", async () => {
  const { run, memories } = filled();
  mkdirSync(join(memories, ".recollect/history/refs/heads/history.lock/x"), { recursive: true });
  expect((await run("memories", "write", "a", "--content", "four\n")).code).toBe(0);
  const told = await run("log");
  expect([told.code, told.err]).toEqual([0, ""]);
  expect((await versionsOf(run, "a"))[0]).toBe("four\n");
});
