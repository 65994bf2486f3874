import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { loadLibrary } from "../library.ts";
import type { Place as ProjectPlace } from "../search/place.ts";
import type { Collection, Place } from "./data.ts";
import type { Outcome } from "./metrics.ts";
import { rankIn } from "./rank-in.ts";
import { isCode } from "./units-of.ts";

const { openWorkspace, userDataFolder } = await loadLibrary();

/** A setting of the search that is measured. */
export interface RecallWay {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
}

const depth = 100;
/** How long to wait for what is computed in the background. */
const [mostWaits, waitMs] = [3600, 1000];

/** A model is the user's own, where there is one: nothing is downloaded for a measurement. */
export function waysOf(wantsModel: boolean): {
  readonly ways: readonly RecallWay[];
  readonly notes: readonly string[];
} {
  const ways: RecallWay[] = [
    { name: "text only", env: { RECOLLECT_SEARCH_MEANING: "false" } },
    { name: "static table", env: { RECOLLECT_SEARCH_MEANING: "true", RECOLLECT_SEARCH_MODEL: "none" } },
  ];
  const without = (why: string) => ({ ways, notes: [`The rows of a local model are left out: ${why}.`] });
  if (!wantsModel) return without("it takes some minutes and is measured with --model");
  const data = userDataFolder();
  if (!existsSync(join(data, "models", "local.json"))) return without("recollect embeddings enable was not run here");
  const env = { RECOLLECT_SEARCH_MODEL: "local", XDG_DATA_HOME: join(data, "..") };
  return { ways: [...ways, { name: "local model", env }], notes: [] };
}

/** Through the library, as any program would, with the settings that everybody has. */
export async function askOurs(
  { documents, questions }: Collection,
  place: ProjectPlace,
  way: RecallWay,
): Promise<Outcome[]> {
  const env = { ...place.env, ...way.env };
  const workspace = await openWorkspace({ project: place.project, home: place.home, env, stays: true });
  try {
    const search = workspace.search;
    await search.reindex();
    await settle(async () => (await search.search({ query: questions[0]?.text ?? "", limit: 1 })).warnings);
    // However a function is cut: each part of it is that function.
    const code = new Set(documents.filter(({ content }) => isCode(content)).map(({ path }) => path));
    const outcomes: Outcome[] = [];
    for (const { text, answers } of questions) {
      const { hits } = await search.search({ query: text, limit: depth });
      const found = hits.map(({ path, lines }): Place => ({ path, line: code.has(path) ? 1 : lines.from }));
      outcomes.push({ ranks: answers.map((answer) => rankIn(found, answer)) });
    }
    return outcomes;
  } finally {
    await workspace.close();
  }
}

/** Until an answer has nothing to say about itself. */
async function settle(warningsOf: () => Promise<readonly string[]>): Promise<void> {
  let warnings: readonly string[] = [];
  for (let wait = 0; wait < mostWaits; wait += 1) {
    warnings = await warningsOf();
    if (warnings.length === 0) return;
    await setTimeout(waitMs);
  }
  console.error(`  ${warnings.join("\n  ")}`);
}
