import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBackends } from "../../../src/roots/open-backends.ts";
import type { IndexProgress } from "../../../src/search/search.ts";
import { type BuildRequest, buildElsewhere } from "../../../src/search/service/build-elsewhere.ts";
import { openSearch } from "../../../src/search/service/open-search.ts";
import { searchedRoots } from "../../../src/search/service/searched-roots.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { dumpsIn } from "../whole/rebuild.ts";
import { complete, type SearchWorld, searchWorld } from "../whole/search-world.ts";

const folders = temporaryFolders();
/** More than a process indexes by itself. */
const many = 4100;

function worldOf(count: number): SearchWorld {
  const world = searchWorld(folders.make());
  for (let number = 0; number < count; number += 1) {
    world.note(`f${number % 7}/n${number}.md`, `# Note ${number}\n\nDeploy the queue w${number % 50}.\n`);
  }
  return world;
}

const plan = (world: SearchWorld): BuildRequest["plan"] => ({
  roots: [{ name: "notes", backend: "files", place: world.at(".serena/memories") }],
  setup: {
    values: {
      "database.url": undefined,
      "database.connections": 1,
      "database.statement_seconds": 1,
      "database.space": "none",
    },
    env: {},
    home: world.home,
    dataFolder: world.at("data"),
  },
  memoryFolders: [{ root: "notes", kind: "primary", baseName: "memories", readOnly: false }],
  areas: undefined,
  topics: undefined,
  agentId: undefined,
});

/** Builds an index here, and answers what another process would have been asked for. */
async function builtHere(world: SearchWorld): Promise<BuildRequest> {
  const asked = Promise.withResolvers<BuildRequest>();
  const { setup, roots } = plan(world);
  const backends = await openBackends(setup, roots);
  const search = openSearch({
    roots: searchedRoots(backends, plan(world)),
    folder: world.cache,
    guard: { policy: "standard", allowed: new Set(), purged: [] },
    usesMeaning: false,
    model: { kind: "none" },
    env: {},
    weights: { recency: 0, recencyHalfLifeDays: 30, context: 0 },
    stays: false,
    build: async (what) => {
      asked.resolve({ plan: plan(world), ...what });
      return false;
    },
  });
  await search.status();
  await search.close();
  await backends.close();
  return asked.promise;
}

const inFolder = (request: BuildRequest, folder: string): BuildRequest => ({
  ...request,
  search: { ...request.search, folder },
});
const ignore = () => undefined;

describe("a process that builds an index for another", () => {
  it("SRCH-3 builds what that one would, or says that it has not", async () => {
    const world = worldOf(many);
    const request = await builtHere(world);
    const [cache, other, ended] = ["a", "b", "c"].map((name) => join(folders.make(), name)) as [string, string, string];
    const told: Pick<IndexProgress, "done" | "total">[] = [];
    const never = new AbortController().signal;
    expect(await buildElsewhere(inFolder(request, cache), (progress) => void told.push(progress), never)).toBe(true);
    expect(dumpsIn(cache)).toEqual(dumpsIn(world.cache));
    expect(told.at(-1)).toEqual({ done: many, total: many });

    const index = `${request.index.split("-")[0]}-0123456789abcdef`;
    expect(await buildElsewhere({ ...inFolder(request, other), index }, ignore, never), "another index").toBe(false);

    const nobody = new AbortController();
    expect(await buildElsewhere(inFolder(request, ended), () => nobody.abort(), nobody.signal), "ended").toBe(false);
    expect(await buildElsewhere(inFolder(request, ended), ignore, nobody.signal), "not begun").toBe(false);
  });

  it("SRCH-3 is not in the way of a server that closes meanwhile, nor of who comes next", async () => {
    const world = worldOf(many);
    const server = await world.open({ stays: true });
    const search = server.search;
    const first = search.search({ query: "deploy" }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await server.close();
    await first;
    const page = await world.ask({ query: "deploy w3", limit: 1 });
    expect(page.hits).toHaveLength(1);
    expect(page.warnings).toEqual([]);
  });

  it("SRCH-3 a server finds all of what it built, and what is written after", async () => {
    const world = worldOf(many);
    const server = await world.open({ stays: true });
    const search = server.search;
    expect((await complete(search, { query: "deploy", limit: 1 })).total).toBe(many);
    world.note("late.md", "# Late\n\nDeploy zirconium.\n");
    expect((await complete(search, "zirconium")).hits.map(({ path }) => path)).toEqual(["late.md"]);
  });
});
