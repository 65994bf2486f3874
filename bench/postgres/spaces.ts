import pg from "pg";
import { startPostgres } from "../../test/helpers/postgres.ts";
import { interleave } from "../interleave.ts";
import type { Row } from "../measurement.ts";
import { openMigrated, openSpace } from "./store.ts";

const sizes = { few: 10, some: 1000, many: 100_000 } as const;
const rounds = { warmUp: 300, measured: 1500 };

/**
 * What one operation costs where there are few spaces and where there are many, in three databases of one server, by
 * turns. Nothing is synced here: the disk would hide what is looked for.
 */
export async function measureSpaces(): Promise<Row[]> {
  const postgres = await startPostgres({ isDurable: false });
  const opened: Filled[] = [];
  try {
    for (const [name, size] of Object.entries(sizes)) opened.push(await fill(postgres.adminUrl, name, size));
    const of = (name: string) => opened.find((one) => one.name === name);
    const writes = await interleave(
      { few: (n) => of("few")?.write(n), some: (n) => of("some")?.write(n), many: (n) => of("many")?.write(n) },
      rounds,
    );
    const reads = await interleave(
      { few: () => of("few")?.read(), some: () => of("some")?.read(), many: () => of("many")?.read() },
      rounds,
    );
    return [["a new document", writes] as const, ["a document read", reads] as const].flatMap(([what, times]) =>
      (["some", "many"] as const).map(
        (name): Row => ({
          measurement: `PostgreSQL: ${what}, ${sizes[name].toLocaleString("en")} spaces`,
          unit: "ms",
          ours: times[name].median,
          p90: times[name].p90,
          reference: { name: "10 spaces", value: times.few.median, p90: times.few.p90 },
          limit: 1.3,
          details: { ...times },
        }),
      ),
    );
  } finally {
    for (const { close } of opened) await close();
    await postgres.dispose();
  }
}

type Filled = Awaited<ReturnType<typeof fill>>;

async function fill(adminUrl: string, name: string, size: number) {
  const address = (user: string, database: string) => {
    const url = new URL(adminUrl);
    return Object.assign(url, { username: user, password: user, pathname: `/${database}` }).href;
  };
  await asAdmin(address("postgres", "postgres"), `CREATE DATABASE spaces_${size} OWNER recollect`);
  const database = await openMigrated(address("recollect", `spaces_${size}`), 2);
  const texts = `SELECT 'space/' || s AS space, 'notes/' || d || '.md' AS path, d,
      convert_to('# Note ' || s || '.' || d || repeat(E'\\nSomething that was learned.', 10), 'UTF8') AS content
    FROM generate_series(1, ${size}) AS s, generate_series(1, 2) AS d`;
  await asAdmin(
    address("postgres", `spaces_${size}`),
    `CREATE TEMPORARY TABLE made AS SELECT *, encode(sha256(content), 'hex') AS rev FROM (${texts}) AS texts`,
    "INSERT INTO recollect.spaces (space, last_change) SELECT DISTINCT space, 2 FROM made",
    "INSERT INTO recollect.contents (space, rev, content) SELECT space, rev, content FROM made",
    `INSERT INTO recollect.documents (space, path, rev, size, modified, change)
      SELECT space, path, rev, length(content), now(), d FROM made`,
    `INSERT INTO recollect.changes (space, change, operation, path, kind, rev, time, author)
      SELECT space, d, md5(space || d), path, 'put', rev, now(), 'bench' FROM made`,
    "VACUUM ANALYZE",
  );
  const anySpace = () => openSpace(database, `space/${1 + Math.floor(Math.random() * size)}`);
  return {
    name,
    write: (round: number) => anySpace().put(`new/${round}.md`, `# New ${round}\n`),
    read: () => anySpace().read("notes/1.md"),
    close: () => database.close(),
  };
}

async function asAdmin(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
