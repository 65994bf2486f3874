import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CliResult, cli } from "../helpers/cli.ts";
import { keepWorld, type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { someCases } from "../helpers/some-cases.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { makeRemote } from "../sync/clones.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(join(folders.make(), "world"));
});

/** Verify and doctor end alike and say the same, without words of the system. Gives what each says. */
async function expectBoth(code: number, says: RegExp): Promise<{ verify: string; doctor: string }> {
  const said = { verify: "", doctor: "" };
  for (const command of ["verify", "doctor"] as const) {
    const { code: found, out, err } = await world.cli([command]);
    expect([command, found, out], err).toEqual([command, code, expect.stringMatching(says)]);
    expect(`${out}${err}`).not.toMatch(/\/proc\/|\bE[A-Z]{4,}\b|\n +at /);
    said[command] = out;
  }
  return said;
}

describe("ONE-3 what vanished", () => {
  it.each([
    [".serena", ".serena/memories"],
    [".serena/memories", ".serena/memories"],
  ])(
    "ONE-3 one note that went with its history is reported where %s was emptied, and comes back",
    async (gone, made) => {
      for (const text of ["one\n", "two\n"]) await world.cli(["memories", "write", "n"], text);
      rmSync(join(world.project, gone), { recursive: true });
      mkdirSync(join(world.project, made), { recursive: true });
      await expectBoth(8, /1 document vanished with no record of a deletion/);
      expect((await world.cli(["restore", "--all", "--yes"])).code).toBe(0);
      expect(readFileSync(join(world.project, ".serena/memories/n.md"), "utf8")).toBe("two\n");
      await expectBoth(0, /agrees|No problems/);
    },
  );

  it("ONE-3 a loss of one note can be accepted, and is not told of again", async () => {
    await world.cli(["memories", "write", "n"], "one\n");
    rmSync(join(world.project, ".serena"), { recursive: true });
    mkdirSync(join(world.project, ".serena/memories"), { recursive: true });
    expect((await world.cli(["verify", "--accept-loss"])).code).toBe(0);
    await expectBoth(0, /agrees|No problems/);
  });

  it("ONE-3 MEM-2 an additional folder that vanished is reported, and restore --all brings its notes back", async () => {
    world.write("work/app/recollect.yaml", "memories:\n  additional_folders: [feature]\n");
    mkdirSync(join(world.project, "feature"));
    await world.cli(["memories", "write", "FEATURE_a"], "one\n");
    await world.cli(["memories", "write", "other"], "one\n");
    rmSync(join(world.project, "feature"), { recursive: true });
    await expectBoth(8, /feature: 1 document vanished with no record of a deletion/);
    expect((await world.cli(["restore", "--all", "--dry-run"])).out).toContain("FEATURE_a");
    await world.cli(["memories", "write", "another"], "one\n");
    expect(existsSync(join(world.project, "feature"))).toBe(false);
    expect((await world.cli(["restore", "--all", "--yes"])).code).toBe(0);
    expect(readFileSync(join(world.project, "feature/FEATURE_a.md"), "utf8")).toBe("one\n");
    await expectBoth(0, /agrees|No problems/);
  });

  it("MEM-2 HIST-4b a configured folder that never was there is not checked, and both commands say so", async () => {
    world.write("work/app/recollect.yaml", "memories:\n  additional_folders: [feature]\n");
    const { verify } = await expectBoth(6, /The folder “feature” does not exist or cannot be opened/);
    expect(verify).toContain("Not everything could be checked");
    expect(existsSync(join(world.project, "feature"))).toBe(false);
  });

  it("ONE-3 HIST-4b an additional folder whose loss was accepted is not checked, and not vanished", async () => {
    world.write("work/app/recollect.yaml", "memories:\n  additional_folders: [feature]\n");
    mkdirSync(join(world.project, "feature"));
    await world.cli(["memories", "write", "FEATURE_a"], "one\n");
    rmSync(join(world.project, "feature"), { recursive: true });
    expect((await world.cli(["verify", "--accept-loss"])).code).toBe(6);
    await expectBoth(6, /The folder “feature” does not exist or cannot be opened/);
  });

  it.each([".serena/memories", "memory"])(
    "HIST-4b %s as a link out of the project is not checked, and both commands say so",
    async (name) => {
      const elsewhere = join(world.folder, "elsewhere");
      mkdirSync(elsewhere);
      mkdirSync(join(world.project, ".serena"));
      symlinkSync(elsewhere, join(world.project, name));
      await expectBoth(6, /is not opened, since/);
    },
  );
});

