import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { openMemoryIndex } from "../../../src/search/index/open-index.ts";
import type { SearchIndex } from "../../../src/search/index/search-index.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { workerScript } from "../../helpers/worker-script.ts";
import { engineOf, openFile } from "./index-fixture.ts";
import { versionOf } from "./index-writer.ts";

const folders = temporaryFolders();
const script = workerScript("./index-writer.ts", import.meta.url);

async function startWriter(file: string, first: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script, file, String(first)], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout as NonNullable<typeof child.stdout>, "data");
  return child;
}

function answersOf(index: SearchIndex) {
  const engine = engineOf(index);
  return ["kafka", "deploy", "tokne"].map((term) =>
    engine.match({ terms: [{ term, weight: 1, word: term }], explain: true }, 20),
  );
}

test("SRCH-3 the index equals a rebuild after two processes wrote at once and were killed", async () => {
  const file = join(folders.make(), "index");
  const reader = openFile(file, { busyMilliseconds: 20_000 });
  let written = 0;
  for (let round = 0; round < 5; round++) {
    const writers = await Promise.all([startWriter(file, round * 10_000 + 1), startWriter(file, round * 10_000 + 2)]);
    for (const writer of writers) {
      await setTimeout(60 + round * 45);
      const ended = once(writer, "exit");
      writer.kill("SIGKILL");
      await ended;
    }
    const dump = reader.dump();
    const rebuilt = openMemoryIndex();
    rebuilt.apply({ put: dump.map(({ path, stamp }) => versionOf(path, stamp)), remove: [] });
    expect(dump).toEqual(rebuilt.dump());
    expect(answersOf(reader)).toEqual(answersOf(rebuilt));
    expect(reader.folders()).toEqual(rebuilt.folders());
    written = dump.length;
  }
  expect(written).toBeGreaterThan(10);
  reader.close();
});
