import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { staticTableFolder } from "../../../src/search/meaning/package-folder.ts";
import { createStaticEmbedder } from "../../../src/search/meaning/static-embedder.ts";
import { loadStaticTable, type StaticTable } from "../../../src/search/meaning/static-table.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";

const shipped = fileURLToPath(new URL("../../../models/static", import.meta.url));
const folders = temporaryFolders();

interface Reference {
  readonly text: string;
  readonly tokens: readonly number[];
  /** Rounded to six decimal places. */
  readonly vector: readonly number[];
}

const references = JSON.parse(
  readFileSync(new URL("./static-reference.json", import.meta.url), "utf8"),
) as readonly Reference[];

function load(folder = shipped): StaticTable {
  const table = loadStaticTable({ folder });
  if (table.kind === "unavailable") throw new Error(table.reason);
  return table;
}

function copyOfTable(): string {
  const folder = join(folders.make(), "static");
  mkdirSync(folder);
  for (const file of ["static-128.i8.bin", "vocab.txt"]) copyFileSync(join(shipped, file), join(folder, file));
  return folder;
}

/** The documented order of rounding, written down once more: rows added one by one in 32 bits, then divided. */
function embedByDefinition(tokens: readonly number[]): Float32Array {
  const file = readFileSync(join(shipped, "static-128.i8.bin"));
  const [rows, dims] = [file.readUInt32LE(0), file.readUInt32LE(4)];
  const sum = new Float32Array(dims);
  for (const token of tokens) {
    const scale = float16(file.readUInt16LE(8 + 2 * token));
    for (let at = 0; at < dims; at++) {
      const value = Math.fround(scale * file.readInt8(8 + 2 * rows + token * dims + at));
      sum[at] = Math.fround((sum[at] as number) + value);
    }
  }
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0)) || 1;
  return sum.map((value) => value / length);
}

function float16(bits: number): number {
  const [sign, exponent, fraction] = [bits >> 15, (bits >> 10) & 31, bits & 1023];
  const size = exponent === 0 ? (fraction / 1024) * 2 ** -14 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return sign === 1 ? -size : size;
}

const dot = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, value, at) => sum + value * (right[at] as number), 0);
const lengthOf = (vector: Float32Array) => Math.sqrt(dot(vector, vector));

describe("the static table", () => {
  const table = load();

  it.each(references)("SRCH-2 gives the reference's tokens and vector of $text", ({ text, tokens, vector }) => {
    expect(table.tokens(text)).toEqual(tokens);
    expect(Array.from(table.embed(text), (value) => Math.round(value * 1e6))).toEqual(
      vector.map((value) => Math.round(value * 1e6)),
    );
  });

  it.each(references)("SRCH-2 rounds as documented, bit for bit, for $text", ({ text, tokens }) => {
    expect(table.embed(text)).toEqual(embedByDefinition(tokens));
  });

  it("SRCH-2 answers the same again from what it remembers, and after it forgot", () => {
    const before = table.embed("getUserName in src/stores/files.ts");
    for (let word = 0; word < 140_000; word++) table.tokens(`filler${word}`);
    expect(table.embed("getUserName in src/stores/files.ts")).toEqual(before);
  });

  it("SRCH-2 puts texts of near meaning nearer than others, without a common word", () => {
    const question = table.embed("How do I roll back a failed deployment?");
    const near = dot(question, table.embed("revert the release to the former version"));
    const far = dot(question, table.embed("the cat sleeps on a warm sofa"));
    expect(near).toBeGreaterThan(far + 0.1);
  });

  it("SRCH-2 gives vectors of length 1, and zeros for a text without words", () => {
    expect(lengthOf(table.embed("one two three"))).toBeCloseTo(1, 6);
    expect(lengthOf(table.embed(" \n\t"))).toBe(0);
  });

  it("SRCH-2 takes a unit's vector half from itself and half from its neighbourhood", () => {
    const texts = ["We met at the harbour.", "Yes!", "It rained all day."];
    const [, middle] = table.unitVectors(texts) as [Float32Array, Float32Array, Float32Array];
    const own = table.embed("Yes!");
    // A vector of the three texts as one is the sum of all their tokens' rows, up to rounding.
    const window = table.embed(texts.join(" "));
    for (let at = 0; at < 128; at++) {
      expect(middle[at]).toBeCloseTo(((own[at] as number) + (window[at] as number)) / 2, 5);
    }
  });

  it("SRCH-2 gives a unit without neighbours its own vector, and copes with empty ones", () => {
    const [alone] = table.unitVectors(["the build cache is stale"]) as [Float32Array];
    const own = table.embed("the build cache is stale");
    for (let at = 0; at < 128; at++) expect(alone[at]).toBeCloseTo(own[at] as number, 6);
    const [empty, full] = table.unitVectors(["", "the build cache is stale"]) as [Float32Array, Float32Array];
    expect(lengthOf(empty)).toBeCloseTo(0.5, 5);
    expect(lengthOf(full)).toBeCloseTo(1, 5);
    expect(table.unitVectors([]).length).toBe(0);
    expect(table.unitVectors(["", ""]).map(lengthOf)).toEqual([0, 0]);
  });

  it("SRCH-2 says how much of a text it does not know", () => {
    expect(table.unknownShare("the build cache is stale")).toBe(0);
    expect(table.unknownShare("数据库连接超时")).toBe(1);
    const german = table.unknownShare("Wir haben den Fehler im Zwischenspeicher gefunden");
    expect(german).toBeGreaterThan(0.1);
    expect(german).toBeLessThan(0.9);
    expect(table.unknownShare("")).toBe(0);
  });

  it("SRCH-2 reads hostile texts to an end", () => {
    const texts = ["\ud800 lone", "a".repeat(200_000), "a.".repeat(50_000), "\u0301".repeat(1000), "𠮷野家 𠮷", "\0"];
    for (const text of texts) {
      expect(table.tokens(text).length).toBeLessThanOrEqual(256);
      expect(table.embed(text).every(Number.isFinite)).toBe(true);
    }
  });
});

