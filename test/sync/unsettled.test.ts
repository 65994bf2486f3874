import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isSameConflict, joinUnsettled, unsettledSchema } from "../../src/sync/unsettled.ts";
import { errorOf } from "../helpers/error-of.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { type Clone, git, makeRemote, openClones, scratch } from "./clones.ts";

function pair() {
  const { folder, remote, clones } = openClones(2);
  const [one, other] = clones as [Clone, Clone];
  return { folder, remote, one, other };
}

async function settle(...clones: readonly Clone[]): Promise<void> {
  // The first one takes over what the others sent after it.
  for (const clone of [...clones, ...clones.slice(0, 1)]) await clone.sync.run();
}

const unsettled = async (clone: Clone) => (await clone.sync.status()).unsettled;

describe("HIST-4 conflicts that nobody has settled", () => {
  it("HIST-4 are shown on both machines until they are, however many syncs come after", async () => {
    const { one, other } = pair();
    await one.entry("build", "Shared");
    one.write("build/text.md", "a\nb\nc\n");
    await settle(one, other);
    for (const [clone, word] of [
      [one, "ours"],
      [other, "theirs"],
    ] as const) {
      clone.write("build/notes.md", clone.read("build/notes.md").replace("**Solution:** s", `**Solution:** ${word}`));
      clone.write("build/text.md", `a\n${word}\nc\n`);
    }
    await one.sync.run();
    const { conflicts } = await other.sync.run();
    expect(conflicts.map(({ kind }) => kind).toSorted()).toEqual(["both-changed", "entries-doubled"]);
    await settle(one, other, one, other);
    expect(await unsettled(other)).toEqual(expect.arrayContaining([...conflicts]));
    expect(await unsettled(one)).toEqual(expect.arrayContaining([...conflicts]));
    const doubled = one.read("build/notes.md").split(/(?=^## )/m);
    one.write("build/notes.md", doubled.filter((entry) => !entry.includes("theirs")).join(""));
    await settle(one, other);
    for (const clone of [one, other]) {
      expect((await unsettled(clone)).map(({ kind }) => kind)).toEqual(["both-changed"]);
    }
    const [left] = await unsettled(one);
    rmSync(join(one.folder, left && "beside" in left ? (left.beside ?? "") : ""));
    await settle(one, other);
    for (const clone of [one, other]) expect(await unsettled(clone)).toEqual([]);
  });

  it("HIST-4 a change that outlived a deletion is shown until somebody has touched it", async () => {
    const { one, other } = pair();
    one.write("build/text.md", "a\nb\nc\n");
    one.write("build/else.md", "x\n");
    await settle(one, other);
    rmSync(join(one.folder, "build/text.md"));
    other.write("build/text.md", "a\nchanged\nc\n");
    await settle(one, other);
    const expected = [{ kind: "deleted-and-changed", path: "build/text.md" }];
    for (const clone of [one, other]) expect(await unsettled(clone)).toEqual(expected);
    other.write("build/text.md", "a\nchanged again\nc\n");
    await settle(other, one);
    for (const clone of [one, other]) expect(await unsettled(clone)).toEqual([]);
  });
});

describe("HIST-4 what somebody settled by letting it stay", () => {
  async function doubled() {
    const { one, other } = pair();
    await one.entry("build", "Shared");
    await settle(one, other);
    for (const [clone, word] of [
      [one, "ours"],
      [other, "theirs"],
    ] as const) {
      clone.write("build/notes.md", clone.read("build/notes.md").replace("**Solution:** s", `**Solution:** ${word}`));
    }
    await settle(one, other);
    const [conflict] = await unsettled(other);
    if (!conflict) throw new Error("There is no conflict.");
    expect([conflict.kind, await unsettled(one)]).toEqual(["entries-doubled", [conflict]]);
    return { one, other, conflict };
  }

  it("HIST-4 is settled there alone, without a revision that whoever may not push could not send, and by no words in one", async () => {
    const { one, other, conflict } = await doubled();
    const words = `words\n\nRecollect-Settled: ${JSON.stringify(conflict)}\n`;
    git(other.folder, "commit", "-q", "--allow-empty", "-m", words);
    await settle(other, one);
    expect(git(one.folder, "log", "-1", "--format=%B")).toContain("Recollect-Settled");
    expect(await unsettled(one)).toEqual([conflict]);
    const before = git(other.folder, "rev-parse", "HEAD");
    await other.sync.dismiss(conflict);
    await settle(other, one);
    expect(git(other.folder, "rev-parse", "HEAD")).toBe(before);
    expect([await unsettled(other), await unsettled(one)]).toEqual([[], [conflict]]);
    await one.sync.dismiss(conflict);
    await settle(one, other);
    expect([await unsettled(other), await unsettled(one)]).toEqual([[], []]);
  });
});

describe("HIST-4 two names that some systems take for one, with the same text", () => {
  it("HIST-4 are the same conflict whether it comes from a merge, from a file or from another's words", () => {
    const merged = { kind: "same-name", path: "Note.md", other: "note.md", beside: undefined } as const;
    const read = unsettledSchema.parse(JSON.parse(JSON.stringify({ conflict: merged })));
    expect(isSameConflict(read.conflict, merged)).toBe(true);
    expect(isSameConflict(read.conflict, { ...merged, beside: "note.conflict-1a2b3c4d.md" })).toBe(false);
    expect(isSameConflict(read.conflict, { ...merged, other: "NOTE.md" })).toBe(false);
    expect(joinUnsettled([read], [merged], new Map())).toHaveLength(1);
  });
});

describe("HIST-4 advice that works", () => {
  it("HIST-4 a remote whose branch is gone is not answered with a choice that leads nowhere", async () => {
    const { remote, one } = pair();
    await one.entry("build", "One");
    await one.sync.run();
    git(remote, "update-ref", "-d", "refs/heads/main");
    const error = await errorOf(() => one.sync.run());
    expect(String(error)).toContain("--rewritten keep");
    expect(String(error)).not.toContain("--rewritten drop");
    for (const name of ["build", "index.md"]) rmSync(join(one.folder, name), { recursive: true });
    await one.sync.run({ rewritten: "keep", acceptEmpty: true });
    expect(git(remote, "ls-tree", "-r", "main")).toBe("");
  });

  it("HIST-4 doctor says how a damaged clone is begun anew, and nothing is lost by it", async () => {
    const folder = scratch();
    const remote = makeRemote(join(folder, "team.git"));
    const world = memoryWorld(join(folder, "one"));
    const lines = ["external_memory_enabled: true", "memory_type: git_repo", "sync_strategy: manual"];
    const text = [...lines, `memory_path: "file://${remote}"`].map((line) => `  ${line}\n`).join("");
    world.write("home/.config/recollect/config.yaml", `memory_configuration:\n${text}`);
    await world.cli(["topics", "store", "build", "cache", "--title", "Sent", "--problem", "p"]);
    await world.cli(["sync"]);
    await world.cli(["topics", "store", "build", "cache", "--title", "Waits", "--problem", "p"]);
    const clones = join(world.home, ".local/share/recollect/repositories");
    const clone = join(clones, readdirSync(clones)[0] ?? "");
    rmSync(join(clone, ".git/HEAD"));
    expect((await world.cli(["sync"])).code).toBe(6);
    const { findings } = JSON.parse((await world.cli(["doctor", "--json"])).out);
    const { remedy } = findings.find(({ about }: { about: string }) => about === "sync");
    const [, command] = /: (mv .*) && recollect sync$/.exec(remedy) ?? [];
    execFileSync("sh", ["-ec", command ?? "false"]);
    expect(await world.cli(["sync"])).toMatchObject({ code: 0 });
    expect(git(remote, "show", "main:build/cache.md")).toMatch(/Waits[\s\S]*Sent/);
  });

  it("HIST-4 a clone of which some objects are damaged is told from a remote that cannot be reached", async () => {
    const folder = scratch();
    const remote = makeRemote(join(folder, "team.git"));
    const world = memoryWorld(join(folder, "one"));
    const lines = ["external_memory_enabled: true", "memory_type: git_repo", "sync_strategy: manual"];
    const text = [...lines, `memory_path: "file://${remote}"`].map((line) => `  ${line}\n`).join("");
    world.write("home/.config/recollect/config.yaml", `memory_configuration:\n${text}`);
    const store = (title: string) =>
      world.cli(["topics", "store", "build", "cache", "--title", title, "--problem", "p"]);
    await store("Sent");
    await world.cli(["sync"]);
    await store("Also sent");
    await world.cli(["sync"]);
    await store("Waits");
    const work = join(folder, "work");
    git(folder, "clone", "-q", remote, work);
    writeFileSync(join(work, "build/theirs.md"), "## 2026-01-01: Theirs\n");
    git(work, "add", "-A");
    git(work, "commit", "-qm", "theirs");
    git(work, "push", "-q", "origin", "main");
    const clones = join(world.home, ".local/share/recollect/repositories");
    const clone = join(clones, readdirSync(clones)[0] ?? "");
    // What is checked out stays whole: only an earlier revision cannot be read.
    const first = git(clone, "rev-list", "--max-parents=0", "HEAD").trim();
    const object = join(clone, ".git/objects", first.slice(0, 2), first.slice(2));
    rmSync(object);
    writeFileSync(object, "junk");
    const failed = await world.cli(["sync"]);
    expect([failed.code, failed.err]).toEqual([6, expect.not.stringContaining("cannot be reached")]);
    const verified = await world.cli(["verify"]);
    expect([verified.code, verified.out]).toEqual([8, expect.stringMatching(/clone here is damaged[\s\S]*mv .* && /)]);
    const { findings } = JSON.parse((await world.cli(["doctor", "--json"])).out);
    const remedies = findings.filter(({ about }: { about: string }) => about === "sync");
    const [, command] = /: (mv .*) && recollect sync$/.exec(remedies[0]?.remedy) ?? [];
    execFileSync("sh", ["-ec", command ?? "false"]);
    expect(await world.cli(["sync"])).toMatchObject({ code: 0 });
    expect(git(remote, "show", "main:build/cache.md")).toMatch(/Waits[\s\S]*Sent/);
    expect(git(remote, "show", "main:build/theirs.md")).toContain("Theirs");
    expect((await world.cli(["verify"])).out).not.toContain("clone");
  });

  it("HIST-4 a program stays one when its text is changed", async () => {
    const { folder, remote, one } = pair();
    await one.entry("build", "One");
    await one.sync.run();
    const work = join(folder, "work");
    git(folder, "clone", "-q", remote, work);
    mkdirSync(join(work, "build"), { recursive: true });
    writeFileSync(join(work, "build/run.md"), "#!/bin/sh\n");
    chmodSync(join(work, "build/run.md"), 0o755);
    git(work, "add", "-A");
    git(work, "commit", "-qm", "program");
    git(work, "push", "-q", "origin", "main");
    await one.sync.run();
    one.write("build/run.md", "#!/bin/sh\ntrue\n");
    await one.sync.run();
    expect(git(remote, "ls-tree", "main", "build/run.md")).toMatch(/^100755 /);
  });
});
