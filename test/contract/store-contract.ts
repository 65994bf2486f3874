import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Address,
  type Change,
  type Committed,
  type DocumentPath,
  parseDocumentPath,
  parseExistingPath,
  type Rev,
  revisionOf,
  type Store,
} from "../../src/app.ts";
import { errorOf } from "../helpers/error-of.ts";
import type { CreateStoreFixture, StoreFixture } from "./store-fixture.ts";

const stamp = { author: "agent:tester" };

function at(path: string, root = "notes"): Address<DocumentPath> {
  return { root, path: parseDocumentPath(path) };
}

function put(path: string, content: string, root?: string): Change {
  return { kind: "put", at: at(path, root), content };
}

function addressesOf(changes: readonly Change[]): Address[] {
  return changes.flatMap((change) => (change.kind === "move" ? [change.from, change.to] : [change.at]));
}

function commit(store: Store, ...changes: Change[]): Promise<Committed> {
  return store.commit(addressesOf(changes).map(store.resolve), () => changes, stamp);
}

async function text(store: Store, path: string, root?: string): Promise<string | undefined> {
  return (await store.read(store.resolve(at(path, root))))?.content;
}

async function paths(store: Store, root = "notes"): Promise<string[]> {
  return (await store.list({ root, limit: 1000 })).entries.map((entry) => entry.path);
}

function revOf(content: string): Rev {
  return revisionOf(Buffer.from(content));
}

