import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { spacesBelow } from "../../../src/backends/postgres/backend.ts";
import type { Database } from "../../../src/backends/postgres/database.ts";
import { openPostgresHistory } from "../../../src/backends/postgres/history.ts";
import { holdSpaces } from "../../../src/backends/postgres/hold-spaces.ts";
import { keyIn } from "../../../src/backends/postgres/place.ts";
import { trimChanges } from "../../../src/backends/postgres/trim-changes.ts";
import { sharedDatabase } from "../../helpers/postgres-stores.ts";
import { measure } from "./measured-database.ts";

/** Each of `documents` changed so often, one after the other, a day ago; operations of so many changes. */
async function filledSpace({ documents = 1, revisions = 1, perOperation = 1 }) {
  const [database, space] = [await sharedDatabase(), randomUUID()];
  const changes = documents * revisions;
  const numbered = "generate_series(1, $2::int) AS n";
  await database.transaction([space], (transaction) =>
    transaction.commit(
      { text: "INSERT INTO recollect.spaces (space, last_change) VALUES ($1, $2)", values: [space, changes] },
      {
        text: `INSERT INTO recollect.contents (space, rev, content) SELECT $1, 'r' || n, 'x'::bytea FROM ${numbered}`,
        values: [space, changes],
      },
      {
        text: `INSERT INTO recollect.changes (space, change, operation, path, kind, rev, was, time, author)
          SELECT $1, n, 'o' || (n - 1) / $4::int, 'd/' || (n - 1) % $3::int, 'put', 'r' || n,
            CASE WHEN n > $3::int THEN 'r' || (n - $3::int) END, now() - interval '1 day', 'agent:ada' FROM ${numbered}`,
        values: [space, changes, documents, perOperation],
      },
      {
        text: `INSERT INTO recollect.documents (space, path, rev, size, modified, change)
          SELECT $1, 'd/' || (n - 1), 'r' || (n + $3::int), 1, now(), n + $3::int FROM ${numbered}`,
        values: [space, documents, changes - documents],
      },
    ),
  );
  return { database, space };
}

async function countOf(database: Database, space: string, table: string): Promise<number> {
  const text = `SELECT count(*) AS found FROM recollect.${table} WHERE space = $1`;
  const [[row] = []] = await database.read([space], { text, values: [space] });
  return Number(row?.["found"]);
}

