import { join } from "node:path";
import type { Row } from "../measurement.ts";
import { summarize } from "../statistics.ts";
import type { Fts5Built, Fts5Request } from "../workers/search-fts5.ts";
import type { Asked, Built, OurRequest } from "../workers/search-ours.ts";
import { startWorker, type Worker } from "../workers/worker.ts";
import type { Corpus } from "./corpus.ts";
import { limits } from "./limits.ts";
import type { Place } from "./place.ts";
import { settled } from "./settled.ts";
import { writeBack } from "./write-back.ts";

const ourWorker = new URL("../workers/search-ours.ts", import.meta.url);
const fts5Worker = new URL("../workers/search-fts5.ts", import.meta.url);

export const ways = [
  { name: "text only", meaning: false },
  { name: "with the table", meaning: true },
] as const;
export type Way = (typeof ways)[number];

const warmUp = 200;
/** Short enough that a noisy neighbour meets all alike. */
const turn = 25;
const megabyte = 1024 * 1024;
const names = { bare: "FTS5", shown: "FTS5 with rows and snippets" } as const;

interface Sampled {
  readonly times: number[];
  cpu: number;
}

interface OurFigures {
  readonly way: Way;
  readonly built: Built;
  readonly builderMemory: number;
  readonly asked: Sampled;
  /** Milliseconds of the first query in its process. */
  readonly first: number;
  readonly memory: number;
}

interface Fts5Figures {
  readonly built: Fts5Built;
  readonly bare: Sampled;
  readonly shown: Sampled;
  readonly memory: number;
}

/** Builds, then asks the same of all in turn; each works in a process of its own. */
export async function measureSpeed(place: Place, folder: string, corpus: Corpus, count: number): Promise<Row[]> {
  // Nothing is promised of the vectors of a million notes, and they take long.
  const measured = corpus.count > 100_000 ? ways.filter(({ meaning }) => !meaning) : ways;
  const fts5 = await startWorker(fts5Worker);
  const started = [fts5];
  try {
    const build: Fts5Request = { kind: "build", notes: place.notes, file: join(folder, "fts5.db") };
    writeBack();
    const built = await fts5.ask<Fts5Built>(build);
    const builders: Awaited<ReturnType<typeof buildOurs>>[] = [];
    for (const way of measured) builders.push(await buildOurs(place, way));
    const ours = await Promise.all(measured.map((way) => openOurs(place, way)));
    started.push(...ours);
    const { bare, shown, asked, first } = await askInTurn(fts5, ours, corpus, count);
    const memories = await Promise.all(started.map((worker) => worker.ask<number>({ kind: "memory" })));
    const [fts5Memory = 0, ...ourMemories] = memories;
    return measured.flatMap((way, at) => {
      const [builder, sampled, memory = 0] = [builders[at], asked[at], ourMemories[at]];
      if (!builder || !sampled) return [];
      const figures = { way, ...builder, asked: sampled, first: first[at] ?? 0, memory };
      return toRows(figures, corpus.count, { built, bare, shown, memory: fts5Memory });
    });
  } finally {
    await Promise.all(started.map((worker) => worker.stop()));
  }
}

export async function openOurs(place: Place, { meaning }: Way): Promise<Worker> {
  const worker = await startWorker(ourWorker);
  await worker.ask({ kind: "open", place, meaning } satisfies OurRequest);
  return worker;
}

/** In a process that then goes: what is measured later is not what a build left in memory. */
async function buildOurs(place: Place, way: Way): Promise<{ built: Built; builderMemory: number }> {
  const worker = await openOurs(place, way);
  writeBack();
  try {
    const built = await worker.ask<Built>({ kind: "build" } satisfies OurRequest);
    const builderMemory = await worker.ask<number>({ kind: "memory" } satisfies OurRequest);
    // As with FTS5, the tidying up is not counted, and is done before anybody asks.
    await settled(place.indexes);
    return { built, builderMemory };
  } finally {
    await worker.stop();
  }
}

