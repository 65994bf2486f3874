import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Address, type DocumentPath, parseDocumentPath, type Store } from "../../../src/app.ts";
import { type Database, openDatabase } from "../../../src/backends/postgres/database.ts";
import { openSpaceOperations } from "../../../src/backends/postgres/operations.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { type Postgres, startPostgres } from "../../helpers/postgres.ts";

const stamp = { author: "agent:tester" };
const at = (path: string, root = "notes"): Address<DocumentPath> => ({ root, path: parseDocumentPath(path) });
const roots = (space: string) => [{ name: "notes", space }];

let postgres: Postgres;
let database: Database;

beforeAll(async () => {
  postgres = await startPostgres();
  database = openDatabase({ url: postgres.url });
  await database.migrate();
}, 120_000);
afterAll(async () => {
  await database.close();
  await postgres.dispose();
});

function append(store: Store, path: string, content: string) {
  return store.commit([at(path)].map(store.resolve), () => [{ kind: "append", at: at(path), content }], stamp);
}

async function linesOf(store: Store, path: string): Promise<string[]> {
  return ((await store.read(store.resolve(at(path))))?.content ?? "").split("\n").filter((line) => line !== "");
}

/** Ends the connections that work for us, as a restart of the database does. */
async function endConnections(): Promise<void> {
  const admin = new pg.Client(postgres.adminUrl);
  await admin.connect();
  await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'recollect'");
  await admin.end();
}

describe("the database itself", () => {
  it("PG-1 shows no row of another space, whatever the query asks for", async () => {
    const [mine, theirs] = [
      openPostgresStore({ database, roots: roots("mine") }),
      openPostgresStore({ database, roots: roots("theirs") }),
    ];
    await append(mine, "a.md", "mine\n");
    await append(theirs, "a.md", "theirs\n");
    for (const table of ["spaces", "contents", "documents", "changes"]) {
      const [all = []] = await database.read(["mine"], { text: `SELECT space FROM recollect.${table}` });
      expect(new Set(all.map(({ space }) => space)), table).toEqual(new Set(["mine"]));
      const wrong = { text: `SELECT 1 FROM recollect.${table} WHERE space = 'theirs'` };
      expect(await database.read(["mine"], wrong), table).toEqual([[]]);
      expect(await database.read([], { text: `SELECT 1 FROM recollect.${table}` }), table).toEqual([[]]);
    }
  });

  it("PG-1 refuses a row for another space, and changes none", async () => {
    const theirs = openPostgresStore({ database, roots: roots("theirs") });
    await append(theirs, "b.md", "kept\n");
    const wrong = [
      "INSERT INTO recollect.documents SELECT 'theirs', 'c.md', 'r', 1, true, now(), 99",
      "INSERT INTO recollect.contents VALUES ('theirs', 'r', 'x')",
      "INSERT INTO recollect.changes (space, change, path, kind, time, author) VALUES ('theirs', 99, 'c', 'put', now(), 'x')",
      "UPDATE recollect.documents SET space = 'theirs' WHERE space = 'mine'",
    ];
    for (const text of wrong) {
      const trying = database.transaction(["mine"], (transaction) => transaction.commit({ text }));
      expect(await errorOf(() => trying), text).toMatchObject({ code: "42501" });
    }
    await database.transaction(["mine"], (transaction) =>
      transaction.commit({ text: "DELETE FROM recollect.documents WHERE space = 'theirs'" }),
    );
    expect(await linesOf(theirs, "b.md")).toEqual(["kept"]);
  });

  it("PG-2 KER-13 is made by servers that all begin at the same moment", async () => {
    const admin = new pg.Client(postgres.adminUrl);
    await admin.connect();
    await admin.query("CREATE DATABASE fresh OWNER recollect");
    await admin.end();
    const servers = Array.from({ length: 6 }, () =>
      openDatabase({ url: postgres.url.replace(/recollect$/, "fresh"), connections: 1 }),
    );
    await Promise.all(servers.map((server) => server.migrate()));
    const [first] = servers;
    const [formats] = (await first?.read([], { text: "SELECT version FROM recollect.format" })) ?? [];
    expect(formats).toHaveLength(1);
    for (const server of servers) await server.close();
  });

  it("KER-13 is brought to the newest form once, by however many come, and refused where it is newer", async () => {
    await Promise.all([database.migrate(), database.migrate(), database.migrate()]);
    const admin = new pg.Client(postgres.adminUrl);
    await admin.connect();
    await admin.query("UPDATE recollect.format SET version = version + 1");
    expect(await errorOf(() => database.migrate())).toMatchObject({ code: "UNSUPPORTED_FORMAT" });
    await admin.query("UPDATE recollect.format SET version = version - 1");
    await admin.end();
  });
});

