import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { made } from "../../src/guard/rules/made.ts";
import { keepWorld, type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { someCases } from "../helpers/some-cases.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;
let bringBack: () => void;

beforeAll(async () => {
  world = memoryWorld(join(folders.make(), "world"));
  world.write("work/app/recollect.yaml", "memories:\n  additional_folders: [feature]\n");
  mkdirSync(join(world.project, "feature"));
  for (const text of ["one\n", "two\n"]) {
    await world.cli(["memories", "write", "note"], text);
    await world.cli(["memories", "write", "FEATURE_login"], text);
  }
  expect((await world.cli(["log"])).code).toBe(0);
  bringBack = keepWorld(world);
});

beforeEach(() => bringBack());

const auxiliary = (...names: string[]) => join(world.project, ".serena/memories/.recollect", ...names);

/** Verify and doctor must say so, each without words of the system, and go on to the other folders. Gives what doctor says. */
async function expectFound(code: number, says: RegExp): Promise<string> {
  const verified = await world.cli(["verify"]);
  expect([verified.code, verified.err]).toEqual([code, ""]);
  expect(verified.out).toMatch(says);
  expect(verified.out).toMatch(/^feature: 1 document, \d revisions? in history/m);
  const doctor = await world.cli(["doctor"]);
  expect([doctor.code, doctor.err]).toEqual([code, ""]);
  expect(doctor.out).toMatch(says);
  expect(doctor.out).not.toContain("No problems found");
  for (const { out } of [verified, doctor]) expect(out).not.toMatch(/\/proc\/|\bE[A-Z]{4,}\b|\n +at /);
  return doctor.out;
}

/** A lock's name is filled up, so that no journal of a database fits beside it. */
const lockName = (name: string) => (name.endsWith("lock") ? name.padEnd(252, "_") : name);

function replaceByFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  writeFileSync(join(path, "something"), "else");
}

