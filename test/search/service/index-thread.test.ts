import { describe, expect, it } from "vitest";
import { toPurgedForms } from "../../../src/history/purged-form.ts";
import type { SourceDocument } from "../../../src/kernel/source.ts";
import { openMemoryIndex } from "../../../src/search/index/open-index.ts";
import { loadStaticTable } from "../../../src/search/meaning/static-table.ts";
import { staticTableFolder } from "../../../src/search/meaning/static-table-folder.ts";
import { createTableMeaning } from "../../../src/search/meaning.ts";
import { type PrepareOptions, prepareBatches } from "../../../src/search/prepare-batches.ts";
import { createDescribers } from "../../../src/search/service/describe-document.ts";
import { startIndexThread } from "../../../src/search/service/index-thread.ts";
import { type IndexThread, ThreadFailure } from "../../../src/search/threaded-batches.ts";
import { someRuns } from "../../helpers/some-cases.ts";

const purgedWord = "tulpenfeld4711";
const guard = {
  policy: "standard" as const,
  allowed: new Set<string>(),
  purged: toPurgedForms([Buffer.from(purgedWord)], 0),
};
const meaning = createTableMeaning(loadStaticTable({ folder: staticTableFolder() }));
const settings = { kind: "memory" as const, guard, meaning: meaning.name };
const token = ["ghp", "0123456789abcdefABCDEF0123456789abcd"].join("_");

const words = "deploy the kafka queue after an invoice größe 记忆 retry_limit src/app/main.ts token".split(" ");
const sentence = (seed: number) =>
  Array.from({ length: 12 }, (_, at) => words[(seed * 7 + at * (1 + (seed % 5))) % words.length]).join(" ");
const textOf = (seed: number, sections: number, sentences: number) =>
  Array.from(
    { length: sections },
    (_, at) => `## Part ${at}\n\n${`${sentence(seed + at)}.\n`.repeat(sentences)}\n`,
  ).join("");

/** Of all kinds: short and long, gone, with a secret or a purged value in the text or in the name. */
function documentsOf(count: number, sections: number, sentences = 1): Map<string, SourceDocument | undefined> {
  return new Map(
    Array.from({ length: count }, (_, seed): [string, SourceDocument | undefined] => {
      const names = new Map([
        [5, token],
        [6, purgedWord],
      ]);
      const values = new Map([
        [7, token],
        [8, purgedWord],
      ]);
      const path = `${seed % 3}/${names.get(seed) ?? `note-${seed}`}.md`;
      const content = `${values.get(seed) ?? ""}\n\n${textOf(seed, sections, sentences)}`;
      return [path, seed % 11 === 3 ? undefined : { content, stamp: seed + 1, modified: 1_700_000_000_000 + seed }];
    }),
  );
}

async function indexed(
  documents: ReadonlyMap<string, SourceDocument | undefined>,
  options: Partial<PrepareOptions> = {},
) {
  const index = openMemoryIndex();
  // What is gone now was there once.
  const outdated = new Map([...documents].map(([path, document]) => [path, document ? undefined : 1]));
  const describe = createDescribers(guard)({ kind: "memory", meaning, later: () => undefined });
  const source = { read: async (path: string) => documents.get(path) };
  const seen: string[] = [];
  const all = { source, describer: async () => describe, isOver: () => false, now: Date.now, ...options };
  for await (const batch of prepareBatches(outdated, all)) {
    index.apply({ ...batch, seen: new Map() });
    seen.push(...batch.seen.keys());
  }
  expect(seen.toSorted()).toEqual([...documents.keys()].sort());
  const dump = index.dump();
  index.close();
  return dump;
}

const start = () => startIndexThread(settings);

describe("a thread that indexes", () => {
  it("SRCH-3 makes what would be made without it", async () => {
    const documents = documentsOf(300, 3);
    const dump = await indexed(documents, { startThread: start });
    expect(dump.length).toBeGreaterThan(250);
    expect(dump.filter(({ flagged }) => flagged)).toHaveLength(2);
    for (const value of [token, purgedWord]) expect(JSON.stringify(dump)).not.toContain(value);
    expect(dump).toEqual(await indexed(documents));
  });

  it("SRCH-3 shares with the process what is too much for it", async () => {
    const documents = documentsOf(someRuns(80, 120), 1, 1000);
    let given = 0;
    const weighed: number[] = [];
    const startThread = () => {
      const thread = start();
      const give: IndexThread["give"] = (slice, size) => {
        given += slice.length;
        thread.give(slice, size);
      };
      // Nothing is heard of it before the end: where the process is slower, nothing is too much for the thread.
      return { ...thread, give, heard: () => undefined };
    };
    const dump = await indexed(documents, { startThread, onWeighed: (count) => void weighed.push(count) });
    expect(given).toBeGreaterThan(0);
    expect(given).toBeLessThan(documents.size);
    // Each of them once, and what the process weighs itself as it does, not when it is written.
    expect(weighed.reduce((sum, count) => sum + count)).toBe(documents.size);
    expect(weighed.filter((count) => count === 1).length).toBeGreaterThanOrEqual(documents.size - given);
    expect(dump).toEqual(await indexed(documents));
  });

  it.each<[string, () => IndexThread]>([
    [
      "that cannot be started",
      () => {
        throw new ThreadFailure("no");
      },
    ],
    ["that has not what it needs", () => startIndexThread({ ...settings, meaning: "another table" })],
    ["that runs out of memory", () => startIndexThread(settings, 4)],
    [
      "that dies with documents in its hands",
      () => {
        const thread = start();
        const give: IndexThread["give"] = (...given) => {
          thread.give(...given);
          void thread.end();
        };
        return { ...thread, give };
      },
    ],
    [
      "that dies before it says that this was all",
      () => {
        const thread = start();
        const next = async () => {
          const reply = await thread.next();
          if (reply.kind === "done") throw new ThreadFailure("gone");
          return reply;
        };
        return { ...thread, next };
      },
    ],
  ])("SRCH-3 loses nothing where it is one %s", async (_, startThread) => {
    const documents = documentsOf(120, 2);
    expect(await indexed(documents, { startThread })).toEqual(await indexed(documents));
  });

  it("SRCH-3 ends with the failure of who reads", async () => {
    const threads: IndexThread[] = [];
    const startThread = () => {
      threads.push(start());
      return threads[0] as IndexThread;
    };
    const source = {
      read: async () => {
        throw new Error("no more files can be opened");
      },
    };
    await expect(indexed(documentsOf(10, 1), { startThread, source })).rejects.toThrow("no more files");
    await expect(threads[0]?.next()).rejects.toThrow(ThreadFailure);
  });

  it("SRCH-3 ends when nobody wants more of it", async () => {
    const thread = start();
    const documents = documentsOf(50, 1);
    const source = { read: async (path: string) => documents.get(path) };
    const options = { source, describer: async () => () => undefined, isOver: () => false, now: Date.now };
    const outdated = new Map([...documents.keys()].map((path) => [path, undefined]));
    for await (const _ of prepareBatches(outdated, { ...options, startThread: () => thread })) break;
    await expect(thread.next()).rejects.toThrow(ThreadFailure);
  });
});