describe("a store in PostgreSQL, beside others", () => {
  it("PG-2 numbers changes in the order in which they take effect: a follower skips none", async () => {
    const writers = Array.from({ length: 4 }, () => openDatabase({ url: postgres.url, connections: 2 }));
    const stores = writers.map((one) => openPostgresStore({ database: one, roots: roots("feed") }));
    let isDone = false;
    const writing = Promise.all(
      stores.flatMap((store, writer) =>
        Array.from({ length: 40 }, (_, number) =>
          append(store, `w${writer}/${number % 3}.md`, `${writer}:${number}\n`),
        ),
      ),
    ).finally(() => {
      isDone = true;
    });
    const seen: string[] = [];
    for (let position = 0; ; ) {
      const wasDone = isDone;
      const { operations, end } = await openSpaceOperations(database, "feed");
      for await (const { changes } of operations(position)) {
        seen.push(...changes.map(({ path, rev }) => `${path} ${rev}`));
      }
      if (wasDone && end === position) break;
      position = end;
    }
    await writing;
    expect(seen).toHaveLength(160);
    expect(new Set(seen).size).toBe(160);
    for (const one of writers) await one.close();
  });

  it("KER-6b tells the other end of a move, also where that is another space", async () => {
    const names = ["notes", "shared"];
    const store = openPostgresStore({ database, roots: names.map((name) => ({ name, space: `ends/${name}` })) });
    await append(store, "a.md", "a\n");
    const [from, to] = [at("a.md"), at("b.md", "shared")];
    await store.commit([from, to].map(store.resolve), () => [{ kind: "move", from, to }], stamp);
    const text =
      "SELECT space, path, other_space, other_path FROM recollect.changes WHERE kind = 'move' ORDER BY space";
    const spaces = names.map((name) => `ends/${name}`);
    expect(await database.read(spaces, { text })).toEqual([
      [
        { space: "ends/notes", path: "a.md", other_space: "ends/shared", other_path: "b.md" },
        { space: "ends/shared", path: "b.md", other_space: "ends/notes", other_path: "a.md" },
      ],
    ]);
  });

  it("KER-5 says BUSY where somebody holds the space for too long, and writes nothing", async () => {
    const impatient = openDatabase({ url: postgres.url, lockTimeoutMs: 100, connections: 2 });
    const store = openPostgresStore({ database: impatient, roots: roots("busy") });
    await append(store, "a.md", "one\n");
    const admin = new pg.Client(postgres.adminUrl);
    await admin.connect();
    await admin.query("BEGIN");
    await admin.query("SELECT 1 FROM recollect.spaces WHERE space = 'busy' FOR UPDATE");
    expect(await errorOf(() => append(store, "a.md", "two\n"))).toMatchObject({ code: "BUSY" });
    expect(await linesOf(store, "a.md")).toEqual(["one"]);
    await admin.query("ROLLBACK");
    await admin.end();
    await append(store, "a.md", "three\n");
    expect(await linesOf(store, "a.md")).toEqual(["one", "three"]);
    await impatient.close();
  });

  it("PG-1 loses no acknowledged write and doubles none while connections are ended under it", async () => {
    const store = openPostgresStore({ database, roots: roots("ended") });
    const acknowledged = new Set<string>();
    let isDone = false;
    const ending = (async () => {
      while (!isDone) {
        await endConnections();
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    })();
    for (let number = 0; number < 120; number += 1) {
      const failed = await errorOf(() => append(store, "log.md", `${number}\n`));
      if (failed === undefined) acknowledged.add(String(number));
      else expect(failed).toMatchObject({ code: "STORAGE_FAILED" });
    }
    isDone = true;
    await ending;
    const lines = await linesOf(store, "log.md");
    expect(new Set(lines).size).toBe(lines.length);
    expect([...acknowledged].filter((line) => !lines.includes(line))).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(10);
  }, 60_000);

  it("PG-2 goes on by itself after the database was restarted", async () => {
    const store = openPostgresStore({ database, roots: roots("restarted") });
    await append(store, "a.md", "before\n");
    await postgres.stop();
    const refused = await errorOf(() => append(store, "a.md", "meanwhile\n"));
    expect(refused).toMatchObject({ code: "STORAGE_FAILED", data: { reason: "unreachable" } });
    await postgres.start();
    await append(store, "a.md", "after\n");
    expect(await linesOf(store, "a.md")).toEqual(["before", "after"]);
  }, 60_000);

  it("KER-2 no path is a document and a folder at once", async () => {
    const store = openPostgresStore({ database, roots: roots("places") });
    await append(store, "a/b.md", "b\n");
    for (const path of ["a", "a/b.md/c.md"])
      expect(await errorOf(() => append(store, path, "x\n")), path).toMatchObject({ code: "NOT_A_DOCUMENT" });
    const both = ["d", "d/e.md"].map((path) => ({ kind: "put" as const, at: at(path), content: "x" }));
    const trying = store.commit([at("d"), at("d/e.md")].map(store.resolve), () => both, stamp);
    expect(await errorOf(() => trying)).toMatchObject({ code: "NOT_A_DOCUMENT" });
  });
});
