import { appendFileSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { letWritersWrite } from "../../rigs/history-writers.ts";
import type { FilesStore } from "../../src/backends/files/store.ts";
import { verifyRoot } from "../../src/history/git/verify/verify.ts";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { ada, at, bob, git, openWorld, scratchFolder } from "./scratch.ts";

async function filled() {
  const folder = scratchFolder();
  const world = openWorld(folder);
  const { documents, history } = world;
  for (const text of ["one\n", "two\n"]) await documents.write(at("a.md"), text, ada);
  await documents.write(at("sub/b.md"), "b\n", ada);
  await history.catchUp();
  await documents.write(at("a.md"), "three\n", bob);
  await history.catchUp();
  // On its way into history.
  for (const text of ["four\n", "five\n"]) await documents.write(at("a.md"), text, bob);
  return { folder, auxiliary: join(folder, ".recollect"), ...world };
}

const verify = (store: FilesStore) => verifyRoot({ trail: store.trail("notes"), env: process.env, waitMs: 5000 });

async function found(store: FilesStore): Promise<string[]> {
  const { findings } = await verify(store);
  return findings.map(({ level, part, path }) => `${level}: ${part}${path ? ` ${path}` : ""}`);
}

function timesIn(folder: string): Record<string, bigint> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(names.map((name) => [name, lstatSync(join(folder, name), { bigint: true }).mtimeNs]));
}