describe("a table that cannot be used", () => {
  const cases: readonly (readonly [string, (folder: string) => void, RegExp])[] = [
    ["a missing folder", () => {}, /cannot be opened \(ENOENT\)/],
    ["a truncated table", (folder) => truncateSync(join(folder, "static-128.i8.bin"), 1_000_000), /bytes instead of/],
    [
      "a truncated vocabulary",
      (folder) => truncateSync(join(folder, "vocab.txt"), 1000),
      /vocabulary.*bytes instead of/,
    ],
    ["an empty table", (folder) => truncateSync(join(folder, "static-128.i8.bin"), 0), /0 bytes instead of/],
    ["one flipped bit", (folder) => flip(join(folder, "static-128.i8.bin"), 3_000_000), /is damaged/],
    ["another header", (folder) => flip(join(folder, "static-128.i8.bin"), 0), /is damaged/],
    ["one changed word", (folder) => flip(join(folder, "vocab.txt"), 100_000), /vocabulary.*is damaged/],
  ];

  it.each(cases)("SRCH-2 is told apart by a value, not thrown: %s", (name, damage, reason) => {
    const folder = name === "a missing folder" ? join(folders.make(), "none") : copyOfTable();
    damage(folder);
    const answer = loadStaticTable({ folder });
    expect(answer).toMatchObject({ kind: "unavailable", reason: expect.stringMatching(reason) });
    expect(JSON.stringify(answer)).not.toContain(folder);
  });

  it("SRCH-2 is a folder where a file should be", () => {
    const folder = folders.make();
    mkdirSync(join(folder, "static-128.i8.bin"));
    expect(loadStaticTable({ folder })).toMatchObject({ kind: "unavailable" });
  });
});

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(file, bytes);
}

describe("the package's own table", () => {
  it("SRCH-2 is found from the sources, and is the one that is shipped", () => {
    expect(staticTableFolder()).toBe(shipped);
    const { files } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
    expect(files).toEqual(expect.arrayContaining(["models", "NOTICE"]));
  });

  it("SRCH-2 names its teachers and its sources", () => {
    const notice = readFileSync(new URL("../../../NOTICE", import.meta.url), "utf8");
    for (const name of ["gte-small", "all-MiniLM-L6-v2", "WordNet", "MDN", "Topical-Chat", "TheAlgorithms"]) {
      expect(notice).toContain(name);
    }
  });

  it("SRCH-2 serves through the interface of larger models too", async () => {
    const embedder = createStaticEmbedder(load());
    const texts = ["the build cache is stale", ""];
    const vectors = (await embedder.embedTexts(texts)) as Float32Array[];
    expect(vectors[0]).toEqual(await embedder.embedQuery(texts[0] as string));
    expect([embedder.dims, vectors.length, vectors[1]?.every((value) => value === 0)]).toEqual([128, 2, true]);
  });
});
