import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type GitProject, gitProject } from "../../helpers/git-project.ts";
import { memoryWorld } from "../../helpers/memory-world.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { scratchFolder } from "../scratch.ts";

const texts = ["One hour.\n", "Two hours.\n", "Three hours.\n"];

type Run = (...args: string[]) => Promise<{ code: number; out: string; err: string }>;

const folders = temporaryFolders();
let prepared: GitProject;

/** A project whose note has three versions, a topic with an entry, and a git that tracks neither. */
beforeAll(async () => {
  prepared = gitProject(join(folders.make(), "world"));
  prepared.put("README.md", "hello\n");
  prepared.commitAll("first");
  for (const text of texts) await prepared.cli(["memories", "write", "auth/login"], text);
  await prepared.cli(["memories", "write", "build"], "npm run build\n");
  const fields = ["--context", "c", "--problem", "p", "--solution", "s"];
  await prepared.cli(["topics", "store", "ci", "cache", "--title", "Cold", ...fields]);
});

/** A copy of it, with the mirror in its repository. */
function filled(): GitProject & { run: Run; memories: string } {
  const project = gitProject(join(scratchFolder(), "world"), prepared);
  const run: Run = (...args) => project.cli(args);
  return { ...project, run, memories: join(project.project, ".serena/memories") };
}

function mirrorOf({ project }: { readonly project: string }): string {
  return join(project, ".git/recollect");
}

function mirrorsIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^[0-9a-f]{40}$/.test(name)) : [];
}

async function versionsOf(run: Run, name = "auth/login"): Promise<number> {
  const { out } = await run("log", name, "--json");
  return (JSON.parse(out) as { operations: unknown[] }).operations.length;
}