/** What every store promises, whatever it keeps the documents in. */
export function describeStoreContract(name: string, createFixture: CreateStoreFixture): void {
  describe(`${name} keeps the store contract`, () => {
    let fixture: StoreFixture;
    let store: Store;

    beforeEach(async () => {
      fixture = await createFixture(["notes", "shared"]);
      store = await fixture.open();
    });
    afterEach(() => fixture.dispose());

    describe("reading", () => {
      it("KER-3 answers undefined for what does not exist, and creates nothing", async () => {
        expect(await store.read(store.resolve(at("missing.md")))).toBeUndefined();
        expect(await store.read(store.resolve(at("no/such/folder.md")))).toBeUndefined();
        expect(await paths(store)).toEqual([]);
        expect((await fixture.written("notes")).records).toEqual([]);
      });

      it("KER-6 returns the content with the hash of its bytes as revision", async () => {
        await commit(store, put("a.md", "grün\n"));
        const document = await store.read(store.resolve(at("a.md")));
        expect(document?.content).toBe("grün\n");
        expect(document?.rev).toBe(revisionOf(Buffer.from("grün\n")));
        expect(document?.modified).toBeGreaterThan(0);
      });

      it("KER-2 refuses a folder in the place of a document, and a document in the place of a folder", async () => {
        await commit(store, put("a/b.md", "text"));
        await expect(store.read(store.resolve(at("a")))).rejects.toMatchObject({
          code: "NOT_A_DOCUMENT",
          data: { reason: "folder" },
        });
        expect(await store.read(store.resolve(at("a/b.md/c.md")))).toBeUndefined();
        const changes: Change[] = [
          put("a", "x"),
          put("a/b.md/c.md", "x"),
          { kind: "append", at: at("a"), content: "x" },
          { kind: "remove", at: at("a") },
          { kind: "move", from: at("a"), to: at("c") },
          { kind: "move", from: at("a/b.md"), to: at("a") },
        ];
        for (const change of changes) {
          await expect(commit(store, change), change.kind).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
        }
        expect(await paths(store)).toEqual(["a/b.md"]);
      });

      it("KER-9 names an unknown root in a NOT_FOUND error", async () => {
        expect(await errorOf(() => store.resolve(at("a.md", "nowhere")))).toMatchObject({ code: "NOT_FOUND" });
      });

      it.each(["a.md", ".git/config", ".recollect/journal", "../outside.md"])(
        "KER-2 takes no address that it did not resolve, such as %s",
        async (path) => {
          const given = { root: "notes", path } as ReturnType<Store["resolve"]>;
          const change = { kind: "put", at: given, content: "x" } as unknown as Change;
          await expect(store.read(given)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
          await expect(store.commit([given], () => [change], stamp)).rejects.toMatchObject({
            code: "INVALID_ARGUMENT",
          });
          expect(await paths(store)).toEqual([]);
        },
      );

      it.each([
        ["nothing", ""],
        ["no newline at the end", "line"],
        ["a byte order mark", "\u{feff}marked"],
        ["Windows line ends", "one\r\ntwo\r\n"],
        ["a lone carriage return", "one\rtwo"],
        ["a NUL character", "a\0b"],
        ["characters beyond the first plane", "𝒳 👩‍🚀 ﷽"],
        ["decomposed accents", "e\u0301"],
      ])("KER-11 keeps a document with %s as it is", async (_, content) => {
        await commit(store, put("a.md", content));
        expect(await text(await fixture.open(), "a.md")).toBe(content);
      });
    });

    describe("changing", () => {
      it("creates, replaces, appends, moves and removes", async () => {
        await commit(store, put("a.md", "one"));
        await commit(store, put("a.md", "two"));
        await commit(store, { kind: "append", at: at("a.md"), content: "+" });
        expect(await text(store, "a.md")).toBe("two+");
        await commit(store, { kind: "move", from: at("a.md"), to: at("deep/er/b.md") });
        expect(await paths(store)).toEqual(["deep/er/b.md"]);
        expect(await text(store, "deep/er/b.md")).toBe("two+");
        await commit(store, { kind: "remove", at: at("deep/er/b.md") });
        expect(await paths(store)).toEqual([]);
      });

      it("appends to what does not exist by creating it", async () => {
        await commit(store, { kind: "append", at: at("log.md"), content: "first\n" });
        expect(await text(store, "log.md")).toBe("first\n");
      });

      it("moves from one root to another", async () => {
        await commit(store, put("a.md", "text"));
        await commit(store, { kind: "move", from: at("a.md"), to: at("b.md", "shared") });
        expect(await text(store, "b.md", "shared")).toBe("text");
        expect(await text(store, "a.md")).toBeUndefined();
      });

      it("KER-6 tells the former and the new revision of every document", async () => {
        const first = await commit(store, put("a.md", "one"));
        const second = await commit(store, put("a.md", "two"));
        const [created] = first.outcomes;
        const [replaced] = second.outcomes;
        expect(created).toEqual({ at: at("a.md"), rev: revisionOf(Buffer.from("one")), was: undefined });
        expect(replaced).toEqual({ at: at("a.md"), rev: revisionOf(Buffer.from("two")), was: created?.rev });
      });

      it("KER-6 hands the current documents to the plan, and writes nothing when it refuses", async () => {
        await commit(store, put("a.md", "one"));
        const seen: (string | undefined)[] = [];
        const refusal = await store.commit(
          [at("a.md"), at("new/b.md")].map(store.resolve),
          (current) => {
            seen.push(current(at("a.md"))?.content, current(at("new/b.md"))?.content);
            return { kind: "refused" as const };
          },
          stamp,
        );
        expect(refusal).toEqual({ kind: "refused" });
        expect(new Set(seen)).toEqual(new Set(["one", undefined]));
        expect(await paths(store)).toEqual(["a.md"]);
        expect((await fixture.written("notes")).records).toHaveLength(1);
      });

      it("writes nothing when the plan throws", async () => {
        const failure = store.commit(
          [at("a.md")].map(store.resolve),
          () => {
            throw new Error("no");
          },
          stamp,
        );
        await expect(failure).rejects.toThrow();
        expect(await paths(store)).toEqual([]);
      });

      it("KER-7 does all of several changes", async () => {
        await commit(store, put("old.md", "old"), put("gone.md", "gone"));
        await commit(
          store,
          put("x/new.md", "new"),
          put("old.md", "changed"),
          { kind: "remove", at: at("gone.md") },
          put("other.md", "there", "shared"),
        );
        expect(await paths(store)).toEqual(["old.md", "x/new.md"]);
        expect(await text(store, "old.md")).toBe("changed");
        expect(await text(store, "other.md", "shared")).toBe("there");
      });

      it("KER-7 does none of several changes where one cannot be done", async () => {
        await commit(store, put("a.md", "a"), put("b.md", "b"));
        const changes: Change[] = [put("c.md", "c"), { kind: "move", from: at("a.md"), to: at("b.md") }];
        await expect(commit(store, ...changes)).rejects.toMatchObject({ code: "CONFLICT" });
        await expect(commit(store, put("c.md", "c"), { kind: "remove", at: at("d.md") })).rejects.toMatchObject({
          code: "NOT_FOUND",
        });
        expect(await paths(store)).toEqual(["a.md", "b.md"]);
        expect(await text(store, "b.md")).toBe("b");
      });

      it("never overwrites by a move", async () => {
        await commit(store, put("a.md", "a"), put("b.md", "b"));
        const move: Change = { kind: "move", from: at("a.md"), to: at("b.md") };
        await expect(commit(store, move)).rejects.toMatchObject({
          code: "CONFLICT",
          data: { current: revisionOf(Buffer.from("b")) },
        });
        expect(await text(store, "a.md")).toBe("a");
      });

      it("refuses to change a document twice in one operation, and one that was not named", async () => {
        await expect(commit(store, put("a.md", "1"), put("a.md", "2"))).rejects.toMatchObject({
          code: "INVALID_ARGUMENT",
        });
        await expect(
          store.commit([at("a.md")].map(store.resolve), () => [put("b.md", "b")], stamp),
        ).rejects.toMatchObject({
          code: "INVALID_ARGUMENT",
        });
        expect(await paths(store)).toEqual([]);
      });

      it("KER-5 keeps every append of several clients", async () => {
        const clients = await Promise.all([fixture.open(), fixture.open(), fixture.open()]);
        const appends = clients.flatMap((client, index) =>
          Array.from({ length: 20 }, (_, line) =>
            commit(client, { kind: "append", at: at("log.md"), content: `${index}:${line}\n` }),
          ),
        );
        await Promise.all(appends);
        const lines = (await text(store, "log.md"))?.trimEnd().split("\n");
        expect(new Set(lines).size).toBe(60);
        expect(lines).toHaveLength(60);
      });

      it("KER-5 lets two clients move in opposite directions without waiting for each other for ever", async () => {
        await commit(store, put("x/a.md", "a"), put("y/b.md", "b"));
        const [one, two] = await Promise.all([fixture.open(), fixture.open()]);
        for (let round = 0; round < 10; round += 1) {
          await Promise.all([
            commit(one, { kind: "move", from: at("x/a.md"), to: at("y/a.md") }),
            commit(two, { kind: "move", from: at("y/b.md"), to: at("x/b.md") }),
          ]);
          await Promise.all([
            commit(one, { kind: "move", from: at("y/a.md"), to: at("x/a.md") }),
            commit(two, { kind: "move", from: at("x/b.md"), to: at("y/b.md") }),
          ]);
        }
        expect(await paths(store)).toEqual(["x/a.md", "y/b.md"]);
      });
    });

    describe("listing", () => {
      const names = ["a-b.md", "a.md", "a/b.md", "a/c/d.md", "aé.md", "z.md", "￼.md", "𝒳.md"];

      beforeEach(async () => {
        await commit(store, ...names.toReversed().map((name) => put(name, name)));
      });

      it("is sorted by code points over the whole path", async () => {
        expect(await paths(store)).toEqual(names);
      });

      it("KER-12 comes in pages that join to the whole", async () => {
        for (const limit of [1, 2, 3, 7, 8, 9]) {
          const found: string[] = [];
          let after: string | undefined;
          do {
            const page = await store.list({ root: "notes", limit, ...(after === undefined ? {} : { after }) });
            expect(page.entries.length).toBeLessThanOrEqual(limit);
            found.push(...page.entries.map((entry) => entry.path));
            after = page.next;
          } while (after !== undefined);
          expect(found).toEqual(names);
        }
      });

      it("can be of one folder, and is empty for a missing one", async () => {
        const page = await store.list({ root: "notes", folder: parseDocumentPath("a"), limit: 10 });
        expect(page.entries.map((entry) => entry.path)).toEqual(["a/b.md", "a/c/d.md"]);
        const none = await store.list({ root: "notes", folder: parseDocumentPath("none"), limit: 10 });
        expect(none).toEqual({ entries: [], next: undefined });
      });

      it("tells size, time and revision when asked for details", async () => {
        const [first] = (await store.list({ root: "notes", limit: 1, details: true })).entries;
        expect(first?.details).toMatchObject({ size: 6, rev: revisionOf(Buffer.from("a-b.md")) });
        expect(first?.details?.modified).toBeGreaterThan(0);
        expect(first?.owner).toBe("notes");
        expect(first?.remark).toBeUndefined();
      });
    });

    describe("browsing", () => {
      const browse = (folder?: string, root = "notes") =>
        store.browse(folder === undefined ? { root } : { root, folder: parseExistingPath(folder) });

      beforeEach(async () => {
        const names = ["z.md", "a.md", "a/c/d.md", "a/b.md", "a-b.md", "𝒳.md", "￼.md", "deep/er/e.md"];
        await commit(store, ...names.map((name) => put(name, name)));
      });

      it("BANK-2 shows the direct children of a folder, sorted, as paths from the root", async () => {
        expect(await browse()).toEqual({
          folders: ["a", "deep"],
          files: ["a-b.md", "a.md", "z.md", "￼.md", "𝒳.md"],
        });
        expect(await browse("a")).toEqual({ folders: ["a/c"], files: ["a/b.md"] });
        expect(await browse("deep")).toEqual({ folders: ["deep/er"], files: [] });
      });

      it("KER-3 answers undefined for a folder that does not exist, and creates nothing", async () => {
        expect(await browse("none")).toBeUndefined();
        expect(await browse("a/none/at/all")).toBeUndefined();
        expect(await paths(store)).toHaveLength(8);
      });

      it("KER-2 refuses a document in the place of a folder, and paths that lead out", async () => {
        await expect(browse("a.md")).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
        await expect(browse("a.md/x")).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
        for (const folder of ["..", "a/..", "/etc", ".git", ".recollect", "a/.recollect", ""]) {
          const asked = store.browse({ root: "notes", folder: folder as DocumentPath });
          await expect(asked, folder).rejects.toMatchObject({ code: "INVALID_PATH" });
        }
        await expect(browse(undefined, "nowhere")).rejects.toMatchObject({ code: "NOT_FOUND" });
      });
    });

    describe("what changed last", () => {
      const recent = async (limit = 10, root = "notes") =>
        (await store.recent({ root, limit })).map(({ path }) => path as string);

      /** Two changes in one millisecond have no order. */
      async function one(change: Change): Promise<void> {
        await commit(store, change);
        await setTimeout(3);
      }

      it("MEM-4 comes newest first, each document once, without what is gone", async () => {
        for (const path of ["a.md", "x/b.md", "x/y/c.md", "d.md", "e.md"]) await one(put(path, path));
        await one({ kind: "append", at: at("a.md"), content: "+" });
        await one({ kind: "remove", at: at("d.md") });
        await one({ kind: "move", from: at("e.md"), to: at("x/moved.md") });
        expect(await recent()).toEqual(["x/moved.md", "a.md", "x/y/c.md", "x/b.md"]);
        expect(await recent(2)).toEqual(["x/moved.md", "a.md"]);
        expect(await recent(10, "shared")).toEqual([]);
        const inFolders = await store.recent({
          root: "notes",
          limit: 10,
          folders: ["", ...["x", "gone"].map(parseExistingPath)],
        });
        expect(inFolders.map(({ path }) => path)).toEqual(["x/moved.md", "a.md", "x/b.md"]);
      });

      it("MEM-4 tells the time, and sees what another client did", async () => {
        const before = new Date().toISOString();
        await commit(await fixture.open(), put("a.md", "a"));
        const [found] = await store.recent({ root: "notes", limit: 1 });
        expect(found?.path).toBe("a.md");
        expect(found?.time.localeCompare(before)).toBeGreaterThanOrEqual(0);
        expect(new Date(found?.time ?? "").toISOString()).toBe(found?.time);
      });
    });

    describe("what it records for history", () => {
      const recordsOf = async (root = "notes") => (await fixture.written(root)).records;

      it("KER-6b tells who did what to which revision, in order for each document", async () => {
        await store.commit([at("a.md")].map(store.resolve), () => [put("a.md", "1")], {
          author: "agent:x",
          run: "r1",
          reason: "why",
        });
        await commit(store, { kind: "append", at: at("a.md"), content: "2" });
        await commit(store, { kind: "remove", at: at("a.md") });
        const records = await recordsOf();
        expect(records.map(({ kind, rev, was }) => [kind, rev, was])).toEqual([
          ["put", revOf("1"), undefined],
          ["append", revOf("12"), revOf("1")],
          ["remove", undefined, revOf("12")],
        ]);
        expect(records[0]).toMatchObject({ path: "a.md", author: "agent:x", run: "r1", reason: "why" });
        expect(Date.parse(records[0]?.time ?? "")).toBeGreaterThan(0);
        expect(records[1]).not.toHaveProperty("run");
      });

      it("KER-6b has every change once, wherever it was made", async () => {
        const rounds = Array.from({ length: 12 }, (_, round) => `round ${round}`);
        for (const [index, content] of rounds.entries()) await commit(store, put(`f${index % 3}/d.md`, content));
        const records = await recordsOf();
        expect(records.map(({ rev }) => rev).toSorted()).toEqual(rounds.map(revOf).toSorted());
      });

      it("joins the records of one operation by a batch, and tells both ends of a move", async () => {
        await commit(store, put("a.md", "a"));
        await commit(store, { kind: "move", from: at("a.md"), to: at("b/c.md") });
        const moves = (await recordsOf()).filter(({ kind }) => kind === "move");
        expect(new Set(moves.map(({ batch }) => batch)).size).toBe(1);
        expect(moves[0]?.batch).toBeDefined();
        expect(moves.find(({ rev }) => rev)).toMatchObject({ path: "b/c.md", rev: revOf("a"), other: "a.md" });
        expect(moves.find(({ was }) => was)).toMatchObject({ path: "a.md", was: revOf("a"), other: "b/c.md" });
      });

      it("joins the records of a move from one root to another by a batch", async () => {
        await commit(store, put("a.md", "a"));
        await commit(store, { kind: "move", from: at("a.md"), to: at("b.md", "shared") });
        const [[, gone], [came]] = [await recordsOf(), await recordsOf("shared")];
        expect(gone).toMatchObject({ path: "a.md", kind: "move", rev: undefined, was: revOf("a") });
        expect(came).toMatchObject({ path: "b.md", kind: "move", rev: revOf("a"), was: undefined });
        expect(came?.batch).toBeDefined();
        expect(came?.batch).toBe(gone?.batch);
      });

      it("KER-6b keeps the bytes of every revision until history has taken them", async () => {
        const revisions = ["one", "two", "one", "three"];
        for (const content of revisions) await commit(store, put("a.md", content));
        await commit(store, { kind: "remove", at: at("a.md") });
        const { textOf } = await fixture.written("notes");
        for (const content of revisions) {
          expect(await textOf("a.md", revOf(content))).toBe(content);
        }
        expect(await textOf("a.md", revOf("never"))).toBeUndefined();
      });
    });

    describe("its lifetime", () => {
      it("keeps everything over a close", async () => {
        await commit(store, put("a.md", "kept"));
        await store.close();
        expect(await text(await fixture.open(), "a.md")).toBe("kept");
      });

      it("KER-9 says so when it is used after its end", async () => {
        await store.close();
        await expect(store.read(store.resolve(at("a.md")))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
        await expect(commit(store, put("a.md", "late"))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      });

      it("KER-7 has nothing to recover after orderly work", async () => {
        await commit(store, put("a.md", "a"), put("b/c.md", "c"));
        expect(await store.recover()).toEqual({ completed: 0, discarded: 0 });
      });
    });
  });
}
