import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type Current,
  createDocuments,
  type DocumentPath,
  fullAccess,
  type MountedRoot,
  type Operation,
  openFilesStore,
  operations,
  RecollectError,
  readOnly,
  type Store,
} from "../../src/app.ts";
import { at, openNotes, scratchFolder, stamp } from "../backends/files/scratch.ts";

function withPolicy(...allowed: Operation[]) {
  const { store } = openNotes(scratchFolder());
  return createDocuments({ roots: [{ name: "notes", policy: new Set(allowed), store }] });
}

describe("documents", () => {
  it.each(operations)("KER-8 refuse %s where only that is not allowed", async (operation) => {
    const documents = withPolicy(...operations.filter((other) => other !== operation));
    const calls: Record<Operation, () => Promise<unknown>> = {
      list: () => documents.list({ root: "notes" }),
      read: () => documents.read(at("a.md")),
      write: () => documents.write(at("a.md"), "x", stamp),
      append: () => documents.append(at("a.md"), "x", stamp),
      delete: () => documents.remove(at("a.md"), stamp),
      move: () => documents.move(at("a.md"), at("b.md"), stamp),
    };
    await expect(calls[operation]()).rejects.toMatchObject({ code: "NOT_ALLOWED", data: { root: "notes", operation } });
    for (const other of operations.filter((one) => one !== operation)) {
      if (operation === "write" && other === "move") continue;
      await expect(calls[other]()).resolves.not.toThrow();
    }
  });

  it.each(["write", "append", "delete", "move"] as const)(
    "KER-8 answer READ_ONLY to %s where nothing may change",
    async (operation) => {
      const { store } = openNotes(scratchFolder());
      const documents = createDocuments({ roots: [{ name: "notes", policy: readOnly, store }] });
      const calls = {
        write: () => documents.write(at("a.md"), "x", stamp),
        append: () => documents.append(at("a.md"), "x", stamp),
        delete: () => documents.remove(at("a.md"), stamp),
        move: () => documents.move(at("a.md"), at("b.md"), stamp),
      };
      await expect(calls[operation]()).rejects.toMatchObject({ code: "READ_ONLY" });
    },
  );

  it("KER-8 refuse a move from where nothing may change before they look at its target", async () => {
    const { store } = openNotes(scratchFolder());
    const documents = createDocuments({ roots: [{ name: "notes", policy: readOnly, store }] });
    for (const to of [at("b.md", "nowhere"), { root: "notes", path: "../b.md" as DocumentPath }]) {
      await expect(documents.move(at("a.md"), to, stamp)).rejects.toMatchObject({ code: "READ_ONLY" });
    }
  });

  describe("an address", () => {
    function counting() {
      const { store } = openNotes(scratchFolder());
      const asked: string[] = [];
      const resolve: Store["resolve"] = (address) => {
        asked.push(`${address.root}/${address.path}`);
        return store.resolve(address);
      };
      const documents = (policy: MountedRoot["policy"]) =>
        createDocuments({ roots: [{ name: "notes", policy, store: { ...store, resolve } }] });
      return { asked, documents };
    }

    it("KER-2 is resolved once, by whichever operations of the kernel it passes", async () => {
      const { asked, documents } = counting();
      const notes = documents(fullAccess);
      const place = notes.resolve(at("a.md"));
      await notes.write(place, "one\n", stamp);
      expect((await notes.read(place))?.content).toBe("one\n");
      await notes.commit([place], (current) => [{ kind: "put", at: place, content: `${current(place)?.rev}` }], stamp);
      expect(asked).toEqual(["notes/a.md"]);
    });

    it("KER-2 that only looks like a resolved one is resolved, and so is one from another session", async () => {
      const { asked, documents } = counting();
      const notes = documents(fullAccess);
      const place = notes.resolve(at("a.md"));
      await notes.read({ ...place });
      expect(asked).toHaveLength(2);
      await expect(documents(readOnly).write(place, "x", stamp)).rejects.toMatchObject({ code: "READ_ONLY" });
      const outside = { root: "notes", path: "../a.md" as DocumentPath };
      await expect(notes.read(outside)).rejects.toMatchObject({ code: "INVALID_PATH" });
      expect(Object.isFrozen(place)).toBe(true);
    });

    it.each([".git/config", "../outside.md", "other.md"])(
      "KER-2 is what it was when the operation began, also where the caller's object becomes %s",
      async (later) => {
        const { documents } = openNotes(scratchFolder());
        const begin = async <Result>(run: (given: ReturnType<typeof at>) => Result | Promise<Result>) => {
          const given = { ...at("a.md") };
          const begun = run(given);
          given.path = later as DocumentPath;
          return begun;
        };
        await begin((given) => documents.write(given, "one\n", stamp));
        await begin((given) => documents.append(given, "two\n", stamp));
        const place = await begin(documents.resolve);
        expect((await documents.read(place))?.content).toBe("one\ntwo\n");
        expect((await begin(documents.read))?.content).toBe("one\ntwo\n");
        await begin((given) => documents.move(given, at("b.md"), stamp));
        expect(await begin((given) => documents.remove(given, stamp))).toBeUndefined();
        expect((await documents.list({ root: "notes" })).entries.map(({ path }) => path)).toEqual(["b.md"]);
      },
    );

    it("WEB-2 is of no root where it names a hidden one, also in an operation on what lies in there", async () => {
      const folder = scratchFolder();
      mkdirSync(join(folder, "hidden"));
      const store = openFilesStore({
        now: Date.now,
        roots: [
          { name: "notes", folder },
          { name: "hidden", folder: join(folder, "hidden") },
        ],
      });
      onTestFinished(() => store.close());
      const documents = createDocuments({
        roots: [
          { name: "notes", policy: fullAccess, store },
          { name: "hidden", policy: fullAccess, store, isHidden: true },
        ],
      });
      const plan = (current: Current) => (current(at("a.md", "hidden")) ? "there" : "nothing");
      await expect(documents.commit([at("hidden/a.md")], plan, stamp)).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("KER-1 that breaks the rules makes the promise of a commit fail, and never throws before there is one", async () => {
      const { documents } = openNotes(scratchFolder());
      const outside = { root: "notes", path: "../a.md" as DocumentPath };
      const begun = documents.commit([outside], () => [], stamp);
      await expect(begun).rejects.toMatchObject({ code: "INVALID_PATH" });
    });
  });

  it("KER-12 refuse a text that is too large before the store is asked for anything", async () => {
    const { store } = openNotes(scratchFolder());
    let commits = 0;
    const commit: Store["commit"] = (...request) => {
      commits += 1;
      return store.commit(...request);
    };
    const documents = createDocuments({
      limits: { documentBytes: 3 },
      roots: [{ name: "notes", policy: fullAccess, store: { ...store, commit } }],
    });
    await documents.write(at("a.md"), "one", stamp);
    const begun = documents.write(at("a.md"), "four", stamp, { mustNotExist: true });
    await expect(begun).rejects.toMatchObject({ code: "TOO_LARGE" });
    expect(commits).toBe(1);
  });

  it("SRCH-3 are changed when whoever follows them has done so", async () => {
    const { store } = openNotes(scratchFolder());
    const followed: string[] = [];
    const documents = createDocuments({
      roots: [{ name: "notes", policy: fullAccess, store }],
      committed: async (outcomes) => {
        await new Promise((resolve) => setImmediate(resolve));
        followed.push(...outcomes.map(({ at: { path } }) => path));
      },
    });
    await documents.write(at("a.md"), "x", stamp);
    expect(followed).toEqual(["a.md"]);
    await documents.remove(at("a.md"), stamp);
    expect(followed).toEqual(["a.md", "a.md"]);
  });

  it("KER-6 ifRev and must-not-exist lose with the revision that is there, and write nothing", async () => {
    const { documents } = openNotes(scratchFolder());
    const first = await documents.write(at("a.md"), "one", stamp, { mustNotExist: true });
    const rev = first.kind === "committed" ? first.outcome.rev : undefined;
    expect(await documents.write(at("a.md"), "two", stamp, { mustNotExist: true })).toEqual({
      kind: "conflict",
      at: at("a.md"),
      current: rev,
    });
    const stale = { ifRev: "0".repeat(32) as NonNullable<typeof rev> };
    for (const change of [
      () => documents.write(at("a.md"), "two", stamp, stale),
      () => documents.append(at("a.md"), "two", stamp, stale),
      () => documents.remove(at("a.md"), stamp, stale),
      () => documents.move(at("a.md"), at("b.md"), stamp, stale),
    ]) {
      expect(await change()).toMatchObject({ kind: "conflict", current: rev });
    }
    expect((await documents.read(at("a.md")))?.content).toBe("one");
    expect(await documents.remove(at("a.md"), stamp, rev ? { ifRev: rev } : {})).toMatchObject({ kind: "committed" });
    expect(await documents.write(at("a.md"), "x", stamp, stale)).toMatchObject({
      kind: "conflict",
      current: undefined,
    });
  });

  it("KER-12 say the limit and the size of what is too large, for writes, appends and commits", async () => {
    const { store } = openNotes(scratchFolder());
    const roots: MountedRoot[] = [{ name: "notes", policy: fullAccess, store }];
    const documents = createDocuments({ roots, limits: { documentBytes: 10 } });
    const tooLarge = { code: "TOO_LARGE", data: { size: 12, limit: 10 } };
    await expect(documents.write(at("a.md"), "é".repeat(6), stamp)).rejects.toMatchObject(tooLarge);
    await documents.write(at("a.md"), "é".repeat(5), stamp);
    await expect(documents.append(at("a.md"), "xx", stamp)).rejects.toMatchObject(tooLarge);
    await expect(
      documents.commit([at("a.md")], () => [{ kind: "append", at: at("a.md"), content: "xx" }], stamp),
    ).rejects.toMatchObject(tooLarge);
    expect((await documents.read(at("a.md")))?.content).toBe("ééééé");
  });

  it("KER-12 never give a longer page than the limit", async () => {
    const { store } = openNotes(scratchFolder());
    const documents = createDocuments({
      roots: [{ name: "notes", policy: fullAccess, store }],
      limits: { pageEntries: 2 },
    });
    for (const name of ["a", "b", "c"]) await documents.write(at(name), name, stamp);
    const page = await documents.list({ root: "notes", limit: 100 });
    expect(page.entries.map((entry) => entry.path)).toEqual(["a", "b"]);
    expect(page.next).toBe("b");
  });

  it("KER-11 refuse text that cannot be written as UTF-8", async () => {
    const { documents } = openNotes(scratchFolder());
    await expect(documents.write(at("a.md"), "lone \ud800", stamp)).rejects.toMatchObject({ code: "INVALID_CONTENT" });
    await expect(documents.append(at("a.md"), "lone \ud800", stamp)).rejects.toMatchObject({ code: "INVALID_CONTENT" });
  });

  it("KER-1 check the name of what is written once more, whatever a caller without types passes", async () => {
    const { documents } = openNotes(scratchFolder());
    const forged = { root: "notes", path: "../escape.md" as DocumentPath };
    await expect(documents.write(forged, "x", stamp)).rejects.toBeInstanceOf(RecollectError);
    await expect(documents.read(forged)).rejects.toMatchObject({ code: "INVALID_PATH" });
    await expect(documents.move(forged, at("a.md"), stamp)).rejects.toMatchObject({ code: "INVALID_PATH" });
    await expect(documents.remove(forged, stamp)).rejects.toMatchObject({ code: "INVALID_PATH" });
    for (const folder of ["../../..", "a/..", "/etc", ".git"]) {
      const listing = documents.list({ root: "notes", folder: folder as DocumentPath });
      await expect(listing).rejects.toMatchObject({ code: "INVALID_PATH" });
    }
  });

  it("KER-8 refuse two roots of one name", () => {
    const { store } = openNotes(scratchFolder());
    const root = { name: "notes", policy: fullAccess, store };
    expect(() => createDocuments({ roots: [root, root] })).toThrowError(/same name/);
  });
});
