import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkHistory, letWritersWrite } from "../../rigs/history-writers.ts";
import { revisionOf } from "../../src/app.ts";
import { someRuns } from "../helpers/some-cases.ts";
import { ada, at, bob, fsck, git, openWorld, scratchFolder, textsOf } from "./scratch.ts";

describe("recording beside others", () => {
  it("HIST-1 has every acknowledged revision of processes that were killed while they wrote and recorded", async () => {
    const folder = scratchFolder();
    const report = await letWritersWrite({ folder, writers: 3, revisions: someRuns(40, 100) });
    expect((await checkHistory(folder, report)).violations).toEqual([]);
    expect(fsck(folder)).toBe("");
  });

  it("HIST-1 finds what is missing, when something is", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    await documents.write(at("a.md"), "one", ada);
    await documents.write(at("a.md"), "two", ada);
    const kept = `kept-${revisionOf(Buffer.from("one"))}`;
    writeFileSync(join(folder, ".recollect", kept), "damaged");
    await history.catchUp();
    const { violations } = await checkHistory(folder, { acknowledged: [kept.slice(5)], kills: 0 });
    expect(violations).toEqual([`the acknowledged revision ${kept.slice(5)} is missing`]);
  });

  it("HIST-3 one records at a time; the others go on without", async () => {
    const folder = scratchFolder();
    const [one, other] = [openWorld(folder), openWorld(folder)];
    await one.documents.write(at("a.md"), "one", ada);
    const alone = one.store.trail("notes").tryAlone();
    expect(await other.history.catchUp()).toEqual({ kind: "busy" });
    const waiting = other.history.catchUp({ waitMs: 10_000 });
    alone?.release();
    expect(await waiting).toEqual({ kind: "recorded", operations: 1 });
    expect(await one.history.catchUp()).toEqual({ kind: "recorded", operations: 0 });
  });

  it("HIST-1 passes over what a killed run left in the repository", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    await documents.write(at("a.md"), "one", ada);
    await history.catchUp();
    const place = join(folder, ".recollect/history");
    writeFileSync(join(place, "refs/heads/history.lock"), "");
    writeFileSync(join(place, "refs/recollect/left"), `${"1".repeat(40)}\n`);
    writeFileSync(join(place, "objects/pack/tmp_pack_x"), "half");
    writeFileSync(join(place, "recollect-state.json"), "{");
    await documents.write(at("a.md"), "two", ada);
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 1 });
    expect(await textsOf(history, "a.md")).toEqual(["two", "one"]);
  });

  it("HIST-1 takes nothing twice where a power cut shortened the journal", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    for (const text of ["one", "two", "three"]) await documents.write(at("a.md"), text, ada);
    await history.catchUp();
    const journal = join(folder, ".recollect/journal");
    truncateSync(journal, readFileSync(journal, "utf8").trimEnd().lastIndexOf("\n") + 1);
    await documents.write(at("a.md"), "four", bob);
    await history.catchUp();
    expect(await textsOf(history, "a.md")).toEqual(["four", "three", "two", "one"]);
  });
});

describe("the project's own repository", () => {
  it("HIST-3 stays as it is: status, branch, index and commits", async () => {
    const project = scratchFolder();
    const own = (...args: string[]) => execFileSync("git", args, { cwd: project, encoding: "utf8" });
    own("init", "-q", "-b", "main");
    own("config", "user.email", "a@example.org");
    own("config", "user.name", "a");
    mkdirSync(join(project, "notes"));
    for (const name of ["committed.md", "staged.md", "unstaged.md"]) writeFileSync(join(project, name), "one\n");
    writeFileSync(join(project, "notes/old.md"), "old\n");
    own("add", ".");
    own("commit", "-qm", "first");
    writeFileSync(join(project, "staged.md"), "two\n");
    own("add", "staged.md");
    writeFileSync(join(project, "unstaged.md"), "two\n");
    writeFileSync(join(project, "untracked.md"), "new\n");
    const state = () => ({
      status: own("status", "--porcelain=v2", "--branch"),
      head: own("rev-parse", "HEAD"),
      index: readFileSync(join(project, ".git/index")).toString("base64"),
      refs: own("for-each-ref"),
      objects: own("count-objects", "-v"),
    });
    own("status");
    const before = state();
    const { documents, history } = openWorld(join(project, "notes"));
    await documents.write(at("new.md"), "new\n", ada);
    await documents.write(at("new.md"), "newer\n", ada);
    await documents.remove(at("new.md"), ada);
    await history.catchUp();
    await history.maintain();
    expect(await textsOf(history, "new.md")).toEqual([undefined, "newer\n", "new\n"]);
    expect(state()).toEqual(before);
  });
});

describe("keeping it small", () => {
  it("joins many small packs, and loses nothing by it", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    const texts = Array.from({ length: 17 }, (_, index) => `${index}\n`);
    for (const text of texts) {
      await documents.write(at("a.md"), text, ada);
      await history.catchUp();
    }
    const packs = () =>
      readdirSync(join(folder, ".recollect/history/objects/pack")).filter((one) => one.endsWith(".pack"));
    expect(packs().length).toBe(17);
    expect(await history.maintain()).toBe(true);
    expect(packs().length).toBe(1);
    expect(await history.maintain()).toBe(false);
    expect(await textsOf(history, "a.md")).toEqual(texts.toReversed());
    expect(git(folder, "log", "--format=%H", "--", "a.md").trim().split("\n").length).toBe(17);
    expect(fsck(folder)).toBe("");
  });

  it("is kept from nothing by a git that was killed while it wrote a graph of the commits", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    const info = join(folder, ".recollect/history/objects/info");
    const graphs = join(info, "commit-graphs");
    const locks = [join(graphs, "commit-graph-chain.lock"), join(info, "commit-graph.lock")];
    const chain = join(graphs, "commit-graph-chain");
    const recordMany = async (from: number) => {
      for (let index = from; index < from + 17; index += 1) {
        await documents.write(at("a.md"), `${index}\n`, ada);
        await history.catchUp();
      }
    };
    await recordMany(0);
    mkdirSync(graphs, { recursive: true });
    for (const lock of locks) writeFileSync(lock, "");
    // It may be at work: the packs are joined, and the graph has time.
    expect(await history.maintain()).toBe(true);
    expect(existsSync(chain)).toBe(false);
    expect(locks.map((lock) => existsSync(lock))).toEqual([true, true]);
    const longAgo = Date.now() / 1000 - 7200;
    for (const lock of locks) utimesSync(lock, longAgo, longAgo);
    await recordMany(17);
    expect(await history.maintain()).toBe(true);
    expect(existsSync(chain)).toBe(true);
    expect(locks.map((lock) => existsSync(lock))).toEqual([false, false]);
    expect(fsck(folder)).toBe("");
  });
});