describe("HIST-4b CLI-2 one damaged file", () => {
  it.each(["lock", "history-lock"])(
    "KER-5 HIST-3 a damaged %s repairs itself, and everything is recorded",
    async (name) => {
      for (const content of ["", "SQLite", "x".repeat(512)]) {
        writeFileSync(auxiliary(lockName(name)), content);
        const written = await world.cli(["memories", "write", "note"], `after ${content.length}\n`);
        expect(written).toMatchObject({ code: 0, err: "" });
      }
      expect((await world.cli(["verify"])).code).toBe(0);
      expect((await world.cli(["doctor"])).code).toBe(0);
      expect(JSON.parse((await world.cli(["log", "note", "--json"])).out).operations).toHaveLength(5);
    },
  );

  it.each([
    ["journal", /\.serena\/memories: The journal of the folder itself cannot be read/],
    ["lock", /\.serena\/memories: .*lock/],
    ["history-lock", /\.serena\/memories: The lock “\.recollect\/history-lock” is damaged/],
    ["history/config", /\.serena\/memories: .*“\.recollect\/history\/config” was not made by Recollect\. Move it away/],
    ["history/HEAD", /\.serena\/memories: .*“\.recollect\/history\/HEAD” was not made by Recollect\. Move it away/],
    ["history/refs/heads/history", /\.serena\/memories: .*branch “refs\/heads\/history” is not as it was written/],
    ["history-tip", /\.serena\/memories: .*“\.recollect\/history-tip”/],
  ])(
    "KER-9 HIST-4b a folder in the place of %s is named with its folder, and hides nothing else",
    async (name, says) => {
      replaceByFolder(auxiliary(lockName(name)));
      await expectFound(8, says);
      const written = await world.cli(["memories", "write", "note"], "again\n");
      expect(written.err).not.toMatch(/\/proc\/|\bE[A-Z]{4,}\b/);
    },
  );

  const puts = [
    { what: "a file", put: (path: string) => writeFileSync(path, "") },
    { what: "a link", put: (path: string) => symlinkSync("/nowhere", path) },
    { what: "nothing", put: () => {} },
  ];
  // Each folder begins with another of them, and a third of the rows has each folder and each of them.
  const replaced = ["objects", "objects/pack", "refs/heads"].flatMap((name, turn) =>
    [...puts.slice(turn), ...puts.slice(0, turn)].map((put) => ({ name, ...put })),
  );

  it.each(someCases(replaced, 3))(
    "KER-9 HIST-4b $what in the place of history/$name is damage, and no stack trace",
    async ({ name, put }) => {
      const path = auxiliary("history", name);
      rmSync(path, { recursive: true, force: true });
      put(path);
      await expectFound(8, /\.serena\/memories: .*[Hh]istory/);
    },
  );

  it("HIST-4b a journal that was emptied is found by doctor as well, and the exit codes agree", async () => {
    writeFileSync(auxiliary("journal"), "");
    await expectFound(8, /\.serena\/memories: The journal of the folder itself/);
  });

  it("HIST-4b a note that was edited by hand is no problem for doctor, and not passed over", async () => {
    world.write("work/app/.serena/memories/note.md", "by hand\n");
    const said = await expectFound(7, /\.serena\/memories: “note\.md” is not what was last recorded/);
    expect(said).toMatch(/No problems, but changes outside: see above\.\n$/);
  });

  it("HIST-4b damage is found by doctor also behind many notes that were edited by hand", async () => {
    for (let index = 0; index < 12; index += 1)
      world.write(`work/app/.serena/memories/by-hand-${index}.md`, "by hand\n");
    rmSync(auxiliary("journal"));
    await expectFound(8, /\.serena\/memories: The journal of the folder itself is missing/);
  });

  it("SRCH-3 KER-9 a folder in the place of a search index's pointer is found, and reindex repairs it", async () => {
    await world.cli(["search", "two"]);
    const search = join(world.home, ".cache/recollect/search");
    const pointers = existsSync(search) ? readdirSync(search).filter((name) => !name.includes(".")) : [];
    expect(pointers.length).toBeGreaterThan(1);
    for (const name of pointers) replaceByFolder(join(search, name));
    await expectFound(6, /The search index of “\.serena\/memories” is damaged/);
    expect(await world.cli(["reindex"])).toMatchObject({ code: 0, err: "" });
    expect((await world.cli(["verify"])).code).toBe(0);
  });
});

it("KER-9 export into a folder whose name is too long is refused in words", async () => {
  const { code, err } = await world.cli(["export", "x".repeat(100_000)]);
  expect([code, err]).toEqual([2, "recollect: Could not export: a name is too long for this disk.\n"]);
});

it("GUARD-1 a list of topics leaves out names that are tokens", async () => {
  const token = ["gh", "p_", made(36)].join("");
  world.write(`work/app/memory/build/${token}.md`, "## 2026-01-01: One\n**Problem:** p\n---\n");
  for (const more of [[], ["--json"]]) {
    const { code, out } = await world.cli(["topics", "list", ...more]);
    expect([code, out]).toEqual([0, expect.stringContaining("(name left out)")]);
    expect(out).not.toContain(token.slice(4));
  }
});

describe("HIST-4b two lines of a journal that follow the same one", () => {
  it("HIST-4b are a fork with all revisions present, and no damage", async () => {
    const journal = auxiliary("journal");
    const before = readFileSync(journal, "utf8");
    await world.cli(["memories", "write", "first"], "first\n");
    const first = readFileSync(journal, "utf8").slice(before.length);
    writeFileSync(journal, before);
    await world.cli(["memories", "write", "second"], "second\n");
    // As two processes leave it that both held a lock, since one was deleted.
    writeFileSync(journal, readFileSync(journal, "utf8") + first);
    const { code, out } = await world.cli(["verify"]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/note: .* forks .*Nothing is lost: every revision is present/),
    ]);
    await world.cli(["memories", "write", "first"], "third\n");
    expect((await world.cli(["verify"])).code).toBe(0);
    expect((await world.cli(["doctor"])).code).toBe(0);
  });
});
