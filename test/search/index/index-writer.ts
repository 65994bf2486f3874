import { setTimeout } from "node:timers/promises";
import { digestPart } from "../../../src/kernel/folder-digest.ts";
import type { IndexedDocument } from "../../../src/search/index/index-change.ts";
import { IndexFailure } from "../../../src/search/index/index-failure.ts";
import { openIndexFile } from "../../../src/search/index/open-index.ts";
import { shownAs } from "./index-fixture.ts";

export const words = ["deploy", "invoice", "kafka", "kanban", "queue", "retry", "token", "cache", "login", "batch"];

/** What a document says follows from its path and its stamp alone. */
export function versionOf(path: string, stamp: number): IndexedDocument {
  const { high, low } = digestPart({ path, stamp });
  const impact = 1 + ((low >>> 24) % 255);
  return {
    path,
    folder: path.slice(0, 2),
    stamp,
    modified: 1_700_000_000_000 + (high % 1000),
    kind: "memory",
    flagged: low % 2 === 0,
    units: Array.from({ length: high % 4 }, (_, unit) => ({
      date: undefined,
      terms: new Map(words.filter((_word, index) => ((low >> (index + unit)) & 1) === 1).map((word) => [word, impact])),
    })),
    shown: Array.from({ length: high % 4 }, (_, unit) => shownAs(`${path} ${stamp} ${unit}`)),
  };
}

/** Another process may be writing. */
async function patiently(work: () => unknown): Promise<void> {
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (!(error instanceof IndexFailure && error.kind === "busy")) throw error;
      await setTimeout(1);
    }
  }
}

/** Run as a process: changes documents without end, until it is killed. */
if (process.argv[1] === import.meta.filename) {
  const [file = "", first = "0"] = process.argv.slice(2);
  const opened = openIndexFile({ file, version: "test", busyMilliseconds: 20_000, mostInTail: 8 });
  if (opened.kind !== "open") throw new Error(opened.reason);
  process.stdout.write("begun\n");
  for (let stamp = Number(first); ; stamp += 2) {
    const { high, low } = digestPart({ path: "step", stamp });
    const paths = Array.from({ length: 1 + (high % 12) }, (_, number) => `f${number % 3}/${(low >>> number) % 40}.md`);
    const change = { put: paths.map((path) => versionOf(path, stamp)), remove: [`f0/${low % 40}.md`] };
    await patiently(() => opened.index.apply(change));
    await patiently(() => opened.index.maintain(2));
  }
}
