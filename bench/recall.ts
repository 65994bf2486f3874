import { parseArgs } from "node:util";
import type { Row } from "./measurement.ts";
import { askFts5 } from "./recall/ask-fts5.ts";
import { askOurs, type RecallWay, waysOf } from "./recall/ask-ours.ts";
import { type Collection, loadCosqa, loadLocomo, missingData, pool } from "./recall/data.ts";
import { limitOf } from "./recall/limits.ts";
import { bootstrapInterval, mean, type Outcome, recallAt, reciprocalRank } from "./recall/metrics.ts";
import { finish } from "./report.ts";
import { makePlace } from "./search/place.ts";
import { printTable } from "./table.ts";
import { withWorkFolder } from "./work-folder.ts";

const { values } = parseArgs({
  options: { check: { type: "boolean" }, model: { type: "boolean" }, set: { type: "string", multiple: true } },
});
const [locomo, cosqa] = [loadLocomo(), loadCosqa()];
if (!locomo || !cosqa) {
  console.error(missingData);
  process.exit(2);
}

const { ways, notes } = waysOf(values.model ?? false);
for (const note of notes) console.error(note);

/** Each with the collections that are searched one by one; figures are over all their questions. */
const sets: readonly { readonly name: string; readonly collections: readonly Collection[] }[] = [
  { name: "LoCoMo", collections: locomo },
  { name: "LoCoMo pooled", collections: [pool(locomo)] },
  { name: "CoSQA", collections: [cosqa] },
];
const metrics = {
  "R@5": recallAt(5),
  "R@10": recallAt(10),
  "R@20": recallAt(20),
  MRR: reciprocalRank,
} as const;
type Metric = keyof typeof metrics;

const unknown = (values.set ?? []).filter((asked) => !sets.some(({ name }) => name === asked));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}. Sets: ${sets.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}

const rows: Row[] = [];
for (const { name, collections } of sets) {
  if (values.set && !values.set.includes(name)) continue;
  console.error(`Asking ${name} …`);
  const fts5 = collections.flatMap(askFts5);
  const found = toRows(name, "FTS5", fts5);
  const outcomes = new Map<RecallWay, Outcome[]>(ways.map((way) => [way, []]));
  for (const collection of collections) {
    await withWorkFolder(async (folder) => {
      const place = await makePlace(folder, collection.documents);
      for (const [way, answered] of outcomes) answered.push(...(await askOurs(collection, place, way)));
    });
  }
  for (const [way, answered] of outcomes) found.push(...toRows(name, way.name, answered, fts5));
  printTable(found);
  rows.push(...found);
}
finish("recall", rows, { check: values.check ?? false });

function toRows(set: string, way: string, outcomes: readonly Outcome[], fts5?: readonly Outcome[]): Row[] {
  return (Object.entries(metrics) as [Metric, (outcome: Outcome) => number][]).map(([metric, of]): Row => {
    const found = outcomes.map(of);
    const limit = limitOf(set, way, metric, fts5 ? mean(fts5.map(of)) : undefined);
    return {
      measurement: `${set}, ${way}: ${metric}`,
      unit: "%",
      ours: mean(found),
      interval: bootstrapInterval(found),
      ...(limit === undefined ? {} : { limit: rounded(limit), atLeast: true }),
      details: { questions: outcomes.length },
    };
  });
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
