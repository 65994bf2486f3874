import { execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { bestOpenDirectory } from "../../../src/backends/files/directory.ts";
import { readDocumentFile } from "../../../src/backends/files/document-file.ts";
import { readSurveyed } from "../../../src/backends/files/survey-document.ts";
import { workerScript } from "../../helpers/worker-script.ts";
import { at, openNotes, scratchFolder, stamp } from "./scratch.ts";

const run = promisify(execFile);
const worker = workerScript("./append-worker.ts", import.meta.url);
const isRoot = process.getuid?.() === 0;

async function append(job: Record<string, unknown>): Promise<number> {
  const { stdout } = await run(process.execPath, [worker, JSON.stringify(job)]);
  return Number(stdout);
}

function expectAllLines(file: string, labels: readonly string[], count: number): void {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const expected = labels.flatMap((label) => Array.from({ length: count }, (_, line) => `${label}:${line}`));
  expect(lines.toSorted()).toEqual(expected.toSorted());
}

describe("exclusion between processes", () => {
  it("KER-5 keeps 400 of 400 appends of processes whose folders overlap differently", async () => {
    const base = scratchFolder();
    mkdirSync(join(base, "memories/feature"), { recursive: true });
    const views = [
      { root: base, path: "memories/feature/log.md" },
      { root: join(base, "memories"), path: "feature/log.md" },
      { root: join(base, "memories/feature"), path: "log.md" },
      { root: join(base, "memories/feature"), path: "log.md" },
    ];
    const acknowledged = await Promise.all(
      views.map((view, index) => append({ ...view, label: `p${index}`, count: 100 })),
    );
    expect(acknowledged).toEqual([100, 100, 100, 100]);
    expectAllLines(join(base, "memories/feature/log.md"), ["p0", "p1", "p2", "p3"], 100);
  });

  it("KER-5 keeps 400 of 400 while each holder lists, reads, follows and recovers its own folder", async () => {
    const root = scratchFolder();
    const jobs = ["a", "b", "c", "d"].map((label) => append({ root, path: "log.md", label, count: 100, scan: true }));
    expect(await Promise.all(jobs)).toEqual([100, 100, 100, 100]);
    expectAllLines(join(root, "log.md"), ["a", "b", "c", "d"], 100);
  });

  it.runIf(existsSync("/proc/locks")).each([
    ["reads another name of its own lock", linkSync],
    ["reads its own lock, which was moved,", renameSync],
  ])("KER-5 a holder that %s keeps it", async (_, giveName) => {
    const root = scratchFolder();
    const { documents, store } = openNotes(root);
    await documents.write(at("first.md"), "x", stamp);
    const lock = join(root, ".recollect", "lock".padEnd(252, "_"));
    const other = join(root, "other.md");
    const inode = statSync(lock).ino;
    const held = () =>
      readFileSync("/proc/locks", "utf8")
        .split("\n")
        .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${inode} `)).length;
    const folder = bestOpenDirectory()(root);
    onTestFinished(() => folder.close());
    const seen: unknown[] = [];
    await store.commit(
      [at("a.md")].map(store.resolve),
      () => {
        const before = held();
        giveName(lock, other);
        const reading = { maxBytes: 1 << 20, now: Date.now, onShared: () => undefined, onRefused: () => undefined };
        expect(() => readDocumentFile(folder, "other.md", 1 << 20)).toThrow(/hard link/);
        seen.push(readSurveyed(folder, "other.md", reading), before > 0, held() === before);
        if (!existsSync(lock)) renameSync(other, lock);
        return [{ kind: "put", at: at("a.md"), content: "x" }];
      },
      stamp,
    );
    expect(seen).toEqual([undefined, true, true]);
  });

  it.runIf(isRoot)("KER-5 keeps 400 of 400 appends of two users who share a folder by its group", async () => {
    const root = scratchFolder();
    chmodSync(root, 0o2775);
    chownSync(root, 0, 4242);
    const users = [4001, 4002, 4001, 4002];
    const jobs = users.map((uid, index) =>
      append({ root, path: "log.md", label: `u${index}`, count: 100, uid, gid: 4242 }),
    );
    expect(await Promise.all(jobs)).toEqual([100, 100, 100, 100]);
    expectAllLines(join(root, "log.md"), ["u0", "u1", "u2", "u3"], 100);
  });

  it.runIf(isRoot)("KER-5 never shuts out the owner of a folder, whoever else wrote and waited there", async () => {
    const root = scratchFolder();
    chownSync(root, 4004, 4004);
    const labels = ["first", "a", "b", "c", "last"];
    const job = (label: string) => append({ root, path: "log.md", label, count: 20 });
    const ownersJob = (label: string) => append({ root, path: "log.md", label, count: 20, uid: 4004, gid: 4004 });
    await job("first");
    await Promise.all([job("a"), job("b"), ownersJob("c")]);
    await ownersJob("last");
    expectAllLines(join(root, "log.md"), labels, 20);
  });

  it.runIf(isRoot)(
    "KER-5 tells READ_ONLY to a user who may not write to the lock, before anything is written",
    async () => {
      const root = scratchFolder();
      const { documents } = openNotes(root);
      await documents.write(at("a.md"), "mine", stamp);
      // Anyone may write to the folder, but not to its lock: BEGIN would succeed there and exclude nobody.
      chmodSync(root, 0o777);
      chmodSync(join(root, ".recollect"), 0o777);
      const attempt = append({ root, path: "a.md", label: "x", count: 1, uid: 4003, gid: 4003 });
      await expect(attempt).rejects.toThrow(/READ_ONLY/);
      expect(readFileSync(join(root, "a.md"), "utf8")).toBe("mine");
    },
  );

  it.runIf(isRoot && process.platform === "linux")(
    "KER-5 keeps 400 of 400 where a host and a container know one deep folder by different paths",
    async () => {
      const base = scratchFolder();
      const deep = join("x".repeat(200), "y".repeat(100));
      mkdirSync(join(base, deep), { recursive: true });
      mkdirSync(join(base, "mounted"));
      execFileSync("mount", ["--bind", join(base, deep), join(base, "mounted")]);
      onTestFinished(() => void execFileSync("umount", ["-l", join(base, "mounted")]));
      const views = [
        { root: base, path: `${deep}/log.md` },
        { root: join(base, "mounted"), path: "log.md" },
        { root: base, path: `${deep}/log.md` },
        { root: join(base, "mounted"), path: "log.md" },
      ];
      const jobs = views.map((view, index) => append({ ...view, label: `v${index}`, count: 100 }));
      expect(await Promise.all(jobs)).toEqual([100, 100, 100, 100]);
      expectAllLines(join(base, deep, "log.md"), ["v0", "v1", "v2", "v3"], 100);
    },
  );

  it("KER-5 keeps what a second store of the same process appends", async () => {
    const root = scratchFolder();
    const clients = [openNotes(root), openNotes(root, { blockingSync: false })];
    const appends = clients.flatMap(({ documents }, client) =>
      Array.from({ length: 50 }, (_, line) => documents.append(at("log.md"), `${client}:${line}\n`, stamp)),
    );
    await Promise.all(appends);
    expectAllLines(join(root, "log.md"), ["0", "1"], 50);
  });

  it("KER-6 catches a person's editor, which takes no lock", async () => {
    const root = scratchFolder();
    const { documents } = openNotes(root);
    const written = await documents.write(at("a.md"), "mine", stamp);
    const rev = written.kind === "committed" ? written.outcome.rev : undefined;
    writeFileSync(join(root, "a.md"), "edited by hand");
    const result = await documents.write(at("a.md"), "again mine", stamp, rev ? { ifRev: rev } : {});
    expect(result.kind).toBe("conflict");
    expect(readFileSync(join(root, "a.md"), "utf8")).toBe("edited by hand");
  });
});
