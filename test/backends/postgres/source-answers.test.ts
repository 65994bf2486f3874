import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Database } from "../../../src/backends/postgres/database.ts";
import { openPostgresSource } from "../../../src/backends/postgres/source.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import type { DocumentPath } from "../../../src/kernel/document-path.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { sharedDatabase } from "../../helpers/postgres-stores.ts";

/** What is asked of the database next: when it is asked, and when the answer arrives. */
interface HeldRead {
  readonly asked?: Promise<unknown>;
  readonly answered?: Promise<unknown>;
}

async function followed() {
  const [database, space] = [await sharedDatabase(), randomUUID()];
  const held: HeldRead[] = [];
  const read: Database["read"] = async (...asked) => {
    const next = held.shift();
    await next?.asked;
    const answer = await database.read(...asked);
    await next?.answered;
    return answer;
  };
  const store = openPostgresStore({ database, roots: [{ name: "notes", space }] });
  onTestFinished(() => store.close());
  const put = (path: string) => {
    const at = { root: "notes", path: path as DocumentPath };
    return store.commit([at].map(store.resolve), () => [{ kind: "put", at, content: path }], { author: "person:ada" });
  };
  const source = openPostgresSource({ database: { read }, databaseName: "tests", root: "notes", space });
  return { source, put, held };
}

describe("PG-2 SRCH-3 what changed in a space", () => {
  it("has what was done before it was asked for, also where another answer is under way", async () => {
    const { source, put, held } = await followed();
    await source.changes();
    await put("a.md");
    const arrival = Promise.withResolvers<void>();
    held.push({ answered: arrival.promise });
    const first = source.changes();
    await put("b.md");
    const joined = [source.changes(), source.changes()];
    arrival.resolve();
    expect(["a.md", "a.md,b.md"]).toContain(String(await first));
    for (const one of await Promise.all(joined)) expect(one).toEqual(["a.md", "b.md"]);
    expect(await source.changes()).toEqual([]);
  });

  it("is told by the next answer where the one under way fails", async () => {
    const { source, put, held } = await followed();
    await source.changes();
    await put("a.md");
    const arrival = Promise.withResolvers<void>();
    held.push({ answered: arrival.promise });
    // It may fail before anybody waits for it.
    arrival.promise.catch(() => {});
    const first = errorOf(() => source.changes());
    await put("b.md");
    const second = source.changes();
    arrival.reject(new Error("The answer is lost."));
    expect(await first).toMatchObject({ message: "The answer is lost." });
    expect(await second).toEqual(["a.md", "b.md"]);
  });

  it("is told to somebody, whoever begins to watch meanwhile", async () => {
    const { source, put, held } = await followed();
    const [arrival, departure] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    held.push({ answered: arrival.promise }, { asked: departure.promise });
    const first = source.changes();
    const watching = source.watch();
    arrival.resolve();
    expect(await first).toBeUndefined();
    await put("b.md");
    departure.resolve();
    expect(await watching).toEqual({ kind: "watching" });
    held.length = 0;
    expect(await source.changes()).toEqual(["b.md"]);
  });
});
