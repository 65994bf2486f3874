import { describe, expect, it } from "vitest";
import { documentStores } from "../helpers/document-stores.ts";
import { ada, at, bob, openHistoryIn } from "./scratch.ts";

describe.each(documentStores)("PG-1 HIST-1 a folder as it was, on $name", (stores) => {
  async function changed() {
    const opened = await openHistoryIn(stores);
    const { documents, history } = opened;
    await documents.write(at("auth/a.md"), "one\n", ada);
    await documents.write(at("auth/b.md"), "b\n", ada);
    const { operations } = await history.log({ root: "notes", limit: 1 });
    await documents.write(at("auth/a.md"), "two\n", bob);
    await documents.remove(at("auth/b.md"), bob);
    await documents.move(at("auth/a.md"), at("auth/moved.md"), bob);
    await documents.write(at("other.md"), "other\n", bob);
    return { ...opened, operation: operations[0]?.id.slice(0, 10) ?? "" };
  }

  const folder = { root: "notes", folder: at("auth").path };

  it("HIST-1 is restored to an operation as one operation, and nothing else is touched", async () => {
    const { history, all, operation } = await changed();
    const before = await all();
    const preview = await history.restoreFolder(folder, { operation }, bob, { dryRun: true });
    expect(await all()).toEqual(before);
    const restored = await history.restoreFolder(folder, { operation }, bob);
    expect(restored).toEqual(preview);
    expect(restored.map(({ at: { path }, kind }) => [path, kind]).toSorted()).toEqual([
      ["auth/a.md", "restored"],
      ["auth/b.md", "restored"],
      ["auth/moved.md", "removed"],
    ]);
    expect(await all()).toEqual({ "auth/a.md": "one\n", "auth/b.md": "b\n", "other.md": "other\n" });
    const { operations } = await history.log({ root: "notes", limit: 1 });
    expect(operations[0]).toMatchObject({ author: "person:bob", changes: { length: 3 } });
    await history.undo({ operation: operations[0]?.id ?? "" }, bob);
    expect(await all()).toEqual(before);
  });

  it("HIST-1 is restored to a time before there was any, and an unknown operation is refused", async () => {
    const { history, all } = await changed();
    await expect(history.restoreFolder(folder, { operation: "ffffffffff" }, bob)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await history.restoreFolder(folder, { time: "2020-01-01T00:00:00Z" }, bob);
    expect(await all()).toEqual({ "other.md": "other\n" });
  });
});
