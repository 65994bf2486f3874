import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openFilesStore } from "../../../src/backends/files/store.ts";
import { documentsOf } from "../../helpers/folder-snapshot.ts";
import { someRuns } from "../../helpers/some-cases.ts";
import { workerScript } from "../../helpers/worker-script.ts";
import { openMemories, primary, scratch } from "./open-memories.ts";

// Processes on files, and kills between their system calls; clients of any store are in clients.test.ts.
const editWorker = fileURLToPath(new URL("./edit-worker.ts", import.meta.url));
const killedRenameWorker = workerScript("./killed-rename-worker.ts", import.meta.url);

it("KER-5 four processes with 100 edits, regex edits, appends and prepends each keep 400 of 400", async () => {
  const folder = scratch();
  writeFileSync(join(folder, "log.md"), "BEGIN\n");
  const run = async (label: string) =>
    Number((await promisify(execFile)(process.execPath, [editWorker, folder, label, "100"])).stdout);
  const labels = ["a", "b", "c", "d"];
  expect(await Promise.all(labels.map(run))).toEqual([100, 100, 100, 100]);
  const lines = readFileSync(join(folder, "log.md"), "utf8").trimEnd().split("\n");
  const expected = labels.flatMap((label) => Array.from({ length: 100 }, (_, index) => `${label}:${index}`));
  expect(lines.toSorted()).toEqual([...expected, "BEGIN"].toSorted());
});

it("KER-4 reads and lists beside a writer are never torn", async () => {
  const { memories, put, path } = openMemories();
  put(`${primary}/log.md`, "BEGIN\n");
  const writer = spawn(process.execPath, [editWorker, path(primary), "w", "150"], { stdio: "ignore" });
  const ended = once(writer, "exit");
  let reads = 0;
  let seen = 0;
  while (writer.exitCode === null) {
    const { content } = await memories.read("log");
    const lines = content.split("\n");
    // Every change adds a whole line, so a whole text ends with one and never gets shorter.
    expect(lines.at(-1)).toBe("");
    expect(lines.slice(0, -1).every((line) => /^(BEGIN|w:\d+)$/.test(line))).toBe(true);
    expect(lines.length).toBeGreaterThanOrEqual(seen);
    seen = lines.length;
    expect((await memories.list()).memories).toMatchObject([{ name: "log" }]);
    reads += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await ended).toEqual([0, null]);
  expect(reads).toBeGreaterThan(20);
});

const before: Record<string, string> = {
  "primary/old.md": "mem:old itself",
  "primary/topic/a.md": "see mem:old",
  "shared/b.md": "see mem:old.md",
  "shared/c.md": "nothing",
};
const after: Record<string, string> = {
  "shared/SHARED_new.md": "mem:SHARED_new itself",
  "primary/topic/a.md": "see mem:SHARED_new",
  "shared/b.md": "see mem:SHARED_new.md",
  "shared/c.md": "nothing",
};

function textsIn(base: string): Record<string, string> {
  const files = Object.entries(documentsOf(base)).filter(([, what]) => what.startsWith("file"));
  return Object.fromEntries(files.map(([path]) => [path, readFileSync(join(base, path), "utf8")]));
}

it("MEM-11 a rename that is killed at any call is all there or not at all, references included", async () => {
  const prepared = scratch();
  for (const [path, content] of Object.entries(before)) {
    mkdirSync(dirname(join(prepared, path)), { recursive: true });
    writeFileSync(join(prepared, path), content);
  }
  const seen = { none: 0, all: 0 };
  async function killAt(nth: number): Promise<boolean> {
    const base = scratch();
    cpSync(prepared, base, { recursive: true });
    const child = spawn(process.execPath, [killedRenameWorker, base, String(nth)]);
    let said = "";
    child.stdout.on("data", (data) => {
      said += data;
    });
    const [, signal] = await once(child, "close");
    const roots = ["primary", "shared"].map((name) => ({ name, folder: join(base, name) }));
    const store = openFilesStore({ roots, now: Date.now });
    await store.recover();
    await store.close();
    const found = textsIn(base);
    expect([before, after], `killed at call ${nth}`).toContainEqual(found);
    if (said !== "") expect(found).toEqual(after);
    seen["primary/old.md" in found ? "none" : "all"] += 1;
    return signal === "SIGKILL";
  }
  // Two at a time, as many processors as there are at least.
  const step = someRuns(3, 1);
  for (let nth = 1; ; nth += 2 * step) {
    const killed = await Promise.all([killAt(nth), killAt(nth + step)]);
    if (killed.includes(false)) break;
  }
  expect(seen.none).toBeGreaterThan(2);
  expect(seen.all).toBeGreaterThan(2);
});
