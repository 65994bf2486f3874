import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHeldCommits } from "../../../src/backends/postgres/commit-held.ts";
import { type Database, openDatabase, type Statement } from "../../../src/backends/postgres/database.ts";
import { isLost, isUndone, toDatabaseError, UnknownOutcome } from "../../../src/backends/postgres/database-error.ts";
import { createKnownDocuments } from "../../../src/backends/postgres/known-documents.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import { createTurns } from "../../../src/backends/postgres/take-turns.ts";
import type { DocumentPath } from "../../../src/kernel/document-path.ts";
import { RecollectError } from "../../../src/kernel/errors.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { postgresUrl, sharedDatabase } from "../../helpers/postgres-stores.ts";

const stamp = { author: "person:ada" };
const at = { root: "notes", path: "log.md" as DocumentPath };

function ofSystem(code: string): Error {
  return Object.assign(new Error(`read ${code}`), { code });
}

function ofDatabase(code: string): Error {
  return Object.assign(new Error("said by the database"), { code, severity: "ERROR" });
}

describe("what is lost, and what is undone", () => {
  it.each(["ECONNRESET", "EHOSTUNREACH", "ENETUNREACH", "ECONNABORTED", "ERR_STREAM_DESTROYED", "ERR_SSL_BAD"])(
    "KER-5 %s of the system is a lost connection, and no word that nothing was committed",
    (code) => {
      expect([isLost(ofSystem(code)), isUndone(ofSystem(code))]).toEqual([true, false]);
    },
  );

  it.each(["57P01", "08006", "40003"])("KER-5 %s of the database does not say that nothing was committed", (code) => {
    expect(isUndone(ofDatabase(code))).toBe(false);
  });

  it.each(["40001", "23505", "57014"])("KER-5 %s of the database says that nothing was committed", (code) => {
    expect([isLost(ofDatabase(code)), isUndone(ofDatabase(code))]).toEqual([false, true]);
  });

  it("KER-5 the name of a document makes no connection a lost one", () => {
    expect(isLost(new RecollectError("NOT_A_DOCUMENT", "“terminated” is a folder."))).toBe(false);
    expect(isLost(ofDatabase("22000"))).toBe(false);
  });

  it("KER-5 those who went together are told that nobody knows where nobody can be asked, and nobody does it again", async () => {
    let committed = 0;
    const lose = async (): Promise<never> => {
      throw new UnknownOutcome(ofSystem("EHOSTUNREACH"));
    };
    const settle = async (_spaces: unknown, _operations: unknown, doubt: UnknownOutcome) => {
      throw doubt;
    };
    const held = createHeldCommits({
      transaction: async (_, work) => {
        const commit = async (...statements: readonly Statement[]) => {
          committed += statements.length;
          return [];
        };
        await work({ run: async () => [], commit });
        return lose();
      },
      settle,
      known: createKnownDocuments(),
    });
    const turns = createTurns({ lanes: { commit: lose }, held, settle });
    const turn = {
      places: [],
      guess: () => undefined,
      decide: () => ({ writes: { operation: "one", statements: [{ text: "" }] }, changed: [], done: () => "done" }),
    };
    const ended = await Promise.allSettled([1, 2, 3].map(() => turns.take(["space"], turn)));
    expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(committed).toBe(3);
  });

  it("KER-5 whoever is told so is told to look before trying again", () => {
    const told = toDatabaseError(new UnknownOutcome(ofSystem("EPIPE")), "write");
    expect(told).toMatchObject({ code: "STORAGE_FAILED", data: { reason: "unknown outcome" } });
    expect(String(told)).toContain("Look whether it is");
  });
});

describe("a way to the database", () => {
  it("PG-2 that falls silent is given up: nobody waits for ever, and what was on it is done once, another way", async () => {
    const [way, url] = [await silenceableWay(), new URL(await postgresUrl())];
    const hosts = `127.0.0.1:${way.port},${url.host}`;
    const database = opened(`postgres://recollect:recollect@${hosts}${url.pathname}`);
    const roots = [{ name: "notes", space: randomUUID() }];
    const store = openPostgresStore({ database, roots });
    const append = (content: string) =>
      store.commit([at].map(store.resolve), () => [{ kind: "append", at, content }], stamp);
    await append("one\n");
    way.silence();
    await Promise.all([append("two\n"), append("three\n")]);
    await append("four\n");
    expect((await store.read(store.resolve(at)))?.content).toBe("one\ntwo\nthree\nfour\n");
  });

  it("PG-1 is used alike however the role has its dates written", async () => {
    const admin = await sharedDatabase();
    const set = (value: string) =>
      admin.transaction([], (transaction) =>
        transaction.commit({ text: `ALTER ROLE recollect SET datestyle = ${value}` }),
      );
    await set("'SQL, DMY'");
    onTestFinished(async () => void (await set("DEFAULT")));
    const store = openPostgresStore({
      database: opened(await postgresUrl()),
      roots: [{ name: "notes", space: randomUUID() }],
    });
    await store.commit([at].map(store.resolve), () => [{ kind: "put", at, content: "dated\n" }], stamp);
    const found = await store.read(store.resolve(at));
    expect(Math.abs((found?.modified ?? 0) - Date.now())).toBeLessThan(86_400_000);
  });

  it("PG-1 keeps its connections as they are where a folder has the name of a failure", async () => {
    const database = opened(await postgresUrl());
    const store = openPostgresStore({ database, roots: [{ name: "notes", space: randomUUID() }] });
    const below = { root: "notes", path: "terminated/a.md" as DocumentPath };
    await store.commit([below].map(store.resolve), () => [{ kind: "put", at: below, content: "x\n" }], stamp);
    const over = { root: "notes", path: "terminated" as DocumentPath };
    let plans = 0;
    const refused = await errorOf(() =>
      store.commit(
        [over].map(store.resolve),
        () => {
          plans += 1;
          return [{ kind: "put", at: over, content: "y\n" }];
        },
        stamp,
      ),
    );
    expect(refused).toMatchObject({ code: "NOT_A_DOCUMENT" });
    expect(plans).toBeLessThan(3);
  });
});

function opened(url: string): Database {
  const limits = { connections: 2, statementTimeoutMs: 500, lockTimeoutMs: 500, connectTimeoutMs: 1000 };
  const database = openDatabase({ url, ...limits });
  onTestFinished(() => database.close());
  return database;
}

/** Passes everything on until it is silenced; then it takes what is sent, and answers nothing. */
async function silenceableWay(): Promise<{ readonly port: number; silence(): void }> {
  const target = Number(new URL(await postgresUrl()).port);
  let isSilent = false;
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket | undefined) =>
    from.on("data", (bytes) => void (isSilent || to?.write(bytes))).on("error", () => {});
  const door = createServer((client) => {
    const server = isSilent ? undefined : connect(target, "127.0.0.1");
    for (const socket of [client, server]) if (socket) sockets.add(socket);
    pass(client, server);
    if (server) pass(server, client);
  }).listen(0, "127.0.0.1");
  await once(door, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    door.close();
  });
  return {
    port: (door.address() as AddressInfo).port,
    silence: () => {
      isSilent = true;
    },
  };
}
