import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "../../../src/app.ts";
import { type Database, openDatabase } from "../../../src/backends/postgres/database.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import type { DocumentPath } from "../../../src/kernel/document-path.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { postgresUrl, sharedDatabase } from "../../helpers/postgres-stores.ts";
import { type AmbushedWay, ambushedWay } from "./ambushed-way.ts";

const stamp = { author: "person:ada" };
const at = (path: string) => ({ root: "notes", path: path as DocumentPath });

async function ambushed(): Promise<{ way: AmbushedWay; database: Database; store: Store; space: string }> {
  const way = await ambushedWay(await postgresUrl());
  const database = openDatabase({ url: way.url, connections: 3, settleTimeoutMs: 3000 });
  onTestFinished(() => database.close());
  const space = randomUUID();
  return { way, database, space, store: openPostgresStore({ database, roots: [{ name: "notes", space }] }) };
}

function append(store: Store, path: string, content: string) {
  return store.commit([at(path)].map(store.resolve), () => [{ kind: "append", at: at(path), content }], stamp);
}

/** Of two documents, so nothing is guessed. */
function putBoth(store: Store, content: string) {
  const both = ["a.md", "b.md"].map(at);
  const plan = () => both.map((one) => ({ kind: "put" as const, at: one, content }));
  return store.commit(both.map(store.resolve), plan, stamp);
}

async function changesIn(space: string): Promise<string[]> {
  const text = "SELECT path FROM recollect.changes WHERE space = $1 ORDER BY change";
  const [rows = []] = await (await sharedDatabase()).read([space], { text, values: [space] });
  return rows.map(({ path }) => String(path));
}

describe("a connection that is lost during a commit", () => {
  it.each(["answer lost", "message lost"] as const)(
    "KER-5 PG-2 leaves no doubt, and nothing twice: %s, of one document",
    async (fate) => {
      const { way, store, space } = await ambushed();
      await append(store, "log.md", "one\n");
      way.ambush("two\n", fate);
      const { outcomes } = await append(store, "log.md", "two\n");
      expect(way.isSprung()).toBe(true);
      const found = await store.read(store.resolve(at("log.md")));
      expect(found).toMatchObject({ content: "one\ntwo\n", rev: outcomes[0]?.rev });
      expect(await changesIn(space)).toEqual(["log.md", "log.md"]);
      await append(store, "log.md", "three\n");
      expect((await store.read(store.resolve(at("log.md"))))?.content).toBe("one\ntwo\nthree\n");
    },
  );

  it.each(["answer lost", "message lost"] as const)(
    "KER-5 PG-2 leaves no doubt, and nothing twice: %s, of an operation on two documents in a space that it makes",
    async (fate) => {
      const { way, store, space } = await ambushed();
      way.ambush("both\n", fate);
      expect(await putBoth(store, "both\n")).toMatchObject({ kind: "committed" });
      expect(way.isSprung()).toBe(true);
      expect(await changesIn(space)).toEqual(["a.md", "b.md"]);
    },
  );

  it("KER-5 PG-2 leaves no doubt to any of those that were written together", async () => {
    const { way, database } = await ambushed();
    const spaces = Array.from({ length: 12 }, () => randomUUID());
    const stores = spaces.map((space) => openPostgresStore({ database, roots: [{ name: "notes", space }] }));
    await Promise.all(stores.map((store) => append(store, "log.md", "first\n")));
    for (const fate of ["answer lost", "message lost"] as const) {
      way.ambush(`${fate}\n`, fate);
      await Promise.all(
        stores.flatMap((store) => ["log.md", "other.md"].map((path) => append(store, path, `${fate}\n`))),
      );
      expect(way.isSprung()).toBe(true);
    }
    for (const store of stores) {
      expect((await store.read(store.resolve(at("log.md"))))?.content).toBe("first\nanswer lost\nmessage lost\n");
      expect((await store.read(store.resolve(at("other.md"))))?.content).toBe("answer lost\nmessage lost\n");
    }
  });

  it("KER-5 PG-2 a message that arrives after that does nothing, even where all is again as it was", async () => {
    const { way, store, space } = await ambushed();
    await append(store, "log.md", "one\n");
    way.ambush("two\n", "message late");
    await append(store, "log.md", "two\n");
    await store.commit(
      [at("log.md")].map(store.resolve),
      () => [{ kind: "put", at: at("log.md"), content: "one\n" }],
      stamp,
    );
    await way.deliver();
    expect((await store.read(store.resolve(at("log.md"))))?.content).toBe("one\n");
    expect(await changesIn(space)).toHaveLength(3);
  });

  it("KER-5 PG-2 other servers go on writing there, after one look", async () => {
    const { way, store, space } = await ambushed();
    const other = openPostgresStore({ database: await sharedDatabase(), roots: [{ name: "notes", space }] });
    await append(other, "log.md", "one\n");
    way.ambush("two\n", "message lost");
    await append(store, "log.md", "two\n");
    for (const line of ["three\n", "four\n"]) await append(other, "log.md", line);
    expect((await other.read(other.resolve(at("log.md"))))?.content).toBe("one\ntwo\nthree\nfour\n");
  });

  it("KER-5 is told as unknown where the database stays away, and not done again", async () => {
    const { way, store, space } = await ambushed();
    await append(store, "log.md", "one\n");
    way.ambush("two\n", "answer lost");
    way.close();
    const failed = await errorOf(() => append(store, "log.md", "two\n"));
    expect(failed).toMatchObject({ code: "STORAGE_FAILED", data: { reason: "unknown outcome" } });
    expect(await changesIn(space)).toEqual(["log.md", "log.md"]);
  });
});
