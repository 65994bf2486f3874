import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../src/backends/postgres/database.ts";
import { findValue } from "../../../src/backends/postgres/find-value.ts";
import { type GuessedWrite, guessedWrite, writeGuessed } from "../../../src/backends/postgres/guessed-write.ts";
import { purgeSpace } from "../../../src/backends/postgres/purge.ts";
import { verifySpace } from "../../../src/backends/postgres/verify.ts";
import type { DocumentPath } from "../../../src/kernel/document-path.ts";
import { toPurgeForms } from "../../../src/kernel/purge-forms.ts";
import { revisionOf } from "../../../src/kernel/revision.ts";
import { type Postgres, startPostgres } from "../../helpers/postgres.ts";
import { measure } from "./measured-database.ts";

const word = "correct horse battery staple";
const documents = 1000;

let postgres: Postgres;
let admin: pg.Client;
let database: Database;

beforeAll(async () => {
  postgres = await startPostgres({ isDurable: false });
  admin = new pg.Client(postgres.adminUrl);
  await admin.connect();
  // Nobody looks at the tables but this test.
  await admin.query("ALTER SYSTEM SET autovacuum = off");
  await admin.query("SELECT pg_reload_conf()");
  database = openDatabase({ url: postgres.url, connections: 2 });
  await database.migrate();
}, 120_000);

afterAll(async () => {
  await database.close();
  await admin.end();
  await postgres.dispose();
});

/** Spaces with two changes of each of so many documents, whose texts, names and authors hold the word. */
async function fill(spaces: string, perSpace: number): Promise<void> {
  const made = `${spaces} AS space, generate_series(1, ${perSpace}) AS i, generate_series(1, 2) AS round`;
  const textOf = (round: string) => `convert_to(${round} || ' of ' || i || ' in ' || space || ' ${word}', 'UTF8')`;
  const revOf = (round: string) => `left(encode(sha256(${textOf(round)}), 'hex'), 32)`;
  const number = `(round - 1) * ${perSpace} + i`;
  const path = `'n/${word} ' || lpad(i::text, 5, '0') || '.md'`;
  for (const text of [
    `INSERT INTO recollect.spaces (space, last_change) SELECT space, ${2 * perSpace} FROM ${spaces} AS space`,
    `INSERT INTO recollect.contents (space, rev, content) SELECT space, ${revOf("round")}, ${textOf("round")} FROM ${made}`,
    `INSERT INTO recollect.changes (space, change, operation, path, kind, rev, was, other_space, other_path, time, author)
      SELECT space, ${number}, 'o' || ${number}, ${path}, 'put', ${revOf("round")},
        CASE WHEN round = 2 THEN ${revOf("1")} END, space, ${path}, now(), 'person:${word}' FROM ${made}`,
    `INSERT INTO recollect.documents (space, path, rev, size, modified, change)
      SELECT space, ${path}, ${revOf("round")}, length(${textOf("round")}), now(), ${number} FROM ${made} WHERE round = 2`,
  ]) {
    await admin.query(text);
  }
}

const analyse = () =>
  admin.query("ANALYZE recollect.contents, recollect.changes, recollect.documents, recollect.spaces");

const situations = {
  "was never looked at by the database": async () => {},
  "came after the database had looked at next to nothing": async () => {
    await fill("unnest(ARRAY['tiny'])", 3);
    await analyse();
  },
  "came after the database had looked at those of others": async () => {
    await fill("(SELECT 'other-' || n FROM generate_series(1, 3000) AS n)", 1);
    await analyse();
  },
  "came beside a large one that the database had looked at": async () => {
    await fill("unnest(ARRAY['large'])", 10_000);
    await analyse();
  },
};

describe.each(Object.entries(situations))("PG-1 a space that %s", (_, prepare) => {
  const space = "mine";
  const forms = toPurgeForms(word, "removed");

  it("HIST-4b HIST-5 is verified, searched and purged without a look at all of its rows for each of them", async () => {
    await admin.query("TRUNCATE recollect.contents, recollect.changes, recollect.documents, recollect.spaces");
    await prepare();
    await fill(`unnest(ARRAY['${space}'])`, documents);
    const rows = 2 * documents + 2 * documents + documents;
    const costs: Record<string, number> = {};
    const measured = async <Result>(what: string, work: (one: Database) => Promise<Result>): Promise<Result> => {
      const measuring = measure(database);
      const result = await work(measuring.database);
      costs[what] = Math.round(measuring.rowsTouched() / rows);
      return result;
    };
    const verify = (one: Database) => verifySpace({ database: one, space, root: "notes" });
    expect((await measured("verify", verify)).findings).toEqual([]);
    expect(await measured("find", (one) => findValue(one, space, forms))).toHaveLength(documents);
    const purge = (one: Database) => purgeSpace({ database: one, space, forms, stamp: { author: "person:ada" } });
    expect((await measured("purge", purge)).isRewritten).toBe(true);
    expect((await measured("verify again", verify)).findings).toEqual([]);
    for (const [what, times] of Object.entries(costs))
      expect(times, `${what} of ${JSON.stringify(costs)}`).toBeLessThan(60);
  }, 120_000);

  it.each([1, 16])(
    "KER-5 tells who is mistaken about %i of its documents what they are, without a look at others",
    async (number) => {
      await admin.query("TRUNCATE recollect.contents, recollect.changes, recollect.documents, recollect.spaces");
      await prepare();
      await fill(`unnest(ARRAY['${space}'])`, documents);
      const [first, ...others] = Array.from({ length: number }, (_, index) => newDocument(space, index + 1));
      if (!first) throw new Error("There is nothing to write.");
      const measuring = measure(database);
      const [rows = []] = await measuring.database.transaction([space], (transaction) =>
        transaction.run(writeGuessed([first, ...others])),
      );
      expect(rows.map(({ time }) => time)).toEqual(Array.from({ length: number }, () => null));
      expect(rows.map(({ content }) => String(content))).toEqual(
        rows.map((_, index) => `2 of ${index + 1} in ${space} ${word}`),
      );
      expect(measuring.rowsTouched() / number).toBeLessThan(20);
    },
    120_000,
  );
});

/** For who believes that it is not there. */
function newDocument(space: string, number: number): GuessedWrite {
  const path = `n/${word} ${String(number).padStart(5, "0")}.md` as DocumentPath;
  const bytes = Buffer.from("new");
  const after = { bytes, rev: revisionOf(bytes), modified: 0 };
  const effect = { kind: "put" as const, at: { root: "notes", path }, before: undefined, after };
  const write = guessedWrite(space, effect, { stamp: { author: "person:ada" }, doubts: 0n });
  if (!write) throw new Error("There is nothing to write.");
  return write;
}
