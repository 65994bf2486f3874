import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "../../../src/app.ts";
import { type Database, openDatabase } from "../../../src/backends/postgres/database.ts";
import { openSpaceFilling } from "../../../src/backends/postgres/fill.ts";
import { purgeSpace } from "../../../src/backends/postgres/purge.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import type { DocumentPath } from "../../../src/kernel/document-path.ts";
import { toPurgeForms } from "../../../src/kernel/purge-forms.ts";
import { revisionOf } from "../../../src/kernel/revision.ts";
import { databaseProxy } from "../../helpers/database-proxy.ts";
import { postgresUrl, sharedDatabase } from "../../helpers/postgres-stores.ts";

const stamp = { author: "person:ada" };
const at = (path: string) => ({ root: "notes", path: path as DocumentPath });

function put(store: Store, ...paths: readonly string[]) {
  const places = paths.map(at);
  return store.commit(
    places.map(store.resolve),
    () => places.map((one) => ({ kind: "put" as const, at: one, content: "some secret\n" })),
    stamp,
  );
}

async function timesIn(database: Database, space: string): Promise<number[]> {
  const text = "SELECT time FROM recollect.changes WHERE space = $1 ORDER BY change";
  const [rows = []] = await database.read([space], { text, values: [space] });
  return rows.map(({ time }) => (time as Date).getTime());
}

/** What was written there is from a clock that is so far ahead. */
async function setAhead(database: Database, space: string, by: string): Promise<void> {
  const values = [space, by];
  await database.transaction([space], (transaction) =>
    transaction.commit(
      { text: "UPDATE recollect.changes SET time = time + $2::interval WHERE space = $1", values },
      { text: "UPDATE recollect.spaces SET last_time = last_time + $2::interval WHERE space = $1", values },
    ),
  );
}

describe("PG-1 HIST-1 the times of changes, in the order of their numbers", () => {
  it.each<[string, (store: Store, database: Database, space: string) => Promise<unknown>]>([
    ["a new document", (store) => put(store, "new.md")],
    ["one that is replaced", (store) => put(store, "known.md")],
    ["an operation on several", (store) => put(store, "known.md", "new.md")],
    ["several writers", (store) => Promise.all([0, 1, 2, 3].map((number) => put(store, `${number}.md`)))],
    [
      "a purge",
      (_, database, space) => purgeSpace({ database, space, forms: toPurgeForms("some secret", "removed"), stamp }),
    ],
  ])("never run backwards, also where the clock was ahead before: %s", async (_, write) => {
    const [database, space] = [await sharedDatabase(), randomUUID()];
    const store = openPostgresStore({ database, roots: [{ name: "notes", space }] });
    await put(store, "known.md");
    await setAhead(database, space, "30 minutes");
    await write(store, database, space);
    const times = await timesIn(database, space);
    expect(times.length).toBeGreaterThan(1);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  it("never run backwards after a history that was copied from where the clock was ahead", async () => {
    const [database, space] = [await sharedDatabase(), randomUUID()];
    const bytes = Buffer.from("copied\n");
    const [rev, path] = [revisionOf(bytes), at("a.md").path];
    const operation = {
      ...{ id: "copied", position: 1, time: new Date(Date.now() + 1_800_000).toISOString(), author: "person:ada" },
      changes: [{ path, kind: "put" as const, rev, was: undefined }],
      written: [{ path, rev, key: rev, size: bytes.length }],
    };
    const filling = openSpaceFilling(database, space, () => {});
    await filling.append(0, [operation], [async () => new Map([[rev, bytes]])]);
    await put(openPostgresStore({ database, roots: [{ name: "notes", space }] }), "a.md");
    const [copied = 0, later = 0] = await timesIn(database, space);
    expect(later).toBeGreaterThanOrEqual(copied);
  });

  it("follow no clock that was far ahead", async () => {
    const [database, space] = [await sharedDatabase(), randomUUID()];
    const store = openPostgresStore({ database, roots: [{ name: "notes", space }] });
    await put(store, "known.md");
    await setAhead(database, space, "2 years");
    const before = Date.now();
    await put(store, "known.md");
    await put(store, "a.md", "b.md");
    expect((await timesIn(database, space)).filter((time) => time > before + 3_600_000)).toHaveLength(1);
  });

  it("never run backwards among those that go together", async () => {
    const proxy = await databaseProxy(await postgresUrl());
    const database = openDatabase({ url: proxy.url, connections: 2 });
    onTestFinished(async () => {
      await database.close();
      await proxy.close();
    });
    const space = randomUUID();
    const store = openPostgresStore({ database, roots: [{ name: "notes", space }] });
    await put(store, "first.md");
    proxy.delay(30);
    await Promise.all([put(store, "busy.md"), put(store, "a.md", "b.md"), put(store, "a.md"), put(store, "c.md")]);
    const times = await timesIn(database, space);
    expect(times).toHaveLength(6);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });
});
