import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { errorOf } from "../helpers/error-of.ts";
import { filesOf, git, gitEnv, makeRemote, openClone, openClones, scratch } from "./clones.ts";

const quick = { localMs: 60_000, remoteMs: 60_000, silenceMs: 400 };

function setHook(remote: string, name: string, script: string): void {
  mkdirSync(join(remote, "hooks"), { recursive: true });
  writeFileSync(join(remote, "hooks", name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(remote, "hooks", name), 0o755);
}

/** One that ended and that nobody asked about yet does not run. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

function openLone(remote: string | undefined, more: Parameters<typeof openClone>[2] = {}) {
  const clone = openClone(join(scratch(), "clone"), remote, more);
  onTestFinished(() => clone.close());
  return clone;
}

/** Nothing is lost: it is in the folder, and in a revision that waits. */
async function expectWaiting(clone: ReturnType<typeof openLone>, text: string): Promise<void> {
  expect(clone.read("build/notes.md")).toContain(text);
  expect(await clone.sync.status()).toMatchObject({ waiting: 1, failures: 1, failure: { time: expect.any(String) } });
  expect((await clone.entry("build", "Stored all the same")).alreadyStored).toBe(false);
}

describe("HIST-4 a remote", () => {
  it("HIST-4 that cannot be reached is told, and gets everything once it can", async () => {
    const folder = scratch();
    const clone = openLone(join(folder, "remote.git"));
    await clone.entry("build", "One");
    expect(await errorOf(() => clone.sync.run())).toMatchObject({ code: "SYNC_FAILED", data: { reason: "missing" } });
    makeRemote(join(folder, "remote.git"));
    expect(await clone.sync.run()).toMatchObject({ sent: 2 });
    expect(await clone.sync.status()).toMatchObject({ waiting: 0, failures: 0 });
    await clone.entry("build", "Two");
    renameSync(join(folder, "remote.git"), join(folder, "away"));
    expect(await errorOf(() => clone.sync.run())).toMatchObject({ code: "SYNC_FAILED" });
    await expectWaiting(clone, "Two");
    renameSync(join(folder, "away"), join(folder, "remote.git"));
    await clone.sync.run();
    expect(git(join(folder, "remote.git"), "show", "main:build/notes.md")).toContain("Stored all the same");
  });

  it("HIST-4 whose host refuses the connection is unreachable", async () => {
    const clone = openLone("https://127.0.0.1:1/memory.git");
    await clone.entry("build", "One");
    expect(await errorOf(() => clone.sync.run())).toMatchObject({
      code: "SYNC_FAILED",
      data: { reason: "unreachable" },
    });
    expect(clone.read("build/notes.md")).toContain("One");
  });

  it("HIST-4 that refuses what is sent is told with its own words, and nothing is lost", async () => {
    const { remote, clones } = openClones(1);
    const [clone] = clones as [(typeof clones)[0]];
    await clone.entry("build", "One");
    await clone.sync.run();
    setHook(remote, "pre-receive", "echo not on a Sunday >&2; exit 1");
    await clone.entry("build", "Two");
    const error = await errorOf(() => clone.sync.run());
    expect(error).toMatchObject({ code: "SYNC_FAILED", data: { reason: "refused" } });
    expect(String(error)).toContain("not on a Sunday");
    await expectWaiting(clone, "Two");
    rmSync(join(remote, "hooks/pre-receive"));
    await clone.sync.run();
    expect(git(remote, "show", "main:build/notes.md")).toContain("Two");
  });

  it("HIST-4 that fills up while something is sent is told, and gets it once there is room", async () => {
    const { remote, clones } = openClones(1);
    const [clone] = clones as [(typeof clones)[0]];
    await clone.entry("build", "One");
    await clone.sync.run();
    const key = "remote.origin.receivepack";
    git(clone.folder, "config", key, "trap '' XFSZ; ulimit -f 8; git-receive-pack");
    await clone.entry("build", "Two");
    clone.write("build/large.md", Array.from({ length: 20_000 }, () => Math.random().toString(36)).join("\n"));
    expect(await errorOf(() => clone.sync.run())).toMatchObject({ code: "SYNC_FAILED", data: { reason: "full" } });
    await expectWaiting(clone, "Two");
    git(clone.folder, "config", "--unset", key);
    await clone.sync.run();
    expect(git(remote, "show", "main:build/large.md")).toBe(clone.read("build/large.md"));
    expect(git(remote, "fsck", "--strict", "--no-dangling")).toBe("");
  });

  it("HIST-4 that never answers is given up in time", async () => {
    const server = createServer(() => {}).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const clone = openLone(`https://127.0.0.1:${port}/memory.git`, { limits: quick });
    await clone.entry("build", "One");
    expect(await errorOf(() => clone.sync.run())).toMatchObject({ data: { reason: "unreachable", timeout: true } });
    expect(clone.read("build/notes.md")).toContain("One");
  });

  it("HIST-4 whose ssh hangs is given up, with all processes that were started for it", async () => {
    const folder = scratch();
    const ssh = join(folder, "ssh");
    writeFileSync(ssh, `#!/bin/sh\necho $$ > ${join(folder, "pid")}\nexec sleep 600\n`);
    chmodSync(ssh, 0o755);
    const env = { ...gitEnv, GIT_SSH_COMMAND: ssh, GIT_SSH_VARIANT: "simple" };
    const clone = openLone("ssh://git@example.invalid/memory.git", { limits: { ...quick, silenceMs: 3000 }, env });
    expect(await errorOf(() => clone.sync.run())).toMatchObject({ data: { reason: "unreachable", timeout: true } });
    const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
  });

  it("HIST-4 is never sent to with force: whoever was quicker stays", async () => {
    const { remote, clones } = openClones(2);
    const [one, other] = clones as [(typeof clones)[0], (typeof clones)[0]];
    await one.entry("build", "One");
    await one.sync.run();
    await other.sync.run();
    await one.entry("build", "From one");
    await other.entry("build", "From other");
    setHook(remote, "post-update", "true");
    await Promise.all([one.sync.run(), other.sync.run()]);
    await one.sync.run();
    await other.sync.run();
    expect(filesOf(one.folder)).toEqual(filesOf(other.folder));
    for (const title of ["One", "From one", "From other"]) expect(one.read("build/notes.md")).toContain(title);
    // Every revision that anybody sent is still there.
    expect(git(remote, "reflog", "show", "main").includes("forced")).toBe(false);
  });

  it("HIST-4 takes over files that are no documents, and leaves what leads elsewhere in git", async () => {
    const { folder, remote, clones } = openClones(1);
    const [clone] = clones as [(typeof clones)[0]];
    const work = join(folder, "work");
    git(folder, "clone", "-q", remote, work);
    git(work, "checkout", "-q", "-b", "main");
    mkdirSync(join(work, "auth"));
    writeFileSync(join(work, "README.txt"), "hello\n");
    writeFileSync(join(work, ".gitignore"), "*.tmp\n");
    writeFileSync(join(work, "auth/blob.md"), Buffer.from([0xff, 0xfe, 0x00]));
    execFileSync("ln", ["-s", "/etc/passwd", join(work, "auth/notes.md")]);
    git(work, "add", "-A");
    git(work, "commit", "-qm", "by hand");
    git(work, "push", "-q", "origin", "main");
    await clone.sync.run();
    expect([clone.read("README.txt"), clone.read(".gitignore")]).toEqual(["hello\n", "*.tmp\n"]);
    expect(existsSync(join(clone.folder, "auth/notes.md"))).toBe(false);
    expect(readFileSync(join(clone.folder, "auth/blob.md"))).toEqual(Buffer.from([0xff, 0xfe, 0x00]));
    expect(git(clone.folder, "status", "--porcelain")).toBe("");
    await clone.entry("build", "One");
    await clone.sync.run();
    expect(git(remote, "ls-tree", "-r", "--name-only", "main").split("\n")).toEqual(
      expect.arrayContaining(["README.txt", ".gitignore", "auth/notes.md", "auth/blob.md", "build/notes.md"]),
    );
  });
});

describe("HIST-4 a remote whose history was rewritten", () => {
  async function prepared() {
    const { folder, remote, clones } = openClones(1);
    const [clone] = clones as [(typeof clones)[0]];
    await clone.entry("build", "One");
    await clone.sync.run();
    await clone.entry("auth", "Two");
    await clone.sync.run();
    const work = join(folder, "work");
    git(folder, "clone", "-q", remote, work);
    return { remote, clone, work };
  }

  it("HIST-4 and lacks nothing is taken as it is, with what is new here on top", async () => {
    const { remote, clone, work } = await prepared();
    git(work, "checkout", "-q", "--orphan", "squashed");
    git(work, "commit", "-qm", "all in one");
    git(work, "push", "-q", "-f", "origin", "squashed:main");
    await clone.entry("build", "Three");
    expect(await clone.sync.run()).toMatchObject({ rewritten: true, conflicts: [] });
    expect(git(remote, "log", "--format=%s", "main").trim().split("\n")).toHaveLength(2);
    expect(git(remote, "show", "main:build/notes.md")).toMatch(/Three[\s\S]*One/);
    expect(clone.read("auth/notes.md")).toContain("Two");
    expect(await clone.sync.run()).toMatchObject({ rewritten: false, sent: 0, received: 0 });
  });

  it("HIST-4 and lacks something stops until somebody says what was meant: keep", async () => {
    const { remote, clone, work } = await prepared();
    git(work, "reset", "-q", "--hard", "HEAD~1");
    git(work, "push", "-q", "-f", "origin", "HEAD:main");
    await clone.entry("build", "Three");
    const error = await errorOf(() => clone.sync.run());
    expect(error).toMatchObject({ code: "SYNC_FAILED", data: { reason: "rewritten", missing: ["auth/notes.md"] } });
    expect(clone.read("auth/notes.md")).toContain("Two");
    expect(git(remote, "show", "main:build/notes.md")).not.toContain("Three");
    await clone.sync.run({ rewritten: "keep" });
    expect(git(remote, "show", "main:auth/notes.md")).toContain("Two");
    expect(git(remote, "show", "main:build/notes.md")).toContain("Three");
    expect(await clone.sync.run()).toMatchObject({ rewritten: false });
  });

  it("HIST-4 and lacks something stops until somebody says what was meant: drop", async () => {
    const { remote, clone, work } = await prepared();
    git(work, "reset", "-q", "--hard", "HEAD~1");
    git(work, "push", "-q", "-f", "origin", "HEAD:main");
    await clone.entry("build", "Three");
    await errorOf(() => clone.sync.run());
    await clone.sync.run({ rewritten: "drop" });
    expect(existsSync(join(clone.folder, "auth/notes.md"))).toBe(false);
    expect(git(remote, "show", "main:build/notes.md")).toContain("Three");
    expect(git(clone.folder, "log", "--all", "--format=%s", "--", "auth/notes.md")).not.toBe("");
  });

  it("HIST-4 and is gone altogether stops, too", async () => {
    const { remote, clone } = await prepared();
    rmSync(remote, { recursive: true });
    makeRemote(remote);
    expect(await errorOf(() => clone.sync.run())).toMatchObject({ data: { reason: "rewritten" } });
    await clone.sync.run({ rewritten: "keep" });
    expect(git(remote, "show", "main:auth/notes.md")).toContain("Two");
  });
});
