import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Database } from "../../../src/backends/postgres/database.ts";
import { openPostgresSource } from "../../../src/backends/postgres/source.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import type { DocumentPath } from "../../../src/kernel/document-path.ts";
import { findChangesAt } from "../../../src/search/find-changes.ts";
import { openMemoryIndex } from "../../../src/search/index/open-index.ts";
import { watchRoot } from "../../../src/workspace/watched-root.ts";
import { sharedDatabase } from "../../helpers/postgres-stores.ts";

const stamp = { author: "person:ada" };
const at = (path: string) => ({ root: "notes", path: path as DocumentPath });

async function followed() {
  const [database, space] = [await sharedDatabase(), randomUUID()];
  let trips = 0;
  const counted: Pick<Database, "read"> = {
    read: (...asked) => {
      trips += 1;
      return database.read(...asked);
    },
  };
  const store = openPostgresStore({ database, roots: [{ name: "notes", space }] });
  const put = (paths: readonly string[]) => {
    const changes = paths.map((path) => ({ kind: "put" as const, at: at(path), content: `${path} ${randomUUID()}\n` }));
    return store.commit(changes.map((change) => change.at).map(store.resolve), () => changes, stamp);
  };
  return {
    store,
    put,
    source: openPostgresSource({ database: counted, databaseName: "tests", root: "notes", space }),
    tripsOf: async <Result>(work: () => Promise<Result>) => {
      const before = trips;
      const result = await work();
      return { result, trips: trips - before };
    },
  };
}

const many = Array.from({ length: 120 }, (_, number) => `deep/${number % 7}/${number}.md`);

describe("PG-2 SRCH-3 what changed in a space", () => {
  it("is found for all paths in one round trip, as for each by itself", async () => {
    const { put, store, source, tripsOf } = await followed();
    await put([...many, "a.md", "folder/x.md", "folder/deep/y.md", "folder0.md", "gone.md"]);
    await store.commit([at("gone.md")].map(store.resolve), () => [{ kind: "remove", at: at("gone.md") }], stamp);
    const index = openMemoryIndex();
    const paths = [...many, "a.md", "folder", "gone.md", "never"];
    const together = await tripsOf(() => findChangesAt(paths, source, index));
    expect(together.trips).toBe(1);
    expect([...together.result.keys()].toSorted()).toEqual(
      [...many, "a.md", "folder/x.md", "folder/deep/y.md"].toSorted(),
    );
    for (const path of ["a.md", "folder", "gone.md"]) {
      const alone = await findChangesAt([path], source, index);
      expect(
        [...alone.keys()].every((one) => together.result.has(one)),
        path,
      ).toBe(true);
    }
    index.close();
  });

  it("is told to those who follow it in a few round trips, however many documents it is", async () => {
    const { put, store, source, tripsOf } = await followed();
    const watched = watchRoot(source, Date.now);
    await watched.look();
    await put(many.slice(0, 60));
    const one = many[0] ?? "";
    await store.commit([at(one)].map(store.resolve), () => [{ kind: "remove", at: at(one) }], stamp);
    const { result, trips } = await tripsOf(() => watched.look());
    if (result === "stale") throw new Error("It was told that everything may be another.");
    expect(result.map(({ path }) => path).toSorted()).toEqual(many.slice(0, 60).toSorted());
    expect(result.filter(({ rev }) => rev === undefined).map(({ path }) => path)).toEqual([one]);
    expect(trips).toBeLessThanOrEqual(3);
  });
});
