import { describe, expect, it, onTestFinished } from "vitest";
import { type Database, openDatabase } from "../../../src/backends/postgres/database.ts";
import { openPostgresHistory } from "../../../src/backends/postgres/history.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import { trimChanges } from "../../../src/backends/postgres/trim-changes.ts";
import { verifySpace } from "../../../src/backends/postgres/verify.ts";
import { createHistory } from "../../../src/history/history.ts";
import { createDocuments } from "../../../src/kernel/documents.ts";
import { fullAccess } from "../../../src/kernel/root-policy.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { postgresUrl, sharedDatabase } from "../../helpers/postgres-stores.ts";
import { ada, at, bob, logOf, textsOf } from "../../history/scratch.ts";

/** A history of which all that was written before `cut` is too old. */
async function openTrimmed(space: string) {
  const database = await sharedDatabase();
  const store = openPostgresStore({ database, roots: [{ name: "notes", space }] });
  const documents = createDocuments({ roots: [{ name: "notes", policy: fullAccess, store }] });
  const root = openPostgresHistory({ database, root: "notes", space, now: Date.now });
  const history = createHistory({ histories: [root], documents });
  const trimUpTo = (cut: number) =>
    openPostgresHistory({ database, root: "notes", space, now: () => cut, keepMs: 0 }).trim();
  return { database, store, documents, root, history, trimUpTo, space };
}

/** All that was written there gets two hours older. A moment between that and now. */
async function age(database: Database, space: string): Promise<number> {
  const text = "UPDATE recollect.changes SET time = time - interval '2 hours' WHERE space = $1";
  await database.transaction([space], (transaction) => transaction.commit({ text, values: [space] }));
  return Date.now() - 90 * 60_000;
}

describe("PG-1 HIST-3b what is too old in a space", () => {
  async function written(space: string) {
    const opened = await openTrimmed(space);
    const { documents } = opened;
    for (const text of ["one\n", "two\n"]) await documents.write(at("a.md"), text, ada);
    await documents.write(at("still.md"), "still\n", ada);
    await documents.write(at("gone.md"), "an old secret\n", ada);
    await documents.remove(at("gone.md"), ada);
    const cut = await age(opened.database, space);
    await documents.write(at("a.md"), "three\n", ada);
    const bytes = (await opened.root.status()).bytes;
    expect(await opened.trimUpTo(cut)).toBe(2);
    return { ...opened, bytes };
  }

  it("HIST-3b goes, what it had become by then stays, and no document is touched", async () => {
    const { root, documents, bytes, trimUpTo, database, space } = await written("trim-1");
    expect(await textsOf(root, "a.md")).toEqual(["three\n", "two\n"]);
    expect((await logOf(root, "a.md")).at(-1)).toMatchObject({ author: "outside", changes: [{ kind: "import" }] });
    expect(await textsOf(root, "still.md")).toEqual(["still\n"]);
    expect(await textsOf(root, "gone.md")).toEqual([undefined]);
    expect((await documents.read(at("a.md")))?.content).toBe("three\n");
    expect((await root.status()).bytes).toBeLessThan(bytes);
    const [contents = []] = await database.read([space], { text: "SELECT content FROM recollect.contents" });
    expect(contents.map(({ content }) => String(content))).not.toContain("an old secret\n");
    expect(await trimUpTo(Date.now() - 3_600_000)).toBe(0);
    expect((await verifySpace({ database, space, root: "notes" })).findings).toEqual([]);
  });

  it("HIST-1 what is left is undone to what was before it, and never taken for what was not there", async () => {
    const { history, documents } = await written("trim-2");
    const report = await history.undo({ author: "agent:ada" }, bob);
    expect(report.documents).toMatchObject([{ at: at("a.md"), kind: "restored" }]);
    expect((await documents.read(at("a.md")))?.content).toBe("two\n");
    expect(await history.undo({ author: "outside" }, bob)).toEqual({ operations: 0, documents: [] });
    expect((await documents.read(at("still.md")))?.content).toBe("still\n");
  });

  it("HIST-1 a restore to a time before that is refused", async () => {
    const { history, documents } = await written("trim-3");
    const restored = history.restoreFolder({ root: "notes" }, { time: "2020-01-01T00:00:00Z" }, bob);
    await expect(restored).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringMatching(/^History begins/),
    });
    expect((await documents.read(at("a.md")))?.content).toBe("three\n");
  });

  it("HIST-1 a revision that somebody saw in the log and is gone meanwhile is said to be gone", async () => {
    const { documents, root, trimUpTo, database, space } = await openTrimmed("trim-4");
    for (const text of ["one", "two", "three"]) await documents.write(at("a.md"), text, ada);
    const [, , oldest] = await logOf(root, "a.md");
    await trimUpTo(await age(database, space));
    const moment = {
      id: oldest?.id ?? "",
      path: at("a.md").path,
      side: "after" as const,
      rev: oldest?.changes[0]?.rev,
    };
    await expect(root.contents([moment])).rejects.toMatchObject({ code: "STORAGE_FAILED" });
  });

  it("HIST-3b what was dropped before something failed stays dropped, and the rest goes the next time", async () => {
    const { database, documents, space } = await openTrimmed("trim-6");
    for (const text of ["one", "two", "three", "four", "five", "six"]) await documents.write(at("a.md"), text, ada);
    const cut = new Date(await age(database, space));
    let left = 2;
    const failing: Database = {
      ...database,
      transaction: (...given) => {
        if (left === 0) throw Object.assign(new Error("the disk is full"), { code: "53100" });
        left -= 1;
        return database.transaction(...given);
      },
    };
    expect(await errorOf(() => trimChanges(failing, space, cut, 2))).toMatchObject({ code: "DISK_FULL" });
    const checked = async () => (await verifySpace({ database, space, root: "notes" })).findings;
    const contents = async () => {
      const text = "SELECT content FROM recollect.contents WHERE space = $1";
      const [rows = []] = await database.read([space], { text, values: [space] });
      return rows.map(({ content }) => String(content)).toSorted();
    };
    expect(await contents()).toEqual(["five", "four", "six"]);
    expect(await checked()).toEqual([]);
    expect(await trimChanges(database, space, cut, 2)).toBe(1);
    expect(await contents()).toEqual(["six"]);
    expect(await checked()).toEqual([]);
  });

  it("KER-5 PG-2 what was just written stays, whatever a clock says: somebody may still ask whether it was done", async () => {
    const { documents, root, trimUpTo } = await openTrimmed("trim-8");
    for (const text of ["one", "two"]) await documents.write(at("a.md"), text, ada);
    expect(await trimUpTo(Date.now() + 86_400_000)).toBe(0);
    expect(await textsOf(root, "a.md")).toEqual(["two", "one"]);
  });

  it("KER-5 says BUSY where somebody holds the space for too long, and drops nothing", async () => {
    const { database, documents, root, space } = await openTrimmed("trim-7");
    for (const text of ["one", "two"]) await documents.write(at("a.md"), text, ada);
    const cut = new Date(await age(database, space));
    const impatient = openDatabase({ url: await postgresUrl(), connections: 1, lockTimeoutMs: 50 });
    onTestFinished(() => impatient.close());
    await database.transaction([space], async (transaction) => {
      await transaction.run({ text: "SELECT 1 FROM recollect.spaces WHERE space = $1 FOR UPDATE", values: [space] });
      expect(await errorOf(() => trimChanges(impatient, space, cut))).toMatchObject({ code: "BUSY" });
    });
    expect(await textsOf(root, "a.md")).toEqual(["two", "one"]);
  });
});
