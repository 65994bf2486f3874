import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { errorOf } from "../helpers/error-of.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { git, makeRemote, openClone, scratch } from "./clones.ts";

const value = "Zq81-planted-value";

/** Every object of a repository, also those that nothing names. */
function holds(folder: string): boolean {
  const args = ["-C", folder, "cat-file", "--batch-all-objects", "--unordered", "--batch"];
  return execFileSync("git", args, { maxBuffer: 1024 ** 3 }).includes(value);
}

function opened() {
  const folder = scratch();
  const remote = makeRemote(join(folder, "team.git"));
  const world = memoryWorld(join(folder, "one"));
  configure(world, `file://${remote}`);
  return { folder, remote, world };
}

function configure(world: MemoryWorld, path: string): void {
  const lines = ["external_memory_enabled: true", "memory_type: git_repo", "sync_strategy: manual"];
  const text = [...lines, `memory_path: ${JSON.stringify(path)}`].map((line) => `  ${line}\n`).join("");
  world.write("home/.config/recollect/config.yaml", `memory_configuration:\n${text}`);
}

function cloneOf(world: MemoryWorld): string {
  const place = join(world.home, ".local/share/recollect/repositories");
  return join(place, readdirSync(place)[0] ?? "");
}

const store = (world: MemoryWorld, title: string) =>
  world.cli(["topics", "store", "build", "cache", "--title", title, "--problem", "p"]);

/** A revision that holds it, made while nobody was there to send it to. */
async function storeOffline({ remote, world }: ReturnType<typeof opened>): Promise<void> {
  execFileSync("mv", [remote, `${remote}-away`]);
  await store(world, `By mistake ${value}`);
  expect((await world.cli(["sync"])).code).toBe(6);
  execFileSync("mv", [`${remote}-away`, remote]);
  expect(holds(cloneOf(world))).toBe(true);
}

describe("HIST-5 a purged value and a remote", () => {
  it("HIST-5 purge cleans revisions that were not sent yet, and leaves no object of them", async () => {
    const all = opened();
    const { world, remote } = all;
    await store(world, "First");
    await world.cli(["sync"]);
    await storeOffline(all);
    const seen = await world.cli(["purge", "--dry-run"], value);
    expect(seen.out).toContain("that were not sent yet");
    expect(holds(cloneOf(world))).toBe(true);
    expect(await world.cli(["purge", "--yes"], value)).toMatchObject({ code: 0 });
    expect(holds(cloneOf(world))).toBe(false);
    expect(await world.cli(["sync"])).toMatchObject({ code: 0 });
    expect(holds(remote)).toBe(false);
    expect(git(remote, "show", "main:build/cache.md")).toMatch(/By mistake ‹removed›[\s\S]*First/);
    expect(git(cloneOf(world), "fsck", "--strict", "--no-dangling")).toBe("");
    expect(git(cloneOf(world), "status", "--porcelain")).toBe("");
  });

  it("HIST-5 purge removes drafts that a killed sync left in the clone", async () => {
    const { world } = opened();
    await store(world, "First");
    await world.cli(["sync"]);
    const clone = cloneOf(world);
    const draft = ".recollect-draft-0f8fad5b-d9cb-469f-a165-70867728950e";
    const left = [join(clone, draft), join(clone, "build", draft), join(clone, ".git/recollect-new-1")];
    for (const file of left) writeFileSync(file, `half of ${value}`);
    expect(await world.cli(["purge", "--yes"], value)).toMatchObject({ code: 0 });
    expect(left.filter((file) => existsSync(file))).toEqual([]);
    expect(await world.cli(["sync"])).toMatchObject({ code: 0 });
  });

  it("HIST-5 purge says that the remote holds it, and the commands that it prints clean it", async () => {
    const { world, remote } = opened();
    await store(world, `By mistake ${value}`);
    await store(world, "Second");
    await world.cli(["sync"]);
    expect(holds(remote)).toBe(true);
    const { out } = await world.cli(["purge", "--yes"], value);
    expect(out).toContain("holds it in revisions that were sent");
    expect(out).not.toContain("filter-repo");
    expect((await world.cli(["sync"])).err).toContain("still holds a value that was purged");
    const [command = ""] = out.split("\n").filter((line) => line.includes(" push "));
    const env = { PATH: process.env["PATH"], HOME: world.home };
    execFileSync("sh", ["-ec", command.trim()], { env, stdio: "pipe", cwd: "/" });
    expect(await world.cli(["sync"])).toMatchObject({ code: 0 });
    expect(git(remote, "log", "--format=%s", "main").trim()).toBe("clean");
    expect(git(remote, "show", "main:build/cache.md")).toMatch(/Second[\s\S]*By mistake ‹removed›/);
    expect(holds(cloneOf(world))).toBe(false);
    await store(world, "Third");
    expect(await world.cli(["sync"])).toMatchObject({ code: 0 });
  });

  it("HIST-5 sync sends no revision that holds it, wherever it was purged", async () => {
    const folder = scratch();
    const remote = makeRemote(join(folder, "remote.git"));
    let isPurged = false;
    const purged = () => {
      const find = (bytes: Uint8Array) => (Buffer.from(bytes).includes(value) ? "a purged value" : undefined);
      return isPurged ? { key: "1", find } : undefined;
    };
    const clone = openClone(join(folder, "clone"), remote, { purged });
    onTestFinished(() => clone.close());
    await clone.entry("build", "One");
    await clone.sync.run();
    execFileSync("mv", [remote, `${remote}-away`]);
    for (const text of [value, "taken out"]) {
      clone.write("build/leak.md", `${text}\n`);
      await errorOf(() => clone.sync.run());
    }
    clone.write(`build/${value}.md`, "named after it\n");
    await errorOf(() => clone.sync.run());
    execFileSync("mv", [join(clone.folder, `build/${value}.md`), join(clone.folder, "build/other.md")]);
    execFileSync("mv", [`${remote}-away`, remote]);
    isPurged = true;
    await clone.sync.run();
    expect([holds(remote), holds(clone.folder)]).toEqual([false, false]);
    expect(git(remote, "show", "main:build/leak.md")).toBe("taken out\n");
    expect(git(remote, "show", "main:build/other.md")).toBe("named after it\n");
    expect(git(remote, "log", "--format=%s", "main").trim().split("\n")).toHaveLength(2);
    clone.write("build/leak.md", `${value}\n`);
    const error = await errorOf(() => clone.sync.run());
    expect(error).toMatchObject({ data: { reason: "purged-here" } });
    expect(holds(remote)).toBe(false);
  });

  it("HIST-5 in a folder of the user, revisions of their own are not written anew, and not sent", async () => {
    const base = scratch();
    const remote = makeRemote(join(base, "remote.git"));
    const folder = join(base, "local");
    git(base, "init", "-q", "-b", "main", folder);
    git(folder, "remote", "add", "origin", remote);
    const find = (bytes: Uint8Array) => (Buffer.from(bytes).includes(value) ? "a purged value" : undefined);
    const local = openClone(folder, undefined, { isClone: false, purged: () => ({ key: "1", find }) });
    onTestFinished(() => local.close());
    for (const text of [value, "clean"]) {
      writeFileSync(join(folder, "work.txt"), `${text}\n`);
      git(folder, "add", "-A");
      git(folder, "commit", "-qm", "work");
    }
    const head = git(folder, "rev-parse", "HEAD");
    expect(await errorOf(() => local.sync.run())).toMatchObject({ data: { reason: "purged-here" } });
    expect(git(folder, "rev-parse", "HEAD")).toBe(head);
    expect(git(remote, "for-each-ref")).toBe("");
  });
});