describe("ONE-3 history survives what clears the folder of its documents", () => {
  it("git clean -fdx: log, show and restore --all have everything, and verify ends with 8 until then", async () => {
    const project = filled();
    const { run, memories } = project;
    project.git("clean", "-fdxq");
    expect(existsSync(join(project.project, ".serena"))).toBe(false);
    const verified = await run("verify", "--no-search-index");
    expect(verified.out).toContain("vanished");
    expect(verified.code).toBe(8);
    expect((await run("doctor")).out).toMatch(/✗.*history.*vanished/);
    expect(await versionsOf(run)).toBe(3);
    // Reading makes nothing.
    expect(existsSync(join(project.project, ".serena"))).toBe(false);
    const planned = await run("restore", "--all", "--dry-run");
    expect(planned.out).toContain("auth/login");
    const refused = await run("restore", "--all");
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("--yes");
    expect(existsSync(memories)).toBe(false);
    const restored = await run("restore", "--all", "--yes");
    expect(restored.code).toBe(0);
    expect(readFileSync(join(memories, "auth/login.md"), "utf8")).toBe(texts[2]);
    expect(readFileSync(join(memories, "build.md"), "utf8")).toBe("npm run build\n");
    expect(readFileSync(join(project.project, "memory/ci/cache.md"), "utf8")).toContain("Cold");
    expect(await versionsOf(run)).toBeGreaterThanOrEqual(4);
    expect((await run("show", "auth/login", "~4")).out + (await run("show", "auth/login", "~3")).out).toContain(
      "One hour.",
    );
    const after = await run("verify", "--no-search-index");
    expect(after.out).toContain("Everything agrees.");
    expect(after.code).toBe(0);
  });

  it("a deleted .recollect: the next command brings the history back, and the notes stay as they are", async () => {
    const { run, memories } = filled();
    rmSync(join(memories, ".recollect"), { recursive: true });
    rmSync(join(memories, "auth/.recollect"), { recursive: true });
    const verified = await run("verify", "--no-search-index");
    expect(verified.code).toBe(8);
    expect(verified.out).toContain("Its mirror has it");
    const told = await run("log", "auth/login");
    expect(told.err).toContain("was brought back from its mirror");
    expect(await versionsOf(run)).toBe(3);
    expect((await run("verify", "--no-search-index")).code).toBe(0);
  });

  it("rm -rf .serena and notes begun anew: what was before is in the same history", async () => {
    const project = filled();
    const { run, memories } = project;
    rmSync(join(project.project, ".serena"), { recursive: true });
    await project.cli(["memories", "write", "auth/login"], "Begun anew.\n");
    expect(await versionsOf(run)).toBeGreaterThanOrEqual(4);
    expect((await run("restore", "--all", "--yes")).out).toContain("build");
    expect(readFileSync(join(memories, "auth/login.md"), "utf8")).toBe("Begun anew.\n");
    expect(readFileSync(join(memories, "build.md"), "utf8")).toBe("npm run build\n");
    expect((await run("verify", "--no-search-index")).code).toBe(0);
  });

  it("a folder that was removed on purpose is no fault once somebody says so", async () => {
    const project = filled();
    for (const folder of [".serena", "memory"]) rmSync(join(project.project, folder), { recursive: true });
    expect((await project.run("verify", "--no-search-index")).code).toBe(8);
    expect((await project.run("verify", "--no-search-index", "--accept-loss")).code).toBe(0);
    expect((await project.run("doctor")).out).not.toContain("vanished");
    expect(existsSync(join(project.project, ".serena"))).toBe(false);
    expect(await versionsOf(project.run)).toBe(3);
  });

  it("a branch that does not have the notes, which git tracks, is no loss: changed outside", async () => {
    const project = filled();
    const { run, git } = project;
    git("checkout", "-q", "-b", "notes");
    git("add", "-A");
    git("commit", "-q", "-m", "notes");
    git("checkout", "-q", "main");
    const verified = await run("verify", "--no-search-index");
    const says = "2 documents of this folder are not checked out.";
    expect(verified.out).toContain(says);
    expect(verified.code).toBe(7);
    const doctor = await run("doctor");
    expect(doctor.out).toContain(says);
    expect(doctor.out).not.toMatch(/vanished|is missing/);
    git("checkout", "-q", "notes");
    rmSync(join(project.project, ".serena"), { recursive: true });
    expect((await run("verify", "--no-search-index")).code).toBe(8);
  });

  it("notes that all vanished stay missed until they are restored or given up, whatever is written since", async () => {
    const project = filled();
    const { run } = project;
    project.git("clean", "-fdxq");
    for (const name of ["fresh", "another"]) await run("memories", "write", name, "--content", "new");
    for (const command of ["verify", "doctor"]) {
      const { code, out } = await run(command);
      expect([command, code, out]).toEqual([
        command,
        8,
        expect.stringMatching(/2 documents vanished[\s\S]*restore --all/),
      ]);
    }
    expect((await run("restore", "--all", "--yes")).code).toBe(0);
    expect((await run("verify", "--no-search-index")).code).toBe(0);
    project.git("clean", "-fdxq");
    await run("memories", "write", "fresh", "--content", "newer");
    expect((await run("verify", "--no-search-index")).code).toBe(8);
    expect((await run("verify", "--no-search-index", "--accept-loss")).code).toBe(0);
    expect((await run("verify", "--no-search-index")).code).toBe(0);
  });

  it.each([
    ["a sparse checkout without them", ["sparse-checkout", "set", "--no-cone", "/*", "!/.serena/", "!/memory/"]],
    ["a branch that was set back before them", ["reset", "-q", "--hard", "HEAD~1"]],
  ])("%s is no loss of tracked notes: changed outside", async (_, args) => {
    const { run, git } = filled();
    git("add", "-A");
    git("commit", "-q", "-m", "notes");
    git(...args);
    const verified = await run("verify", "--no-search-index");
    expect([verified.code, verified.out]).toEqual([7, expect.stringContaining("are not checked out")]);
    expect((await run("doctor")).code).toBe(7);
  });

  it("the bank and a project without a repository: the mirror is in the user's data folder", async () => {
    const world = memoryWorld(join(scratchFolder(), "world"));
    const bank = ["--memory-path", world.bank, "--project-name", "app"];
    const run: Run = (...args) => world.cli([...args, ...bank]);
    await world.cli(["bank", "write", "plan.md", ...bank], "first\n");
    await world.cli(["bank", "write", "plan.md", ...bank], "second\n");
    await world.cli(["memories", "write", "build", ...bank], "npm run build\n");
    const mirrors = join(world.home, ".local/share/recollect/mirrors");
    expect(mirrorsIn(mirrors)).toHaveLength(2);
    rmSync(join(world.bank, "app"), { recursive: true });
    rmSync(join(world.project, ".serena"), { recursive: true });
    expect((await run("verify", "--no-search-index")).code).toBe(8);
    expect((await run("restore", "--all", "--yes")).code).toBe(0);
    expect(readFileSync(join(world.bank, "app/plan.md"), "utf8")).toBe("second\n");
    expect(readFileSync(join(world.project, ".serena/memories/build.md"), "utf8")).toBe("npm run build\n");
  });
});

