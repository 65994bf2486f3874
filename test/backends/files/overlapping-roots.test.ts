import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createDocuments,
  type ExistingPath,
  fullAccess,
  type Operation,
  openFilesStore,
  type RootPolicy,
  readOnly,
} from "../../../src/app.ts";
import { at, scratchFolder, stamp } from "./scratch.ts";

/** A project with a bank inside it, and a read-only folder inside the bank. */
function openProject(options: { bank?: RootPolicy; sealed?: RootPolicy } = {}) {
  const folder = scratchFolder();
  mkdirSync(join(folder, "bank/sealed"), { recursive: true });
  writeFileSync(join(folder, "bank/plan.md"), "plan");
  writeFileSync(join(folder, "bank/sealed/law.md"), "law");
  const store = openFilesStore({
    now: Date.now,
    roots: [
      { name: "project", folder },
      { name: "bank", folder: join(folder, "bank") },
      { name: "sealed", folder: join(folder, "bank/sealed") },
    ],
  });
  onTestFinished(() => store.close());
  const noDelete = new Set<Operation>(["list", "read", "write", "append"]);
  const documents = createDocuments({
    roots: [
      { name: "project", policy: fullAccess, store },
      { name: "bank", policy: options.bank ?? noDelete, store },
      { name: "sealed", policy: options.sealed ?? readOnly, store },
    ],
  });
  return { folder, store, documents };
}

describe("overlapping roots", () => {
  it("KER-2 are checked, too, where the bytes of a document are asked for", async () => {
    const { folder, store } = openProject();
    mkdirSync(join(folder, ".git"));
    writeFileSync(join(folder, ".git/config"), "secret");
    const bytesAt = (path: string) => store.readBytes({ root: "project", path: path as ExistingPath });
    await expect(bytesAt(".git/config")).rejects.toMatchObject({ code: "INVALID_PATH" });
    expect(String((await bytesAt("bank/plan.md"))?.bytes)).toBe("plan");
  });

  it("KER-8 the innermost root's policy holds for every operation, through every outer root", async () => {
    const { folder, documents } = openProject();
    for (const law of [at("bank/sealed/law.md", "project"), at("sealed/law.md", "bank"), at("law.md", "sealed")]) {
      const elsewhere = at("free.md", "project");
      await expect(documents.write(law, "x", stamp)).rejects.toMatchObject({ code: "READ_ONLY" });
      await expect(documents.append(law, "x", stamp)).rejects.toMatchObject({ code: "READ_ONLY" });
      await expect(documents.remove(law, stamp)).rejects.toMatchObject({ code: "READ_ONLY" });
      await expect(documents.move(law, elsewhere, stamp)).rejects.toMatchObject({ code: "READ_ONLY" });
      await expect(
        documents.commit([law, elsewhere], () => [{ kind: "put", at: law, content: "x" }], stamp),
      ).rejects.toMatchObject({ code: "READ_ONLY" });
      expect((await documents.read(law))?.content).toBe("law");
    }
    await expect(documents.move(at("bank/plan.md", "project"), at("x.md", "project"), stamp)).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
    await expect(documents.remove(at("bank/plan.md", "project"), stamp)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    expect((await documents.write(at("bank/plan.md", "project"), "new plan", stamp)).kind).toBe("committed");
    expect(readFileSync(join(folder, "bank/plan.md"), "utf8")).toBe("new plan");
    expect(readFileSync(join(folder, "bank/sealed/law.md"), "utf8")).toBe("law");
  });

  it("KER-8 also holds for the target of a move", async () => {
    const { documents } = openProject();
    await documents.write(at("free.md", "project"), "x", stamp);
    await expect(
      documents.move(at("free.md", "project"), at("bank/sealed/new.md", "project"), stamp),
    ).rejects.toMatchObject({ code: "READ_ONLY" });
  });

  it("KER-8 lists for an outer root only what the inner one allows to be listed, with its owner", async () => {
    const { documents } = openProject({ sealed: new Set<Operation>(["read"]) });
    const { entries } = await documents.list({ root: "project" });
    expect(entries.map(({ path, owner }) => [path, owner])).toEqual([["bank/plan.md", "bank"]]);
  });

  it("KER-8 tells apart what only begins alike", async () => {
    const { folder, documents } = openProject();
    mkdirSync(join(folder, "bank-evil"));
    await documents.write(at("bank-evil/x.md", "project"), "x", stamp);
    expect((await documents.remove(at("bank-evil/x.md", "project"), stamp))?.kind).toBe("committed");
  });

  it("KER-8 goes by real paths where a root is configured through a link", async () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, "real/inner"), { recursive: true });
    symlinkSync(join(folder, "real"), join(folder, "alias"));
    const store = openFilesStore({
      now: Date.now,
      roots: [
        { name: "outer", folder: join(folder, "real") },
        { name: "inner", folder: join(folder, "alias/inner") },
      ],
    });
    onTestFinished(() => store.close());
    expect(store.resolve(at("inner/a.md", "outer"))).toEqual(at("a.md", "inner"));
  });

  it("KER-8 refuses two roots with one folder, and roots that are not known", async () => {
    const folder = scratchFolder();
    const roots = [
      { name: "a", folder },
      { name: "b", folder },
    ];
    expect(() => openFilesStore({ now: Date.now, roots })).toThrowError(/same folder/);
    const { documents } = openProject();
    await expect(documents.read(at("a.md", "nowhere"))).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("KER-8 leaves a missing folder missing where it must not be made", async () => {
    const folder = join(scratchFolder(), "absent");
    const store = openFilesStore({ now: Date.now, roots: [{ name: "notes", folder, create: false }] });
    onTestFinished(() => store.close());
    const documents = createDocuments({ roots: [{ name: "notes", policy: fullAccess, store }] });
    await expect(documents.write(at("a.md"), "x", stamp)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await documents.read(at("a.md"))).toBeUndefined();
  });
});
