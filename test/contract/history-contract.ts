import { beforeEach, describe, expect, it } from "vitest";
import { type Address, type DocumentPath, parseDocumentPath, type Store } from "../../src/app.ts";
import { createHistory, type History } from "../../src/history/history.ts";
import { createDocuments, type Documents } from "../../src/kernel/documents.ts";
import type { RootHistory } from "../../src/kernel/root-history.ts";
import { fullAccess } from "../../src/kernel/root-policy.ts";

/** An empty root named “notes” with its history; taken away when the test is done. */
export type CreateHistoryFixture = () => Promise<{ readonly store: Store; readonly history: RootHistory }>;

const ada = { author: "agent:ada" };
const bob = { author: "person:bob" };
const at = (path: string): Address<DocumentPath> => ({ root: "notes", path: parseDocumentPath(path) });

/** What every history promises, whatever it is kept in. */
export function describeHistoryContract(name: string, createFixture: CreateHistoryFixture): void {
  describe(`${name} keeps the contract of a history`, () => {
    let documents: Documents;
    let history: History;
    let root: RootHistory;

    beforeEach(async () => {
      const fixture = await createFixture();
      documents = createDocuments({ roots: [{ name: "notes", policy: fullAccess, store: fixture.store }] });
      root = fixture.history;
      history = createHistory({ histories: [root], documents });
    });

    const log = async (filter: object = {}) => (await history.log({ root: "notes", limit: 100, ...filter })).operations;
    async function inPages(filter: object, after?: string): Promise<string[]> {
      const asked = { root: "notes", limit: 3, ...filter, ...(after === undefined ? {} : { after }) };
      const { operations, next } = await history.log(asked);
      expect(operations.length).toBeLessThanOrEqual(3);
      const ids = operations.map(({ id }) => id);
      return next === undefined ? ids : [...ids, ...(await inPages(filter, next))];
    }
    const text = async (path: string) => (await documents.read(at(path)))?.content;

    it("HIST-1 has every revision, also those of one moment, and restores each byte for byte", async () => {
      const texts = Array.from({ length: 20 }, (_, number) => `revision ${number % 7}\r\n\0é${number}`);
      for (const one of texts) await documents.write(at("a.md"), one, ada);
      expect(await log({ path: "a.md" })).toHaveLength(20);
      for (const [back, one] of texts.toReversed().entries())
        expect((await history.show(at("a.md"), `~${back}`)).text).toBe(one);
      await history.restore(at("a.md"), "~12", bob);
      expect(await text("a.md")).toBe(texts[7]);
      expect((await log({ path: "a.md" }))[0]).toMatchObject({ author: "person:bob" });
    });

    it("HIST-2 tells who did what, when, in which run and why", async () => {
      const before = Date.now();
      await documents.write(at("a.md"), "one", { ...ada, run: "r1", reason: "because" });
      const [operation] = await log();
      expect(operation).toMatchObject({ author: "agent:ada", run: "r1", reason: "because" });
      expect(Math.abs(Date.parse(operation?.time ?? "") - before)).toBeLessThan(60_000);
      expect(operation?.changes).toMatchObject([{ path: "a.md", kind: "put", was: undefined }]);
    });

    it("HIST-1 finds by folder, author, run, and span of time, newest first", async () => {
      await documents.write(at("a.md"), "one", { ...ada, run: "first" });
      await new Promise((resolve) => setTimeout(resolve, 1100));
      const between = new Date(Date.now() - 50).toISOString();
      await documents.write(at("sub/b.md"), "two", { ...bob, run: "second" });
      await documents.write(at("sub/c.md"), "three", { ...ada, run: "second" });
      const paths = async (filter: object) =>
        (await log(filter)).flatMap(({ changes }) => changes.map(({ path }) => path));
      expect(await paths({})).toEqual(["sub/c.md", "sub/b.md", "a.md"]);
      expect(await paths({ folder: "sub" })).toEqual(["sub/c.md", "sub/b.md"]);
      expect(await paths({ author: "agent:ada" })).toEqual(["sub/c.md", "a.md"]);
      expect(await paths({ author: "gent:ada" })).toEqual([]);
      expect(await paths({ run: "second", author: "person:bob" })).toEqual(["sub/b.md"]);
      expect(await paths({ since: between })).toEqual(["sub/c.md", "sub/b.md"]);
      expect(await paths({ until: between })).toEqual(["a.md"]);
    });

    it("HIST-1 follows a document to where it was moved from, and tells where one went", async () => {
      await documents.write(at("a.md"), "one", ada);
      await documents.move(at("a.md"), at("deep/b.md"), ada);
      await documents.write(at("deep/b.md"), "two", bob);
      await documents.write(at("a.md"), "another", bob);
      const followed = await log({ path: "deep/b.md" });
      expect(followed.map(({ changes }) => [changes[0]?.path, changes[0]?.from])).toEqual([
        ["deep/b.md", undefined],
        ["deep/b.md", "a.md"],
        ["a.md", undefined],
      ]);
      const former = (await log({ path: "a.md" })).map(({ changes }) => [
        changes[0]?.rev !== undefined,
        changes[0]?.to,
      ]);
      expect(former).toEqual([
        [true, undefined],
        [false, "deep/b.md"],
        [true, undefined],
      ]);
    });

    it("HIST-1 has the changes of one operation together", async () => {
      await documents.write(at("a.md"), "a", ada);
      const changes = ["b.md", "c.md"].map((path) => ({ kind: "put" as const, at: at(path), content: path }));
      await documents.commit([at("b.md"), at("c.md")], () => changes, bob);
      const [operation, ...others] = await log();
      expect(operation?.changes.map(({ path }) => path).toSorted()).toEqual(["b.md", "c.md"]);
      expect(others).toHaveLength(1);
      expect(await log({ batch: operation?.batch })).toEqual([operation]);
    });

    it("HIST-1 comes in pages that join to the whole, of everything and of one document", async () => {
      for (let number = 0; number < 11; number += 1) {
        await documents.write(at(number % 2 === 0 ? "even.md" : "odd.md"), String(number), ada);
        if (number === 6) await documents.move(at("even.md"), at("even2.md"), ada);
      }
      for (const filter of [{}, { path: "even2.md" }, { path: "odd.md" }]) {
        const whole = (await log(filter)).map(({ id }) => id);
        expect(await inPages(filter)).toEqual(whole);
      }
    });

    it("HIST-1 tells how a document was before and after an operation, also where that left it alone", async () => {
      await documents.write(at("a.md"), "one", ada);
      await documents.write(at("b.md"), "other", ada);
      await documents.write(at("a.md"), "two", ada);
      await documents.remove(at("a.md"), ada);
      const [removed, second, other, first] = await log();
      const contents = async (id: string | undefined, path: string, side: "before" | "after") => {
        const [bytes] = await root.contents([{ id: id ?? "", path: at(path).path, side }]);
        return bytes && Buffer.from(bytes).toString("utf8");
      };
      expect(await contents(first?.id, "a.md", "before")).toBeUndefined();
      expect(await contents(first?.id, "a.md", "after")).toBe("one");
      expect(await contents(second?.id, "a.md", "before")).toBe("one");
      expect(await contents(removed?.id, "a.md", "before")).toBe("two");
      expect(await contents(removed?.id, "a.md", "after")).toBeUndefined();
      expect(await contents(other?.id, "a.md", "after")).toBe("one");
    });

    it("HIST-1 undoes everything one author did, and leaves what others wrote since", async () => {
      await documents.write(at("a.md"), "one\ntwo\nthree\n", bob);
      await documents.write(at("a.md"), "ONE\ntwo\nthree\n", ada);
      await documents.write(at("new.md"), "hers", ada);
      await documents.write(at("a.md"), "ONE\ntwo\nTHREE\n", bob);
      await history.undo({ author: "agent:ada" }, bob);
      expect(await text("a.md")).toBe("one\ntwo\nTHREE\n");
      expect(await text("new.md")).toBeUndefined();
    });
  });
}