async function askInTurn(fts5: Worker, ours: readonly Worker[], corpus: Corpus, count: number) {
  const create = (): Sampled => ({ times: [], cpu: 0 });
  const [bare, shown, asked, first] = [create(), create(), ours.map(create), [] as number[]];
  for (let from = 0; from < warmUp + count; from += turn) {
    const queries = Array.from({ length: turn }, (_, at) => corpus.query(from + at).join(" "));
    const keep = (into: Sampled | undefined, { times, cpu }: Omit<Asked, "warnings">): void => {
      if (!into || from < warmUp) return;
      into.times.push(...times);
      into.cpu += cpu;
    };
    keep(bare, await fts5.ask({ kind: "ask", queries, shown: false } satisfies Fts5Request));
    for (const [at, worker] of ours.entries()) {
      const answered = await worker.ask<Asked>({ kind: "ask", queries } satisfies OurRequest);
      for (const warning of answered.warnings) console.error(`  (${ways[at]?.name}) ${warning}`);
      if (from === 0) first.push(answered.times[0] ?? 0);
      keep(asked[at], answered);
    }
    keep(shown, await fts5.ask({ kind: "ask", queries, shown: true } satisfies Fts5Request));
  }
  return { bare, shown, asked, first };
}

function toRows({ way, ...ours }: OurFigures, count: number, fts5: Fts5Figures): Row[] {
  const what = `${count.toLocaleString("en")} notes, ${way.name}`;
  const limit = limits(count, way.meaning);
  const [times, besides] = [summarize(ours.asked.times), { bare: fts5.bare, shown: fts5.shown }];
  const query = (share: "median" | "p95", beside: keyof typeof besides): Row => ({
    measurement: `${what}: a query, ${share === "median" ? "p50" : share}`,
    unit: "ms",
    ours: times[share],
    reference: { name: names[beside], value: summarize(besides[beside].times)[share] },
    ...(beside === "bare" && limit[share] !== undefined ? { limit: limit[share] } : {}),
  });
  const work = (beside: keyof typeof besides): Row => ({
    measurement: `${what}: a query, processor time`,
    unit: "ms",
    ours: ours.asked.cpu / ours.asked.times.length,
    reference: { name: names[beside], value: besides[beside].cpu / besides[beside].times.length },
  });
  const rate = (ms: number): number => Math.round((1000 * count) / ms);
  const built = (beside: string, ms: number): Row => ({
    measurement: `${what}: notes indexed`,
    unit: "per second",
    ours: rate(ours.built.ms),
    reference: { name: beside, value: rate(ms) },
    ...(limit.buildShare === undefined ? {} : { limit: limit.buildShare, atLeast: true }),
  });
  const memory = (measurement: string, bytes: number): Row => ({
    measurement: `${what}: memory ${measurement}`,
    unit: "MB",
    ours: Math.round(bytes / megabyte),
    ...(limit.memory === undefined ? {} : { limit: limit.memory }),
  });
  const details = { ours: times, firstInItsProcess: ours.first, fts5: summarize(fts5.bare.times) };
  return [
    { ...query("median", "bare"), details },
    query("median", "shown"),
    query("p95", "bare"),
    query("p95", "shown"),
    work("bare"),
    work("shown"),
    { ...built("FTS5, files read", fts5.built.whole), details: { ours: ours.built, fts5: fts5.built } },
    built("FTS5, texts at hand", fts5.built.inserting),
    {
      ...built("FTS5", fts5.built.cpu),
      ours: rate(ours.built.cpu),
      measurement: `${what}: indexed per processor second`,
    },
    ...(limit.build === undefined ? [] : [atLeast(`${what}: notes indexed`, rate(ours.built.ms), limit.build)]),
    { ...memory("after the queries", ours.memory), details: { fts5: Math.round(fts5.memory / megabyte) } },
    memory("after a build", ours.builderMemory),
    // No limit: it is given back when the process ends.
    {
      measurement: `${what}: memory of the process that builds, at most`,
      unit: "MB",
      ours: Math.round(ours.built.elsewhere / megabyte),
    },
  ];
}

function atLeast(measurement: string, ours: number, limit: number): Row {
  return { measurement, unit: "per second", ours, limit, atLeast: true };
}
