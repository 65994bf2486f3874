import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWakeUp } from "../../../src/backends/postgres/wake-up.ts";
import { verifyRoot } from "../../../src/history/git/verify/verify.ts";
import { createDocuments } from "../../../src/kernel/documents.ts";
import { fullAccess } from "../../../src/kernel/root-policy.ts";
import { snapshotOf } from "../../helpers/folder-snapshot.ts";
import { postgresUrl, sharedDatabase } from "../../helpers/postgres-stores.ts";
import { ada, at, bob, fsck, openWorld, scratchFolder } from "../../history/scratch.ts";
import {
  filledOnce,
  fillWithAll,
  newSpace,
  openSpace,
  tellFolder,
  tellLogs,
  tellSpace,
  toFolder,
  toSpace,
} from "./migration-world.ts";

const fillFolder = filledOnce(fillWithAll);

describe("a copy there and back", () => {
  it("PG-3 tells the same in a space as in the folder, and the same again in another folder", async () => {
    const [folder, back, space] = [scratchFolder(), scratchFolder(), newSpace()];
    await fillFolder(folder);
    await toSpace(folder, space);
    const told = await tellFolder(folder);
    expect(told.operations.length).toBeGreaterThan(14);
    expect(await tellSpace(space)).toEqual(told);
    await toFolder(space, back);
    expect(await tellFolder(back)).toEqual(told);
    expect(fsck(back)).toBe("");
    const { store, history } = openWorld(back);
    const logs = await tellLogs(openWorld(folder).history);
    expect(await tellLogs((await openSpace(space)).history)).toEqual(logs);
    expect(await tellLogs(history)).toEqual(logs);
    expect((await verifyRoot({ trail: store.trail("notes"), env: process.env })).findings).toEqual([]);
  });

  it("PG-3 keeps the ids of operations in a space, and brings them back to another one", async () => {
    const [folder, back, space, again] = [scratchFolder(), scratchFolder(), newSpace(), newSpace()];
    await fillFolder(folder);
    await toSpace(folder, space);
    const idsOf = async (history: ReturnType<typeof openWorld>["history"]) =>
      (await history.log({ limit: 1000 })).operations.map(({ id }) => id);
    const ids = await idsOf(openWorld(folder).history);
    expect(await idsOf((await openSpace(space)).history)).toEqual(ids);
    await toFolder(space, back);
    await toSpace(back, again);
    expect(await idsOf((await openSpace(again)).history)).toEqual(ids);
    expect(await tellSpace(again)).toEqual(await tellSpace(space));
  });

  it("PG-2 PG-3 is told to servers that have the space open", async () => {
    const [folder, space] = [scratchFolder(), newSpace()];
    const server = createWakeUp({ url: await postgresUrl() });
    onTestFinished(() => server.close());
    const heard = new Set<string>();
    server.onWritten((one) => heard.add(one));
    const listens = newSpace();
    server.written([listens]);
    await expect.poll(() => heard.has(listens), { timeout: 10_000 }).toBe(true);
    await fillFolder(folder);
    await toSpace(folder, space);
    await expect.poll(() => heard.has(space), { timeout: 10_000 }).toBe(true);
  });

  it("PG-3 changes nothing at its source", async () => {
    const [folder, back, space] = [scratchFolder(), scratchFolder(), newSpace()];
    await fillFolder(folder);
    await tellFolder(folder);
    // What history knows of files that it has looked at grows by itself.
    const snapshot = () => ({ ...snapshotOf(folder), ".recollect/history/recollect-state.json": "" });
    const before = snapshot();
    await toSpace(folder, space);
    expect(snapshot()).toEqual(before);
    const told = await tellSpace(space);
    await toFolder(space, back);
    expect(await tellSpace(space)).toEqual(told);
  });

  it("PG-3 copies an empty root, and one whose folder is not there", async () => {
    const [folder, back, space] = [join(scratchFolder(), "none"), join(scratchFolder(), "new/deep"), newSpace()];
    expect(await toSpace(folder, space)).toMatchObject({ operations: 0, documents: 0 });
    expect(existsSync(folder)).toBe(false);
    expect(await toFolder(space, back)).toMatchObject({ operations: 0, documents: 0 });
    expect(readdirSync(back)).toEqual([".recollect"]);
  });

  it("PG-3 copies what was written to a database at first, moves and removals among it", async () => {
    const [back, space] = [scratchFolder(), newSpace()];
    const { store } = await openSpace(space);
    const documents = createDocuments({ roots: [{ name: "notes", policy: fullAccess, store }] });
    await documents.write(at("a.md"), "one", { ...ada, reason: "why" });
    await documents.write(at("a.md"), "two", bob);
    await documents.move(at("a.md"), at("deep/er/b.md"), ada);
    await documents.write(at("c.md"), "three", ada);
    await documents.remove(at("c.md"), bob);
    await toFolder(space, back);
    expect(await tellFolder(back)).toEqual(await tellSpace(space));
  });

  it("PG-3 goes on with what is new, both ways, and says where nothing is", async () => {
    const [folder, back, space] = [scratchFolder(), scratchFolder(), newSpace()];
    await fillFolder(folder);
    expect((await toSpace(folder, space)).operations).toBeGreaterThan(14);
    expect(await toSpace(folder, space)).toMatchObject({ operations: 0, documents: 0 });
    await toFolder(space, back);
    expect(await toFolder(space, back)).toMatchObject({ operations: 0, documents: 0 });
    const { documents } = openWorld(folder);
    await documents.write(at("late.md"), "newer", bob);
    await documents.remove(at("sub/moved.md"), bob);
    await documents.remove(at("log/today.md"), bob);
    await documents.write(at("log/today.md/now-a-folder.md"), "x", bob);
    expect(await toSpace(folder, space)).toMatchObject({ operations: 4 });
    expect(await toFolder(space, back)).toMatchObject({ operations: 4, documents: 4 });
    expect(await tellFolder(back)).toEqual(await tellFolder(folder));
  });

  it("PG-3 goes on the other way where work went on in the copy", async () => {
    const [folder, space] = [scratchFolder(), newSpace()];
    await fillFolder(folder);
    await toSpace(folder, space);
    const { store } = await openSpace(space);
    const documents = createDocuments({ roots: [{ name: "notes", policy: fullAccess, store }] });
    await documents.remove(at("sub/moved.md"), ada);
    await documents.write(at("sub"), "a document where a folder was", ada);
    await documents.write(at("a.md"), "from the database", ada);
    expect(await toFolder(space, folder)).toMatchObject({ operations: 3, documents: 3 });
    expect(readFileSync(join(folder, "sub"), "utf8")).toBe("a document where a folder was");
    await openWorld(folder).documents.write(at("a.md"), "from the folder", bob);
    expect(await toSpace(folder, space)).toMatchObject({ operations: 1 });
    expect(await tellSpace(space)).toEqual(await tellFolder(folder));
    const { store: files } = openWorld(folder);
    expect((await verifyRoot({ trail: files.trail("notes"), env: process.env })).findings).toEqual([]);
  });
});