describe("ONE-3 a mirror belongs to one folder", () => {
  it("a worktree has a branch of its own in the same mirror", async () => {
    const project = filled();
    const worktree = join(project.folder, "work/tree");
    project.git("worktree", "add", "-q", worktree, "-b", "side");
    cpSync(join(project.project, ".serena"), join(worktree, ".serena"), { recursive: true });
    const flags = ["--project", worktree];
    await project.cli(["memories", "write", "auth/login", ...flags], "Of the worktree.\n");
    expect(await versionsOf((...args) => project.run(...args, ...flags))).toBe(4);
    for (const folder of [project.project, worktree]) rmSync(join(folder, ".serena"), { recursive: true });
    expect(await versionsOf(project.run)).toBe(3);
    expect(await versionsOf((...args) => project.run(...args, ...flags))).toBe(4);
    // One of the notes and one of the topics.
    expect(mirrorsIn(mirrorOf(project))).toHaveLength(2);
    expect(readdirSync(worktree)).not.toContain("recollect");
  });

  it("a copied project writes on its own, and a moved one takes its history along", async () => {
    const project = filled();
    const copy = join(project.folder, "work/copy");
    cpSync(project.project, copy, { recursive: true, preserveTimestamps: true });
    const inCopy: Run = (...args) => project.run(...args, "--project", copy);
    await project.cli(["memories", "write", "auth/login", "--project", copy], "Of the copy.\n");
    await project.cli(["memories", "write", "auth/login"], "Of the project.\n");
    rmSync(join(copy, ".serena"), { recursive: true });
    rmSync(join(project.project, ".serena"), { recursive: true });
    expect((await inCopy("show", "auth/login")).out).toContain("Of the copy.");
    expect((await project.run("show", "auth/login")).out).toContain("Of the project.");
    const moved = join(project.folder, "work/moved");
    renameSync(copy, moved);
    expect((await project.run("show", "auth/login", "--project", moved)).out).toContain("Of the copy.");
  });

  it("a project without a repository that was moved leaves nothing at its former path", async () => {
    const world = memoryWorld(join(scratchFolder(), "world"));
    await world.cli(["memories", "write", "build"], "one\n");
    await world.cli(["memories", "write", "build"], "two\n");
    const moved = join(world.folder, "work/moved");
    renameSync(world.project, moved);
    await world.cli(["memories", "write", "build", "--project", moved], "three\n");
    mkdirSync(join(world.project, ".serena/memories"), { recursive: true });
    expect((await world.cli(["log"])).out).not.toContain("build");
    rmSync(join(moved, ".serena"), { recursive: true });
    expect((await world.cli(["log", "build", "--project", moved])).out.match(/put|write/g)?.length).toBeGreaterThan(0);
  });
});

describe("HIST-3 the user's own repository", () => {
  it("gets a folder recollect and nothing else: no reference, no object, no staged file, no hook that runs", async () => {
    const folder = scratchFolder();
    const project = gitProject(join(folder, "world"));
    project.put("README.md", "hello\n");
    project.commitAll("first");
    const ran = join(folder, "ran");
    for (const hook of ["post-update", "reference-transaction", "pre-auto-gc", "post-index-change"]) {
      const file = join(project.project, ".git/hooks", hook);
      writeFileSync(file, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    }
    project.git("config", "core.fsmonitor", `touch ${ran}`);
    const seen = () => ({
      refs: project.git("for-each-ref"),
      names: readdirSync(join(project.project, ".git")).filter((name) => name !== "recollect"),
      staged: project.git("-c", "core.fsmonitor=false", "diff", "--cached", "--name-only"),
      objects: project.git("count-objects", "-v"),
    });
    const before = seen();
    await project.cli(["memories", "write", "build"], "npm run build\n");
    await project.cli(["memories", "write", "build"], "npm run build -- --all\n");
    await project.cli(["log"]);
    expect(seen()).toEqual(before);
    expect(existsSync(ran)).toBe(false);
    expect(mirrorsIn(mirrorOf(project))).toHaveLength(1);
  });
});
