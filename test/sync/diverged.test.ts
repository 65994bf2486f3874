import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { mergeTopics } from "../../src/notes/topics/merge-topics.ts";
import { errorOf } from "../helpers/error-of.ts";
import { type Clone, filesOf, git, makeRemote, openClone, openClones, scratch } from "./clones.ts";

const markers = /^(?:<{7}|={7}|>{7}|\|{7})/m;

async function settle(...clones: readonly Clone[]): Promise<void> {
  // The first one takes over what the others sent after it.
  for (const clone of [...clones, ...clones.slice(0, 1)]) await clone.sync.run();
}

function pair(more: Parameters<typeof openClones>[1] = {}) {
  const { folder, remote, clones } = openClones(2, more);
  const [one, other] = clones as [Clone, Clone];
  return { folder, remote, one, other };
}

describe("HIST-4 clones that diverged", () => {
  it("HIST-4 keep both sides' entries, and both versions of what both changed, without a marker", async () => {
    const { one, other } = pair();
    await one.entry("build", "Shared");
    one.write("build/text.md", "a\nb\nc\n");
    await settle(one, other);
    one.write("build/text.md", "a\nours\nc\n");
    other.write("build/text.md", "a\ntheirs, and longer\nc\n");
    await one.entry("build", "By one");
    await other.entry("build", "By other");
    await one.sync.run();
    const { conflicts } = await other.sync.run();
    expect(conflicts).toEqual([
      {
        kind: "both-changed",
        path: "build/text.md",
        beside: expect.stringMatching(/^build\/text\.conflict-\w{8}\.md$/),
      },
    ]);
    await settle(one, other);
    expect(filesOf(one.folder)).toEqual(filesOf(other.folder));
    const all = Object.values(filesOf(one.folder)).join("\n");
    for (const text of ["ours", "theirs, and longer", "By one", "By other", "Shared"]) expect(all).toContain(text);
    expect(all).not.toMatch(markers);
  });

  it("HIST-4 a deletion that the other side did not touch stays a deletion", async () => {
    const { one, other } = pair();
    await one.entry("build", "Goes");
    await one.entry("auth", "Stays");
    await settle(one, other);
    rmSync(join(one.folder, "build/notes.md"));
    await other.entry("auth", "New");
    await settle(one, other);
    expect(Object.keys(filesOf(other.folder))).toEqual(["auth/notes.md", "index.md"]);
    expect(other.read("index.md")).not.toContain("build");
  });

  it("HIST-4 what both sides' entries make too long is pruned into the archive, and nothing is lost", async () => {
    const { one, other } = pair();
    for (const [clone, name] of [
      [one, "one"],
      [other, "other"],
    ] as const) {
      for (let index = 0; index < 8; index += 1) await clone.entry("build", `By ${name} ${index}`);
    }
    await settle(one, other);
    expect(filesOf(one.folder)).toEqual(filesOf(other.folder));
    const all = Object.values(filesOf(one.folder)).join("\n");
    for (const name of ["one", "other"]) {
      for (let index = 0; index < 8; index += 1) expect(all).toContain(`By ${name} ${index}`);
    }
    expect(one.read("build/notes.md").match(/^## /gm)).toHaveLength(10);
    expect(one.read("archive/build/2026.md").match(/^## /gm)).toHaveLength(6);
  });

  it("HIST-4 what is written while they merge is not lost", async () => {
    const { one, other } = pair();
    await one.entry("build", "Shared");
    await settle(one, other);
    await one.entry("build", "By one");
    await one.sync.run();
    await other.entry("build", "By other");
    let meanwhile = 0;
    const racing = openClone(other.folder, undefined, {
      merge: (...trees) => {
        meanwhile += 1;
        if (meanwhile < 4)
          other.write(
            "build/notes.md",
            other.read("build/notes.md").replace("By other", `By other, meanwhile-${meanwhile}`),
          );
        return mergeTopics(...trees);
      },
    });
    onTestFinished(() => racing.close());
    await racing.sync.run();
    expect(meanwhile).toBeGreaterThan(3);
    for (const text of ["Shared", "By one", "By other", "meanwhile-1", "meanwhile-2", "meanwhile-3"]) {
      expect(other.read("build/notes.md")).toContain(text);
    }
  });

  it("HIST-5 stops where the remote holds a purged value, and nothing of it is taken over", async () => {
    const value = "planted-value-1234";
    const purged = {
      key: "1",
      find: (bytes: Uint8Array) => (Buffer.from(bytes).includes(value) ? "a purged value" : undefined),
    };
    const { one, other } = pair();
    const careful = openClone(other.folder, undefined, { purged: () => purged });
    onTestFinished(() => careful.close());
    await one.entry("build", "Harmless");
    await one.sync.run();
    await careful.sync.run();
    one.write("build/leak.md", `${value}\n`);
    await one.sync.run();
    one.write("build/leak.md", "taken out\n");
    await one.sync.run();
    const error = await errorOf(() => careful.sync.run());
    expect(error).toMatchObject({ code: "SYNC_FAILED", data: { reason: "purged" } });
    expect(String(error)).not.toContain(value);
    expect(Object.keys(filesOf(other.folder))).not.toContain("build/leak.md");
    expect(git(other.folder, "log", "--all", "--format=%s", "--", "build/leak.md")).toBe("");
  });

  it("HIST-4 a folder that was emptied by a mishap does not empty the remote", async () => {
    const { remote, one } = pair();
    await one.entry("build", "One");
    await one.entry("auth", "Two");
    await one.sync.run();
    for (const name of ["build", "auth", "index.md"]) rmSync(join(one.folder, name), { recursive: true });
    expect(await errorOf(() => one.sync.run())).toMatchObject({ code: "SYNC_FAILED", data: { reason: "emptied" } });
    expect(git(remote, "show", "main:build/notes.md")).toContain("One");
    await one.sync.run({ acceptEmpty: true });
    expect(git(remote, "ls-tree", "-r", "main")).toBe("");
  });
});

describe("TOP-9 a local git folder", () => {
  function localFolder() {
    const base = scratch();
    const remote = makeRemote(join(base, "remote.git"));
    const folder = join(base, "local");
    git(base, "init", "-q", "-b", "trunk", folder);
    git(folder, "remote", "add", "origin", remote);
    const local = openClone(folder, undefined, { isClone: false });
    onTestFinished(() => local.close());
    return { base, remote, folder, local };
  }

  it("TOP-9 HIST-4 keeps the user's staged and unstaged work exactly as it is", async () => {
    const { remote, folder, local } = localFolder();
    const put = (path: string, text: string) => {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    for (const path of ["src/a.ts", "src/b.ts", "src/c.ts", "README.md"]) put(path, "committed\n");
    git(folder, "add", "-A");
    git(folder, "commit", "-qm", "work");
    put("src/a.ts", "staged\n");
    git(folder, "add", "src/a.ts");
    put("src/a.ts", "staged, then changed\n");
    put("src/b.ts", "unstaged\n");
    put("src/new.ts", "untracked\n");
    put("README.md", "unstaged, too\n");
    git(folder, "rm", "-q", "--cached", "src/c.ts");
    const before = [git(folder, "status", "--porcelain"), git(folder, "diff"), git(folder, "diff", "--cached")];
    await local.entry("build", "One");
    await local.sync.run();
    await local.entry("build", "Two");
    await local.sync.run();
    const after = [git(folder, "status", "--porcelain"), git(folder, "diff"), git(folder, "diff", "--cached")];
    expect(after).toEqual(before);
    expect(git(folder, "symbolic-ref", "HEAD").trim()).toBe("refs/heads/trunk");
    expect(git(remote, "show", "trunk:build/notes.md")).toContain("Two");
    expect(git(remote, "show", "trunk:src/a.ts")).toBe("committed\n");
    expect(git(remote, "log", "-1", "--format=%s", "trunk").trim()).toBe("recollect: sync 2 documents");
  });

  it("TOP-9 stops before it touches a file of the user that both changed, and goes on once it is committed", async () => {
    const { base, remote, folder, local } = localFolder();
    writeFileSync(join(folder, "todo.txt"), "first\n");
    git(folder, "add", "-A");
    git(folder, "commit", "-qm", "work");
    await local.entry("build", "One");
    await local.sync.run();
    git(base, "clone", "-q", "-b", "trunk", remote, join(base, "work"));
    writeFileSync(join(base, "work/todo.txt"), "first\nby somebody else\n");
    git(join(base, "work"), "commit", "-qam", "other");
    git(join(base, "work"), "push", "-q", "origin", "trunk");
    writeFileSync(join(folder, "todo.txt"), "mine\nfirst\n");
    await local.entry("build", "Two");
    const error = await errorOf(() => local.sync.run());
    expect(error).toMatchObject({ data: { reason: "uncommitted", paths: ["todo.txt"] } });
    expect(local.read("todo.txt")).toBe("mine\nfirst\n");
    git(folder, "commit", "-qam", "mine");
    await local.sync.run();
    expect(local.read("todo.txt")).toBe("mine\nfirst\nby somebody else\n");
    expect(git(folder, "status", "--porcelain")).toBe("");
  });

  it("TOP-9 without a remote keeps its revisions here, and says so", async () => {
    const { folder, local } = localFolder();
    git(folder, "remote", "remove", "origin");
    await local.entry("build", "One");
    expect(await local.sync.run()).toMatchObject({ remote: undefined, sent: 0 });
    expect(git(folder, "show", "trunk:build/notes.md")).toContain("One");
    expect(git(folder, "status", "--porcelain")).toBe("");
  });

  it("HIST-4 runs no hook of the repository, and waits while a merge of the user is under way", async () => {
    const { folder, local } = localFolder();
    for (const hook of ["pre-commit", "post-commit", "pre-push", "reference-transaction", "post-index-change"]) {
      writeFileSync(join(folder, ".git/hooks", hook), `#!/bin/sh\ntouch ${join(folder, "hook-ran")}\nexit 1\n`, {
        mode: 0o755,
      });
    }
    await local.entry("build", "One");
    await local.sync.run();
    expect(Object.keys(filesOf(folder))).not.toContain("hook-ran");
    writeFileSync(join(folder, ".git/MERGE_HEAD"), git(folder, "rev-parse", "HEAD"));
    expect(await errorOf(() => local.sync.run())).toMatchObject({ data: { reason: "unfinished" } });
  });
});
