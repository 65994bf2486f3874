import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Search } from "../../src/search/search.ts";
import type { SettingFlags } from "../../src/settings/setting-texts.ts";
import { openWorkspace, type Workspace } from "../../src/workspace/workspace.ts";
import { fakeEndpoint } from "../helpers/fake-endpoint.ts";
import { installFakeModel } from "../helpers/fake-model.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { wholeAnswer } from "../helpers/whole-answer.ts";
import { complete } from "../search/whole/search-world.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
  for (const [name, text] of [
    ["animals", "The zorblax sleeps at night."],
    ["money", "Interest is paid in May."],
    ["dogs", "They bark at strangers."],
    ["empty", ""],
  ]) {
    world.write(`work/app/.serena/memories/${name}.md`, `# About ${name}\n${text}\n`);
  }
});

async function open(flags: SettingFlags = {}, options: { stays?: boolean; env?: NodeJS.ProcessEnv } = {}) {
  const { project, home } = world;
  const workspace = await openWorkspace({ project, cwd: project, home, env: {}, flags, ...options });
  onTestFinished(() => workspace.close());
  return workspace;
}

/** What is found first for a word that stands in no note, with all warnings. */
async function ask(search: Search, query = "quibbly") {
  const { hits, warnings } = await search.search({ query, explain: true });
  return { first: hits[0]?.path, meaning: hits[0]?.explanation?.meaning ?? 0, warnings };
}

const toEndpoint = (base: string): SettingFlags => ({
  "--search-model": "endpoint",
  "--search-endpoint": base,
  "--search-endpoint-model": "fake",
});

async function rebuilt(workspace: Workspace): Promise<Search> {
  const search = workspace.search;
  await search.reindex();
  return search;
}

describe("SRCH-2 search by a larger model", () => {
  it("SRCH-2 finds first what only the model knows, where the table finds nothing", async () => {
    expect((await ask(await rebuilt(await open()))).first).toBeUndefined();
    installFakeModel(world.home);
    const search = await rebuilt(await open());
    expect(await ask(search)).toEqual({ first: "animals.md", meaning: expect.any(Number), warnings: [] });
    expect((await ask(search)).meaning).toBeGreaterThan(0.5);
    expect(await search.status()).toMatchObject({ meaning: "local:all-MiniLM-L6-v2", units: 4, withMeaning: 4 });
  });

  it("SRCH-2 computes in the background of a process that stays, also what is written meanwhile", async () => {
    installFakeModel(world.home);
    const workspace = await open({}, { stays: true });
    const search = workspace.search;
    await vi.waitFor(async () => expect((await ask(search)).first).toBe("animals.md"), { timeout: 20_000 });
    await workspace.memories.delete("animals");
    await workspace.memories.write("beasts", "# Beasts\nA Zorblax again.\n");
    await vi.waitFor(async () => expect(await ask(search)).toMatchObject({ first: "beasts.md", warnings: [] }), {
      timeout: 20_000,
    });
  });

  it("SRCH-2 leaves the computing to others in a process that ends, and says so until it is done", async () => {
    installFakeModel(world.home);
    const first = await open();
    expect(await ask(first.search)).toEqual({
      first: undefined,
      meaning: 0,
      warnings: [expect.stringMatching(/^4 documents are found by words alone .* recollect reindex\.$/)],
    });
    await rebuilt(await open());
    expect(await ask(first.search)).toMatchObject({ first: "animals.md", warnings: [] });
  });

  it("SRCH-2 computes each text once, whoever rebuilds the index", async () => {
    const { base, received } = await fakeEndpoint();
    await rebuilt(await open(toEndpoint(base)));
    expect(received).toHaveLength(4);
    await rebuilt(await open(toEndpoint(base)));
    expect(received).toHaveLength(4);
  });

  it("GUARD-1 masks what the guard finds before a text leaves the machine", async () => {
    const { base, received } = await fakeEndpoint();
    const secret = ["ghp", "_", "Zk3vQ9xW7tR2mN8bL5cJ1hG6fD4sA0pYuTeX"].join("");
    world.write("work/app/.serena/memories/leak.md", `# Leak\nSee ${secret}\n`);
    await rebuilt(await open(toEndpoint(base)));
    expect(received).toContainEqual(expect.stringMatching(/^Leak\n/));
    expect(received.join()).not.toContain(secret.slice(5, 20));
  });

  it("SRCH-2 sends the endpoint the key from the variable that is named, and says where there is none", async () => {
    const { base, keys, received } = await fakeEndpoint();
    const flags = { ...toEndpoint(base), "--search-endpoint-key-variable": "SOME_KEY" };
    expect((await ask((await open(flags)).search)).warnings).toContainEqual(
      "The environment variable SOME_KEY, for the endpoint's key, is not set.",
    );
    expect(received).toEqual([]);
    await rebuilt(await open(flags, { env: { SOME_KEY: "k-1" } }));
    expect([...keys]).toEqual(["Bearer k-1"]);
  });

  it("CFG-2 asks no endpoint that a project names", async () => {
    const { base, received } = await fakeEndpoint();
    world.write("work/app/recollect.yaml", `search: { model: endpoint, endpoint: "${base}", endpoint_model: x }\n`);
    const workspace = await open();
    expect(workspace.warnings).toHaveLength(3);
    await rebuilt(workspace);
    expect([workspace.model().kind, received]).toEqual(["none", []]);
  });
});