describe("a copy to where something else is", () => {
  it("PG-3 is refused by a space that holds something else, or was written to since, and changes nothing", async () => {
    const [folder, space] = [scratchFolder(), newSpace()];
    const { store } = await openSpace(space);
    await store.commit(
      [at("x.md")].map(store.resolve),
      () => [{ kind: "put", at: at("x.md"), content: "theirs" }],
      ada,
    );
    await fillFolder(folder);
    const told = await tellSpace(space);
    await expect(toSpace(folder, space)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    expect(await tellSpace(space)).toEqual(told);
    const other = newSpace();
    await toSpace(folder, other);
    const since = (await openSpace(other)).store;
    await since.commit(
      [at("x.md")].map(since.resolve),
      () => [{ kind: "put", at: at("x.md"), content: "theirs" }],
      ada,
    );
    await expect(toSpace(folder, other)).rejects.toThrow(/written to since.*Choose an empty one/);
  });

  it("PG-3 ends where somebody else writes in the space meanwhile, and loses nothing of what they wrote", async () => {
    const [folder, space] = [scratchFolder(), newSpace()];
    await fillFolder(folder);
    const { store } = await openSpace(space);
    let writing: Promise<unknown> | undefined;
    const database = await sharedDatabase();
    const meddling: typeof database = {
      ...database,
      // Before the first transaction of the copy.
      transaction: async (spaces, work) => {
        writing ??= store.commit(
          [at("x.md")].map(store.resolve),
          () => [{ kind: "put", at: at("x.md"), content: "theirs" }],
          ada,
        );
        await writing;
        return database.transaction(spaces, work);
      },
    };
    await expect(toSpace(folder, space, { database: meddling })).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await tellSpace(space)).documents.map(({ path }) => path)).toEqual(["x.md"]);
  });

  it("PG-3 is refused by a folder that holds other documents, with or without a history", async () => {
    const [folder, plain, space] = [scratchFolder(), scratchFolder(), newSpace()];
    await fillFolder(folder);
    await toSpace(folder, space);
    writeFileSync(join(plain, "mine.md"), "mine");
    await expect(toFolder(space, plain)).rejects.toThrow(/mine\.md.*Choose an empty one/);
    expect(readdirSync(plain)).toEqual(["mine.md"]);
    const known = scratchFolder();
    await openWorld(known).documents.write(at("mine.md"), "mine", ada);
    await expect(toFolder(space, known)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    expect(readdirSync(known).toSorted()).toEqual([".recollect", "mine.md"]);
  });

  it("PG-3 is refused where the history of the source is damaged", async () => {
    const [folder, space] = [scratchFolder(), newSpace()];
    await fillFolder(folder);
    await tellFolder(folder);
    const packs = join(folder, ".recollect/history/objects/pack");
    for (const name of readdirSync(packs).filter((one) => one.endsWith(".pack"))) {
      execFileSync("chmod", ["u+w", join(packs, name)]);
      const bytes = readFileSync(join(packs, name));
      writeFileSync(join(packs, name), bytes.fill(0x55, 40, 80));
    }
    await expect(toSpace(folder, space)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    expect((await tellSpace(space)).operations).toEqual([]);
  });

  it("PG-3 leaves alone what is no document, such as a repository around it", async () => {
    const [folder, back, space] = [scratchFolder(), scratchFolder(), newSpace()];
    await fillFolder(folder);
    await toSpace(folder, space);
    mkdirSync(join(back, ".git"));
    writeFileSync(join(back, ".git/HEAD"), "ref: refs/heads/main\n");
    await toFolder(space, back);
    expect(await tellFolder(back)).toEqual(await tellFolder(folder));
    expect(readFileSync(join(back, ".git/HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
  });
});
