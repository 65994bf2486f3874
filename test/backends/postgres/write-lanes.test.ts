import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Address, Store, StoredDocument } from "../../../src/app.ts";
import { type Database, openDatabase } from "../../../src/backends/postgres/database.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import { verifySpace } from "../../../src/backends/postgres/verify.ts";
import { createWriteLanes } from "../../../src/backends/postgres/write-lanes.ts";
import type { DocumentPath } from "../../../src/kernel/document-path.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { postgresUrl, sharedDatabase } from "../../helpers/postgres-stores.ts";

const stamp = { author: "person:ada" };
const at = (path: string) => ({ root: "notes", path: path as DocumentPath });

async function opened(): Promise<Database> {
  const database = openDatabase({ url: await postgresUrl(), connections: 6, lockTimeoutMs: 10_000 });
  onTestFinished(() => database.close());
  return database;
}

function readIn(store: Store, place: Address): Promise<StoredDocument | undefined> {
  return store.read(store.resolve(place));
}

function storeIn(database: Database, space: string): Store {
  return openPostgresStore({ database, roots: [{ name: "notes", space }] });
}

function append(store: Store, path: string, content: string) {
  return store.commit([at(path)].map(store.resolve), () => [{ kind: "append", at: at(path), content }], stamp);
}

async function rowsOf(database: Database, spaces: readonly string[], text: string) {
  const [rows = []] = await database.read(spaces, { text, values: [spaces] });
  return rows;
}

async function numbersIn(database: Database, space: string): Promise<number[]> {
  const text = "SELECT change FROM recollect.changes WHERE space = ANY($1) ORDER BY change";
  return (await rowsOf(database, [space], text)).map(({ change }) => Number(change));
}

describe("PG-1 writes of one server at the same moment", () => {
  it("KER-5 share transactions, whatever their spaces, and each is told of its own", async () => {
    const database = await opened();
    const spaces = Array.from({ length: 40 }, () => randomUUID());
    const stores = spaces.map((space) => storeIn(database, space));
    await Promise.all(stores.map((store) => append(store, "a.md", "one\n")));
    await Promise.all(stores.map((store, number) => append(store, "a.md", `${number}\n`)));
    for (const [number, store] of stores.entries())
      expect((await store.read(store.resolve(at("a.md"))))?.content).toBe(`one\n${number}\n`);
    const [row] = await rowsOf(
      database,
      spaces,
      "SELECT count(DISTINCT xmin::text) AS transactions FROM recollect.changes WHERE space = ANY($1) AND change = 2",
    );
    expect(Number(row?.["transactions"])).toBeLessThan(spaces.length / 2);
  });

  it.each([
    ["space", "SELECT 1 FROM recollect.spaces WHERE space = $1 FOR UPDATE"],
    ["document", "SELECT 1 FROM recollect.documents WHERE space = $1 FOR UPDATE"],
  ])("KER-5 do not wait for a %s that somebody holds, unless it is their own", async (_, text) => {
    const database = await opened();
    const spaces = Array.from({ length: 12 }, () => randomUUID());
    const [held = "", ...others] = spaces;
    await Promise.all(spaces.map((space) => append(storeIn(database, space), "a.md", "one\n")));
    const release = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<void>();
    const holder = (await sharedDatabase()).transaction([held], async (transaction) => {
      await transaction.run({ text, values: [held] });
      holding.resolve();
      await release.promise;
    });
    await holding.promise;
    let isDone = false;
    const waiting = append(storeIn(database, held), "a.md", "two\n").then(() => {
      isDone = true;
    });
    await Promise.all(others.map((space) => append(storeIn(database, space), "a.md", "two\n")));
    expect(isDone).toBe(false);
    release.resolve();
    await Promise.all([holder, waiting]);
    expect((await readIn(storeIn(database, held), at("a.md")))?.content).toBe("one\ntwo\n");
  });

  it("KER-5 KER-6 in one space are numbered one after the other, and those that cannot be are refused alone", async () => {
    const database = await opened();
    const space = randomUUID();
    const store = storeIn(database, space);
    await Promise.all([append(store, "kept.md", "one\n"), append(store, "folder/a.md", "a\n")]);
    await store.read(store.resolve(at("kept.md")));
    for (const wrong of ["folder", "folder/a.md/below.md"]) {
      const paths = ["kept.md", ...Array.from({ length: 15 }, (_, number) => `new/${wrong.length}/${number}.md`)];
      const refused = errorOf(() => append(store, wrong, "x\n"));
      await Promise.all(paths.map((path) => append(store, path, `${path}\n`)));
      expect(await refused).toMatchObject({ code: "NOT_A_DOCUMENT" });
    }
    expect((await store.read(store.resolve(at("kept.md"))))?.content).toBe("one\nkept.md\nkept.md\n");
    const numbers = await numbersIn(database, space);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect((await verifySpace({ database, space, root: "notes" })).findings).toEqual([]);
  });

  it("KER-5 PG-2 and of another server lose nothing, and double nothing", async () => {
    const servers = [await opened(), await opened()];
    const spaces = [randomUUID(), randomUUID(), randomUUID()];
    const lines = Array.from({ length: 60 }, (_, number) => `${number}\n`);
    await Promise.all(
      servers.flatMap((database, server) =>
        spaces.flatMap((space) =>
          lines.map((line, number) => append(storeIn(database, space), `${number % 5}.md`, `${server}:${line}`)),
        ),
      ),
    );
    for (const space of spaces) {
      const [database] = servers;
      if (!database) throw new Error("There is no server.");
      const store = storeIn(database, space);
      const contents = await Promise.all(
        [0, 1, 2, 3, 4].map(async (name) => (await store.read(store.resolve(at(`${name}.md`))))?.content),
      );
      const found = contents
        .join("")
        .split("\n")
        .filter((line) => line !== "");
      expect(found.toSorted()).toEqual(
        lines.flatMap((line) => [0, 1].map((server) => `${server}:${line.trim()}`)).toSorted(),
      );
      expect(await numbersIn(database, space)).toHaveLength(120);
      expect((await verifySpace({ database, space, root: "notes" })).findings).toEqual([]);
    }
  });
});

describe("PG-1 statements of several spaces in one transaction", () => {
  it("see the rows of their own space alone, and one that fails takes none with it", async () => {
    const database = await opened();
    const spaces = [randomUUID(), randomUUID(), randomUUID()];
    await Promise.all(spaces.map((space) => append(storeIn(database, space), "a.md", "one\n")));
    const lanes = createWriteLanes({ transaction: database.transaction, lanes: 1 });
    const commit = (space: string, text: string) =>
      lanes.commit({ space, statement: { text }, documents: 1, bytes: 1 });
    const seen = await Promise.all(spaces.map((space) => commit(space, "SELECT space FROM recollect.spaces")));
    expect(seen).toEqual(spaces.map((space) => [{ space }]));
    const mark = (space: string) => commit(space, "UPDATE recollect.spaces SET released = 1 RETURNING space");
    const [one = "", two = "", three = ""] = spaces;
    const ended = await Promise.allSettled([mark(one), commit(two, "SELECT 1 / 0"), mark(three)]);
    expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const marked = await rowsOf(
      database,
      spaces,
      "SELECT space FROM recollect.spaces WHERE space = ANY($1) AND released = 1",
    );
    expect(new Set(marked.map(({ space }) => space))).toEqual(new Set([one, three]));
  });
});
