import { expect, it } from "vitest";
import { createHistory } from "../../src/history/history.ts";
import { createDocuments } from "../../src/kernel/documents.ts";
import { fullAccess } from "../../src/kernel/root-policy.ts";
import { inRoots, openRoots } from "../helpers/document-stores.ts";
import { filesStores } from "../helpers/files-stores.ts";
import { postgresStores } from "../helpers/postgres-stores.ts";
import { ada, at, bob } from "./scratch.ts";

const roots = ["folder", "space"];

it("PG-1 HIST-1 what one run did is undone in files and in PostgreSQL, in each as one operation", async () => {
  const opened = await openRoots(
    (root) => (root === "folder" ? filesStores : postgresStores),
    roots.map((name) => ({ name })),
  );
  const documents = createDocuments({
    roots: roots.map((name) => ({ name, policy: fullAccess, store: opened.storeOf(name) })),
  });
  const history = createHistory({ histories: roots.map(opened.history), documents });
  for (const root of roots) {
    await documents.write(at("a.md", root), "1\n2\n3\n", bob);
    await documents.write(at("a.md", root), "one\n2\n3\n", { ...ada, run: "r" });
    await documents.write(at("made.md", root), "made", { ...ada, run: "r" });
    await documents.append(at("a.md", root), "4\n", bob);
  }
  const preview = await history.previewUndo({ run: "r" });
  const report = await history.undo({ run: "r" }, bob);
  expect(report.operations).toBe(4);
  expect(report.documents.map(({ at: { root, path }, kind }) => [root, path, kind]).toSorted()).toEqual([
    ["folder", "a.md", "merged"],
    ["folder", "made.md", "removed"],
    ["space", "a.md", "merged"],
    ["space", "made.md", "removed"],
  ]);
  expect(preview).toEqual(report);
  expect(await inRoots(opened, roots).all()).toEqual({ "folder/a.md": "1\n2\n3\n4\n", "space/a.md": "1\n2\n3\n4\n" });
  for (const root of roots) {
    const { operations } = await history.log({ root, limit: 1 });
    expect(operations[0]).toMatchObject({ reason: "undo of run r", changes: { length: 2 } });
  }
});
