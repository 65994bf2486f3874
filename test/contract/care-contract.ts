import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DocumentPath, parseDocumentPath } from "../../src/app.ts";
import { copyRoot } from "../../src/care/migrate/migrate-workspace.ts";
import { createHistory } from "../../src/history/history.ts";
import type { Backend, RootCare } from "../../src/kernel/backend.ts";
import { createDocuments, type Documents } from "../../src/kernel/documents.ts";
import { toPurgeForms } from "../../src/kernel/purge-forms.ts";
import { fullAccess } from "../../src/kernel/root-policy.ts";
import { type BackendFixture, type CreateBackendFixture, writtenIn } from "./backend-fixture.ts";

const ada = { author: "agent:ada" };
const secret = "hunter2-and-more";
const at = (path: string, root = "notes") => ({ root, path: parseDocumentPath(path) });

/** What every backend can do for all that it keeps of a root. */
export function describeCareContract(name: string, createFixture: CreateBackendFixture): void {
  describe(`${name} keeps the contract of care`, () => {
    let fixture: BackendFixture;
    let backend: Backend;
    let documents: Documents;
    let care: RootCare;

    async function careOf(root: string): Promise<RootCare> {
      const found = await backend.care?.(root);
      if (!found) throw new Error("It lists care, and has none.");
      return found;
    }

    async function historyOf(root = "notes") {
      const found = await backend.history?.(root, { now: Date.now });
      if (!found) throw new Error("It lists a history, and has none.");
      await found.catchUp();
      return createHistory({ histories: [found], documents });
    }

    const record = async () => void (await (await historyOf()).close());
    const purge = () => {
      const forms = toPurgeForms(secret, "removed");
      const about = { fingerprint: "0123456789abcdef", now: Date.now, documents, record };
      return care.purge({ forms, stamp: { ...ada, reason: "purge" }, ...about });
    };
    const text = async (path: DocumentPath, root = "notes") => (await documents.read({ root, path }))?.content;

    beforeEach(async () => {
      fixture = await createFixture(["notes", "copy"]);
      backend = await fixture.open();
      const store = backend.documents;
      documents = createDocuments({
        roots: ["notes", "copy"].map((one) => ({ name: one, policy: fullAccess, store })),
      });
      care = await careOf("notes");
    });
    afterEach(() => fixture.dispose());

    async function fill(): Promise<void> {
      await documents.write(at("a.md"), "one\n", ada);
      await documents.write(at("a.md"), "two\n", { author: "person:bob", run: "r1", reason: "why" });
      await documents.write(at("x/b.md"), "other\n", ada);
      await documents.move(at("x/b.md"), at("x/c.md"), ada);
    }

    it("HIST-4b verify finds nothing wrong with what was written in order, and counts it", async () => {
      await fill();
      await record();
      const verified = await care.verify({});
      expect(verified.findings.filter(({ level }) => level !== "note")).toEqual([]);
      expect(verified).toMatchObject({ root: "notes", documents: 2, operations: 4, pending: 0 });
    });

    it("HIST-5 a value is found where it stands and where it stood", async () => {
      await documents.write(at("was.md"), `it was ${secret}\n`, ada);
      await documents.write(at("was.md"), "clean\n", ada);
      await documents.write(at("is.md"), `it is ${secret}\n`, ada);
      await record();
      const { documents: found } = await care.find(toPurgeForms(secret, "removed"));
      const ofPath = (path: string) => found.filter((one) => one.path === path);
      expect(ofPath("was.md")).toMatchObject([{ isCurrent: false, revisions: 1 }]);
      expect(ofPath("is.md").some(({ isCurrent }) => isCurrent)).toBe(true);
      expect(await care.holding(toPurgeForms(secret, "removed"))).toContain("is.md");
    });

    it("HIST-5 a purge takes a value out of documents and of what they were, and leaves the rest", async () => {
      await fill();
      await documents.write(at("a.md"), `two, ${secret}\n`, ada);
      await documents.write(at("x/c.md"), `${secret}\n`, ada);
      await documents.write(at("x/c.md"), "other\n", ada);
      const purged = await purge();
      expect(purged.left).toEqual([]);
      expect(purged.journals).toBeGreaterThan(0);
      expect(await text(at("a.md").path)).toBe("two, ‹removed›\n");
      expect(await text(at("x/c.md").path)).toBe("other\n");
      expect(await care.holding(toPurgeForms(secret, "removed"))).toEqual([]);
      expect(await care.find(toPurgeForms(secret, "removed"))).toEqual({ documents: [], elsewhere: [] });
      expect((await care.verify({})).findings.filter(({ level }) => level !== "note")).toEqual([]);
      const { operations } = await (await historyOf()).log({ root: "notes", path: at("a.md").path, limit: 100 });
      expect(operations.map(({ author }) => author)).toContain("person:bob");
    });

    it("HIST-5 a purge of what is nowhere changes nothing", async () => {
      await fill();
      await record();
      const before = (await writtenIn(backend, "notes")).records.length;
      expect(await purge()).toEqual({ revisions: new Map(), journals: 0, left: [] });
      expect((await writtenIn(backend, "notes")).records).toHaveLength(before);
    });

    it("PG-3 a root is filled with what another has, with its history, and a second copy adds nothing", async () => {
      await fill();
      // From one root to another of the same backend: what is called the same is copied.
      const as = async (root: string) => {
        const [other] = [await fixture.open()];
        const own = other.care;
        if (!own) throw new Error("It lists care, and has none.");
        return { ...other, care: () => own(root) };
      };
      const [from, to] = [await as("notes"), await as("copy")];
      expect(await copyRoot("notes", from, to)).toMatchObject({ operations: 4, leftOut: [] });
      expect(await text(at("a.md").path, "copy")).toBe("two\n");
      expect(await text(at("x/c.md").path, "copy")).toBe("other\n");
      const [newest] = (await (await historyOf("copy")).log({ root: "copy", path: at("a.md").path, limit: 1 }))
        .operations;
      expect(newest).toMatchObject({ author: "person:bob", run: "r1", reason: "why" });
      expect(await copyRoot("notes", from, to)).toMatchObject({ operations: 0, documents: 0 });
    });
  });
}
