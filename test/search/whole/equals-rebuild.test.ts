import { cpSync, renameSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { someRuns } from "../../helpers/some-cases.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { type Action, perform } from "./perform.ts";
import { answersOf, dumpsIn, rebuild } from "./rebuild.ts";
import { complete, type SearchWorld, searchWorld } from "./search-world.ts";
import { startPartner } from "./start-partner.ts";

const folders = temporaryFolders();

/** Recency would count the moments between two questions. */
const settings = "search: { recency_weight: 0 }\n";

/** Few enough for every run of the tests; RUNS=100 looks for longer. */
const runs = (usual: number, all: number) => Number(process.env["RUNS"] ?? someRuns(usual, all));

const files = ["a.md", "b.md", "a/one.md", "a/two.md", "a/deep/three.md", "c/one.md"].map(
  (name) => `.serena/memories/${name}`,
);
const places = [
  ...files,
  ".serena/memories/a",
  ".serena/memories/a/deep",
  ".serena/memories/c",
  "memory/build",
  "aside",
];
const text = fc
  .array(
    fc.constantFrom("deploy", "deployed", "kafka queue", "invoice", "retries", "größe", "记忆", "\n\n## Part\n\n", "—"),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((words) => `# Deploying\n\n${words.join(" ")}\n`);
const path = fc.constantFrom(...files);
const place = fc.constantFrom(...places);
const topic = fc.constantFrom("build", "auth");

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom("edit", "replace", "append", "backdate"), path, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("twice"), path, text, next: text }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("move"), path: place, to: place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("delete", "folder"), path: place }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("write"), name: fc.constantFrom("a", "a/one", "c/two"), text }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("store"), topic, text }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("search") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reindex") }) },
) as fc.Arbitrary<Action>;

let partner = startPartner();
afterAll(() => partner.kill());

interface Scene {
  readonly world: SearchWorld;
  readonly folder: string;
}

function scene(): Scene {
  const folder = folders.make();
  return { folder, world: searchWorld(folder, settings) };
}

/** For a process that stays, and for one that begins: nobody can tell the index from a new one. */
async function expectAsNew({ world, folder }: Scene, staying: Workspace): Promise<void> {
  const live = await answersOf(staying.search);
  const brief = await world.open();
  const fresh = await answersOf(brief.search);
  const dumps = dumpsIn(world.cache);
  const anew = await rebuild(world, join(folder, "another"));
  expect(live).toEqual(anew.answers);
  expect(fresh).toEqual(anew.answers);
  expect(dumps).toEqual(anew.dumps);
  await Promise.all([staying.close(), brief.close()]);
}

describe("the index that lives", () => {
  it("SRCH-3 equals a rebuild after whatever two processes did, for one that stays and for one that begins", async () => {
    const who = fc.constantFrom("staying", "brief", "partner");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(who, action), { minLength: 3, maxLength: 30 }), async (steps) => {
        const at = scene();
        const { project, home } = at.world;
        const [staying, brief] = [await at.world.open({ stays: true }), await at.world.open()];
        const told = [partner.tell({ open: { project, home, stays: true } })];
        for (const [doer, step] of steps) {
          if (doer === "partner") told.push(partner.perform(step));
          else await perform(project, doer === "staying" ? staying : brief, step);
        }
        await Promise.all(told);
        await expectAsNew(at, staying);
        await Promise.all([brief.close(), partner.tell("close")]);
      }),
      { numRuns: runs(3, 8), endOnFailure: true },
    );
  }, 120_000);

  it("SRCH-3 equals a rebuild after a process was killed while it wrote and indexed", async () => {
    const steps = fc.array(action, { minLength: 3, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        steps,
        steps,
        fc.integer({ min: 0, max: 300 }),
        fc.boolean(),
        async (theirs, ours, ms, stays) => {
          const at = scene();
          const { project, home } = at.world;
          const staying = await at.world.open({ stays: true });
          await partner.tell({ open: { project, home, stays } });
          void partner.tell({ forever: [...theirs, { kind: "search" }] });
          const until = Date.now() + ms;
          do for (const step of ours) await perform(project, staying, step);
          while (Date.now() < until);
          await partner.kill();
          partner = startPartner();
          await expectAsNew(at, staying);
        },
      ),
      { numRuns: runs(2, 4), endOnFailure: true },
    );
  }, 120_000);

  it("SRCH-3 equals a rebuild after hundreds of files changed at once, and after the folder itself was replaced", async () => {
    const at = scene();
    const { world } = at;
    const textOf = (number: number, round: number) =>
      `# Deploying ${number}\n\nkafka queue ${round} invoice ${number}\n`;
    const writeAll = (from: number, to: number, round: number) => {
      for (let number = from; number < to; number += 1)
        world.note(`f${number % 7}/n${number}.md`, textOf(number, round));
    };
    writeAll(0, 300, 1);
    const staying = await world.open({ stays: true });
    const search = staying.search;
    expect((await complete(search, "kafka")).total).toBe(300);
    // As a pull does it: some anew, some changed, some gone, a folder renamed.
    writeAll(20, 270, 2);
    writeAll(300, 340, 2);
    for (let number = 0; number < 20; number += 1) world.remove(`.serena/memories/f${number % 7}/n${number}.md`);
    renameSync(world.at(".serena/memories/f3"), world.at(".serena/memories/g3"));
    expect((await complete(search, "kafka")).total).toBe(320);
    // A copy in place of the folder, with one note less.
    cpSync(world.at(".serena/memories"), world.at(".serena/copy"), { recursive: true, preserveTimestamps: true });
    renameSync(world.at(".serena/memories"), world.at(".serena/before"));
    renameSync(world.at(".serena/copy"), world.at(".serena/memories"));
    world.remove(".serena/memories/f1/n29.md");
    expect((await complete(search, "kafka")).total).toBe(319);
    await expectAsNew(at, staying);
  });
});
