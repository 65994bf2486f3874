import { describe, expect, it } from "vitest";
import { toPurgedForms } from "../../../src/kernel/purged-form.ts";
import type { SourceDocument } from "../../../src/kernel/source.ts";
import { openMemoryIndex } from "../../../src/search/index/open-index.ts";
import { staticTableFolder } from "../../../src/search/meaning/package-folder.ts";
import { loadStaticTable } from "../../../src/search/meaning/static-table.ts";
import { createTableMeaning } from "../../../src/search/meaning.ts";
import { type PrepareOptions, prepareBatches } from "../../../src/search/prepare-batches.ts";
import { createDescribers } from "../../../src/search/service/describe-document.ts";

const purgedWord = "tulpenfeld4711";
const guard = {
  policy: "standard" as const,
  allowed: new Set<string>(),
  purged: toPurgedForms([Buffer.from(purgedWord)], 0),
};
const meaning = createTableMeaning(loadStaticTable({ folder: staticTableFolder() }));
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

describe("documents that are described for an index", () => {
  it("GUARD-1 lose what the guard finds and what was purged, and are left out where their names have it", async () => {
    const documents = documentsOf(300, 3);
    const weighed: number[] = [];
    const dump = await indexed(documents, { onWeighed: (count) => void weighed.push(count) });
    expect(dump.length).toBeGreaterThan(250);
    expect(dump.filter(({ flagged }) => flagged)).toHaveLength(2);
    for (const value of [token, purgedWord]) expect(JSON.stringify(dump)).not.toContain(value);
    expect(weighed.reduce((sum, count) => sum + count)).toBe(documents.size);
  });

  it("SRCH-3 are the same wherever they are described", async () => {
    const documents = documentsOf(120, 2);
    expect(await indexed(documents)).toEqual(await indexed(documents, { now: () => performance.now() * 100 }));
  });

  it("SRCH-3 are no more where their source fails", async () => {
    const source = {
      read: async () => {
        throw new Error("no more files can be opened");
      },
    };
    await expect(indexed(documentsOf(10, 1), { source })).rejects.toThrow("no more files");
  });
});
