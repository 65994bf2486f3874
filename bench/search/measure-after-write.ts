import type { Row } from "../measurement.ts";
import { summarize } from "../statistics.ts";
import type { AskedAfterWrite, OurRequest } from "../workers/search-ours.ts";
import type { Corpus } from "./corpus.ts";
import { afterWriteLimit } from "./limits.ts";
import { openOurs, ways } from "./measure-speed.ts";
import type { Place } from "./place.ts";

const writers = { library: "through Recollect", hand: "by hand" } as const;
const [warmUp, measured] = [20, 100];

/** A note is written, and the next query must have it. The write itself is not counted, its indexing is. */
export async function measureAfterWrite(place: Place, corpus: Corpus): Promise<Row[]> {
  const rows: Row[] = [];
  for (const way of ways) {
    const worker = await openOurs(place, way);
    try {
      for (const by of ["library", "hand"] as const) {
        const ask = (from: number, count: number) => {
          const queries = Array.from({ length: count }, (_, at) => corpus.query(from + at).join(" "));
          return worker.ask<AskedAfterWrite>({ kind: "ask-after-write", queries, by } satisfies OurRequest);
        };
        await ask(0, warmUp);
        rows.push(
          ...toRows(`${corpus.count.toLocaleString("en")} notes, ${way.name}`, by, await ask(warmUp, measured)),
        );
      }
    } finally {
      await worker.stop();
    }
  }
  return rows;
}

function toRows(what: string, by: keyof typeof writers, { times, unchanged, seen, warnings }: AskedAfterWrite): Row[] {
  for (const warning of warnings) console.error(`  ${warning}`);
  const [after, before] = [summarize(times), summarize(unchanged)];
  return [
    {
      measurement: `${what}: a query after one write ${writers[by]}`,
      unit: "ms",
      ours: after.median,
      p90: after.p90,
      reference: { name: "the same before it", value: before.median, p90: before.p90 },
      limit: afterWriteLimit,
      details: { after, before },
    },
    {
      measurement: `${what}: ${times.length} answers without the note written ${writers[by]} before`,
      unit: "lost",
      ours: times.length - seen,
      limit: 0,
    },
  ];
}
