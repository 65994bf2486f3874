import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type DocumentPath, parseDocumentPath } from "../../../src/app.ts";
import { inRoot } from "../../helpers/document-stores.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { postgresStores } from "../../helpers/postgres-stores.ts";

const stamp = { author: "agent:tester" };
const at = (path: string) => ({ root: "notes", path: path as DocumentPath });

async function open(readOnly = false) {
  const opened = await postgresStores.open([{ name: "notes", readOnly }]);
  const write = (path: string) =>
    opened.store.commit(
      [at(path)].map(opened.store.resolve),
      () => [{ kind: "put", at: at(path), content: "x" }],
      stamp,
    );
  return { ...opened, ...inRoot(opened, "notes"), write };
}

describe("PG-1 a store in PostgreSQL", () => {
  it("KER-1 takes paths as long as its indexes do, and says how long where one is longer", async () => {
    const { write, paths } = await open();
    // What cannot be pressed together by the database.
    const hash = (seed: string) => createHash("sha512").update(seed).digest("hex");
    const path = (segments: number) =>
      Array.from({ length: segments }, (_, n) => (hash(`${segments} ${n}`) + hash(`${n}`)).slice(0, 190)).join("/");
    await write(parseDocumentPath(path(12)));
    const error = await errorOf(() => write(parseDocumentPath(path(14))));
    expect(error).toMatchObject({ code: "INVALID_PATH", data: { rule: "too-long" } });
    expect(String(error)).toMatch(/has 2\d\d\d bytes, and in a database “notes” takes 2\d\d\d\. Give a shorter one/);
    expect(await paths()).toEqual([path(12)]);
  });

  it("KER-8 changes nothing in a root that it was told only to read", async () => {
    const { store, write, put, all } = await open(true);
    await put("a.md", "text");
    expect(await errorOf(() => write("a.md"))).toMatchObject({ code: "READ_ONLY", data: { root: "notes" } });
    expect((await store.read(store.resolve(at("a.md"))))?.content).toBe("text");
    expect(await all()).toEqual({ "a.md": "text" });
  });

  it("KER-12 goes on in a list after whatever a caller made up", async () => {
    const { store, put } = await open();
    await put("a.md", "a");
    await put("b.md", "b");
    const pathsAfter = async (text: string) =>
      (await store.list({ root: "notes", limit: 10, after: text })).entries.map(({ path }) => path);
    expect(await pathsAfter("a.md\0z")).toEqual(["b.md"]);
    expect(await pathsAfter("\0")).toEqual(["a.md", "b.md"]);
    expect(await pathsAfter("\ud800")).toEqual([]);
  });

  it("KER-1 lists no names that begin with a dot, and shows them to who browses", async () => {
    const { store, put } = await open();
    for (const path of [".hidden.md", ".folder/a.md", "b/.c.md", "d.md"]) await put(path, "x");
    expect((await store.list({ root: "notes", limit: 10 })).entries.map(({ path }) => path)).toEqual(["d.md"]);
    expect(await store.browse({ root: "notes" })).toEqual({ folders: [".folder", "b"], files: [".hidden.md", "d.md"] });
  });
});