describe("HIST-4b KER-9 a file in the place of a folder", () => {
  let written: MemoryWorld;
  let bringBack: () => void;

  beforeAll(async () => {
    written = memoryWorld(join(folders.make(), "world"));
    written.write("home/.config/recollect/config.yaml", "memories:\n  global_writable: true\n");
    for (const note of ["note", "global/note"]) await written.cli(["memories", "write", note], "one\n");
    await written.cli(["topics", "store", "build", "cache", "--title", "T", "--problem", "p", "--solution", "s"]);
    await written.cli(["search", "one"]);
    bringBack = keepWorld(written);
  });

  beforeEach(() => {
    bringBack();
    world = written;
  });

  it.each(["work/app/.serena/memories", "work/app/.serena", "work/app/memory", "home/.serena/memories/global"])(
    "HIST-4b %s is not checked, and verify and doctor end alike",
    async (name) => {
      replaceByFile(join(world.folder, name));
      await expectBoth(6, /is not an ordinary folder any more|a file is in the place of “\.serena”\. Move it away\./);
    },
  );
});

it("SRCH-3 HIST-4b a search index that was deleted in part is no damage, and reindex makes it again", async () => {
  await world.cli(["memories", "write", "note"], "one\n");
  await world.cli(["search", "one"]);
  const search = join(world.home, ".cache/recollect/search");
  const files = readdirSync(search).filter((name) => name.endsWith(".sqlite") && name !== "vectors.sqlite");
  for (const file of files) rmSync(join(search, file));
  await expectBoth(6, /The search index of “\.serena\/memories” is missing/);
  expect((await world.cli(["reindex"])).code).toBe(0);
  await expectBoth(0, /agrees|No problems/);
});

it("HIST-2 USE-8 undo and log take the name of an agent without its kind", async () => {
  for (const text of ["one\n", "two\n"]) {
    await world.cli(["memories", "write", "note", "--agent-id", "claude-code"], text);
  }
  const operations = async (author: string) =>
    JSON.parse((await world.cli(["log", "--author", author, "--json"])).out).operations.length;
  expect(await operations("claude-code")).toBe(await operations("agent:claude-code"));
  expect(await operations("claude-code")).toBeGreaterThan(0);
  const { out } = await world.cli(["undo", "--author", "claude-code", "--dry-run"]);
  expect(out).toContain("2 operations to undo.");
  const nothing = await world.cli(["undo", "--author", "nobody", "--dry-run"]);
  expect(nothing.out).toContain("recollect log shows who wrote what.");
});

