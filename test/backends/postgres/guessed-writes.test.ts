import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Address, Store, StoredDocument } from "../../../src/app.ts";
import { createHeldCommits } from "../../../src/backends/postgres/commit-held.ts";
import { type Database, openDatabase } from "../../../src/backends/postgres/database.ts";
import { createSettleDoubt } from "../../../src/backends/postgres/settle-doubt.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import { createTurns } from "../../../src/backends/postgres/take-turns.ts";
import { verifySpace } from "../../../src/backends/postgres/verify.ts";
import { createWriteLanes } from "../../../src/backends/postgres/write-lanes.ts";
import type { Conflict } from "../../../src/kernel/conflict.ts";
import type { DocumentPath } from "../../../src/kernel/document-path.ts";
import type { Change } from "../../../src/kernel/store.ts";
import { postgresUrl, sharedDatabase } from "../../helpers/postgres-stores.ts";

const stamp = { author: "person:ada" };
const at = (path: string) => ({ root: "notes", path: path as DocumentPath });

/** A server that has seen no document yet, how often it sent guesses, and how often it held a space to look. */
async function newServer(beforeGuess: (space: string) => Promise<unknown> = async () => {}) {
  const database = openDatabase({ url: await postgresUrl(), connections: 4 });
  onTestFinished(() => database.close());
  const count = { guesses: 0, looks: 0 };
  const { known, transaction } = database;
  const settle = createSettleDoubt({ transaction, known, patienceMs: 1000 });
  const lanes = createWriteLanes({ transaction, lanes: 1 });
  const turns = createTurns({
    settle,
    lanes: {
      commit: async (write) => {
        count.guesses += 1;
        await beforeGuess(write.space);
        return lanes.commit(write);
      },
    },
    held: createHeldCommits({
      known,
      settle,
      transaction: (spaces, work) => {
        count.looks += 1;
        return transaction(spaces, work);
      },
    }),
  });
  return { database: { ...database, turns } satisfies Database, count };
}

function readIn(store: Store, place: Address): Promise<StoredDocument | undefined> {
  return store.read(store.resolve(place));
}

function storeIn(database: Database, space: string): Store {
  return openPostgresStore({ database, roots: [{ name: "notes", space }] });
}

function change(store: Store, kind: "put" | "append", path: string, content: string) {
  return store.commit([at(path)].map(store.resolve), () => [{ kind, at: at(path), content }], stamp);
}

async function assertSound(space: string, changes: number): Promise<void> {
  const database = await sharedDatabase();
  const text = "SELECT change FROM recollect.changes WHERE space = $1 ORDER BY change";
  const [rows = []] = await database.read([space], { text, values: [space] });
  expect(rows.map((row) => Number(row["change"]))).toEqual(Array.from({ length: changes }, (_, index) => index + 1));
  expect((await verifySpace({ database, space, root: "notes" })).findings).toEqual([]);
}

