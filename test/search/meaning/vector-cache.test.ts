import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Embedder, type Unavailable, unavailable } from "../../../src/search/meaning/embedder.ts";
import { createModelRows } from "../../../src/search/meaning/model-rows.ts";
import { quantise, quantiseAll } from "../../../src/search/meaning/quantise.ts";
import { openVectorCache, type VectorCache } from "../../../src/search/meaning/vector-cache.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";

const folders = temporaryFolders();

function open(file = join(folders.make(), "cache", "vectors.sqlite"), mostRows?: number): VectorCache {
  const cache = openVectorCache({ file, ...(mostRows === undefined ? {} : { mostRows }) });
  onTestFinished(() => cache.close());
  return cache;
}

const vectorOf = (text: string) => Float32Array.of(text.length, 1, -2, 0.5);
const cachedOf = (text: string) => ({ text, quantised: quantise(vectorOf(text)) });

/** A model that counts what it is asked for, and fails when told to. */
function countingModel(name = "counting"): Embedder & { asked: string[]; fails: boolean } {
  const model = {
    name,
    dims: undefined,
    asked: [] as string[],
    fails: false,
    embedQuery: async (text: string) => vectorOf(text),
    embedTexts: async (texts: readonly string[]): Promise<readonly Float32Array[] | Unavailable> => {
      if (model.fails) return unavailable("The model fails.");
      model.asked.push(...texts);
      return texts.map(vectorOf);
    },
    close: async () => {},
  };
  return model;
}

describe("the cache of vectors", () => {
  it("SRCH-2 keeps rows by model and text, over processes", () => {
    const file = join(folders.make(), "vectors.sqlite");
    const first = openVectorCache({ file });
    first.put("one", [cachedOf("a"), cachedOf("bb")]);
    first.close();
    const again = open(file);
    expect(again.get("one", ["bb", "ccc", "a"])).toEqual([
      quantise(vectorOf("bb")),
      undefined,
      quantise(vectorOf("a")),
    ]);
    expect(again.get("other", ["a"])).toEqual([undefined]);
  });

  it("GUARD-3 holds no text, only its hash", () => {
    const file = join(folders.make(), "vectors.sqlite");
    const cache = openVectorCache({ file });
    cache.put("one", [cachedOf("a most private sentence")]);
    cache.close();
    expect(readFileSync(file).includes("private")).toBe(false);
  });

  it("SRCH-2 forgets the oldest", () => {
    const cache = open(undefined, 10);
    for (let at = 1; at <= 25; at++) cache.put("one", [cachedOf("x".repeat(at))]);
    const kept = cache.get(
      "one",
      Array.from({ length: 25 }, (_, at) => "x".repeat(at + 1)),
    );
    expect(kept.map((row) => row !== undefined)).toEqual([...new Array(15).fill(false), ...new Array(10).fill(true)]);
  });

  const broken: readonly (readonly [string, (file: string) => void])[] = [
    ["is no database", (file) => writeFileSync(file, "garbage ".repeat(1000))],
    [
      "has other tables",
      (file) => new DatabaseSync(file).exec("CREATE TABLE vectors (x); INSERT INTO vectors VALUES (1)"),
    ],
    ["is empty", (file) => writeFileSync(file, "")],
  ];

  it.each(broken)("SRCH-2 begins anew where the file %s", (_, damage) => {
    const file = join(folders.make(), "vectors.sqlite");
    damage(file);
    const cache = open(file);
    expect(cache.get("one", ["a"])).toEqual([undefined]);
    cache.put("one", [cachedOf("a")]);
    expect(cache.get("one", ["a"])).toEqual([quantise(vectorOf("a"))]);
  });

  it("SRCH-2 is done without where it is locked, or cannot be made", () => {
    const file = join(folders.make(), "vectors.sqlite");
    const cache = open(file);
    cache.put("one", [cachedOf("a")]);
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    other.exec("BEGIN IMMEDIATE");
    cache.put("one", [cachedOf("b")]);
    expect(cache.get("one", ["a", "b"])).toEqual([quantise(vectorOf("a")), undefined]);
    other.exec("ROLLBACK");
    cache.put("one", [cachedOf("b")]);
    expect(cache.get("one", ["b"])).toEqual([quantise(vectorOf("b"))]);

    const folder = join(folders.make(), "file");
    writeFileSync(folder, "a file where a folder should be");
    const unmade = open(join(folder, "below", "vectors.sqlite"));
    unmade.put("one", [cachedOf("a")]);
    expect(unmade.get("one", ["a"])).toEqual([undefined]);
    const readOnly = folders.make();
    mkdirSync(join(readOnly, "cache"));
    chmodSync(join(readOnly, "cache"), 0o500);
    expect(() => open(join(readOnly, "cache", "vectors.sqlite")).put("one", [cachedOf("a")])).not.toThrow();
  });
});

describe("a model's rows", () => {
  it("SRCH-2 asks the model once for each text, whatever the order, and for blank ones never", async () => {
    const cache = open();
    const embedder = countingModel();
    const rows = createModelRows({ embedder, cache });
    const texts = ["a", "", "bb", "a", " \n"];
    const expected = quantiseAll(
      ["a", "", "bb", "a", ""].map((text) => (text === "" ? new Float32Array(4) : vectorOf(text))),
      4,
    );
    expect(await rows.rowsOf(texts)).toEqual(expected);
    expect(embedder.asked).toEqual(["a", "bb"]);
    expect(await rows.rowsOf(texts)).toEqual(expected);
    expect(await rows.rowsOf(["ccc", "bb"])).toEqual(quantiseAll([vectorOf("ccc"), vectorOf("bb")], 4));
    expect(embedder.asked).toEqual(["a", "bb", "ccc"]);
  });

  it("SRCH-2 keeps what was computed before a failure", async () => {
    const embedder = countingModel();
    const rows = createModelRows({ embedder, cache: open(), batchSize: 2 });
    await rows.rowsOf(["a", "bb"]);
    embedder.fails = true;
    expect(await rows.rowsOf(["a", "bb", "ccc"])).toEqual(unavailable("The model fails."));
    expect(await rows.rowsOf(["a", "bb"])).toEqual(quantiseAll([vectorOf("a"), vectorOf("bb")], 4));
    embedder.fails = false;
    await rows.rowsOf(["a", "bb", "ccc"]);
    expect(embedder.asked).toEqual(["a", "bb", "ccc"]);
  });

  it("SRCH-2 does not mix vectors of other dimensions that lie under the same name", async () => {
    const cache = open();
    cache.put("counting", [{ text: "a", quantised: quantise(Float32Array.of(1, 2)) }]);
    const rows = createModelRows({ embedder: countingModel(), cache });
    for (const texts of [["a", "bb"], ["a"]]) {
      expect(await rows.rowsOf(texts)).toEqual(quantiseAll(texts.map(vectorOf), 4));
    }
  });
});