describe("PG-1 what a large space costs is what is asked of it", () => {
  it("HIST-3b old changes and their contents go without a look at all others for each", async () => {
    const { database, space } = await filledSpace({ documents: 500, revisions: 2 });
    const measured = measure(database);
    expect(await trimChanges(measured.database, space, new Date())).toBe(500);
    expect(measured.rowsTouched()).toBeLessThan(1000 * 50);
    expect(await countOf(database, space, "changes")).toBe(500);
    expect(await countOf(database, space, "contents")).toBe(500);
  });

  it("HIST-3b they go in parts, and nobody who writes there waits for all of them", async () => {
    const { database, space } = await filledSpace({ documents: 20, revisions: 5 });
    const measured = measure(database);
    expect(await trimChanges(measured.database, space, new Date(), 10)).toBe(80);
    expect(measured.transactions()).toBe(10);
    expect(await countOf(database, space, "changes")).toBe(20);
    expect(await countOf(database, space, "contents")).toBe(20);
    expect(await trimChanges(measured.database, space, new Date(), 10)).toBe(0);
    expect(measured.transactions()).toBe(10);
  });

  const hold = async (database: Database, space: string, paths: readonly string[]) => {
    const measured = measure(database);
    const places = paths.map((path) => ({ space, path }));
    const held = await measured.database.transaction([space], (transaction) => holdSpaces(transaction, places));
    return { held, rows: measured.rowsTouched(), statements: measured.statements() };
  };

  it("KER-6 documents are looked at without a look at all others for each", async () => {
    const { database, space } = await filledSpace({ documents: 400 });
    const { held, rows, statements } = await hold(database, space, [
      "d",
      ...Array.from({ length: 200 }, (_, number) => `d/${number}`),
      ...Array.from({ length: 199 }, (_, number) => `new/${number}/deep.md`),
    ]);
    expect([held.kept.size, held.above.size, [...held.folders]]).toEqual([200, 0, [keyIn(space, "d")]]);
    expect(statements).toHaveLength(1);
    expect(rows).toBeLessThan(400 * 25);
  });

  it("KER-2 what lies above documents is found once for all of them, in the space of each", async () => {
    const [{ database, space }, other] = await Promise.all([filledSpace({ documents: 300 }), filledSpace({})]);
    const { held, rows } = await hold(
      database,
      space,
      Array.from({ length: 300 }, (_, number) => `d/${number}/below.md`),
    );
    expect(held.above.size).toBe(300);
    expect(held.above).toContain(keyIn(space, "d/7"));
    expect(rows).toBeLessThan(300 * 25);
    const both = [
      { space, path: "d/200/x" },
      { space: other.space, path: "d/0/x" },
      { space: other.space, path: "d/200/x" },
    ];
    const spaces = [space, other.space];
    const together = await database.transaction(spaces, (transaction) => holdSpaces(transaction, both));
    expect([...together.above].toSorted()).toEqual([keyIn(space, "d/200"), keyIn(other.space, "d/0")].toSorted());
  });

  it("HIST-1 a page of the log takes as many changes as it shows", async () => {
    const { database, space } = await filledSpace({ documents: 100, revisions: 30 });
    const measured = measure(database);
    const history = openPostgresHistory({ database: measured.database, root: "notes", space, now: Date.now });
    const { operations, next } = await history.log({ limit: 20 });
    expect(operations.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, at) => `o${2999 - at}`));
    expect(measured.rowsTouched()).toBeLessThan(200);
    expect((await history.log({ limit: 20, after: next ?? "" })).operations[0]?.id).toBe("o2979");
    expect(measured.rowsTouched()).toBeLessThan(400);
  });

  it("HIST-1 operations of many changes are whole in it, and pages join to the whole", async () => {
    const { database, space } = await filledSpace({ documents: 50, revisions: 4, perOperation: 33 });
    const history = openPostgresHistory({ database, root: "notes", space, now: Date.now });
    const whole = (await history.log({ limit: 100 })).operations;
    expect(whole.map(({ id, changes }) => [id, changes.length])).toEqual([
      ["o6", 2],
      ...["o5", "o4", "o3", "o2", "o1", "o0"].map((id) => [id, 33]),
    ]);
    expect(whole.at(-1)?.changes.map(({ path }) => path)).toEqual(Array.from({ length: 33 }, (_, at) => `d/${at}`));
    for (const limit of [1, 2, 7]) {
      const pages = [];
      for (let after: string | undefined; ; ) {
        const page = await history.log({ limit, ...(after === undefined ? {} : { after }) });
        pages.push(...page.operations);
        after = page.next;
        if (after === undefined) break;
      }
      expect(pages, `${limit} at once`).toEqual(whole);
    }
  });

  it("PG-1 the spaces below one are found without a look at those of others", async () => {
    const [database, tenant] = [await sharedDatabase(), randomUUID()];
    const own = ["one", "two", "two/deep", "zero"].map((name) => `${tenant}/agents/${name}`);
    const others = Array.from({ length: 500 }, (_, number) => `${tenant}-other/agents/${number}`);
    const all = [...own, ...others, `${tenant}/agents`, `${tenant}/agents0`, `${tenant}/agentsx/one`];
    await database.transaction(all, (transaction) =>
      transaction.commit(
        {
          text: "INSERT INTO recollect.spaces (space, last_change) SELECT unnest($1::text[]), 1",
          values: [all],
        },
        { text: "UPDATE recollect.spaces SET last_change = 0 WHERE space = $1", values: [`${tenant}/agents/zero`] },
      ),
    );
    const measured = measure(database);
    expect(await spacesBelow(measured.database, `${tenant}/agents`)).toEqual(["one", "two"]);
    expect(measured.rowsTouched()).toBeLessThan(50);
  });
});