describe("PG-1 a server that has not seen a document, or not lately", () => {
  it("KER-5 replaces it without holding its space to look, and shares transactions with other spaces", async () => {
    const other = await sharedDatabase();
    const spaces = Array.from({ length: 40 }, () => randomUUID());
    for (const space of spaces) await change(storeIn(other, space), "put", "a.md", "one\n");
    const { database, count } = await newServer();
    const outcomes = await Promise.all(
      spaces.map((space) => change(storeIn(database, space), "append", "a.md", `${space}\n`)),
    );
    expect(count).toEqual({ guesses: 2 * spaces.length, looks: 0 });
    const [rows = []] = await other.read(spaces, {
      text: `SELECT space, was, xmin::text AS transaction FROM recollect.changes WHERE space = ANY($1) AND change = 2`,
      values: [spaces],
    });
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBeLessThan(spaces.length / 2);
    const was = new Set(rows.map((row) => row["was"]));
    expect(new Set(outcomes.map((outcome) => outcome.outcomes[0]?.was))).toEqual(was);
    for (const space of spaces) {
      expect((await readIn(storeIn(other, space), at("a.md")))?.content).toBe(`one\n${space}\n`);
      await assertSound(space, 2);
    }
  });

  it("KER-5 does so with many of one space, of which it knows some as they are, some as they were, and some not", async () => {
    const other = await sharedDatabase();
    const space = randomUUID();
    const paths = Array.from({ length: 24 }, (_, number) => `${number}.md`);
    const { database, count } = await newServer();
    const [mine, theirs] = [storeIn(database, space), storeIn(other, space)];
    for (const path of paths) await change(theirs, "put", path, "one\n");
    for (const path of paths.slice(0, 16)) await mine.read(mine.resolve(at(path)));
    for (const path of paths.slice(8, 16)) await change(theirs, "append", path, "two\n");
    await Promise.all([...paths, "new.md"].map((path) => change(mine, "append", path, "mine\n")));
    expect(count.looks).toBe(0);
    const expected = paths.map((_, number) => (number >= 8 && number < 16 ? "one\ntwo\nmine\n" : "one\nmine\n"));
    const contents = await Promise.all(
      paths.map(async (path) => (await theirs.read(theirs.resolve(at(path))))?.content),
    );
    expect(contents).toEqual(expected);
    expect((await theirs.read(theirs.resolve(at("new.md"))))?.content).toBe("mine\n");
    await assertSound(space, 24 + 8 + 25);
  });

  it("KER-5 guesses no third time where others keep changing it, and loses nothing of theirs", async () => {
    const space = randomUUID();
    const theirs = storeIn(await sharedDatabase(), space);
    await change(theirs, "put", "a.md", "one\n");
    const { database, count } = await newServer(() => change(theirs, "append", "a.md", "theirs\n"));
    await change(storeIn(database, space), "append", "a.md", "mine\n");
    expect(count).toEqual({ guesses: 2, looks: 1 });
    expect((await theirs.read(theirs.resolve(at("a.md"))))?.content).toBe("one\ntheirs\ntheirs\nmine\n");
    await assertSound(space, 4);
  });

  it("KER-6 tells who expects another revision which one there is, and writes nothing", async () => {
    const space = randomUUID();
    const { database, count } = await newServer();
    const [mine, theirs] = [storeIn(database, space), storeIn(await sharedDatabase(), space)];
    await change(theirs, "put", "a.md", "one\n");
    const expected = (await mine.read(mine.resolve(at("a.md"))))?.rev;
    const newer = (await change(theirs, "put", "a.md", "two\n")).outcomes[0]?.rev;
    const result = await mine.commit(
      [at("a.md")].map(mine.resolve),
      (current): Change[] | Conflict => {
        const rev = current(at("a.md"))?.rev;
        if (rev !== expected) return { kind: "conflict", at: at("a.md"), current: rev };
        return [{ kind: "put", at: at("a.md"), content: "three\n" }];
      },
      stamp,
    );
    expect(result).toMatchObject({ kind: "conflict", current: newer });
    // What is refused is refused by who holds the space.
    expect(count).toEqual({ guesses: 1, looks: 1 });
    await assertSound(space, 2);
  });

  it("KER-5 makes it anew where it is gone meanwhile", async () => {
    const space = randomUUID();
    const { database } = await newServer();
    const [mine, theirs] = [storeIn(database, space), storeIn(await sharedDatabase(), space)];
    await change(theirs, "put", "a.md", "one\n");
    await mine.read(mine.resolve(at("a.md")));
    await theirs.commit([at("a.md")].map(theirs.resolve), () => [{ kind: "remove", at: at("a.md") }], stamp);
    const { outcomes } = await change(mine, "append", "a.md", "mine\n");
    expect(outcomes).toMatchObject([{ was: undefined }]);
    expect((await theirs.read(theirs.resolve(at("a.md"))))?.content).toBe("mine\n");
    await assertSound(space, 3);
  });

  it("KER-5 looks at one that is too large to be kept in memory", async () => {
    const space = randomUUID();
    const theirs = storeIn(await sharedDatabase(), space);
    const large = "x".repeat(300 * 1024);
    await change(theirs, "put", "a.md", large);
    const { database, count } = await newServer();
    await change(storeIn(database, space), "append", "a.md", "mine\n");
    expect(count).toEqual({ guesses: 1, looks: 1 });
    expect((await theirs.read(theirs.resolve(at("a.md"))))?.content).toBe(`${large}mine\n`);
  });

  it.each([1, 3])("KER-5 replaces what has lost its content, %i at once", async (number) => {
    const [space, other] = [randomUUID(), await sharedDatabase()];
    const paths = Array.from({ length: number }, (_, index) => `${index}.md`);
    for (const path of paths) await change(storeIn(other, space), "put", path, `${path}\n`);
    await other.transaction([space], (transaction) =>
      transaction.commit({ text: "DELETE FROM recollect.contents WHERE space = $1", values: [space] }),
    );
    const { database } = await newServer();
    const mine = storeIn(database, space);
    await Promise.all(paths.map((path) => change(mine, "put", path, "whole\n")));
    for (const path of paths) expect((await readIn(storeIn(other, space), at(path)))?.content).toBe("whole\n");
  });
});
