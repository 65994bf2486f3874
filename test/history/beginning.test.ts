import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGitHistory } from "../../src/history/git/history.ts";
import { createHistory } from "../../src/history/history.ts";
import { ada, at, bob, git, logOf, openWorld, scratchFolder, textsOf } from "./scratch.ts";

const dayMs = 86_400_000;

/** Documents that were there before recording began, one of which was changed since. */
async function begunLate() {
  const folder = scratchFolder();
  for (const name of ["old.md", "other.md"]) writeFileSync(join(folder, name), `${name}\n`);
  const world = openWorld(folder);
  await world.history.catchUp();
  const history = createHistory({ histories: [world.history], documents: world.documents });
  const documents = () => readdirSync(folder).filter((name) => name.endsWith(".md"));
  return { folder, ...world, rootHistory: world.history, history, documentsThere: documents };
}

async function keptFor(days: number) {
  const folder = scratchFolder();
  const clock = { now: Date.parse("2026-01-01T12:00:00Z") };
  const world = openWorld(folder, { now: () => clock.now });
  for (let day = 1; day <= 10; day += 1) {
    await world.documents.write(at("a.md"), `day ${day}\n`, ada);
    await world.history.catchUp();
    clock.now += dayMs;
  }
  const { store } = world;
  const keeping = openGitHistory({
    trail: store.trail("notes"),
    env: process.env,
    now: () => clock.now,
    keepMs: days * dayMs,
  });
  return { folder, clock, keeping, ...world };
}

/** The objects of a pack, each as a file. */
function unpack(folder: string, pack: Buffer): void {
  execFileSync("git", [`--git-dir=${join(folder, ".recollect/history")}`, "unpack-objects", "-q"], { input: pack });
}

describe("HIST-1 what was there when history began", () => {
  it("HIST-1 is no change that could be undone, by its operation or its author", async () => {
    const { rootHistory, history, documentsThere } = await begunLate();
    const [imported] = (await rootHistory.log({ limit: 1 })).operations;
    const target = { operation: imported?.id ?? "" };
    expect(await history.undo(target, bob)).toEqual({ operations: 0, documents: [] });
    expect(await history.undo({ author: "outside" }, bob)).toEqual({ operations: 0, documents: [] });
    expect(documentsThere()).toEqual(["old.md", "other.md"]);
  });

  it("HIST-1 is not taken away by a restore to a time before that, which is refused", async () => {
    const { documents, history, rootHistory, documentsThere } = await begunLate();
    await documents.write(at("new.md"), "new\n", ada);
    await rootHistory.catchUp();
    const restored = history.restoreFolder({ root: "notes" }, { time: "2020-01-01T00:00:00Z" }, bob);
    await expect(restored).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringMatching(/^History begins/),
    });
    expect(documentsThere()).toEqual(["new.md", "old.md", "other.md"]);
  });

  it("HIST-3b HIST-1 the same holds for what history became when older revisions were dropped", async () => {
    const { documents, history: kept, keeping, folder } = await keptFor(3.5);
    await keeping.trim();
    const history = createHistory({ histories: [kept], documents });
    const restored = history.restoreFolder({ root: "notes" }, { time: "2026-01-02T00:00:00Z" }, bob);
    await expect(restored).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await history.undo({ author: "outside" }, bob)).toEqual({ operations: 0, documents: [] });
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("day 10\n");
  });
});

describe("HIST-3b dropping what is old among others", () => {
  it("HIST-3b HIST-1 brings a history back that was set back, before it drops anything", async () => {
    const { folder, history, keeping } = await keptFor(3.5);
    const branch = join(folder, ".recollect/history/refs/heads/history");
    writeFileSync(branch, git(folder, "rev-parse", "refs/heads/history~2"));
    await keeping.trim();
    expect((await textsOf(history, "a.md"))[0]).toBe("day 10\n");
  });

  it("HIST-3b HIST-1 a revision that is gone meanwhile is never taken for a document that was not there", async () => {
    const { documents, history: kept, keeping, folder } = await keptFor(3.5);
    const [newest] = await logOf(kept, "a.md");
    // As an undo has it that looked at the log before.
    const stale = { ...kept, log: async () => ({ operations: newest ? [newest] : [], next: undefined }) };
    await keeping.trim();
    const history = createHistory({ histories: [stale], documents });
    await expect(history.undo({ author: "agent:ada" }, bob)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    const restored = history.restoreFolder({ root: "notes" }, { time: "2026-01-10T00:00:00Z" }, bob);
    await expect(restored).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("day 10\n");
  });

  it("HIST-1 HIST-4b nor is one whose bytes were lost", async () => {
    const { folder, documents, history: root } = await keptFor(30);
    const blob = git(folder, "rev-parse", "refs/heads/history~1:a.md").trim();
    const packs = join(folder, ".recollect/history/objects/pack");
    const names = readdirSync(packs).filter((name) => name.endsWith(".pack"));
    const bytes = names.map((name) => readFileSync(join(packs, name)));
    for (const name of readdirSync(packs)) rmSync(join(packs, name));
    for (const one of bytes) unpack(folder, one);
    rmSync(join(folder, ".recollect/history/objects", blob.slice(0, 2), blob.slice(2)));
    const history = createHistory({ histories: [root], documents });
    const restored = history.restoreFolder({ root: "notes" }, { time: "2026-01-09T20:00:00Z" }, bob);
    await expect(restored).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("day 10\n");
  });

  it("HIST-1 HIST-3b a page of the log that is gone says so", async () => {
    const { history, keeping } = await keptFor(3.5);
    const { next } = await history.log({ limit: 3 });
    await keeping.trim();
    await expect(history.log({ limit: 3, after: next })).rejects.toMatchObject({ code: "CONFLICT" });
  });
});
