import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDocuments, type Documents, fullAccess, openFilesStore } from "../../../src/app.ts";
import { at, scratchFolder, stamp } from "./scratch.ts";

/** A root in which everything below “frozen” is protected, inside an outer one that protects nothing. */
async function openFrozen() {
  const folder = scratchFolder();
  const store = openFilesStore({
    now: Date.now,
    roots: [
      { name: "outer", folder },
      { name: "notes", folder: join(folder, "notes") },
    ],
  });
  onTestFinished(() => store.close());
  await store.commit(
    [at("frozen/law.md"), at("free.md")].map(store.resolve),
    () => [
      { kind: "put", at: at("frozen/law.md"), content: "law" },
      { kind: "put", at: at("free.md"), content: "free" },
    ],
    stamp,
  );
  const documents = createDocuments({
    roots: [
      { name: "outer", policy: fullAccess, store },
      { name: "notes", policy: fullAccess, store, protects: (path) => path.startsWith("frozen/") },
    ],
  });
  return { folder, documents };
}

const law = at("frozen/law.md");
const throughOuter = at("notes/frozen/law.md", "outer");

describe("a protected document", () => {
  it.each<[string, (documents: Documents) => Promise<unknown>]>([
    ["write", (documents) => documents.write(law, "x", stamp)],
    ["write anew", (documents) => documents.write(at("frozen/new.md"), "x", stamp)],
    ["append", (documents) => documents.append(law, "x", stamp)],
    ["remove", (documents) => documents.remove(law, stamp)],
    ["move away", (documents) => documents.move(law, at("b.md"), stamp)],
    ["move in", (documents) => documents.move(at("free.md"), at("frozen/b.md"), stamp)],
    ["write through an outer root", (documents) => documents.write(throughOuter, "x", stamp)],
    ["remove through an outer root", (documents) => documents.remove(throughOuter, stamp)],
    ["put in a commit", (d) => d.commit([law], () => [{ kind: "put", at: law, content: "x" }], stamp)],
    ["append in a commit", (d) => d.commit([law], () => [{ kind: "append", at: law, content: "x" }], stamp)],
    ["remove in a commit", (d) => d.commit([law], () => [{ kind: "remove", at: law }], stamp)],
    [
      "move in a commit",
      (d) => d.commit([law, at("b.md")], () => [{ kind: "move", from: law, to: at("b.md") }], stamp),
    ],
  ])("MEM-12 KER-8 refuses to %s, and stays", async (_, change) => {
    const { folder, documents } = await openFrozen();
    await expect(change(documents)).rejects.toMatchObject({
      code: "READ_ONLY",
      message: expect.stringMatching(/is read-only here\./),
    });
    expect(readFileSync(join(folder, "notes/frozen/law.md"), "utf8")).toBe("law");
    expect(readFileSync(join(folder, "notes/free.md"), "utf8")).toBe("free");
  });

  it("MEM-12 can be read, listed and browsed, and says that it is protected", async () => {
    const { documents } = await openFrozen();
    expect((await documents.read(law))?.content).toBe("law");
    expect((await documents.list({ root: "notes" })).entries.map(({ path }) => path)).toContain(law.path);
    expect((await documents.browse({ root: "notes" }))?.folders).toEqual(["frozen"]);
    expect(documents.isProtected(throughOuter)).toBe(true);
    expect(documents.isProtected(at("free.md"))).toBe(false);
    expect(documents.resolve(throughOuter)).toEqual(law);
  });
});
