import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../src/backends/postgres/database.ts";
import { UnknownOutcome } from "../../../src/backends/postgres/database-error.ts";
import { createKnownDocuments } from "../../../src/backends/postgres/known-documents.ts";
import { createSettleDoubt } from "../../../src/backends/postgres/settle-doubt.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import type { DocumentPath } from "../../../src/kernel/document-path.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { postgresUrl, sharedDatabase } from "../../helpers/postgres-stores.ts";

const at = { root: "notes", path: "a.md" as DocumentPath };
const doubt = new UnknownOutcome(new Error("lost"));

function ofDatabase(code: string): Error {
  return Object.assign(new Error("said by the database"), { code, severity: "FATAL" });
}

/** A space in which one operation was done, and which. */
async function written(database: Database) {
  const space = randomUUID();
  const store = openPostgresStore({ database, roots: [{ name: "notes", space }] });
  await store.commit([at].map(store.resolve), () => [{ kind: "put", at, content: "text\n" }], { author: "person:ada" });
  const text = "SELECT operation FROM recollect.changes WHERE space = $1";
  const [[row] = []] = await database.read([space], { text, values: [space] });
  return { space, operation: String(row?.["operation"]) };
}

describe("KER-5 PG-2 what became of a write whose answer was lost", () => {
  it.each(["53300", "53200", "55P03", "57014", "57P03", "25006"])(
    "is looked for again where the database says %s",
    async (code) => {
      const database = await sharedDatabase();
      const { space, operation } = await written(database);
      let failures = 2;
      const settle = createSettleDoubt({
        transaction: (spaces, work) => {
          failures -= 1;
          return failures < 0 ? database.transaction(spaces, work) : Promise.reject(ofDatabase(code));
        },
        known: createKnownDocuments(),
        patienceMs: 20_000,
      });
      const done = await settle([space], [operation, "another"], doubt);
      expect([...done.keys()]).toEqual([operation]);
    },
  );

  it("is unknown at once where this store was closed", async () => {
    const database = openDatabase({ url: await postgresUrl(), connections: 1 });
    const { space, operation } = await written(database);
    await database.close();
    const settle = createSettleDoubt({ ...database, patienceMs: 60_000 });
    expect(await errorOf(() => settle([space], [operation], doubt))).toBe(doubt);
  });
});

describe("known documents", () => {
  it("PG-2 forget in the end which spaces were in doubt: who writes there looks first", () => {
    const known = createKnownDocuments();
    known.setDoubts("first", 3n);
    for (let number = 0; number < 20_000; number += 1) known.setDoubts(`space ${number}`, 1n);
    expect([known.doubts("first"), known.doubts("space 19999")]).toEqual([0n, 1n]);
  });
});
