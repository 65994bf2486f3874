import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Address, Store, StoredDocument } from "../../../src/app.ts";
import { createHeldCommits } from "../../../src/backends/postgres/commit-held.ts";
import { connectHosts } from "../../../src/backends/postgres/connect-hosts.ts";
import { type Database, openDatabase } from "../../../src/backends/postgres/database.ts";
import { openSpaceFilling } from "../../../src/backends/postgres/fill.ts";
import { purgeSpace } from "../../../src/backends/postgres/purge.ts";
import { recordsInSpace } from "../../../src/backends/postgres/records.ts";
import { createSettleDoubt } from "../../../src/backends/postgres/settle-doubt.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import { createTurns } from "../../../src/backends/postgres/take-turns.ts";
import { createTransactions, type RunTransaction } from "../../../src/backends/postgres/transactions.ts";
import { createWaitingLine, waitForSpaces } from "../../../src/backends/postgres/wait-for-spaces.ts";
import { createWriteLanes } from "../../../src/backends/postgres/write-lanes.ts";
import { openAllowList } from "../../../src/credentials/allow-list.ts";
import type { DocumentPath } from "../../../src/kernel/document-path.ts";
import { toPurgeForms } from "../../../src/kernel/purge-forms.ts";
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

function readIn(store: Store, place: Address): Promise<StoredDocument | undefined> {
  return store.read(store.resolve(place));
}

function storeIn(database: Database, space: string): Store {
  return openPostgresStore({ database, roots: [{ name: "notes", space }] });
}

function put(store: Store, ...paths: readonly string[]) {
  const changes = paths.map((path) => ({ kind: "put" as const, at: at(path), content: `${path}\n` }));
  return store.commit(paths.map((path) => at(path)).map(store.resolve), () => changes, stamp);
}

function newSpaces(count: number): readonly string[] {
  return Array.from({ length: count }, () => randomUUID());
}

