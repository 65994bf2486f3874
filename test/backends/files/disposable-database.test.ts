import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createDisposableDatabase,
  type DisposableDatabase,
  removeDisposable,
} from "../../../src/backends/files/disposable-database.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const begin = "PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS words (word TEXT)";

function open(file: string): DisposableDatabase {
  const database = createDisposableDatabase({ file, begin });
  onTestFinished(() => database.close());
  return database;
}

function add(database: DisposableDatabase, word: string): unknown {
  return database.use((one) => one.prepare("INSERT INTO words VALUES (?)").run(word).changes);
}

function wordsOf(database: DisposableDatabase): unknown {
  return database.use((one) =>
    one
      .prepare("SELECT word FROM words")
      .all()
      .map(({ word }) => word),
  );
}

describe("a database of what can be made again", () => {
  it("is made with its folder by the first use, and kept", () => {
    const file = join(folders.make(), "a/b/words.sqlite");
    const database = open(file);
    expect(database.isThere()).toBe(false);
    add(database, "one");
    expect([database.isThere(), existsSync(file)]).toEqual([true, true]);
    expect(wordsOf(open(file))).toEqual(["one"]);
  });

  it.each([
    ["is no database", "This is a note, and longer than the header of a database would be, so that all is read."],
    ["is empty", ""],
  ])("begins anew where the file %s", (_, content) => {
    const file = join(folders.make(), "words.sqlite");
    writeFileSync(file, content);
    const database = open(file);
    expect(wordsOf(database)).toEqual([]);
    expect(add(database, "one")).toBe(1);
    expect(wordsOf(database)).toEqual(["one"]);
  });

  it("begins anew where its pages are overwritten, and where its table is another one", () => {
    const file = join(folders.make(), "words.sqlite");
    const first = open(file);
    add(first, "one");
    first.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0x55, 100));
    expect(wordsOf(open(file))).toEqual([]);
    removeDisposable(file);
    const other = createDisposableDatabase({ file, begin: "CREATE TABLE words (other TEXT)" });
    other.use(() => {});
    other.close();
    expect(wordsOf(open(file))).toEqual([]);
  });

  it("answers nothing where it cannot be made, and where what is asked for fails otherwise", () => {
    const folder = folders.make();
    mkdirSync(join(folder, "words.sqlite"));
    expect(wordsOf(open(join(folder, "words.sqlite")))).toBeUndefined();
    const database = open(join(folder, "others.sqlite"));
    add(database, "one");
    const fail = () => {
      throw new TypeError("no");
    };
    expect(database.use(fail)).toBeUndefined();
    expect(wordsOf(database)).toEqual(["one"]);
  });

  it("goes on after it was closed", () => {
    const database = open(join(folders.make(), "words.sqlite"));
    add(database, "one");
    database.close();
    database.close();
    expect(wordsOf(database)).toEqual(["one"]);
  });
});
