import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { FilesSource } from "../../src/backends/files/source.ts";
import { scratchFolder } from "./files/scratch.ts";
import { createMirror, openLog } from "./files-source-mirror.ts";
import { openSource } from "./files-source-open.ts";
import type { WriterJob } from "./files-source-writer.ts";

const writer = fileURLToPath(new URL("./files-source-writer.ts", import.meta.url));

function startWriter(job: WriterJob): ChildProcess {
  const child = spawn(process.execPath, [writer, JSON.stringify(job)], { stdio: ["ignore", "ignore", "inherit"] });
  onTestFinished(() => void child.kill());
  return child;
}

/** Follows writers in other processes for as long as they write, and compares after each look. */
async function followWriters(base: string, source: FilesSource, operations: number) {
  const jobs = [1, 2].map((seed) => ({
    folder: `w${seed}`,
    root: join(base, "root"),
    outside: join(base, "outside"),
    log: join(base, `log-${seed}`),
    seed: seed * 7919,
    operations,
    pauseMs: 0.3,
  }));
  const logs = jobs.map((job) => openLog(job.log));
  const mirror = createMirror(source);
  expect(await source.watch()).toEqual({ kind: "watching" });
  await mirror.follow();
  const writers = jobs.map(startWriter);
  const missed: string[] = [];
  let looks = 0;
  for (let isLast = false; !isLast; looks += 1) {
    for (const log of logs) log.settle();
    isLast = logs.every((log) => log.hasEnded());
    await mirror.follow();
    missed.push(...logs.flatMap((log) => log.missedBy(mirror.documents)));
    missed.push(...[...mirror.documents.keys()].filter((path) => !logs.some((log) => log.knows(path))));
    if (missed.length > 0 && looks > 50) break;
    if (writers.every((child) => child.exitCode !== null) && !logs.every((log) => log.hasEnded())) {
      for (const log of logs) log.settle();
      if (!logs.every((log) => log.hasEnded())) throw new Error("a writer failed");
    }
    // The writers' turn, and the loop's.
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const log of logs) log.close();
  return { missed, looks, done: logs.reduce((sum, log) => sum + log.done(), 0), surveys: mirror.surveys() };
}

function scene() {
  const base = scratchFolder();
  for (const name of ["root", "outside"]) mkdirSync(join(base, name));
  return base;
}

describe.runIf(process.platform === "linux")("freshness beside other writers", () => {
  it("SRCH-3 names everything that was finished before the question, whatever others write, move and replace", async () => {
    const base = scene();
    const found = await followWriters(base, openSource(join(base, "root")), 1800);
    expect(found.missed).toEqual([]);
    expect(found.done).toBeGreaterThan(3000);
    // By following and not by looking through everything.
    expect(found.surveys).toBeLessThan(found.looks / 10);
  }, 120_000);

  it("a source that does not wait for its cookie is caught", async () => {
    const base = scene();
    const hasty = openSource(join(base, "root"), (queue) => ({ ...queue, settled: async () => true }));
    const found = await followWriters(base, hasty, 1000);
    expect(found.missed).not.toEqual([]);
  });
});