describe("HIST-4b KER-9 one damaged file beside the notes", () => {
  let synced: MemoryWorld;
  let clone: string;
  let bringBack: () => void;

  beforeAll(async () => {
    world = memoryWorld(join(folders.make(), "world"));
    const remote = makeRemote(join(world.folder, "remote.git"));
    const settings = [`memory_path: file://${remote}`, "memory_type: git_repo", "sync_strategy: manual"];
    world.write(
      "home/.config/recollect/config.yaml",
      `memory_configuration:\n  external_memory_enabled: true\n  ${settings.join("\n  ")}\n`,
    );
    await world.cli(["memories", "write", "note"], "one\n");
    await world.cli(["topics", "store", "build", "cache", "--title", "T", "--problem", "p", "--solution", "s"]);
    expect((await world.cli(["sync"])).code).toBe(0);
    const repositories = join(world.home, ".local/share/recollect/repositories");
    clone = join(repositories, readdirSync(repositories)[0] ?? "");
    bringBack = keepWorld(world);
    synced = world;
  });

  beforeEach(() => {
    bringBack();
    world = synced;
  });

  const cloneGit = (name: string) => join(clone, ".git", name);
  const lock = () => join(clone, ".recollect", "sync-lock".padEnd(252, "_"));

  /** Every folder is checked, and no command ends with words of the system. Gives what doctor says, and how a sync ends. */
  async function expectOthers(code: number, says: RegExp): Promise<{ doctor: string; sync: CliResult | undefined }> {
    const { verify, doctor } = await expectBoth(code, says);
    expect(verify).toMatch(/^\.serena\/memories: 1 document, \d+ revisions? in history/m);
    let sync: CliResult | undefined;
    for (const args of [["memories", "list"], ["log"], ["topics", "list"], ["sync"], ["search", "one"]]) {
      const ended = await world.cli(args);
      expect(ended.err, args.join(" ")).not.toMatch(/\bE[A-Z]{4,}\b|\n +at /);
      if (args[0] === "sync") sync = ended;
    }
    return { doctor, sync };
  }

  it("HIST-4 a folder in the place of the status of a sync stops nothing, and goes", async () => {
    await world.cli(["purge", "--refuse", "--yes"], "a-value-of-no-meaning\n");
    for (const name of ["recollect-sync.json", "recollect-sync.json.new"]) replaceByFolder(cloneGit(name));
    await expectOthers(0, /agrees|No problems/);
    expect(statSync(cloneGit("recollect-sync.json")).isFile()).toBe(true);
  });

  it("SRCH-3 a file in the place of the folder of search indexes is named, and folders are checked", async () => {
    const search = join(world.home, ".cache/recollect/search");
    rmSync(search, { recursive: true, force: true });
    world.write("home/.cache/recollect/search", "x");
    await expectOthers(6, /A file is in the place of the folder “search” in your cache folder.* Delete it\./);
  });

  it.each([
    ["a folder", replaceByFolder],
    ["junk", (path: string) => writeFileSync(path, "junk")],
  ])("HIST-5 %s in the place of the record of purged values is named, and folders are checked", async (_, put) => {
    put(join(world.home, ".local/share/recollect/purged-values.json"));
    await expectOthers(6, /The record of purged values, “purged-values\.json” in your data folder, is damaged/);
  });

  it("HIST-4 a clone that became a link is named, and nothing is made at the target of the link", async () => {
    const target = join(world.folder, "target");
    mkdirSync(target);
    rmSync(clone, { recursive: true });
    symlinkSync(target, clone);
    await expectOthers(6, /The clone of the external memory, .* is a link/);
    expect(readdirSync(target)).toEqual([]);
  });

  const damages: readonly (readonly [string, (path: string) => void])[] = [
    ["config", (path) => writeFileSync(path, "junk\0[[")],
    ["objects", replaceByFile],
    ["HEAD", replaceByFolder],
    ["refs/heads/main", (path) => writeFileSync(path, "\0".repeat(41))],
    ["config", replaceByFolder],
  ];

  it.each(someCases(damages, 2))(
    "HIST-4 a damaged %s of the clone is no fault of the remote and of no other process",
    async (name, damage) => {
      damage(cloneGit(name));
      const { doctor, sync } = await expectOthers(8, /Git cannot work in the repository|Its clone here is damaged/);
      const err = expect.stringMatching(/Run recollect doctor: it says how to repair this\.\n$/);
      expect(sync).toMatchObject({ code: 6, err });
      expect(sync?.err).not.toMatch(/cannot be reached|Another process/);
      const remedy = /mv '[^']+' '[^']+'/.exec(doctor)?.[0] ?? "";
      execFileSync("sh", ["-c", remedy]);
      expect((await world.cli(["sync"])).code).toBe(0);
      await expectBoth(0, /agrees|No problems/);
    },
  );

  it.each([
    ["a folder", replaceByFolder],
    ["a link", replaceByLink],
  ])("HIST-4 %s in the place of the lock of syncs is found before a sync fails", async (_, put) => {
    put(lock());
    await expectOthers(8, /The lock “\.recollect\/sync-lock” is damaged, or not one of ours/);
  });
});

function replaceByFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  writeFileSync(join(path, "something"), "else");
}

function replaceByLink(path: string): void {
  rmSync(path, { recursive: true, force: true });
  symlinkSync("/nowhere", path);
}

function replaceByFile(path: string): void {
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, "");
}

it("ONE-3 verify and restore --all say so where there is no project, and check nothing in silence", async () => {
  const place = { cwd: world.folder, home: world.home, env: world.env };
  const verified = await cli(["verify"], undefined, place);
  expect([verified.code, verified.err]).toEqual([3, expect.stringContaining("so nothing was checked")]);
  const restored = await cli(["restore", "--all"], undefined, place);
  expect([restored.code, restored.err]).toEqual([3, expect.stringContaining("nothing can be brought back")]);
});
