import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorOf } from "../helpers/error-of.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { type Clone, git, makeRemote, openClones, scratch } from "./clones.ts";

function pair() {
  const { folder, remote, clones } = openClones(2);
  const [one, other] = clones as [Clone, Clone];
  return { folder, remote, one, other };
}

async function settle(...clones: readonly Clone[]): Promise<void> {
  for (const clone of [...clones, ...clones]) await clone.sync.run();
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
  /** Both sides change the same entry; both versions are kept. */
  async function doubled(one: Clone, other: Clone, words: readonly [string, string]): Promise<void> {
    const change = (clone: Clone, word: string) =>
      clone.write(
        "build/notes.md",
        clone.read("build/notes.md").replace(/\*\*Solution:\*\* \w+/, `**Solution:** ${word}`),
      );
    change(one, words[0]);
    change(other, words[1]);
    await settle(one, other);
  }

  it("HIST-4 is settled on the other machine after its sync, and stays so", async () => {
    const { remote, one, other } = pair();
    await one.entry("build", "Shared");
    await settle(one, other);
    await doubled(one, other, ["ours", "theirs"]);
    const [conflict] = await unsettled(other);
    expect([conflict?.kind, await unsettled(one)]).toEqual(["entries-doubled", [conflict]]);
    if (conflict) await other.sync.dismiss(conflict);
    expect([await unsettled(other), await unsettled(one)]).toEqual([[], [conflict]]);
    await other.sync.run();
    const sent = git(remote, "rev-parse", "main");
    expect(await one.sync.run()).toMatchObject({ conflicts: [], received: 0 });
    expect(await unsettled(one)).toEqual([]);
    await settle(other, one);
    expect([await unsettled(one), await unsettled(other)]).toEqual([[], []]);
    // It was told once.
    expect(git(remote, "rev-parse", "main")).toBe(sent);
    expect(one.read("build/notes.md")).toBe(other.read("build/notes.md"));
  });

  it("HIST-4 is told with what was written meanwhile, and hides no conflict that comes after it", async () => {
    const { one, other } = pair();
    await one.entry("build", "Shared");
    await settle(one, other);
    await doubled(one, other, ["ours", "theirs"]);
    const [conflict] = await unsettled(other);
    if (conflict) await other.sync.dismiss(conflict);
    await one.entry("build", "More");
    await other.entry("else", "More");
    await one.sync.run();
    await other.sync.run();
    await doubled(one, other, ["again", "anew"]);
    for (const clone of [one, other]) {
      expect(await unsettled(clone)).toMatchObject([{ kind: "entries-doubled", path: "build/notes.md" }]);
    }
  });

  it("HIST-4 a change that outlived a deletion, and stays, is settled alike", async () => {
    const { one, other } = pair();
    one.write("build/text.md", "a\nb\nc\n");
    one.write("build/else.md", "x\n");
    await settle(one, other);
    rmSync(join(one.folder, "build/text.md"));
    other.write("build/text.md", "a\nchanged\nc\n");
    await settle(one, other);
    const [conflict] = await unsettled(one);
    expect([conflict?.kind, (await unsettled(other)).length]).toEqual(["deleted-and-changed", 1]);
    if (conflict) await one.sync.dismiss(conflict);
    await settle(one, other);
    expect([await unsettled(one), await unsettled(other)]).toEqual([[], []]);
  });

  it("HIST-4 makes no revision where there is nobody to tell", async () => {
    const { one, other } = pair();
    await one.entry("build", "Shared");
    await settle(one, other);
    await doubled(one, other, ["ours", "theirs"]);
    const [conflict] = await unsettled(other);
    git(other.folder, "remote", "remove", "origin");
    const before = git(other.folder, "rev-parse", "HEAD");
    if (conflict) await other.sync.dismiss(conflict);
    await other.sync.run();
    expect(git(other.folder, "rev-parse", "HEAD")).toBe(before);
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
