import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { IndexFailure, isDamage, refusalOf } from "../../../src/search/index/index-failure.ts";
import { openIndexFile, openMemoryIndex } from "../../../src/search/index/open-index.ts";
import type { SearchIndex } from "../../../src/search/index/search-index.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { documentOf, engineOf, openFile } from "./index-fixture.ts";

const folders = temporaryFolders();

const notes = Array.from({ length: 60 }, (_, number) => documentOf(`n${number}.md`, [`kafka lag note${number}`]));

function indexedFile(): { file: string; index: SearchIndex; database: string } {
  const file = join(folders.make(), "cache", "index");
  const index = openFile(file, { mostInTail: 8 });
  index.apply({ put: notes, remove: [] });
  return { file, index, database: databaseOf(file) };
}

/** The one database beside the file. */
function databaseOf(file: string): string {
  const folder = join(file, "..");
  const found = readdirSync(folder).filter((name) => name.endsWith(".sqlite"));
  expect(found).toHaveLength(1);
  return join(folder, found[0] as string);
}

function find(index: SearchIndex, term: string): number {
  return engineOf(index).match({ terms: [{ term, weight: 1, word: term }] }, 5).total;
}

function failureOf(work: () => unknown): IndexFailure {
  try {
    work();
  } catch (error) {
    if (error instanceof IndexFailure) return error;
    throw error;
  }
  throw new Error("It did not fail.");
}

