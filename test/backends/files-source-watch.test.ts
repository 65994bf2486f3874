import { execFile, execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { openFilesStore } from "../../src/app.ts";
import type { FilesSource } from "../../src/backends/files/source.ts";
import { isTelling } from "../../src/backends/files/watch-file-systems.ts";
import { openWatchQueue } from "../../src/backends/files/watch-queue.ts";
import { at, openNotes, scratchFolder, stamp } from "./files/scratch.ts";
import { openSource } from "./files-source-open.ts";

const isRoot = process.getuid?.() === 0;

async function watched(folder: string): Promise<FilesSource> {
  const source = openSource(folder);
  expect(await source.watch()).toEqual({ kind: "watching" });
  expect(await source.changes()).toEqual([]);
  return source;
}

function put(folder: string, ...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), "text");
  }
}

describe.runIf(process.platform === "linux")("changes", () => {
  it("SRCH-3 name what was written, moved and removed, once", async () => {
    const folder = scratchFolder();
    put(folder, "a.md", "topic/b.md", "topic/c.md");
    const source = await watched(folder);
    appendFileSync(join(folder, "a.md"), "more");
    renameSync(join(folder, "topic/b.md"), join(folder, "b.md"));
    unlinkSync(join(folder, "topic/c.md"));
    expect((await source.changes())?.toSorted()).toEqual(["a.md", "b.md", "topic/b.md", "topic/c.md"]);
    expect(await source.changes()).toEqual([]);
  });

  it("SRCH-3 name a new folder as a whole, and then what happens in it", async () => {
    const folder = scratchFolder();
    const source = await watched(folder);
    put(folder, "one/two/three/a.md");
    expect(await source.changes()).toEqual(["one"]);
    expect([...source.survey("one")].flatMap((one) => one.documents.map((d) => d.path))).toEqual([
      "one/two/three/a.md",
    ]);
    put(folder, "one/two/three/a.md", "one/two/four/b.md");
    expect((await source.changes())?.toSorted()).toEqual(["one/two/four", "one/two/three/a.md"]);
  });

  it("SRCH-3 follow a folder to its new name, and the one that took its place", async () => {
    const folder = scratchFolder();
    put(folder, "old/in/a.md", "other/in/b.md");
    const source = await watched(folder);
    renameSync(join(folder, "old"), join(folder, "new"));
    renameSync(join(folder, "other"), join(folder, "old"));
    expect((await source.changes())?.toSorted()).toEqual(["new", "old", "other"]);
    put(folder, "new/in/a.md", "old/in/b.md");
    expect((await source.changes())?.toSorted()).toEqual(["new/in/a.md", "old/in/b.md"]);
  });

  it("KER-2 let go of a folder that a link took the place of", async () => {
    const [folder, outside] = [scratchFolder(), scratchFolder()];
    put(folder, "topic/a.md");
    const source = await watched(folder);
    renameSync(join(folder, "topic"), join(outside, "topic"));
    symlinkSync(join(outside, "topic"), join(folder, "topic"));
    expect(await source.changes()).toEqual(["topic"]);
    expect([...source.survey("topic")]).toEqual([]);
    put(outside, "topic/a.md");
    expect(await source.changes()).toEqual([]);
  });

  it("SRCH-3 name a folder that is removed and made again, often under the same number", async () => {
    const folder = scratchFolder();
    put(folder, "topic/a.md");
    const source = await watched(folder);
    for (let round = 0; round < 20; round += 1) {
      rmSync(join(folder, "topic"), { recursive: true });
      put(folder, "topic/a.md");
      expect(await source.changes()).toEqual(["topic"]);
      put(folder, "topic/a.md");
      expect(await source.changes()).toEqual(["topic/a.md"]);
    }
  });

  it("SRCH-3 name what a store writes, and nothing of its own files", async () => {
    const folder = scratchFolder();
    const source = await watched(folder);
    const { documents } = openNotes(folder);
    await documents.write(at("topic/a.md"), "one", stamp);
    expect(await source.changes()).toEqual(["topic"]);
    await documents.write(at("topic/a.md"), "two", stamp);
    expect(await source.changes()).toEqual(["topic/a.md"]);
  });

  it("keep quiet about hidden files, other files that grow, and an inner root", async () => {
    const folder = scratchFolder();
    put(folder, "inner/a.md", "build.log");
    const store = openFilesStore({
      now: Date.now,
      roots: [
        { name: "outer", folder },
        { name: "inner", folder: join(folder, "inner") },
      ],
    });
    onTestFinished(() => store.close());
    const isDocument = (path: string) => path.endsWith(".md");
    const [outer, inner] = [store.source("outer", { isDocument }), store.source("inner", { isDocument })];
    await Promise.all([outer.watch(), inner.watch()]);
    put(folder, ".hidden.md", "inner/a.md");
    appendFileSync(join(folder, "build.log"), "more");
    expect(await Promise.all([outer.changes(), inner.changes()])).toEqual([[], ["a.md"]]);
  });

  it("SRCH-3 name a document that was changed by its second name elsewhere, or lost that name", async () => {
    const [folder, outside] = [scratchFolder(), scratchFolder()];
    put(outside, "a.md");
    linkSync(join(outside, "a.md"), join(folder, "a.md"));
    const source = await watched(folder);
    expect([...source.survey()]).toHaveLength(1);
    expect(await source.changes()).toEqual([]);
    unlinkSync(join(outside, "a.md"));
    expect(await source.changes()).toEqual(["a.md"]);
    expect((await source.read("a.md"))?.content).toBe("text");
    expect(await source.changes()).toEqual([]);
  });

  it("give the same answer to all who ask at once", async () => {
    const folder = scratchFolder();
    const source = await watched(folder);
    put(folder, "a.md");
    expect(await Promise.all([source.changes(), source.changes()])).toEqual([["a.md"], ["a.md"]]);
  });

  it("give whoever asks while another waits an answer of its own", async () => {
    const folder = scratchFolder();
    const source = await watched(folder);
    const first = source.changes();
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    put(folder, "a.md");
    const second = source.changes();
    const answers = [await first, await second];
    expect(answers.flat()).toContain("a.md");
    expect(answers[1]?.length === 1 || answers[0]?.length === 1).toBe(true);
  });

  it("SRCH-3 ask for a survey when the root was removed or replaced, and follow the new one", async () => {
    const base = scratchFolder();
    const folder = join(base, "root");
    put(folder, "topic/a.md");
    const source = await watched(folder);
    rmSync(folder, { recursive: true });
    expect(await source.changes()).toBeUndefined();
    expect([...source.survey()]).toEqual([]);
    put(folder, "topic/b.md");
    expect(await source.changes()).toBeUndefined();
    put(folder, "topic/c.md");
    expect(await source.changes()).toEqual(["topic/c.md"]);
    renameSync(folder, join(base, "moved"));
    put(folder, "d.md");
    expect(await source.changes()).toBeUndefined();
    put(join(base, "moved"), "e.md");
    expect(await source.changes()).toEqual([]);
  });

  it("SRCH-3 ask for a survey when a folder around the root was replaced", async () => {
    const base = scratchFolder();
    put(base, "around/root/a.md");
    const source = await watched(join(base, "around/root"));
    renameSync(join(base, "around"), join(base, "moved"));
    put(base, "around/root/b.md");
    expect(await source.changes()).toBeUndefined();
    put(base, "around/root/c.md");
    expect(await source.changes()).toEqual(["c.md"]);
  });

  it("SRCH-3 are known in a process that was busy for longer than the time limit", async () => {
    const folder = scratchFolder();
    const source = await watched(folder);
    put(folder, "a.md");
    const asked = source.changes();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    expect(await asked).toEqual(["a.md"]);
  });

  it.runIf(isRoot)("SRCH-3 tell of folders that become unreadable, and readable again", async () => {
    const folder = scratchFolder();
    put(folder, "topic/a.md", "b.md");
    for (const path of [folder, join(folder, "topic")]) chownSync(path, 65_534, 65_534);
    process.seteuid?.(65_534);
    onTestFinished(() => process.seteuid?.(0));
    const source = await watched(folder);
    chmodSync(join(folder, "topic"), 0);
    expect(await source.changes()).toEqual(["topic"]);
    expect([...source.survey("topic")]).toEqual([]);
    expect(await source.read("topic/a.md")).toBeUndefined();
    chmodSync(join(folder, "topic"), 0o700);
    expect(await source.changes()).toEqual(["topic"]);
    expect([...source.survey("topic")]).toHaveLength(1);
    put(folder, "topic/c.md");
    expect(await source.changes()).toEqual(["topic/c.md"]);
    // The root itself: an index must not take it for empty.
    chmodSync(folder, 0);
    expect(await source.changes()).toBeUndefined();
    expect(() => [...source.survey()]).toThrow(expect.objectContaining({ code: "PERMISSION_DENIED" }));
    expect(await source.watch()).toEqual({ kind: "unwatched", reason: expect.stringContaining("denies") });
    chmodSync(folder, 0o700);
    expect(await source.watch()).toEqual({ kind: "watching" });
    put(folder, "d.md");
    expect(await source.changes()).toEqual(["d.md"]);
  });

  it("SRCH-3 ask for a survey when more happened than the system's queue holds, and miss nothing after it", async () => {
    const folder = scratchFolder();
    put(folder, "topic/a.md");
    const source = await watched(folder);
    // This process looks at nothing while the other one writes: the queue overflows for real.
    const script = `const fs = require("node:fs"); const path = require("node:path");
      for (let n = 0; n < 7000; n += 1) { fs.writeFileSync(path.join(${JSON.stringify(folder)}, "topic", n % 50 + ".md"), "" + n); fs.chmodSync(path.join(${JSON.stringify(folder)}, "topic", n % 50 + ".md"), 0o600 + n % 2 * 0o40); }
      fs.mkdirSync(path.join(${JSON.stringify(folder)}, "late"));`;
    execFileSync(process.execPath, ["-e", script]);
    expect(await source.changes()).toBeUndefined();
    put(folder, "late/b.md");
    expect(await source.changes()).toEqual(["late/b.md"]);
  });

  it("are no reason for a process to stay", async () => {
    const folder = scratchFolder();
    const module = fileURLToPath(new URL("../../src/app.ts", import.meta.url));
    const script = `import { openFilesStore } from ${JSON.stringify(module)};
      const source = openFilesStore({ now: Date.now, roots: [{ name: "notes", folder: ${JSON.stringify(folder)} }] }).source("notes");
      process.stdout.write((await source.watch()).kind + JSON.stringify(await source.changes()));`;
    const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { timeout: 20_000 });
    expect((await run).stdout).toBe("watching[]");
  });
});

