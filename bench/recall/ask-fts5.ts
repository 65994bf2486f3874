import type { Collection } from "./data.ts";
import { searchByFts5 } from "./fts5.ts";
import type { Outcome } from "./metrics.ts";
import { rankIn } from "./rank-in.ts";
import { unitsOf } from "./units-of.ts";

const depth = 100;

/** What SQLite's own search makes of the same collection, one row for each unit. */
export function askFts5({ documents, questions }: Collection): Outcome[] {
  const units = documents.flatMap(unitsOf);
  const found = searchByFts5(
    units.map(({ text }) => text),
    questions.map(({ text }) => text),
    depth,
  );
  return questions.map(({ answers }, at) => {
    const places = (found[at] ?? []).flatMap((row) => units[row] ?? []);
    return { ranks: answers.map((answer) => rankIn(places, answer)) };
  });
}
