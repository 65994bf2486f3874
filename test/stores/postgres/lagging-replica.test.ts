import { randomUUID } from "node:crypto";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import type { DocumentPath } from "../../../src/core/document-path.ts";
import type { Database } from "../../../src/stores/postgres/database.ts";
import { openPostgresSource } from "../../../src/stores/postgres/postgres-source.ts";
import { openPostgresStore } from "../../../src/stores/postgres/postgres-store.ts";
import { createReplicaReader } from "../../../src/stores/postgres/replica-reader.ts";
import { postgresUrl, sharedDatabase } from "../../helpers/postgres-stores.ts";

/** The database as it was at one moment, until it is told to catch up: what a replica is that lags. */
async function laggingReplica() {
  const client = new pg.Client({ connectionString: await postgresUrl() });
  await client.connect();
  onTestFinished(() => client.end());
  const state = { isDown: false };
  const catchUp = async () => {
    await client.query("ROLLBACK");
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query("SELECT beat FROM recollect.heartbeat");
  };
  await catchUp();
  const read: Database["read"] = async (spaces, ...statements) => {
    if (state.isDown) throw new Error("It is away.");
    const names = ["", ...spaces, ""].join("\x1f");
    await client.query("SELECT set_config('recollect.spaces', $1, true)", [names]);
    const answers: pg.QueryResultRow[][] = [];
    for (const { text, values = [] } of statements) answers.push((await client.query(text, [...values])).rows);
    return answers;
  };
  return { database: { read }, state, catchUp };
}

async function followedSpace() {
  const [primary, space] = [await sharedDatabase(), randomUUID()];
  const store = openPostgresStore({ database: primary, roots: [{ name: "m", space }] });
  onTestFinished(() => store.close());
  const put = (path: string, content: string) => {
    const at = { root: "m", path: path as DocumentPath };
    return store.commit([at], () => [{ kind: "put", at, content }], { author: "person:ada" });
  };
  const replica = await laggingReplica();
  // One beat is sent at once, and is fresh for as long as a test takes.
  const reader = createReplicaReader({ primary, replica: replica.database, mostMs: 600_000 });
  onTestFinished(reader.close);
  const side = async () => {
    const text = "SELECT current_setting('transaction_isolation') AS level";
    const [[row] = []] = await reader.read([space], { text });
    return row?.["level"] === "repeatable read" ? "replica" : "primary";
  };
  await put("a.md", "old");
  const caughtUp = async () => {
    await replica.catchUp();
    return side();
  };
  await expect.poll(caughtUp).toBe("replica");
  const source = openPostgresSource({ database: reader, databaseName: "x", root: "m", space });
  await source.changes();
  return { primary, space, put, replica, side, source };
}

describe("a replica that search reads from", () => {
  it("PG-2 SRCH-3 is not asked for a document whose change the primary told, before it has that change", async () => {
    const { put, replica, side, source } = await followedSpace();
    await put("a.md", "new");
    replica.state.isDown = true;
    expect(await source.changes()).toEqual(["a.md"]);
    replica.state.isDown = false;
    expect((await source.read("a.md"))?.content).toBe("new");
    expect(await source.changes()).toEqual([]);
    expect(await side()).toBe("primary");
    await replica.catchUp();
    expect(await side()).toBe("replica");
    expect([await source.changes(), (await source.read("a.md"))?.content]).toEqual([[], "new"]);
  });

  it("PG-2 SRCH-3 is asked on, where it lacks only what nobody was told of", async () => {
    const { put, replica, side, source } = await followedSpace();
    await put("b.md", "told by the replica");
    await replica.catchUp();
    expect([await source.changes(), await side()]).toEqual([["b.md"], "replica"]);
    await put("c.md", "not told yet");
    expect([await source.changes(), await side()]).toEqual([[], "replica"]);
  });

  it("PG-2 SRCH-3 is set back with its database, and everything is looked at anew", async () => {
    const { primary, space, put, replica, side, source } = await followedSpace();
    await put("b.md", "after the backup");
    await replica.catchUp();
    expect(await source.changes()).toEqual(["b.md"]);
    await primary.transaction([space], (transaction) =>
      transaction.commit(
        { text: "DELETE FROM recollect.documents WHERE space = $1 AND path = 'b.md'", values: [space] },
        { text: "DELETE FROM recollect.changes WHERE space = $1 AND path = 'b.md'", values: [space] },
        { text: "UPDATE recollect.spaces SET last_change = 1 WHERE space = $1", values: [space] },
      ),
    );
    await replica.catchUp();
    expect(await source.changes()).toBeUndefined();
    expect(await source.read("b.md")).toBeUndefined();
    expect([await source.changes(), await side()]).toEqual([[], "replica"]);
  });
});
