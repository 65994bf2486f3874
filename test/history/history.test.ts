import { describe, expect, it } from "vitest";
import type { EntryFormat } from "../../src/history/entry-history.ts";
import { createHistory } from "../../src/history/history.ts";
import type { MountedRoot } from "../../src/kernel/mounted-roots.ts";
import type { Operation as Allowed } from "../../src/kernel/root-policy.ts";
import { documentStores } from "../helpers/document-stores.ts";
import { ada, at, bob, openHistoryIn, openWorld, scratchFolder } from "./scratch.ts";

describe.each(documentStores)("PG-1 history on $name", (stores) => {
  const open = (mounted?: Partial<MountedRoot>) => openHistoryIn(stores, mounted);

  describe("showing what was", () => {
    it("HIST-1 shows a revision by its id, by its operation, or by how long ago it was", async () => {
      const { documents, history } = await open();
      const revs: string[] = [];
      for (const text of ["one", "two", "three"]) {
        const result = await documents.write(at("a.md"), text, ada);
        revs.push(result.kind === "committed" ? (result.outcome.rev ?? "") : "");
      }
      expect((await history.show(at("a.md"))).text).toBe("three");
      expect((await history.show(at("a.md"), "~2")).text).toBe("one");
      expect((await history.show(at("a.md"), revs[1]?.slice(0, 8))).text).toBe("two");
      const { operations } = await history.log({ root: "notes", path: at("a.md").path, limit: 10 });
      expect((await history.show(at("a.md"), operations[1]?.id)).text).toBe("two");
      await expect(history.show(at("a.md"), "~3")).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(history.show(at("a.md"), "nonsense")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      await expect(history.show(at("b.md"))).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("HIST-1 shows what differs, and who wrote each line", async () => {
      const { documents, history } = await open();
      await documents.write(at("a.md"), "one\ntwo\n", ada);
      await documents.write(at("a.md"), "one\ntwo\nthree\n", bob);
      expect((await history.diff(at("a.md"))).text).toBe(
        "--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,3 @@\n one\n two\n+three\n",
      );
      expect((await history.diff(at("a.md"), { from: "~0", to: "~1" })).text).toContain("-three");
      expect((await history.diff(at("a.md"), { to: "~1" })).text).toContain("--- /dev/null");
      await documents.move(at("a.md"), at("b.md"), ada);
      const blamed = await history.blame(at("b.md"));
      expect(blamed.map(({ line, operation }) => [line, operation.author])).toEqual([
        ["one\n", "agent:ada"],
        ["two\n", "agent:ada"],
        ["three\n", "person:bob"],
      ]);
    });

    it("HIST-1 restores a revision as a revision of its own, also of a document that is gone", async () => {
      const { documents, history, text } = await open();
      await documents.write(at("a.md"), "\uFEFFone\r\n", ada);
      await documents.write(at("a.md"), "two", ada);
      expect(await history.restore(at("a.md"), "~1", bob)).toMatchObject({ kind: "restored" });
      expect(await text("a.md")).toBe("\uFEFFone\r\n");
      expect(await history.restore(at("a.md"), "~2", bob)).toMatchObject({ kind: "unchanged" });
      await documents.remove(at("a.md"), ada);
      await history.restore(at("a.md"), "~2", bob);
      expect(await text("a.md")).toBe("two");
      const { operations } = await history.log({ root: "notes", path: at("a.md").path, limit: 10 });
      expect(operations[0]).toMatchObject({ author: "person:bob", reason: expect.stringContaining("restore of") });
      await history.restore(at("a.md"), "~1", bob);
      expect(await documents.read(at("a.md"))).toBeUndefined();
      const conflict = await history.restore(at("a.md"), "~2", bob, { ifRev: "0".repeat(32) as never });
      expect(conflict).toMatchObject({ kind: "conflict" });
    });

    it("KER-8 shows nothing to who may not read, and restores nothing where writing is refused", async () => {
      const { documents, withRights } = await open();
      await documents.write(at("a.md"), "one", ada);
      await documents.write(at("a.md"), "two", ada);
      const blind = withRights({ policy: new Set<Allowed>(["list", "write"]) });
      await expect(blind.history.show(at("a.md"))).rejects.toMatchObject({ code: "NOT_ALLOWED" });
      const reader = withRights({ policy: new Set<Allowed>(["list", "read"]) });
      expect((await reader.history.show(at("a.md"), "~1")).text).toBe("one");
      await expect(reader.history.restore(at("a.md"), "~1", bob)).rejects.toMatchObject({ code: "READ_ONLY" });
    });
  });

  describe("undoing", () => {
    it("HIST-1 takes back everything that one run did, byte for byte, as one operation", async () => {
      const { documents, history, text } = await open();
      const run = { ...ada, run: "r1" };
      await documents.write(at("changed.md"), "before\r\nlast", bob);
      await documents.write(at("removed.md"), "here", bob);
      await documents.write(at("moved.md"), "moving", bob);
      await documents.write(at("sub/other.md"), "of others", bob);
      await documents.write(at("changed.md"), "after", run);
      await documents.append(at("changed.md"), " and more", run);
      await documents.remove(at("removed.md"), run);
      await documents.move(at("moved.md"), at("sub/moved.md"), run);
      await documents.write(at("created.md"), "new", run);
      const report = await history.undo({ run: "r1" }, bob);
      expect(report.operations).toBe(5);
      expect(Object.fromEntries(report.documents.map(({ at: one, kind }) => [one.path, kind]))).toEqual({
        "changed.md": "restored",
        "removed.md": "restored",
        "sub/moved.md": "moved",
        "created.md": "removed",
      });
      expect(await text("changed.md")).toBe("before\r\nlast");
      expect(await text("removed.md")).toBe("here");
      expect(await text("moved.md")).toBe("moving");
      expect(await text("sub/other.md")).toBe("of others");
      expect(await documents.read(at("created.md"))).toBeUndefined();
      expect(await documents.read(at("sub/moved.md"))).toBeUndefined();
      const { operations } = await history.log({ root: "notes", limit: 1 });
      expect(operations[0]).toMatchObject({ author: "person:bob", reason: "undo of run r1" });
      expect(operations[0]?.changes.length).toBe(5);
      await history.undo({ operation: operations[0]?.id ?? "" }, bob);
      expect(await text("changed.md")).toBe("after and more");
      expect(await text("sub/moved.md")).toBe("moving");
    });

    it("HIST-1 leaves what others wrote since, and reports what cannot be taken apart", async () => {
      const { documents, history, text, put } = await open();
      const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");
      await documents.write(at("merged.md"), lines("1", "2", "3", "4", "5"), bob);
      await documents.write(at("merged.md"), lines("one", "2", "3", "4", "5"), ada);
      await documents.write(at("merged.md"), lines("one", "2", "3", "4", "5", "6"), bob);
      await documents.write(at("merged.md"), lines("one", "2", "three", "4", "5", "6"), ada);
      await documents.write(at("merged.md"), lines("one", "2", "three", "4", "5", "6", "7"), bob);
      await documents.write(at("conflict.md"), lines("1"), bob);
      await documents.write(at("conflict.md"), lines("2"), ada);
      await documents.write(at("conflict.md"), lines("3"), bob);
      await documents.write(at("created.md"), "new", ada);
      await documents.append(at("created.md"), " and more", bob);
      await documents.write(at("followed.md"), lines("1", "2", "3"), bob);
      await documents.write(at("followed.md"), lines("1", "2", "three"), ada);
      await documents.move(at("followed.md"), at("elsewhere.md"), bob);
      await put("elsewhere.md", lines("by hand", "1", "2", "three"));
      const report = await history.undo({ author: "agent:ada" }, bob);
      expect(Object.fromEntries(report.documents.map(({ at: one, kind }) => [one.path, kind]))).toEqual({
        "merged.md": "merged",
        "conflict.md": "left",
        "created.md": "left",
        "elsewhere.md": "merged",
      });
      expect(await text("merged.md")).toBe(lines("1", "2", "3", "4", "5", "6", "7"));
      expect(await text("conflict.md")).toBe(lines("3"));
      expect(await text("created.md")).toBe("new and more");
      expect(await text("elsewhere.md")).toBe(lines("by hand", "1", "2", "3"));
    });

    it("KER-8 undoes the rest where a root allows no removal, and says what stays", async () => {
      const noDelete = new Set<Allowed>(["list", "read", "write", "append"]);
      const { documents, history, text } = await open({ policy: noDelete });
      await documents.write(at("a.md"), "one", bob);
      await documents.write(at("a.md"), "two", ada);
      await documents.write(at("created.md"), "new", ada);
      const report = await history.undo({ author: "agent:ada" }, bob);
      expect(report.documents).toEqual([
        { at: at("a.md"), kind: "restored" },
        { at: at("created.md"), kind: "left", why: expect.stringContaining("does not allow delete") },
      ]);
      expect(await text("a.md")).toBe("one");
      expect(await text("created.md")).toBe("new");
    });

    it("HIST-1 undoes nothing where there is nothing, and asks what is meant", async () => {
      const { documents, history, remove } = await open();
      await documents.write(at("a.md"), "one", ada);
      expect(await history.undo({ run: "none" }, bob)).toEqual({ operations: 0, documents: [] });
      await expect(history.undo({}, bob)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      await remove("a.md");
      const report = await history.undo({ author: "agent:ada" }, bob);
      expect(report.documents).toEqual([{ at: at("a.md"), kind: "unchanged" }]);
    });
  });

  describe("one entry of a file", () => {
    const format: EntryFormat = {
      find: (text, title) => text.split(/(?=^## )/m).find((entry) => entry.startsWith(`## ${title}\n`)),
      put: (text, title, entry) => {
        const entries = text.split(/(?=^## )/m);
        const index = entries.findIndex((one) => one.startsWith(`## ${title}\n`));
        return (index < 0 ? [entry, ...entries] : entries.with(index, entry)).join("");
      },
    };

    it("HIST-1 has a log of its own, can be shown and restored", async () => {
      const { documents, history, text } = await open();
      const entry = { at: at("topic.md"), title: "Build", format };
      await documents.write(at("topic.md"), "## Build\none\n", ada);
      await documents.write(at("topic.md"), "## Other\nx\n## Build\none\n", bob);
      await documents.write(at("topic.md"), "## Other\nx\n## Build\ntwo\n", bob);
      await documents.write(at("topic.md"), "## Other\nx\n", ada);
      const log = await history.entryLog({ ...entry, limit: 10 });
      expect(log.map(({ operation, text }) => [operation.author, text])).toEqual([
        ["agent:ada", undefined],
        ["person:bob", "## Build\ntwo\n"],
        ["agent:ada", "## Build\none\n"],
      ]);
      expect((await history.showEntry(entry)).text).toBe("## Build\ntwo\n");
      expect((await history.showEntry({ ...entry, rev: log[2]?.rev })).text).toBe("## Build\none\n");
      await history.restoreEntry({ ...entry, rev: "~2" }, bob);
      expect(await text("topic.md")).toBe("## Build\none\n## Other\nx\n");
      await expect(history.showEntry({ ...entry, title: "None" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    });
  });
});

// By a clock that the test sets: a database has its own, and the contract of histories asks it.
it("HIST-1 logs a folder, an author, a run, and a span of time", async () => {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const { documents, history: own } = openWorld(scratchFolder(), { now: () => now });
  const history = createHistory({ histories: [own], documents });
  await documents.write(at("a.md"), "one", { ...ada, run: "first" });
  now += 3_600_000;
  await documents.write(at("sub/b.md"), "two", { ...bob, run: "second" });
  now += 3_600_000;
  await documents.write(at("sub/c.md"), "three", { ...ada, run: "second" });
  const paths = async (filter: object) => {
    const { operations } = await history.log({ root: "notes", limit: 10, ...filter });
    return operations.flatMap(({ changes }) => changes.map(({ path }) => path));
  };
  expect(await paths({})).toEqual(["sub/c.md", "sub/b.md", "a.md"]);
  expect(await paths({ folder: "sub" })).toEqual(["sub/c.md", "sub/b.md"]);
  expect(await paths({ author: "agent:ada" })).toEqual(["sub/c.md", "a.md"]);
  expect(await paths({ author: "gent:ada" })).toEqual([]);
  expect(await paths({ run: "second" })).toEqual(["sub/c.md", "sub/b.md"]);
  expect(await paths({ run: "second", author: "person:bob" })).toEqual(["sub/b.md"]);
  expect(await paths({ since: "2026-01-01T00:30:00Z", until: "2026-01-01T01:30:00Z" })).toEqual(["sub/b.md"]);
});
