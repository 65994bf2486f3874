import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { DumpedDocument } from "../../../src/search/index/dump-documents.ts";
import { openIndexFile } from "../../../src/search/index/open-index.ts";
import type { Hit, Search } from "../../../src/search/search.ts";
import { complete, type SearchWorld } from "./search-world.ts";

const queries = [
  "deploy",
  "deploy the kafka queue after an invoice",
  "depoly retires",
  "how do we bring a service into production",
  '"kafka queue"',
  "deploy -invoice",
  "größe 记忆",
  "path:a/** deploy",
  "topic:build entry",
  "until:2024 deploy",
];

/** Where notes have none of the words, a filter leaves none, or a process that was killed late has left very many. */
const saysOfQuery = /^(?:Nothing has any of these words|There is nothing |Not all that may match was looked at)/;

/** What a reader would see: every page of every question, with its parts. */
export async function answersOf(search: Search): Promise<Record<string, { total: number; hits: readonly Hit[] }>> {
  const answers: Record<string, { total: number; hits: readonly Hit[] }> = {};
  for (const query of queries) {
    const { hits, total, warnings } = await complete(search, { query, limit: 100, explain: true });
    const ofIndex = warnings.filter((warning) => !saysOfQuery.test(warning));
    if (ofIndex.length > 0) throw new Error(ofIndex.join("\n"));
    answers[query] = { total, hits };
  }
  return answers;
}

/** Every index of a cache folder, without the stamps: those of files that were just changed are told from time. */
export function dumpsIn(cache: string): Record<string, Omit<DumpedDocument, "stamp">[]> {
  const dumps: Record<string, Omit<DumpedDocument, "stamp">[]> = {};
  for (const name of readdirSync(cache).filter((entry) => /^[0-9a-f]+-[0-9a-f]+$/.test(entry))) {
    const opened = openIndexFile({ file: join(cache, name), version: name.split("-")[1] ?? "" });
    if (opened.kind !== "open") throw new Error(opened.reason);
    dumps[name] = opened.index.dump().map(({ stamp: _, ...document }) => document);
    opened.index.close();
  }
  return dumps;
}

/** What somebody gets who has never searched here before. */
export async function rebuild(world: SearchWorld, home: string) {
  mkdirSync(home, { recursive: true });
  const workspace = await world.open({ home });
  const answers = await answersOf(workspace.search);
  await workspace.close();
  return { answers, dumps: dumpsIn(join(home, ".cache", "recollect", "search")) };
}
