import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { documentsOf } from "../../helpers/folder-snapshot.ts";
import { someRuns } from "../../helpers/some-cases.ts";
import { workerScript } from "../../helpers/worker-script.ts";
import { newEntry } from "./new-entry.ts";
import { entryText, memoryFolder, openTopics, scratch } from "./open-topics.ts";

const worker = workerScript("./killed-store-worker.ts", import.meta.url);

function textsIn(folder: string): Record<string, string> {
  const files = Object.entries(documentsOf(folder)).filter(([, what]) => what.startsWith("file"));
  return Object.fromEntries(files.map(([path]) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** A topic where the next entry prunes one of this year and one of another, whose archive is not there yet. */
async function prepare(): Promise<string> {
  const { folder, topics, put } = openTopics(scratch(memoryFolder()));
  put("auth/tokens.md", Array.from({ length: 11 }, (_, index) => entryText(`e${index}`)).join(""));
  await topics.prune();
  put(
    "auth/tokens.md",
    [...Array.from({ length: 10 }, (_, index) => entryText(`e${index}`)), entryText("old", "2019-01-01")].join(""),
  );
  return folder;
}

it("TOP-3 KER-7 a store that is killed at any change is all there or not at all, and can be tried again", {
  timeout: 120_000,
}, async () => {
  const prepared = await prepare();
  const before = textsIn(prepared);
  const copy = () => {
    const folder = scratch(memoryFolder());
    cpSync(prepared, folder, { recursive: true });
    return folder;
  };
  const done = openTopics(copy());
  await done.topics.store(newEntry("Fresh"));
  const after = textsIn(done.folder);
  expect(Object.keys(after)).toEqual(["archive/auth/2019.md", "archive/auth/2026.md", "auth/tokens.md", "index.md"]);

  const seen = { none: 0, all: 0 };
  async function killAt(nth: number): Promise<boolean> {
    const folder = copy();
    const child = spawn(process.execPath, [worker, folder, String(nth)]);
    let said = "";
    child.stdout.on("data", (data) => {
      said += data;
    });
    const [, signal] = await once(child, "close");
    const { store, topics } = openTopics(folder);
    await store.recover();
    const found = textsIn(folder);
    expect([before, after], `killed at call ${nth}`).toContainEqual(found);
    if (said !== "") expect(found, `killed at call ${nth}`).toEqual(after);
    seen[found["archive/auth/2019.md"] === undefined ? "none" : "all"] += 1;
    await topics.store(newEntry("Fresh"));
    expect(textsIn(folder), `tried again after call ${nth}`).toEqual(after);
    return signal === "SIGKILL";
  }
  // Two at a time, as many processors as there are at least.
  const step = someRuns(3, 1);
  for (let nth = 1; ; nth += 2 * step) {
    const killed = await Promise.all([killAt(nth), killAt(nth + step)]);
    if (killed.includes(false)) break;
  }
  expect(seen.none).toBeGreaterThan(someRuns(2, 8));
  expect(seen.all).toBeGreaterThan(someRuns(1, 5));
});
