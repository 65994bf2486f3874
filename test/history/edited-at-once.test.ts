import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { verifyRoot } from "../../src/history/git/verify/verify.ts";
import type { Outcome } from "../../src/kernel/store.ts";
import { ada, at, logOf, openWorld, scratchFolder, textsOf } from "./scratch.ts";

const saves: [string, (path: string) => void][] = [
  ["in place", (path) => writeFileSync(path, "saved by a person")],
  [
    "by rename",
    (path) => {
      writeFileSync(`${path}~`, "saved by a person");
      renameSync(`${path}~`, path);
    },
  ],
];

const keptIn = (folder: string) => readdirSync(join(folder, ".recollect")).filter((name) => name.startsWith("kept-"));

it.each(saves)(
  "HIST-1 an acknowledged version stays restorable when an editor saves over it %s at once",
  async (_, save) => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    await documents.write(at("a.md"), "one", ada);
    await history.catchUp();
    await documents.write(at("a.md"), "acknowledged", ada);
    save(join(folder, "a.md"));
    await history.catchUp();
    expect(await textsOf(history, "a.md")).toEqual(["saved by a person", "acknowledged", "one"]);
    expect((await logOf(history, "a.md")).map(({ author }) => author)).toEqual(["outside", ada.author, ada.author]);
  },
);

it.each(saves)("HIST-1 a new document that an editor saves over %s at once has both versions", async (_, save) => {
  const folder = scratchFolder();
  const { documents, history } = openWorld(folder);
  await documents.write(at("a.md"), "acknowledged", ada);
  save(join(folder, "a.md"));
  await history.catchUp();
  expect(await textsOf(history, "a.md")).toEqual(["saved by a person", "acknowledged"]);
});

it("HIST-1 an acknowledged version stays restorable when a person deletes the file at once", async () => {
  const folder = scratchFolder();
  const { documents, history } = openWorld(folder);
  await documents.write(at("a.md"), "acknowledged", ada);
  rmSync(join(folder, "a.md"));
  await history.catchUp();
  expect(await textsOf(history, "a.md")).toEqual([undefined, "acknowledged"]);
});

it.each(saves)(
  "HIST-1 all documents of one operation stay restorable when an editor saves over them %s",
  async (_, save) => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    await documents.write(at("old.md"), "moved", ada);
    await documents.write(at("refers.md"), "see old", ada);
    await history.catchUp();
    const [from, to, refers] = [at("old.md"), at("topic/new.md"), at("refers.md")];
    const done = await documents.commit(
      [from, to, refers],
      () => [
        { kind: "move", from, to },
        { kind: "put", at: refers, content: "see new" },
      ],
      ada,
    );
    expect((done as { outcomes: readonly Outcome[] }).outcomes).toHaveLength(3);
    for (const path of ["topic/new.md", "refers.md"]) save(join(folder, path));
    await history.catchUp();
    expect(await textsOf(history, "topic/new.md")).toEqual(["saved by a person", "moved", "moved"]);
    expect(await textsOf(history, "refers.md")).toEqual(["saved by a person", "see new", "see old"]);
  },
);

it.each(saves)(
  "HIST-1 every version of a quick exchange between an agent and an editor is there (%s)",
  async (_, save) => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    for (const text of ["one", "two", "one", "three"]) {
      await documents.write(at("a.md"), text, ada);
      save(join(folder, "a.md"));
    }
    await history.catchUp();
    const person = "saved by a person";
    expect(await textsOf(history, "a.md")).toEqual([person, "three", person, "one", person, "two", person, "one"]);
  },
);

it("KER-6b the copy goes once history has the version", async () => {
  const folder = scratchFolder();
  const { documents, history } = openWorld(folder);
  await documents.write(at("a.md"), "one", ada);
  await documents.write(at("a.md"), "two", ada);
  expect(keptIn(folder)).toHaveLength(2);
  await history.catchUp();
  expect(keptIn(folder)).toEqual([]);
});

it("KER-6b no copy is kept where no history is", async () => {
  const folder = scratchFolder();
  const { documents } = openWorld(folder, { store: { isFollowed: false } });
  await documents.write(at("a.md"), "one", ada);
  expect(readdirSync(join(folder, ".recollect")).filter((name) => /^(kept|new)-/.test(name))).toEqual([]);
});

it("HIST-1 an empty copy, which a power cut leaves, costs nothing while the document is there", async () => {
  const folder = scratchFolder();
  const { documents, history, store } = openWorld(folder);
  await documents.write(at("a.md"), "one", ada);
  for (const name of keptIn(folder)) writeFileSync(join(folder, ".recollect", name), "");
  const { findings } = await verifyRoot({ trail: store.trail("notes"), env: process.env, waitMs: 5000 });
  expect(findings.filter(({ level }) => level === "damaged")).toEqual([]);
  await documents.write(at("a.md"), "two", ada);
  await history.catchUp();
  expect(await textsOf(history, "a.md")).toEqual(["two", "one"]);
});
