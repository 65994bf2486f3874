// What the ranking finds, without the index on disk: `node bench/recall/in-memory.ts`. For tuning; the figures that
// count go through the public search.
import { isUnavailable } from "../../src/search/meaning/embedder.ts";
import { staticTableFolder } from "../../src/search/meaning/package-folder.ts";
import { loadStaticTable, type StaticTable } from "../../src/search/meaning/static-table.ts";
import { askFts5 } from "./ask-fts5.ts";
import { type Collection, loadCosqa, loadLocomo, missingData, pool } from "./data.ts";
import { buildMemoryIndex, searchMemoryIndex } from "./memory-index.ts";
import { bootstrapInterval, mean, type Outcome, recallAt, reciprocalRank } from "./metrics.ts";
import { rankIn } from "./rank-in.ts";

const columns = [
  ["R@5", recallAt(5)],
  ["R@10", recallAt(10)],
  ["R@20", recallAt(20)],
  ["MRR", reciprocalRank],
] as const;

const locomo = loadLocomo();
const cosqa = loadCosqa();
if (!locomo || !cosqa) {
  console.error(missingData);
  process.exit(1);
}
const found = loadStaticTable({ folder: staticTableFolder() });
if (isUnavailable(found)) console.error(`${found.reason} Only the text is measured.`);
const table = isUnavailable(found) ? undefined : found;

const sets: [string, readonly Collection[]][] = [
  ["LoCoMo, one index for each conversation", locomo],
  ["LoCoMo, one index for all", [pool(locomo)]],
  ["CoSQA", [cosqa]],
];
for (const [name, collections] of sets) {
  console.log(`\n${name}`);
  print("SQLite FTS5", collections.flatMap(askFts5));
  print(
    "text",
    collections.flatMap((collection) => answer(collection)),
  );
  if (table)
    print(
      "text and table",
      collections.flatMap((collection) => answer(collection, table)),
    );
}

function answer(collection: Collection, given?: StaticTable): Outcome[] {
  const index = buildMemoryIndex(collection, given ? { table: given } : {});
  return collection.questions.map(({ text, answers }) => {
    const found = searchMemoryIndex(index, text, given).flatMap((unit) => index.places[unit] ?? []);
    return { ranks: answers.map((place) => rankIn(found, place)) };
  });
}

function print(name: string, outcomes: readonly Outcome[]): void {
  const cells = columns.map(([column, measure]) => {
    const values = outcomes.map(measure);
    const [low, high] = bootstrapInterval(values);
    return `${column} ${mean(values).toFixed(1)} (${low.toFixed(1)}–${high.toFixed(1)})`;
  });
  console.log(`  ${name.padEnd(15)} ${cells.join("  ")}`);
}