/** Somebody else holds the spaces until they are released, or the test ends. */
async function hold(spaces: readonly string[], ...tables: readonly string[]): Promise<() => Promise<void>> {
  const [release, holding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = openDatabase({ url: await postgresUrl(), connections: 1, lockTimeoutMs: 60_000 });
  const held = holder.transaction(spaces, async (transaction) => {
    for (const table of tables.length > 0 ? tables : ["spaces"]) {
      const text = `SELECT 1 FROM recollect.${table} WHERE space = ANY($1) FOR UPDATE`;
      await transaction.run({ text, values: [spaces] });
    }
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
function counting(counted: { readonly transaction: RunTransaction }) {
  let count = 0;
  const transaction: RunTransaction = (...given) => {
    count += 1;
    return counted.transaction(...given);
  };
  return { transaction, count: () => count };
}

function lanesOf(transaction: Database["transaction"], options: { lanes: number; lanesIfLate?: number }) {
  const lanes = createWriteLanes({ transaction, ...options });
  return (text: string) => lanes.commit({ space: "any", statement: { text }, documents: 1, bytes: 1 });
}

function raising(code: string): string {
  return `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`;
}

async function codesOf(all: readonly Promise<unknown>[]): Promise<unknown[]> {
  const ended = await Promise.allSettled(all);
  return ended.map((one) => (one.status === "rejected" ? one.reason.code : "done"));
}

describe("KER-5 writes that went together and failed", () => {
  it.each(["25006", "53100", "53200", "53300", "57014", "58030"])(
    "are all told at once where %s is the fault of none of them",
    async (code) => {
      const { transaction, count } = counting(await sharedDatabase());
      const commit = lanesOf(transaction, { lanes: 1 });
      expect(await codesOf([commit("SELECT 1"), commit(raising(code)), commit("SELECT 2")])).toEqual([
        code,
        code,
        code,
      ]);
      expect(count()).toBe(1);
    },
  );

  it.each(["22000", "23505", "54000", "55P03"])(
    "are tried each alone where %s may be the fault of one",
    async (code) => {
      const { transaction, count } = counting(await sharedDatabase());
      const commit = lanesOf(transaction, { lanes: 1 });
      const codes = await codesOf([commit("SELECT 1"), commit(raising(code)), commit("SELECT 2")]);
      expect(codes).toEqual(["done", code, "done"]);
      expect(count()).toBe(4);
    },
  );

  it("alone, after the fault of one, are told where another meets what befalls all", async () => {
    const { transaction, count } = counting(await sharedDatabase());
    const commit = lanesOf(transaction, { lanes: 1 });
    const codes = await codesOf([commit(raising("22000")), commit(raising("53100")), commit("SELECT 1")]);
    expect(codes).toEqual(["22000", "53100", "53100"]);
    expect(count()).toBe(3);
  });
});

describe("PG-2 a space that somebody else holds", () => {
  it("keeps nobody longer than who came first: those who waited with it, and behind it, are told together", async () => {
    const database = await opened({ connections: 4, lockTimeoutMs });
    const hosts = connectHosts(await postgresUrl(), { max: 4, connectionTimeoutMillis: 10_000 });
    onTestFinished(() => hosts.close());
    const { transaction, count } = counting(createTransactions(hosts, 60_000));
    const { known } = database;
    const settle = createSettleDoubt({ transaction, known, patienceMs: 1000 });
    const lanes = createWriteLanes({ transaction: database.transaction, lanes: 1 });
    const patient = waitForSpaces({ transaction, connections: 4, lockTimeoutMs });
    const turns = createTurns({ lanes, settle, held: createHeldCommits({ transaction: patient, settle, known }) });
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
    expect((await elsewhere.read(elsewhere.resolve(at("a.md"))))?.content).toBe("a.md\n");
    await put(elsewhere, "b.md");
    await put(elsewhere, "c.md", "d.md");
    await put(storeIn(database, randomUUID()), "a.md");
    expect(written).toBe(0);
    await release();
    await Promise.all(waiting);
    expect(written).toBe(held.length);
  });
});

describe("PG-2 whoever else waits for a space that somebody holds", () => {
  it("leaves connections to others: who purges, copies and writes records", async () => {
    const database = await opened({ connections: 2, lockTimeoutMs: 60_000 });
    const [free = "", ...held] = newSpaces(5);
    for (const space of [free, ...held]) await put(storeIn(database, space), "a.md");
    const record = (space: string) =>
      openAllowList({ records: recordsInSpace(database, space) }).allow("0".repeat(32), "why");
    for (const space of held) await record(space);
    const release = await hold(held, "spaces", "records");
    const forms = toPurgeForms("a.md and more", "removed");
    let done = 0;
    const waiting = held.flatMap((space) =>
      [
        () => record(space),
        () => purgeSpace({ database, space, forms, stamp }),
        () => openSpaceFilling(database, space, () => {}).append(1, [], []),
      ].map(async (work) => {
        await work();
        done += 1;
      }),
    );
    expect((await readIn(storeIn(database, free), at("a.md")))?.content).toBe("a.md\n");
    await put(storeIn(database, free), "b.md", "c.md");
    expect(done).toBe(0);
    await release();
    await Promise.all(waiting);
  });

  it("waits no longer than one may, also where it stood in line before", async () => {
    const waits: (number | undefined)[] = [];
    const [first, begun] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const transaction: RunTransaction = async (_, work, waitMs) => {
      if (waits.push(waitMs) <= 2) throw Object.assign(new Error("held"), { code: "55P03" });
      begun.resolve();
      return work({ run: async () => [], commit: async () => [] });
    };
    const patient = waitForSpaces({ transaction, connections: 2, lockTimeoutMs: 10_000 });
    const all = [patient(["space"], () => first.promise), patient(["space"], async () => "second")];
    await begun.promise;
    await delay(60);
    first.resolve("first");
    expect(await Promise.all(all)).toEqual(["first", "second"]);
    expect(waits).toHaveLength(4);
    expect(waits[3]).toBeLessThanOrEqual(10_000 - 59);
  });
});

describe("a line", () => {
  const soon = () => new Promise(setImmediate);

  it("lets in a few at once, in the order in which they came", async () => {
    const line = createWaitingLine(2);
    const [begun, leaves]: [number[], (() => void)[]] = [[], []];
    for (const number of [0, 1, 2, 3]) {
      void line.enter(0).then((leave) => {
        begun.push(number);
        if (leave) leaves.push(leave);
      });
    }
    await soon();
    expect(begun).toEqual([0, 1]);
    leaves[1]?.();
    await soon();
    expect(begun).toEqual([0, 1, 2]);
    leaves[0]?.();
    await soon();
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it("sends away who stood in it for too long, and keeps the place of nobody for them", async () => {
    const line = createWaitingLine(1);
    const leave = await line.enter(20);
    expect(await line.enter(20)).toBeUndefined();
    leave?.();
    expect(await line.enter(20)).toBeDefined();
  });
});

describe("PG-2 a database that is gone", () => {
  it("is tried once for all who wait, and again for who comes later", async () => {
    const proxy = await databaseProxy(await postgresUrl());
    const database = await opened({ connections: 2, url: proxy.url });
    onTestFinished(() => proxy.close());
    const { transaction, count } = counting(database);
    const commit = lanesOf(transaction, { lanes: 1 });
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
    const commit = lanesOf(database.transaction, { lanes: 1, lanesIfLate: 3 });
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
