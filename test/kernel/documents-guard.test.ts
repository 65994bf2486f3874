import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createDocuments, type DocumentPath, fullAccess, type GuardedChange, openFilesStore } from "../../src/app.ts";
import { scratchFolder } from "../backends/files/scratch.ts";

const stamp = { author: "test" };
const at = (root: string, path: string) => ({ root, path: path as DocumentPath });

function open() {
  const [notes, files] = [scratchFolder(), scratchFolder()];
  const roots = [
    { name: "notes", folder: notes },
    { name: "files", folder: files },
  ];
  const store = openFilesStore({ roots, now: Date.now });
  const asked: (readonly GuardedChange[])[] = [];
  const loads: string[] = [];
  const documents = createDocuments({
    roots: [
      { name: "notes", policy: fullAccess, store },
      { name: "files", policy: fullAccess, store, isUnguarded: true },
    ],
    guard: async () => {
      loads.push("loaded");
      return (changes) => void asked.push(changes);
    },
  });
  return { documents, asked, loads, notes };
}

it("GUARD-1 a guard sees every document of an operation, before and after, and none that is unguarded", async () => {
  const { documents, asked } = open();
  await documents.write(at("files", "x.txt"), "free", stamp);
  expect(asked).toEqual([]);
  await documents.write(at("notes", "a.md"), "one", stamp);
  await documents.append(at("notes", "a.md"), "two", stamp);
  await documents.move(at("notes", "a.md"), at("notes", "b.md"), stamp);
  expect(asked.at(-3)).toEqual([{ at: at("notes", "a.md"), nameBefore: undefined, before: "", after: "one" }]);
  expect(asked.at(-2)).toEqual([{ at: at("notes", "a.md"), nameBefore: "a.md", before: "one", after: "onetwo" }]);
  expect(asked.at(-1)).toEqual([{ at: at("notes", "b.md"), nameBefore: "a.md", before: "onetwo", after: "onetwo" }]);
  const all = [at("notes", "b.md"), at("notes", "c.md"), at("files", "x.txt")];
  await documents.commit(
    all,
    () => [
      { kind: "remove", at: at("notes", "b.md") },
      { kind: "put", at: at("notes", "c.md"), content: "new" },
      { kind: "put", at: at("files", "x.txt"), content: "other" },
    ],
    stamp,
  );
  expect(asked.at(-1)).toEqual([
    { at: at("notes", "b.md"), nameBefore: "b.md", before: "onetwo", after: "" },
    { at: at("notes", "c.md"), nameBefore: undefined, before: "", after: "new" },
  ]);
});

it("GUARD-1 what is moved in from where nobody looked is new", async () => {
  const { documents, asked } = open();
  await documents.write(at("files", "x.md"), "free", stamp);
  await documents.move(at("files", "x.md"), at("notes", "x.md"), stamp);
  expect(asked.at(-1)).toEqual([{ at: at("notes", "x.md"), nameBefore: "x.md", before: "", after: "free" }]);
});

it("GUARD-1 a removal does without the guard, and what is no text holds nothing", async () => {
  const { documents, asked, loads, notes } = open();
  writeFileSync(join(notes, "latin.md"), Buffer.from([0xe9]));
  await documents.remove(at("notes", "latin.md"), stamp);
  expect(loads).toEqual([]);
  writeFileSync(join(notes, "latin.md"), Buffer.from([0xe9]));
  await documents.write(at("notes", "latin.md"), "text", stamp);
  expect(asked.at(-1)).toEqual([{ at: at("notes", "latin.md"), nameBefore: "latin.md", before: "", after: "text" }]);
});
