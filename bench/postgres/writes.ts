import pg from "pg";
import { startPostgres } from "../../test/helpers/postgres.ts";
import type { Row } from "../measurement.ts";
import { sampleText } from "../sample-text.ts";
import { median } from "../statistics.ts";
import { openMigrated, openSpace } from "./store.ts";

const [connections, writers, spaces] = [10, 16, 200];
const [rounds, sliceMs] = [12, 500];

/** Durable writes through the store beside a bare INSERT … RETURNING of the same text, by as many connections and writers. */
export async function measureWrites(): Promise<Row[]> {
  const postgres = await startPostgres();
  const database = await openMigrated(postgres.url, connections);
  const pool = new pg.Pool({ connectionString: postgres.url, max: connections });
  pool.on("error", () => {});
  try {
    await pool.query("CREATE TABLE bare (space text, path text, content bytea, PRIMARY KEY (space, path))");
    const opened = Array.from({ length: spaces }, (_, index) => openSpace(database, `space-${index}`));
    await Promise.all(opened.map((space) => space.put("first.md", "first\n")));
    const spaceOf = (number: number) => opened[number % spaces] ?? opened[0];
    const insert = "INSERT INTO bare (space, path, content) VALUES ($1, $2, $3) RETURNING path";
    const rates = await byTurns({
      bare: (n) => pool.query(insert, [`space-${n % spaces}`, `notes/${n}.md`, Buffer.from(sampleText(n))]),
      created: (n) => spaceOf(n)?.put(`notes/${n}.md`, sampleText(n)),
      replaced: (n) => spaceOf(n)?.put(`kept/${n % 7}.md`, sampleText(n)),
      one: (n) => opened[0]?.put(`one/${n}.md`, sampleText(n)),
    });
    const reference = { name: "bare INSERT … RETURNING", value: median(rates.get("bare") ?? []) };
    const row = (name: string, measurement: string): Row => ({
      measurement,
      unit: "per second",
      ours: median(rates.get(name) ?? []),
      reference,
      limit: 0.6,
      atLeast: true,
      details: { connections, writers, rates: Object.fromEntries(rates) },
    });
    return [
      row("created", "PostgreSQL: new documents of 2 KB in 200 spaces"),
      row("replaced", "PostgreSQL: documents of 2 KB replaced in 200 spaces"),
      row("one", "PostgreSQL: new documents of 2 KB in one space"),
    ];
  } finally {
    await pool.end();
    await database.close();
    await postgres.dispose();
  }
}

type Write = (number: number) => Promise<unknown> | undefined;

/** In short turns, so that a busy machine meets all alike; the first round only warms up. */
async function byTurns(subjects: Readonly<Record<string, Write>>): Promise<ReadonlyMap<string, number[]>> {
  const rates = new Map<string, number[]>(Object.keys(subjects).map((name) => [name, []]));
  let number = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const turn = Object.entries(subjects);
    for (const [name, write] of round % 2 === 0 ? turn : turn.toReversed()) {
      let done = 0;
      const begun = performance.now();
      const writer = async () => {
        while (performance.now() - begun < sliceMs) {
          number += 1;
          await write(number);
          done += 1;
        }
      };
      await Promise.all(Array.from({ length: writers }, writer));
      if (round > 0) rates.get(name)?.push((1000 * done) / (performance.now() - begun));
    }
  }
  return rates;
}
