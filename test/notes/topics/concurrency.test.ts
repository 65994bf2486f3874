import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { maxBytes, maxEntries, parseTopicFile } from "../../../src/notes/topics/topic-file.ts";
import { someRuns } from "../../helpers/some-cases.ts";
import { workerScript } from "../../helpers/worker-script.ts";
import { allEntries, memoryFolder, onDisk, openTopics, scratch } from "./open-topics.ts";
import { workEntry } from "./work-entry.ts";

// Processes on files, killed at random; clients of any store are in store.test.ts.
const worker = workerScript("./store-worker.ts", import.meta.url);
const labels = ["a", "b", "c", "d"];
const count = someRuns(120, 250);

// Over New Year, so that a retry finds in last year's archive what it had stored; and never back in time, since nobody
// looks for today's entry in the archive of next year.
const days = ["2024-12-31", "2025-01-01", "2025-12-31", "2026-01-01", "2026-12-31"];
const lastDay = "2027-01-01";

/** One worker until all its entries are acknowledged, killed at random on the way; how often it was. */
async function storeAll(folder: string, label: string): Promise<number> {
  let [next, kills] = [0, 0];
  for (let run = 0; next < count; run += 1) {
    const today = days[run] ?? lastDay;
    const child = spawn(process.execPath, [worker, folder, label, String(next), String(count), today]);
    let [said, complained] = ["", ""];
    child.stdout.on("data", (data) => {
      said += data;
    });
    child.stderr.on("data", (data) => {
      complained += data;
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), run < 6 ? 250 + Math.random() * 1200 : 60_000);
    const [code, signal] = await once(child, "close");
    clearTimeout(timer);
    if (code !== 0 && signal !== "SIGKILL") throw new Error(complained);
    kills += signal === "SIGKILL" ? 1 : 0;
    const acknowledged = said.split("\n").slice(0, -1).map(Number);
    next = (acknowledged.at(-1) ?? next - 1) + 1;
  }
  return kills;
}

it("TOP-3 TOP-4 TOP-5 KER-7 hundreds of entries from four processes that are killed at random are each there once", async () => {
  const folder = scratch(memoryFolder());
  const kills = await Promise.all(labels.map((label) => storeAll(folder, label)));
  expect(kills.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(8);

  const { topics, text } = openTopics(folder);
  const found = allEntries(folder).map((line) => line.replace(/ \d{4} /, " "));
  const expected = labels.flatMap((label) =>
    Array.from({ length: count }, (_, index) => `${workEntry(label, index).subtopic} ${label}-${index}`),
  );
  expect(found.toSorted()).toEqual(expected.toSorted());

  for (const name of readdirSync(join(folder, "auth")).filter((one) => one.endsWith(".md"))) {
    const content = text(`auth/${name}`);
    const { entries } = parseTopicFile(content);
    expect(entries.length).toBeLessThanOrEqual(maxEntries);
    if (entries.length > 5) expect(Buffer.byteLength(content)).toBeLessThanOrEqual(maxBytes);
  }

  const parts = onDisk(folder).archives();
  // Five years, of which few entries may leave one out; with all entries at least one of them is in several parts.
  expect(parts.length).toBeGreaterThan(someRuns(3, 5));
  for (const part of parts) {
    const content = text(`archive/auth/${part}`);
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(64 * 1024);
    expect(new Set(parseTopicFile(content).entries.map(({ date }) => date.slice(0, 4)))).toEqual(
      new Set([part.slice(0, 4)]),
    );
  }
  expect(await topics.reindex()).toEqual({ topics: 3, changed: false, leftOut: 0 });
});
