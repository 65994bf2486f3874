import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { isStopWord } from "../../src/search/text/stop-words.ts";
import { type Summary, summarize } from "../statistics.ts";
import type { Contestant } from "./contestant.ts";
import type { NoteSet } from "./notes.ts";
import { connect, type StdioClient } from "./stdio-client.ts";

export interface Standing {
  /** Milliseconds from the start to the first answer to `tools/list`. */
  readonly start: Summary;
  readonly tools: number;
  readonly schemaTokens: number;
  /** Percent of questions whose note is among the first five: asked as they are, and word by word. */
  readonly asAsked?: number;
  readonly byWord?: number;
  readonly search?: Summary;
  readonly lost?: { readonly acknowledged: number; readonly lost: number };
}

const [starts, clients, writesEach, first] = [7, 4, 50, 5];

/** Within the time that the signal gives; every server that was started is gone afterwards. */
export async function measureContestant(
  contestant: Contestant,
  folder: string,
  work: string,
  { notes, questions }: NoteSet,
  signal: AbortSignal,
): Promise<Standing> {
  const inside = (name: string): string => {
    const store = join(work, name);
    mkdirSync(store, { recursive: true });
    return store;
  };
  const start = (store: string) => connect({ ...contestant.command(folder, store), signal });
  const store = inside("store");
  contestant.prepare?.(folder, store, notes);
  const [times, listed] = await measureStarts(() => start(store));
  const about = { start: times, ...listed };
  const client = await start(store);
  try {
    for (const { name, content } of notes) await contestant.write?.(client, name, `${content}\n`);
    const found = contestant.search ? await measureSearch(contestant.search, client, questions) : {};
    const lost = await measureLosses(contestant, () => start(inside("shared")));
    return { ...about, ...found, ...lost };
  } finally {
    await client.close();
  }
}

async function measureStarts(start: () => Promise<StdioClient>) {
  const times: number[] = [];
  let listed = { tools: 0, schemaTokens: 0 };
  for (let round = 0; round < starts; round += 1) {
    const begin = performance.now();
    const client = await start();
    try {
      const { result } = await client.request("tools/list");
      times.push(performance.now() - begin);
      const tools = (result?.["tools"] ?? []) as { name: string; description?: string; inputSchema: unknown }[];
      const texts = tools.map(({ name, description, inputSchema }) =>
        JSON.stringify({ name, description, inputSchema }),
      );
      listed = { tools: tools.length, schemaTokens: texts.reduce((sum, text) => sum + countTokens(text), 0) };
    } finally {
      await client.close();
    }
  }
  return [summarize(times), listed] as const;
}

async function measureSearch(
  search: NonNullable<Contestant["search"]>,
  client: StdioClient,
  questions: NoteSet["questions"],
) {
  const times: number[] = [];
  let [asAsked, byWord] = [0, 0];
  for (const { text, name } of questions) {
    const begin = performance.now();
    const found = await search(client, text, first);
    times.push(performance.now() - begin);
    if (found.slice(0, first).includes(name)) asAsked += 1;
    if ((await searchByWord(search, client, text)).slice(0, first).includes(name)) byWord += 1;
  }
  const share = (count: number): number => (100 * count) / questions.length;
  return { asAsked: share(asAsked), byWord: share(byWord), search: summarize(times) };
}

/** As a patient client asks a server that finds only what holds every word: one word at a time, the most named first. */
async function searchByWord(search: NonNullable<Contestant["search"]>, client: StdioClient, text: string) {
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !isStopWord(word));
  const named = new Map<string, number>();
  for (const word of new Set(words)) {
    for (const name of await search(client, word, 20)) named.set(name, (named.get(name) ?? 0) + 1);
  }
  return [...named].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

/** Several servers on one store, as several windows are: what was acknowledged must be there. */
async function measureLosses(
  { write, kept }: Contestant,
  start: () => Promise<StdioClient>,
): Promise<Pick<Standing, "lost">> {
  if (!write || !kept) return {};
  const servers = await Promise.all(Array.from({ length: clients }, start));
  const acknowledged = new Set<string>();
  try {
    await Promise.all(
      servers.map(async (server, which) => {
        for (let number = 0; number < writesEach; number += 1) {
          const name = `note-${which}-${number}`;
          // A write that is refused is no loss: its client knows.
          const isKept = await write(server, name, `# Entry ${name}\n\nWritten by client ${which}.\n`).then(yes, no);
          if (isKept) acknowledged.add(name);
        }
      }),
    );
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
  const reader = await start();
  try {
    const found = new Set((await kept(reader, [...acknowledged])).match(/note-\d+-\d+/g));
    return {
      lost: { acknowledged: acknowledged.size, lost: [...acknowledged].filter((name) => !found.has(name)).length },
    };
  } finally {
    await reader.close();
  }
}

const yes = () => true;
const no = () => false;
