import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Measurement, Row } from "../measurement.ts";
import { median, summarize } from "../statistics.ts";
import { withWorkFolder } from "../work-folder.ts";
import type { AppendRequest, AppendTimes } from "../workers/appender.ts";
import { type Worker, withWorkers } from "../workers/worker.ts";

const processes = 8;
const appendsEach = 40;
const rounds = 10;

/**
 * Eight processes append to one document. In turn with them: one process alone, for how long one
 * append takes, and eight processes without any lock, for what the disk itself makes a call wait.
 */
export const contention: Measurement = {
  name: "contention",
  run: () =>
    withWorkFolder((folder) =>
      withWorkers(new URL("../workers/appender.ts", import.meta.url), processes, (workers) => measure(workers, folder)),
    ),
};

async function measure(workers: readonly Worker[], folder: string): Promise<Row[]> {
  const [ours, bare] = [join(folder, "ours"), join(folder, "bare")];
  mkdirSync(bare);
  const together: Round[] = [];
  const alone: Round[] = [];
  const lockless: Round[] = [];
  let lost = 0;
  // The first round warms up: code is compiled, folders and locks are made.
  for (let round = 0; round <= rounds; round += 1) {
    const document = `together-${round}.md`;
    const shared = await append(workers, () => ({ way: "ours", folder: ours, document }));
    const single = await append(workers.slice(round % processes, (round % processes) + 1), () => ({
      way: "ours",
      folder: ours,
      document: `alone-${round}.md`,
    }));
    const free = await append(workers, (writer) => ({ way: "bare", folder: bare, document: `${round}-${writer}.md` }));
    lost += processes * appendsEach - countLines(join(ours, document));
    if (round === 0) continue;
    together.push(shared);
    alone.push(single);
    lockless.push(free);
  }
  return toRows(together, alone, lockless, lost);
}

interface Round {
  readonly calls: readonly number[];
  readonly waits: readonly number[];
  readonly holds: readonly number[];
  readonly perSecond: number;
}

async function append(
  workers: readonly Worker[],
  requestOf: (writer: string) => Omit<AppendRequest, "writer" | "count">,
): Promise<Round> {
  const start = performance.now();
  const times = await Promise.all(
    workers.map((worker, index) => {
      const writer = `writer-${index}`;
      return worker.ask<AppendTimes>({ ...requestOf(writer), writer, count: appendsEach } satisfies AppendRequest);
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  return {
    calls: times.flatMap(({ calls }) => calls),
    waits: times.flatMap(({ waits }) => waits),
    holds: times.flatMap(({ holds }) => holds),
    perSecond: (workers.length * appendsEach) / seconds,
  };
}

function countLines(path: string): number {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const different = new Set(lines).size;
  if (different < lines.length) throw new Error(`${lines.length - different} lines are there twice`);
  return different;
}

function toRows(together: Round[], alone: Round[], lockless: Round[], lost: number): Row[] {
  const wait = summarize(together.flatMap(({ waits }) => waits));
  const hold = summarize(together.flatMap(({ holds }) => holds));
  const single = summarize(alone.flatMap(({ calls }) => calls));
  const floor = summarize(lockless.flatMap(({ calls }) => calls));
  const longestOf = (each: Round[]) => median(each.map(({ waits }) => Math.max(...waits)));
  const limit = 3 * processes;
  // Both are of the same calls: what one of them holds the lock for, beside seven others on the same cores,
  // and how long the unluckiest waited for the lock. `single` tells what a hold costs without the others.
  const details = { wait, hold, single, floor };
  return [
    { measurement: `${processes} processes on one document: appends`, unit: "lost", ours: lost, limit: 0, details },
    {
      measurement: "longest wait of a round (median of rounds)",
      unit: "ms",
      ours: longestOf(together),
      reference: { name: "median hold", value: hold.median },
      limit,
    },
    {
      // One disk that stalls for some milliseconds, once in 3,200 appends, decides this alone; see the row below it.
      measurement: "longest wait of all rounds",
      unit: "ms",
      ours: wait.longest,
      reference: { name: "median hold", value: hold.median },
      limit,
    },
    {
      measurement: "longest hold of all rounds",
      unit: "ms",
      ours: hold.longest,
      reference: { name: "median hold", value: hold.median },
    },
    {
      measurement: "longest append without any lock",
      unit: "ms",
      ours: floor.longest,
      reference: { name: "its median", value: floor.median },
    },
    {
      measurement: "median wait",
      unit: "ms",
      ours: wait.median,
      reference: { name: "one append of a process alone", value: single.median },
    },
    {
      measurement: "appends by 8 processes",
      unit: "per second",
      ours: median(together.map(({ perSecond }) => perSecond)),
      reference: { name: "one process alone", value: median(alone.map(({ perSecond }) => perSecond)) },
    },
  ];
}