describe("the file of an index", () => {
  test("is made with its folder, for its owner alone", () => {
    const { file, database } = indexedFile();
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(database).mode & 0o777).toBe(0o600);
  });

  test("SRCH-3 keeps what was indexed for the next process", () => {
    const { file, index } = indexedFile();
    index.close();
    const next = openFile(file);
    expect(find(next, "kafka")).toBe(60);
    expect(next.stampOf("n7.md")).toBe(1);
    next.close();
  });

  test("SRCH-3 of another version is begun anew, and the old database is gone", () => {
    const { file, index, database } = indexedFile();
    index.close();
    const next = openFile(file, { version: "later" });
    expect(next.counts().documents).toBe(0);
    expect(existsSync(database)).toBe(false);
    next.apply({ put: notes.slice(0, 2), remove: [] });
    next.close();
    const again = openFile(file, { version: "later" });
    expect(again.counts().documents).toBe(2);
    again.close();
  });

  const damages: readonly [string, (database: string, file: string) => void][] = [
    ["is gone", (database) => rmSync(database)],
    ["is empty", (database) => truncateSync(database, 0)],
    ["is half there", (database) => truncateSync(database, 9000)],
    [
      "holds something else",
      (database) => writeFileSync(database, "not a database, but long enough to be one".repeat(500)),
    ],
    ["is the database of another program", (database) => foreignDatabase(database)],
    ["has lost its tables", (database) => execute(database, "DROP TABLE meta")],
    ["is named by nothing", (_, file) => writeFileSync(file, "no name")],
    ["is named by a file that is gone", (_, file) => rmSync(file)],
  ];
  test.each(damages)("SRCH-3 whose database %s is begun anew", (_, damage) => {
    const { file, index, database } = indexedFile();
    index.close();
    damage(database, file);
    const next = openFile(file);
    expect(next.counts().documents).toBe(0);
    next.apply({ put: notes, remove: [] });
    expect(find(next, "kafka")).toBe(60);
    next.close();
    const again = openFile(file);
    expect(again.counts().documents).toBe(60);
    again.close();
  });

  test("SRCH-3 that breaks while it is open says so once to each process, and goes on empty", () => {
    const { file, index, database } = indexedFile();
    const other = openFile(file);
    expect(find(other, "kafka")).toBe(60);
    execute(database, "UPDATE pieces SET bytes = zeroblob(length(bytes)); PRAGMA wal_checkpoint(TRUNCATE)");
    expect(failureOf(() => find(index, "lag")).kind).toBe("lost");
    expect(find(index, "kafka")).toBe(0);
    index.apply({ put: notes.slice(0, 5), remove: [] });
    expect(failureOf(() => find(other, "kafka")).kind).toBe("lost");
    expect(find(other, "kafka")).toBe(5);
    index.close();
    other.close();
    expect(existsSync(database)).toBe(false);
    const next = openFile(file);
    expect(next.counts().documents).toBe(5);
    next.close();
  });

  test("SRCH-3 whose pages are overwritten while it is open is begun anew by whoever reads them", () => {
    const { file, index, database } = indexedFile();
    execute(database, "PRAGMA wal_checkpoint(TRUNCATE)");
    const size = statSync(database).size;
    const reader = openFile(file);
    // All but the first page, which is read to open it.
    const damaged = Buffer.concat([readFileSync(database).subarray(0, 4096), Buffer.alloc(size - 4096, 0x5a)]);
    writeFileSync(database, damaged);
    expect(failureOf(() => reader.dump()).kind).toBe("lost");
    expect(failureOf(() => index.dump()).kind).toBe("lost");
    index.apply({ put: notes, remove: [] });
    expect(find(reader, "kafka")).toBe(60);
    index.close();
    reader.close();
  });

  test("that was deleted by hand is noticed by those who have it open", () => {
    const { file, index } = indexedFile();
    rmSync(join(file, ".."), { recursive: true });
    expect(failureOf(() => index.counts()).kind).toBe("lost");
    expect(index.counts().documents).toBe(0);
    index.close();
    expect(readFileSync(file, "utf8")).toMatch(/^recollect search index [0-9a-f]{16}\n$/);
  });

  test("leaves nothing behind but one database after many beginnings", () => {
    const { file, index } = indexedFile();
    index.close();
    for (const version of ["1", "2", "3", "4"]) openFile(file, { version }).close();
    expect(readdirSync(join(file, "..")).filter((name) => !/-(wal|shm)$/.test(name))).toHaveLength(2);
  });

  test("that another program keeps locked is unavailable, open or not", () => {
    const { file, index, database } = indexedFile();
    index.close();
    const locker = new DatabaseSync(database);
    locker.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; UPDATE meta SET value = value; COMMIT");
    expect(openIndexFile({ file, version: "test", busyMilliseconds: 20 })).toEqual({
      kind: "unavailable",
      reason: expect.stringContaining("another program keeps it locked"),
    });
    locker.close();
    const open = openFile(file, { busyMilliseconds: 20 });
    const writer = new DatabaseSync(database);
    writer.exec("BEGIN IMMEDIATE");
    expect(failureOf(() => open.apply({ put: notes.slice(0, 1), remove: [] })).kind).toBe("busy");
    expect(find(open, "kafka")).toBe(60);
    writer.exec("ROLLBACK");
    writer.close();
    open.apply({ put: [], remove: ["n1.md"] });
    expect(find(open, "kafka")).toBe(59);
    open.close();
  });

  test("that has no place to be is unavailable, and one in memory does the same", () => {
    const blocked = join(folders.make(), "file");
    writeFileSync(blocked, "");
    const opened = openIndexFile({ file: join(blocked, "cache", "index"), version: "test" });
    expect(opened).toEqual({
      kind: "unavailable",
      reason: expect.stringContaining("its folder cannot be used"),
    });
    expect(openIndexFile({ file: "/proc/recollect/index", version: "test" }).kind).toBe("unavailable");
    const memory = openMemoryIndex();
    memory.apply({ put: notes, remove: [] });
    expect(find(memory, "kafka")).toBe(60);
    memory.close();
  });

  test("that finds no more room keeps what it has and says so, and one that never had room is unavailable", () => {
    const script = join(import.meta.dirname, "small-disk-writer.ts");
    const run = (blocks: number) => {
      const command = `ulimit -f ${blocks}; exec "$0" "$@"`;
      const file = join(folders.make(), "index");
      return JSON.parse(execFileSync("/bin/sh", ["-c", command, process.execPath, script, file], { encoding: "utf8" }));
    };
    expect(run(900)).toEqual({ opened: "open", failure: "unavailable", isWhole: true, hasSome: true });
    expect(run(4)).toMatchObject({ opened: "unavailable", hasSome: false });
  });

  test("tells a full disk and a read-only one from damage", () => {
    const error = (errcode: number) => Object.assign(new Error("SQLite"), { errcode });
    expect([13, 8, 10, 14].map((code) => refusalOf(error(code))?.split(";")[0])).toEqual([
      "the disk is full",
      "it cannot be written to",
      "reading or writing it failed",
      "it cannot be opened",
    ]);
    expect([11, 26, 267].map((code) => isDamage(error(code)))).toEqual([true, true, true]);
    expect([13, 5, 1].map((code) => isDamage(error(code)))).toEqual([false, false, false]);
    expect(refusalOf(Object.assign(new Error("no room"), { code: "ENOSPC", syscall: "open" }))).toContain(
      "the disk is full",
    );
    expect(refusalOf(error(21))).toBe("SQLite refused it (21)");
    expect(refusalOf(new TypeError("a mistake of ours"))).toBeUndefined();
  });

  test("SRCH-3 says whose failure it is, to whoever reads several", () => {
    const [one, other] = [indexedFile(), indexedFile()];
    rmSync(one.file);
    const failure = failureOf(() => one.index.beginReading());
    expect([one, other].map(({ index }) => index.isOf(failure))).toEqual([true, false]);
    expect(other.index.isOf(new IndexFailure("lost", "nobody knows whose"))).toBe(true);
  });
});

function execute(database: string, sql: string): void {
  const connection = new DatabaseSync(database);
  connection.exec(sql);
  connection.close();
}

function foreignDatabase(database: string): void {
  rmSync(database);
  execute(database, "CREATE TABLE meta(key, value); INSERT INTO meta VALUES ('version', 'test')");
}