describe("verify", () => {
  it("says that everything agrees, records that wait among it, and changes nothing", async () => {
    const { folder, store } = await filled();
    const before = [snapshotOf(folder), timesIn(folder)];
    expect(await verify(store)).toEqual({
      root: "notes",
      documents: 2,
      operations: 4,
      revisions: 4,
      pending: 2,
      findings: [],
    });
    expect([snapshotOf(folder), timesIn(folder)]).toEqual(before);
  });

  it("has nothing to say of a root that nobody ever wrote to", async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "by-hand.md"), "hand");
    const { store } = openWorld(folder);
    expect(await found(store)).toEqual(["note: history"]);
    expect(readdirSync(folder)).toEqual(["by-hand.md"]);
  });

  it("HIST-4b a changed, a new and a lost document are changed outside, and never called damage", async () => {
    const { folder, store } = await filled();
    writeFileSync(join(folder, "a.md"), "by hand\n");
    writeFileSync(join(folder, "new.md"), "new\n");
    rmSync(join(folder, "sub/b.md"));
    expect(await found(store)).toEqual([
      "changed outside: document a.md",
      "changed outside: document sub/b.md",
      "changed outside: document new.md",
    ]);
  });

  it("HIST-4b what was changed outside can be restored by the revision that is named", async () => {
    const { folder, store, documents, history } = await filled();
    const bytes = readFileSync(join(folder, "sub/b.md"));
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    writeFileSync(join(folder, "sub/b.md"), bytes);
    const { findings } = await verify(store);
    const [{ rev } = { rev: undefined }] = findings;
    await history.catchUp();
    const [operation] = (await history.log({ limit: 10 })).operations.filter(({ changes }) =>
      changes.some((change) => change.rev === rev),
    );
    const [content] = await history.contents([{ id: operation?.id ?? "", path: at("sub/b.md").path, side: "after" }]);
    await documents.write(at("sub/b.md"), Buffer.from(content ?? []).toString("utf8"), ada);
    expect(readFileSync(join(folder, "sub/b.md"), "utf8")).toBe("b\n");
    expect(await found(store)).toEqual([]);
  });

  it("HIST-4b a folder that a person moved or deleted is no damage", async () => {
    const { folder, store, history } = await filled();
    renameSync(join(folder, "sub"), join(folder, "other"));
    expect(await found(store)).toEqual(["changed outside: document sub/b.md", "changed outside: document other/b.md"]);
    await history.catchUp();
    expect(await found(store)).toEqual([]);
    rmSync(join(folder, "other"), { recursive: true });
    await history.catchUp();
    expect(await found(store)).toEqual([]);
  });

  it("a lost history is found, also where every revision in it is still there", async () => {
    const folder = scratchFolder();
    const { store, documents, history } = openWorld(folder);
    await documents.write(at("a.md"), "one\n", ada);
    await history.catchUp();
    rmSync(join(folder, ".recollect/history"), { recursive: true });
    expect(await found(store)).toContain("damaged: history");
    await history.catchUp();
    expect(await found(store)).toEqual(["damaged: history"]);
    await history.acceptLoss("person:bob");
    expect(await found(store)).toEqual([]);
  });

  it("a history that was set back is found, though all that it holds is whole", async () => {
    const { folder, store, history } = await filled();
    await history.catchUp();
    const former = git(folder, "rev-parse", "history~1").trim();
    writeFileSync(join(folder, ".recollect/history/refs/heads/history"), `${former}\n`);
    const { findings } = await verify(store);
    expect(findings.map(({ says }) => says).join("\n")).toMatch(/set back/);
  });

  it("a lost journal, and one that was put back from a backup, are found", async () => {
    const { auxiliary, store, documents, history } = await filled();
    const former = readFileSync(join(auxiliary, "journal"));
    await documents.write(at("a.md"), "six\n", ada);
    await history.catchUp();
    expect(await found(store)).toEqual([]);
    writeFileSync(join(auxiliary, "journal"), former);
    expect(await found(store)).toContain("damaged: journal");
    rmSync(join(auxiliary, "journal"));
    expect(await found(store)).toContain("damaged: journal");
  });

  it("HIST-4b records that were cut off before history had them leave documents that nobody recorded", async () => {
    const { auxiliary, store } = await filled();
    const lines = readFileSync(join(auxiliary, "journal"), "utf8").trimEnd().split("\n");
    writeFileSync(join(auxiliary, "journal"), `${lines.slice(0, -2).join("\n")}\n`);
    expect(await found(store)).toEqual(["changed outside: document a.md"]);
  });

  it("every edit, removal, reorder and cut of what history has not taken over yet is found", async () => {
    const { auxiliary, store } = await filled();
    const file = join(auxiliary, "journal");
    const text = readFileSync(file, "utf8");
    const lines = text.trimEnd().split("\n");
    const changed = [
      text.replace("person:bob", "person:eve"),
      `${lines.toSpliced(-2, 1).join("\n")}\n`,
      `${[...lines.slice(0, -2), lines.at(-1), lines.at(-2)].join("\n")}\n`,
      text.slice(0, -1),
      text.slice(0, -20),
      text.replace('"previousEnd":0', '"previousEnd":1'),
    ];
    for (const one of changed) {
      writeFileSync(file, one);
      expect(await found(store)).toContain("damaged: journal");
    }
    writeFileSync(file, text);
    expect(await found(store)).toEqual([]);
  });

  it("KER-6b bytes that wait for history are missed, and compared with their name", async () => {
    const { auxiliary, store } = await filled();
    const [kept = ""] = readdirSync(auxiliary).filter((name) => name.startsWith("kept-"));
    appendFileSync(join(auxiliary, kept), "!");
    expect(await found(store)).toContain("damaged: journal");
    rmSync(join(auxiliary, kept));
    expect((await found(store)).join()).toContain("damaged: journal");
  });

  it("a line that a power cut tore is no damage once others follow it and history has them", async () => {
    const { auxiliary, store, documents, history } = await filled();
    appendFileSync(join(auxiliary, "journal"), '{"kind":"put","name":"to');
    expect(await found(store)).toContain("damaged: journal");
    await documents.write(at("a.md"), "after the cut\n", ada);
    await history.catchUp();
    expect(await found(store)).toEqual([]);
  });

  it("KER-6b lines that a power cut took after history had them are no damage once it has read on", async () => {
    const { auxiliary, store, documents, history } = await filled();
    await history.catchUp();
    const lines = readFileSync(join(auxiliary, "journal"), "utf8").trimEnd().split("\n");
    writeFileSync(join(auxiliary, "journal"), `${lines.slice(0, -2).join("\n")}\n`);
    expect(await found(store)).toEqual(["damaged: journal"]);
    await documents.write(at("a.md"), "after the cut\n", ada);
    await history.catchUp();
    expect(await found(store)).toEqual([]);
  });

  it("nothing that a killed writer or recorder leaves looks like damage", async () => {
    const folder = join(scratchFolder(), "root");
    await letWritersWrite({ folder, writers: 2, revisions: 40 });
    const { store, history } = openWorld(folder);
    expect((await found(store)).filter((one) => one.startsWith("damaged"))).toEqual([]);
    await history.catchUp({ waitMs: 20_000 });
    expect(await found(store)).toEqual([]);
  });

  it("agrees while others write and record", async () => {
    const { folder, store } = await filled();
    const other = openWorld(folder);
    let isDone = false;
    const writing = (async () => {
      for (let index = 0; !isDone; index += 1) {
        await other.documents.write(at(`a${index % 3}.md`), `text ${index}\n`, bob);
        if (index % 5 === 0) await other.history.catchUp();
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    })();
    for (let round = 0; round < 3; round += 1) expect(await found(store)).toEqual([]);
    isDone = true;
    await writing;
  });
});
