import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseDocumentPath } from "../../../src/app.ts";
import { type Database, openDatabase } from "../../../src/backends/postgres/database.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { type Postgres, startPostgres } from "../../helpers/postgres.ts";

const at = { root: "notes", path: parseDocumentPath("a.md") };

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres({ isDurable: false });
}, 120_000);
afterAll(() => postgres.dispose());

/** As a database sends it that ends with this connection. */
function lastWords(severity: string, code: string): Buffer {
  const fields = Buffer.from(`S${severity}\0V${severity}\0C${code}\0Mit ends\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from("E"), length, fields]);
}

/** A way on which the answer to a message that commits is replaced, once, by what a dying database says. */
async function openWay(words: Buffer) {
  const target = new URL(postgres.url);
  const sockets = new Set<Socket>();
  const state = { isArmed: false };
  const door = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) sockets.add(socket.on("error", () => {}));
    near.on("data", (bytes) => {
      if (state.isArmed && bytes.includes("note of the dying")) {
        state.isArmed = false;
        far.removeAllListeners("data");
        far.once("data", () => near.end(words));
      }
      far.write(bytes);
    });
    far.on("data", (bytes) => near.write(bytes));
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  }).listen(0, "127.0.0.1");
  await once(door, "listening");
  const url = Object.assign(new URL(postgres.url), { port: String((door.address() as AddressInfo).port) });
  const close = () => {
    for (const socket of sockets) socket.destroy();
    door.close();
  };
  return { url: url.href, state, close };
}

describe("PG-2 a database that dies while it commits", () => {
  it.each([
    ["PANIC", "58030"],
    ["PANIC", "XX000"],
    ["PANIC", "53100"],
    ["FATAL", "25P04"],
    ["FATAL", "53200"],
    ["FATAL", "57P01"],
  ])(
    "has not undone it, whatever it says (%s %s): the line is there once, and acknowledged",
    async (severity, code) => {
      const way = await openWay(lastWords(severity, code));
      const database: Database = openDatabase({ url: way.url, connections: 2 });
      try {
        await database.migrate();
        const store = openPostgresStore({ database, roots: [{ name: "notes", space: `${severity}-${code}` }] });
        const append = (content: string) =>
          store.commit([at].map(store.resolve), () => [{ kind: "append", at, content }], { author: "agent:tester" });
        await append("first\n");
        way.state.isArmed = true;
        await append("note of the dying\n");
        expect(way.state.isArmed).toBe(false);
        expect((await store.read(store.resolve(at)))?.content).toBe("first\nnote of the dying\n");
      } finally {
        await database.close();
        way.close();
      }
    },
  );

  it("KER-9 who waits for a connection while everything is closed is told so", async () => {
    const database = openDatabase({ url: postgres.url, connections: 1 });
    await database.migrate();
    const store = openPostgresStore({ database, roots: [{ name: "notes", space: "closed" }] });
    const all = Array.from({ length: 50 }, (_, index) => {
      const place = { root: "notes", path: parseDocumentPath(`${index}.md`) };
      return errorOf(() =>
        store.commit([place].map(store.resolve), () => [{ kind: "put", at: place, content: "x\n" }], {
          author: "agent:tester",
        }),
      );
    });
    const slow = database.read([], { text: "SELECT pg_sleep(1)" }).catch(() => {});
    await database.close();
    for (const error of await Promise.all(all)) {
      if (error !== undefined) expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    await slow;
  });

  it("PG-2 goes by the settings that this needs, whatever those of its role are", async () => {
    const database = openDatabase({ url: postgres.url });
    const asked = ["idle_in_transaction_session_timeout", "default_transaction_isolation", "datestyle"];
    const rows = await database.read([], ...asked.map((name) => ({ text: `SHOW ${name}` })));
    expect(rows.flat().map((row) => Object.values(row)[0])).toEqual(["20s", "read committed", "ISO, MDY"]);
    await database.close();
  });

  it("PG-1 two names of spaces that the database could not tell apart are refused", async () => {
    const database = openDatabase({ url: postgres.url });
    for (const space of ["\ud800", "a\udfff"]) {
      const open = async () => openPostgresStore({ database, roots: [{ name: "notes", space }] });
      expect(await errorOf(open)).toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    await database.close();
  });
});