describe("SRCH-2 a model that cannot be used", () => {
  const unusable: readonly (readonly [string, SettingFlags, RegExp])[] = [
    ["is not installed", { "--search-model": "local" }, /not installed.* recollect embeddings enable/],
    ["has no address", { "--search-model": "endpoint" }, /search\.endpoint is not set/],
    [
      "has no name",
      { "--search-model": "endpoint", "--search-endpoint": "http://localhost:1" },
      /search\.endpoint_model is not set/,
    ],
  ];

  it.each(unusable)("SRCH-2 search goes by the table, and says what to do, where it %s", async (_, flags, says) => {
    const search = await rebuilt(await open(flags));
    const { first, meaning, warnings } = await ask(search, "dogs barking");
    expect([first, warnings]).toEqual(["dogs.md", [expect.stringMatching(says)]]);
    expect(meaning).toBeGreaterThan(0);
    expect((await search.status()).withMeaning).toBeGreaterThan(0);
  });

  it("SRCH-2 is not asked where meaning is switched off", async () => {
    const search = await rebuilt(await open({ "--search-model": "local", "--search-meaning": "false" }));
    expect(await ask(search, "bark")).toEqual({ first: "dogs.md", meaning: 0, warnings: [] });
  });

  const failing: readonly (readonly [string, string, RegExp])[] = [
    ["throws", 'throw new Error("no such tensor");', /no such tensor/],
    ["ends its thread", "process.exit(3);", /ended unexpectedly/],
  ];

  it.each(failing)("SRCH-2 that %s: search answers by words, with a warning", async (_, embed, says) => {
    installFakeModel(world.home, embed);
    const search = await rebuilt(await open());
    const { first, warnings } = await ask(search, "bark");
    expect(first).toBe("dogs.md");
    expect(warnings).toContainEqual(expect.stringMatching(says));
    expect(await search.status()).toMatchObject({ withMeaning: 0 });
  });

  it("SRCH-2 that does not load: search answers by words, with a warning", async () => {
    installFakeModel(world.home);
    rmSync(join(world.home, ".local/share/recollect/models/local/node_modules"), { recursive: true });
    const { first, warnings } = await ask(await rebuilt(await open()), "bark");
    expect([first, warnings]).toEqual(["dogs.md", expect.arrayContaining([expect.stringMatching(/cannot be loaded/)])]);
  });

  const troubles = [
    [500, /The endpoint for meanings answered 500/],
    ["hang", /The endpoint for meanings did not answer within/],
  ] as const;

  it.each(troubles)(
    "SRCH-2 whose endpoint answers %s: search goes by words and says so, until it is mended",
    async (trouble, says) => {
      const endpoint = await fakeEndpoint();
      endpoint.behave(trouble);
      const search = await (await open(toEndpoint(endpoint.base), { stays: true })).search;
      const { first, warnings } = await wholeAnswer(() => ask(search, "bark"));
      expect([first, warnings]).toEqual(["dogs.md", expect.arrayContaining([expect.stringMatching(says)])]);
      endpoint.behave("well");
      const mended = async () => expect(await ask(search)).toMatchObject({ first: "animals.md", warnings: [] });
      await vi.waitFor(mended, { timeout: 60_000, interval: 500 });
    },
    90_000,
  );

  it("SRCH-2 that hangs keeps nobody from closing", async () => {
    installFakeModel(world.home, "for (;;);");
    const workspace = await open({}, { stays: true });
    const search = workspace.search;
    // The model is not asked for a query without words, but for the documents.
    const { hits, warnings } = await complete(search, "path:*.md");
    expect([hits.length, warnings]).toEqual([4, [expect.stringMatching(/^4 documents are found by words alone/)]]);
    await workspace.close();
  }, 20_000);

  it("SRCH-2 whose vectors cannot be kept is asked once for each text, and no more", async () => {
    const { base, received } = await fakeEndpoint();
    mkdirSync(join(world.home, ".cache/recollect/search/vectors.sqlite"), { recursive: true });
    writeFileSync(join(world.home, ".cache/recollect/search/vectors.sqlite/in-the-way"), "");
    const search = await rebuilt(await open(toEndpoint(base), { stays: true }));
    expect(await ask(search)).toMatchObject({ first: "animals.md", warnings: [] });
    expect(received.filter((text) => text.includes("zorblax"))).toHaveLength(1);
  });
});
