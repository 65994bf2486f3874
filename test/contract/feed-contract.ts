import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Change, parseDocumentPath } from "../../src/app.ts";
import type { Backend } from "../../src/kernel/backend.ts";
import type { Source } from "../../src/kernel/source.ts";
import type { BackendFixture, CreateBackendFixture } from "./backend-fixture.ts";

const stamp = { author: "agent:tester" };
const at = (path: string, root = "notes") => ({ root, path: parseDocumentPath(path) });
const put = (path: string, content: string, root?: string): Change => ({ kind: "put", at: at(path, root), content });

async function commit({ documents }: Backend, ...changes: Change[]): Promise<void> {
  const ends = changes.flatMap((change) => (change.kind === "move" ? [change.from, change.to] : [change.at]));
  await documents.commit(ends.map(documents.resolve), () => changes, stamp);
}

/** The stamp of each document that a survey meets. */
async function surveyed(source: Source, path?: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const { folder, documents } of source.survey(path)) {
    for (const one of documents) {
      expect(one.path.slice(0, Math.max(0, one.path.lastIndexOf("/")))).toBe(folder);
      found.set(one.path, one.stamp);
    }
  }
  return found;
}

const pathsIn = async (source: Source, path?: string) => [...(await surveyed(source, path)).keys()].sort();

/** What every backend tells a follower of a root, such as a search index. */
export function describeFeedContract(name: string, createFixture: CreateBackendFixture): void {
  describe(`${name} keeps the contract of a feed`, () => {
    let fixture: BackendFixture;
    let backend: Backend;
    let source: Source;

    beforeEach(async () => {
      fixture = await createFixture(["notes", "shared"]);
      backend = await fixture.open();
      source = backend.feed("notes");
    });
    afterEach(async () => {
      source.close();
      await fixture.dispose();
    });

    it("SRCH-3 a survey meets every document of its root once, and none of another root", async () => {
      expect(await pathsIn(source)).toEqual([]);
      await commit(backend, put("a.md", "a"), put("x/b.md", "b"), put("x/y/c.md", "c"), put("d.md", "d", "shared"));
      expect(await pathsIn(source)).toEqual(["a.md", "x/b.md", "x/y/c.md"]);
      expect(await pathsIn(backend.feed("shared"))).toEqual(["d.md"]);
    });

    it("SRCH-3 a survey of a path meets the document there, or all that is below the folder there", async () => {
      await commit(backend, put("a.md", "a"), put("x/b.md", "b"), put("x/y/c.md", "c"), put("xy.md", "no"));
      expect(await pathsIn(source, "a.md")).toEqual(["a.md"]);
      expect(await pathsIn(source, "x")).toEqual(["x/b.md", "x/y/c.md"]);
      expect(await pathsIn(source, "gone.md")).toEqual([]);
    });

    it("SRCH-3 a survey passes over what is no document to its caller", async () => {
      const own = backend.feed("notes", { isDocument: (path) => path.endsWith(".md") });
      await commit(backend, put("a.md", "a"), put("b.txt", "b"));
      expect(await pathsIn(own)).toEqual(["a.md"]);
      own.close();
    });

    it("SRCH-3 the stamp of a document is another one when the document is, and stays the same otherwise", async () => {
      await commit(backend, put("a.md", "a"), put("b.md", "b"));
      const before = await surveyed(source);
      await commit(backend, put("a.md", "another"));
      const after = await surveyed(source);
      expect(after.get("a.md")).not.toBe(before.get("a.md"));
      expect(after.get("b.md")).toBe(before.get("b.md"));
    });

    it("SRCH-3 a document is read with its time, and is undefined where it is gone", async () => {
      await commit(backend, put("a.md", "grün\n"));
      const found = await source.read("a.md");
      expect(found?.content).toBe("grün\n");
      expect(Math.abs((found?.modified ?? 0) - Date.now())).toBeLessThan(60_000);
      expect(await source.read("gone.md")).toBeUndefined();
    });

    it("SRCH-3 changes are unknown until they are watched, and are told once from then on", async () => {
      await commit(backend, put("before.md", "before"));
      expect(await source.changes()).toBeUndefined();
      expect(await source.watch()).toEqual({ kind: "watching" });
      await source.changes();
      await commit(backend, put("a.md", "a"));
      expect(await source.changes()).toContain("a.md");
      expect(await source.changes()).toEqual([]);
    });

    it("SRCH-3 changes by another client are told, with the names of what is gone", async () => {
      await commit(backend, put("a.md", "a"), put("b.md", "b"));
      await source.watch();
      await source.changes();
      const other = await fixture.open();
      await commit(other, put("a.md", "another"));
      await commit(other, { kind: "move", from: at("b.md"), to: at("c.md") });
      expect(new Set(await source.changes())).toEqual(new Set(["a.md", "b.md", "c.md"]));
    });

    it("SRCH-3 a root has the same identity for every client, and another than any other root", async () => {
      const other = await fixture.open();
      expect(other.feed("notes").identity).toBe(source.identity);
      expect(other.feed("shared").identity).not.toBe(source.identity);
    });
  });
}
