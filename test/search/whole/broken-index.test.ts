import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SearchPage } from "../../../src/search/search.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { complete, databasesIn, indexFiles, type SearchWorld, searchWorld } from "./search-world.ts";

const folders = temporaryFolders();
const canMount = process.platform === "linux" && process.getuid?.() === 0 && mounts();

function mounts(): boolean {
  try {
    const folder = folders.make();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const settings = "search: { recency_weight: 0 }\n";
const words = ["deploy", "kafka", "invoice", "retry", "login", "cache", "queue", "token", "billing", "pipeline"];

function worldWithNotes(count = 30): SearchWorld {
  const world = searchWorld(folders.make(), settings);
  for (let number = 0; number < count; number += 1) {
    const [one, two] = [words[number % words.length], words[(number * 7 + 3) % words.length]];
    world.note(
      `f${number % 3}/n${number}.md`,
      `# About ${one} ${number}\n\nThe ${one} needs the ${two} first.\n\n## More\n\nSee ${two}.\n`,
    );
  }
  return world;
}

const question = { query: "how does the kafka queue retry", limit: 50, explain: true };
const withoutWarnings = ({ hits, total }: SearchPage) => ({ hits, total });

/** As from an index that never was in trouble. */
async function truth(world: SearchWorld): Promise<Pick<SearchPage, "hits" | "total">> {
  const home = folders.make();
  return withoutWarnings(await world.ask(question, { home }));
}

function expectHelpful(page: SearchPage, world: SearchWorld, reason: RegExp): void {
  const text = page.warnings.join("\n");
  expect(text).toMatch(reason);
  expect(text).toMatch(/\b(make|free|close|remove|install|reinstall|raise|run)\b/i);
  for (const place of [world.home, world.project, "/tmp/", "sqlite", process.cwd()]) expect(text).not.toContain(place);
}

/** Repeatable, so that a failure can be looked at. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 2654435761;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % Math.max(1, below);
  };
}

/** Each of them is handed over. */
function each(files: readonly string[], work: (file: string) => void): void {
  for (const file of files) work(file);
}

const damages: Readonly<Record<string, (world: SearchWorld, random: (below: number) => number) => void>> = {
  "the folder of indexes deleted": ({ cache }) => rmSync(cache, { recursive: true }),
  "the databases deleted": (world) => each(databasesIn(world), (file) => rmSync(file)),
  "the files beside the databases deleted": (world) =>
    each(
      indexFiles(world).filter((file) => !file.endsWith(".sqlite")),
      (file) => rmSync(file),
    ),
  "the databases empty": (world) => each(databasesIn(world), (file) => truncateSync(file, 0)),
  "a text file in place of the databases": (world) =>
    each(databasesIn(world), (file) => writeFileSync(file, "Dear diary, this is no database.\n".repeat(500))),
  "another program's database in their place": (world) => {
    for (const file of databasesIn(world)) {
      for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
      const other = new DatabaseSync(file);
      other.exec("CREATE TABLE documents(a, b); INSERT INTO documents VALUES (1, 2)");
      other.close();
    }
  },
  "a text file in place of what names them": (world) =>
    each(
      indexFiles(world).filter((file) => !/\.sqlite(-wal|-shm)?$/.test(file)),
      (file) => writeFileSync(file, "what?\n"),
    ),
  "tables missing": (world) => {
    for (const file of databasesIn(world)) {
      const database = new DatabaseSync(file);
      database.exec("DROP TABLE tail");
      database.close();
    }
  },
  "rows missing": (world) => {
    for (const file of databasesIn(world)) {
      const database = new DatabaseSync(file);
      database.exec("DELETE FROM tail WHERE number % 3 = 1");
      database.close();
    }
  },
};

describe("a broken index", () => {
  it.each(Object.keys(damages))("SRCH-3 %s: the answer is right, at once and afterwards", async (name) => {
    const world = worldWithNotes();
    const right = await truth(world);
    expect(right.hits.length).toBeGreaterThan(5);
    await world.ask(question);
    damages[name]?.(world, randomFrom(1));
    for (const _ of [1, 2]) {
      const page = await world.ask(question);
      expect(withoutWarnings(page)).toEqual(right);
      expect(page.warnings).toEqual([]);
    }
  });

  it.each(Object.keys(damages))("SRCH-3 %s under a process that stays: the answer is right", async (name) => {
    const world = worldWithNotes();
    const search = await (await world.open({ stays: true })).search;
    await complete(search, question);
    damages[name]?.(world, randomFrom(2));
    world.note("f1/late.md", "# Late\n\nThe kafka queue has a retry of its own.\n");
    const right = await truth(world);
    for (const _ of [1, 2]) expect(withoutWarnings(await complete(search, question))).toEqual(right);
  });

  it("SRCH-3 cut off anywhere, or with any bit flipped: the answer is right", async () => {
    const world = worldWithNotes();
    const right = await truth(world);
    for (let seed = 1; seed <= 24; seed += 1) {
      const random = randomFrom(seed);
      await world.ask(question);
      for (const file of indexFiles(world).filter((one) => !one.endsWith("-shm"))) {
        const size = statSync(file).size;
        if (seed % 4 === 0) truncateSync(file, random(size));
        else flipBits(file, size, random);
      }
      const page = await world.ask(question);
      expect(withoutWarnings(page), `seed ${seed}`).toEqual(right);
    }
  });
});

function flipBits(file: string, size: number, random: (below: number) => number): void {
  if (size === 0) return;
  const bytes = readFileSync(file);
  const descriptor = openSync(file, "r+");
  for (let count = 0; count < 3; count += 1) {
    const at = random(size);
    writeSync(descriptor, Buffer.of((bytes[at] ?? 0) ^ (1 << random(8))), 0, 1, at);
  }
  closeSync(descriptor);
}

describe("an index that cannot be used", () => {
  it("SRCH-3 locked by another program: the answer is right, with a warning that ends with the lock", async () => {
    const world = worldWithNotes();
    const right = await truth(world);
    await world.ask(question);
    const locks = databasesIn(world).map((file) => {
      const database = new DatabaseSync(file);
      database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE meta SET value = value");
      return database;
    });
    world.note("f1/late.md", "# Late\n\nNothing of what is asked for.\n");
    const page = await world.ask(question);
    expect(page.hits.map(({ path }) => path)).toEqual((await truth(world)).hits.map(({ path }) => path));
    expectHelpful(page, world, /locked/);
    for (const lock of locks) lock.close();
    expect((await world.ask(question)).warnings).toEqual([]);
    world.remove(".serena/memories/f1/late.md");
    expect(withoutWarnings(await world.ask(question))).toEqual(right);
  });

  it("SRCH-3 a file where the folder of caches should be: the same", async () => {
    const world = worldWithNotes();
    const right = await truth(world);
    const place = dirname(world.cache);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, "not a folder");
    const page = await world.ask(question);
    expect(withoutWarnings(page)).toEqual(right);
    expectHelpful(page, world, /folder cannot be used/);
    const workspace = await world.open();
    expect(await workspace.search.reindex()).toMatchObject({ documents: 30 });
    expect(readFileSync(place, "utf8")).toBe("not a folder");
    rmSync(place);
    expect((await world.ask(question)).warnings).toEqual([]);
  });

  it.runIf(canMount)("SRCH-3 a folder of caches that is read-only: the same", async () => {
    const world = worldWithNotes();
    const right = await truth(world);
    const mount = mountCache(world, "4m");
    await world.ask(question);
    mount.remount("ro");
    world.note("f1/late.md", "# Late\n\nNothing of what is asked for.\n");
    const page = await world.ask(question);
    expect(page.hits.map(({ path }) => path)).toEqual((await truth(world)).hits.map(({ path }) => path));
    expectHelpful(page, world, /cannot be (written|used)/);
    const workspace = await world.open();
    expect(await workspace.search.reindex()).toMatchObject({ documents: 31 });
    mount.remount("rw");
    world.remove(".serena/memories/f1/late.md");
    const after = await world.ask(question);
    expect(withoutWarnings(after)).toEqual(right);
    expect(after.warnings).toEqual([]);
  });

  it.runIf(canMount).each(["16k", "100k", "200k"])("SRCH-3 a disk of %s that is full: the same", async (size) => {
    const world = worldWithNotes(120);
    const right = await truth(world);
    const mount = mountCache(world, size);
    const page = await world.ask(question);
    expect(withoutWarnings(page)).toEqual(right);
    expectHelpful(page, world, /the disk is full|failed/);
    const staying = await (await world.open({ stays: true })).search;
    expect(withoutWarnings(await complete(staying, question))).toEqual(right);
    mount.remount("size=8m");
    const after = await world.ask(question);
    expect(withoutWarnings(after)).toEqual(right);
    expect(after.warnings).toEqual([]);
  });
});

function mountCache({ cache }: SearchWorld, size: string) {
  const place = dirname(cache);
  mkdirSync(place, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", place]);
  onTestFinished(() => {
    if (existsSync(place)) execFileSync("umount", ["-l", place]);
  });
  return { remount: (option: string) => void execFileSync("mount", ["-o", `remount,${option}`, place]) };
}
