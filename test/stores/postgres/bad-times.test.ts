import { randomInt, randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { DocumentPath } from "../../../src/core/document-path.ts";
import type { Store } from "../../../src/index.ts";
import { type Database, openDatabase } from "../../../src/stores/postgres/database.ts";
import { createGatheredWrites } from "../../../src/stores/postgres/gather-writes.ts";
import { openPostgresStore } from "../../../src/stores/postgres/postgres-store.ts";
import { createSettleDoubt } from "../../../src/stores/postgres/settle-doubt.ts";
import { createTurns } from "../../../src/stores/postgres/take-turns.ts";
import { createWaitingLine } from "../../../src/stores/postgres/wait-in-line.ts";
import { databaseProxy } from "../../helpers/database-proxy.ts";
import { postgresUrl, sharedDatabase } from "../../helpers/postgres-stores.ts";

const stamp = { author: "person:ada" };
const at = (path: string) => ({ root: "notes", path: path as DocumentPath });
const lockTimeoutMs = 400;

async function opened(options: { connections: number; lockTimeoutMs?: number; url?: string }): Promise<Database> {
  const database = openDatabase({ url: await postgresUrl(), ...options });
  onTestFinished(() => database.close());
  return database;
}

function storeIn(database: Database, space: string): Store {
  return openPostgresStore({ database, roots: [{ name: "notes", space }] });
}

function put(store: Store, ...paths: readonly string[]) {
  const changes = paths.map((path) => ({ kind: "put" as const, at: at(path), content: `${path}\n` }));
  return store.commit(
    paths.map((path) => at(path)),
    () => changes,
    stamp,
  );
}

function newSpaces(count: number): readonly string[] {
  return Array.from({ length: count }, () => randomUUID());
}

/** Somebody else holds the spaces until they are released, or the test ends. */
async function hold(spaces: readonly string[]): Promise<() => Promise<void>> {
  const [release, holding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = openDatabase({ url: await postgresUrl(), connections: 1, lockTimeoutMs: 60_000 });
  const text = "SELECT 1 FROM recollect.spaces WHERE space = ANY($1) FOR UPDATE";
  const held = holder.transaction(spaces, async (transaction) => {
    await transaction.run({ text, values: [spaces] });
    holding.resolve();
    await release.promise;
  });
  await holding.promise;
  const end = async () => {
    release.resolve();
    await held;
    await holder.close();
  };
  onTestFinished(end);
  return end;
}

/** The same transactions, counted. */
function counting(database: Database) {
  let count = 0;
  const transaction: Database["transaction"] = (spaces, work) => {
    count += 1;
    return database.transaction(spaces, work);
  };
  return { transaction, count: () => count };
}

function gatheringBy(transaction: Database["transaction"], lanes: { lanes: number; lanesIfLate?: number }) {
  const gathered = createGatheredWrites({ transaction, scopeOf: () => ({ text: "SELECT 1" }), ...lanes });
  return (text: string) => gathered.commit({ space: "any", statement: { text }, documents: 1, bytes: 1 });
}

function raising(code: string): string {
  return `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`;
}

async function codesOf(all: readonly Promise<unknown>[]): Promise<unknown[]> {
  const ended = await Promise.allSettled(all);
  return ended.map((one) => (one.status === "rejected" ? one.reason.code : "done"));
}

describe("KER-5 writes that went together and failed", () => {
  it.each(["25006", "53100", "53200", "53300", "55P03", "57014", "58030"])(
    "are all told at once where %s is the fault of none of them",
    async (code) => {
      const { transaction, count } = counting(await sharedDatabase());
      const commit = gatheringBy(transaction, { lanes: 1 });
      expect(await codesOf([commit("SELECT 1"), commit(raising(code)), commit("SELECT 2")])).toEqual([
        code,
        code,
        code,
      ]);
      expect(count()).toBe(1);
    },
  );

  it.each(["22000", "23505", "54000"])("are tried each alone where %s may be the fault of one", async (code) => {
    const { transaction, count } = counting(await sharedDatabase());
    const commit = gatheringBy(transaction, { lanes: 1 });
    const codes = await codesOf([commit("SELECT 1"), commit(raising(code)), commit("SELECT 2")]);
    expect(codes).toEqual(["done", code, "done"]);
    expect(count()).toBe(4);
  });

  it("alone, after the fault of one, are told where another meets what befalls all", async () => {
    const { transaction, count } = counting(await sharedDatabase());
    const commit = gatheringBy(transaction, { lanes: 1 });
    const codes = await codesOf([commit(raising("22000")), commit(raising("53100")), commit("SELECT 1")]);
    expect(codes).toEqual(["22000", "53100", "53100"]);
    expect(count()).toBe(3);
  });
});

describe("PG-2 a space that somebody else holds", () => {
  it("keeps nobody longer than who came first: those who waited with it, and behind it, are told together", async () => {
    const database = await opened({ connections: 4, lockTimeoutMs });
    const { transaction, count } = counting(database);
    const settle = createSettleDoubt({ transaction, known: database.known, patienceMs: 1000 });
    const gathered = createGatheredWrites({
      transaction: database.transaction,
      scopeOf: () => ({ text: "SELECT 1" }),
      lanes: 1,
    });
    const turns = createTurns({ transaction, gathered, settle, connections: 4, lockTimeoutMs });
    const [space = ""] = newSpaces(1);
    const store = storeIn({ ...database, turns }, space);
    await put(store, "a.md");
    const before = count();
    await hold([space]);
    const writes = Array.from({ length: 100 }, (_, number) => put(store, `${number}.md`));
    expect(new Set(await codesOf(writes))).toEqual(new Set(["BUSY"]));
    // The first one, and then 32 for all: a short try and a long one each.
    expect(count() - before).toBe(4);
  });

  it("leaves connections to those who read and write elsewhere, however many such spaces there are", async () => {
    const database = await opened({ connections: 2, lockTimeoutMs: 60_000 });
    const [free = "", ...held] = newSpaces(7);
    for (const space of [free, ...held]) await put(storeIn(database, space), "a.md");
    const release = await hold(held);
    let written = 0;
    const waiting = held.map(async (space) => {
      await put(storeIn(database, space), "a.md", "b.md");
      written += 1;
    });
    const elsewhere = storeIn(database, free);
    expect((await elsewhere.read(at("a.md")))?.content).toBe("a.md\n");
    await put(elsewhere, "b.md");
    await put(elsewhere, "c.md", "d.md");
    await put(storeIn(database, randomUUID()), "a.md");
    expect(written).toBe(0);
    await release();
    await Promise.all(waiting);
    expect(written).toBe(held.length);
  });
});

describe("a line", () => {
  it("lets in a few at once, in the order in which they came, also after one that failed", async () => {
    const line = createWaitingLine({ atOnce: 2, mostMs: 0 });
    const [begun, ends]: [number[], PromiseWithResolvers<void>[]] = [[], []];
    const all = [0, 1, 2, 3].map((number) => {
      const end = Promise.withResolvers<void>();
      ends.push(end);
      return line.enter(async () => {
        begun.push(number);
        await end.promise;
        return number;
      });
    });
    await new Promise(setImmediate);
    expect(begun).toEqual([0, 1]);
    ends[1]?.reject(new Error("no"));
    await expect(all[1]).rejects.toThrow("no");
    await new Promise(setImmediate);
    expect(begun).toEqual([0, 1, 2]);
    for (const end of ends) end.resolve();
    expect(await Promise.all([all[0], all[2], all[3]])).toEqual([0, 2, 3]);
  });

  it("sends away who stood in it for too long, and keeps the place of nobody for them", async () => {
    const line = createWaitingLine({ atOnce: 1, mostMs: 20 });
    const end = Promise.withResolvers<void>();
    const first = line.enter(() => end.promise);
    expect(await line.enter(async () => "second")).toBeUndefined();
    end.resolve();
    await first;
    expect(await line.enter(async () => "third")).toBe("third");
  });
});

describe("PG-2 a database that is gone", () => {
  it("is tried once for all who wait, and again for who comes later", async () => {
    const proxy = await databaseProxy(await postgresUrl());
    const database = await opened({ connections: 2, url: proxy.url });
    onTestFinished(() => proxy.close());
    const { transaction, count } = counting(database);
    const commit = gatheringBy(transaction, { lanes: 1 });
    await commit("SELECT 1");
    proxy.cut();
    const codes = await codesOf(Array.from({ length: 200 }, () => commit("SELECT 1")));
    expect(codes).not.toContain("done");
    expect(count()).toBeLessThanOrEqual(3);
    proxy.mend();
    expect(await codesOf([commit("SELECT 1")])).toEqual(["done"]);
  });
});

describe("PG-2 a connection that does not answer", () => {
  it("stops nobody else: others go beside it, as many as there may be", async () => {
    const database = await opened({ connections: 4, lockTimeoutMs: 60_000 });
    const commit = gatheringBy(database.transaction, { lanes: 1, lanesIfLate: 3 });
    const lock = randomInt(2 ** 31);
    const stuck = `SELECT pg_advisory_xact_lock(${lock})`;
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = database.transaction([], async (transaction) => {
      await transaction.run({ text: stuck });
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const told: string[] = [];
    const ask = async (name: string, text: string) => {
      await commit(text);
      told.push(name);
    };
    /** Until it is on its way: nobody goes with it then. */
    const sent = () => new Promise((resolve) => setTimeout(resolve, 20));
    const first = ask("stuck", stuck);
    await sent();
    await ask("beside one", "SELECT 1");
    const second = ask("stuck", stuck);
    await sent();
    await ask("beside two", "SELECT 1");
    release.resolve();
    await Promise.all([holder, first, second]);
    expect(told).toEqual(["beside one", "beside two", "stuck", "stuck"]);
  });
});