describe("what cannot be watched", () => {
  const failing = (code: string) => (queue: ReturnType<typeof openWatchQueue>) => ({
    ...queue,
    watch: () => {
      throw Object.assign(new Error(code), { code });
    },
  });

  it.runIf(process.platform === "linux").each([
    ["ENOSPC", "max_user_watches"],
    ["EMFILE", "max_user_instances"],
    ["EACCES", "denies"],
  ])("says what to do about %s, and answers by survey", async (code, says) => {
    const source = openSource(scratchFolder(), failing(code));
    const answer = await source.watch();
    expect(answer).toEqual({ kind: "unwatched", reason: expect.stringContaining(says) });
    expect(await source.changes()).toBeUndefined();
  });

  it.runIf(process.platform === "linux")("says that a limit was met by a folder made later", async () => {
    const folder = scratchFolder();
    let isFull = false;
    const source = openSource(folder, (queue) => ({
      ...queue,
      watch: (...args) => {
        if (isFull) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
        return queue.watch(...args);
      },
    }));
    await source.watch();
    isFull = true;
    put(folder, "topic/a.md");
    expect(await source.changes()).toBeUndefined();
    expect(await source.changes()).toBeUndefined();
    expect(await source.watch()).toEqual({ kind: "unwatched", reason: expect.stringContaining("max_user_watches") });
    isFull = false;
    expect(await source.watch()).toEqual({ kind: "watching" });
    put(folder, "topic/b.md");
    expect(await source.changes()).toEqual(["topic/b.md"]);
  });

  it.runIf(process.platform === "linux")("is a folder whose file system keeps quiet about changes", async () => {
    const answer = await openSource("/proc/sys/kernel").watch();
    expect(answer).toEqual({ kind: "unwatched", reason: expect.stringContaining("file system") });
  });

  it("is every file system that is not known to tell", () => {
    const types = { nfs: 0x6969, smb: 0xfe534d42, cifs: 0xff534d42, fuse: 0x65735546, "9p": 0x01021997, fat: 0x4d44 };
    for (const [name, type] of Object.entries(types)) expect(isTelling(type), name).toBe(false);
    for (const type of [0xef53, 0x58465342, 0x9123683e, 0x9123683e | 0, 0x794c7630]) expect(isTelling(type)).toBe(true);
  });

  it.runIf(process.platform === "linux")("is anything, where no file can be made for a moment", async () => {
    const queue = openWatchQueue({ temporaryFolders: ["/proc/nowhere"] });
    const source = openSource(scratchFolder(), () => queue);
    expect((await source.watch()).kind).toBe("unwatched");
  });

  it.runIf(process.platform === "linux")(
    "SRCH-3 asks for a survey where the cookie does not come back in time",
    async () => {
      const folder = scratchFolder();
      let isDeaf = false;
      const source = openSource(folder, (queue) => ({
        ...queue,
        settled: () => (isDeaf ? Promise.resolve(false) : queue.settled()),
      }));
      await source.watch();
      put(folder, "a.md");
      isDeaf = true;
      expect(await source.changes()).toBeUndefined();
      isDeaf = false;
      expect(await source.changes()).toEqual(["a.md"]);
    },
  );
});
