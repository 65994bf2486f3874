/** The least that is promised on the halves of the data that were tuned on, in percent. */
const least: Readonly<Record<string, number>> = {
  "LoCoMo, text only: R@10": 75,
  "LoCoMo, text only: MRR": 53,
  "LoCoMo, static table: R@10": 77,
  "LoCoMo, local model: R@10": 77.5,
  "CoSQA, static table: R@10": 66,
  "CoSQA, local model: R@10": 80,
};

/** On code, words alone must find at least what FTS5 finds in the same run. */
export function limitOf(set: string, way: string, metric: string, fts5: number | undefined): number | undefined {
  if (set === "CoSQA" && way === "text only" && metric === "R@10") return fts5;
  return least[`${set}, ${way}: ${metric}`];
}
