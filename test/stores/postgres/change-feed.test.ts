import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { DocumentPath } from "../../../src/core/document-path.ts";
import type { ChangePage, Cursor, Store } from "../../../src/core/store.ts";
import type { Database } from "../../../src/stores/postgres/database.ts";
import { openPostgresStore } from "../../../src/stores/postgres/postgres-store.ts";
import { sharedDatabase } from "../../helpers/postgres-stores.ts";
import { slowLook } from "./slow-look.ts";

const pathsOf = ({ records }: ChangePage) => records.map(({ at: { path } }) => path);

async function openFeed() {
  const [database, space] = [await sharedDatabase(), randomUUID()];
  const open = (by: Database) => {
    const store = openPostgresStore({ database: by, roots: [{ name: "notes", space }] });
    onTestFinished(() => store.close());
    return store;
  };
  const store = open(database);
  const put = async (...names: readonly string[]) => {
    for (const name of names) {
      const at = { root: "notes", path: name as DocumentPath };
      await store.commit([at].map(store.resolve), () => [{ kind: "put", at, content: name }], { author: "person:ada" });
    }
  };
  /** As a restore to an earlier moment leaves it, or a fail-over to a replica that lacked the last ones. */
  const setBackTo = (change: number) =>
    database.transaction([space], (transaction) =>
      transaction.commit(
        ...["documents", "changes"].map((table) => ({
          text: `DELETE FROM recollect.${table} WHERE space = $1 AND change > $2`,
          values: [space, change],
        })),
        { text: "UPDATE recollect.spaces SET last_change = $2 WHERE space = $1", values: [space, change] },
      ),
    );
  return { database, store, open, put, setBackTo };
}

/** As it was before cursors said which operation the last change was of. */
function withoutOperations(cursor: Cursor): Cursor {
  const { operations, ...rest } = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  expect(Object.keys(operations)).toHaveLength(1);
  return Buffer.from(JSON.stringify(rest)).toString("base64url");
}

async function cursorOf(store: Store): Promise<Cursor> {
  return (await store.changes({ limit: 100 })).cursor;
}

describe("PG-2 a follower of the changes", () => {
  it("KER-6b misses none that another one releases while it looks", async () => {
    const { database, store, open, put } = await openFeed();
    await put("1.md");
    const after = await cursorOf(store);
    await put("2.md", "3.md");
    const upTo = await cursorOf(store);
    const slow = slowLook(database, "released", async () => {
      await store.release(upTo);
      await put("4.md");
    });
    const page = await open(slow).changes({ after, limit: 100 });
    expect([pathsOf(page), page.gap]).toEqual([["2.md", "3.md"], false]);
    const rest = await store.changes({ after: page.cursor, limit: 100 });
    expect([pathsOf(rest), rest.gap]).toEqual([["4.md"], false]);
  });

  it("is told that some were lost, and of all that was written anew, where the database was set back", async () => {
    const { store, put, setBackTo } = await openFeed();
    await put("1.md", "2.md", "3.md", "4.md");
    const after = await cursorOf(store);
    await setBackTo(2);
    const early = await store.changes({ after, limit: 100 });
    expect([pathsOf(early), early.gap]).toEqual([["1.md", "2.md"], true]);
    await put("5.md", "6.md", "7.md");
    const late = await store.changes({ after, limit: 100 });
    expect([pathsOf(late), late.gap]).toEqual([["1.md", "2.md", "5.md", "6.md", "7.md"], true]);
    const goingOn = await store.changes({ after: early.cursor, limit: 100 });
    expect([pathsOf(goingOn), goingOn.gap]).toEqual([["5.md", "6.md", "7.md"], false]);
  });

  it("releases nothing that was written anew by what it has seen before the database was set back", async () => {
    const { store, put, setBackTo } = await openFeed();
    await put("1.md", "2.md");
    const upTo = await cursorOf(store);
    await setBackTo(1);
    await put("3.md");
    await store.release(upTo);
    expect(pathsOf(await store.changes({ limit: 100 }))).toEqual(["1.md", "3.md"]);
  });

  it("goes on with a cursor of an older version, which knows only that what it stands for is gone", async () => {
    const { store, put, setBackTo } = await openFeed();
    await put("1.md", "2.md");
    const old = withoutOperations(await cursorOf(store));
    const same = await store.changes({ after: old, limit: 100 });
    expect([pathsOf(same), same.gap]).toEqual([[], false]);
    await setBackTo(1);
    expect((await store.changes({ after: old, limit: 100 })).gap).toBe(true);
    await put("3.md");
    const anew = await store.changes({ after: same.cursor, limit: 100 });
    expect([pathsOf(anew), anew.gap]).toEqual([["1.md", "3.md"], true]);
  });

  it("KER-6b who comes when all is released goes on from there, also where the database is set back", async () => {
    const { store, put, setBackTo } = await openFeed();
    await put("1.md", "2.md");
    await store.release(await cursorOf(store));
    const after = await cursorOf(store);
    await setBackTo(1);
    await put("3.md");
    expect((await store.changes({ after, limit: 100 })).gap).toBe(true);
  });

  it.each([
    ["a number", { s: 1 }],
    ["a text that no database takes", { s: "a\0b" }],
    ["one that is too long", { s: "x".repeat(1000) }],
    ["no list of them", "text"],
  ])("is refused with a cursor of which somebody made up the operations: %s", async (_, operations) => {
    const { store } = await openFeed();
    const after = Buffer.from(JSON.stringify({ format: 1, changes: { s: "1" }, operations })).toString("base64url");
    await expect(store.changes({ after, limit: 1 })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});
