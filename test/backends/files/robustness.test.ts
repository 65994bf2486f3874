import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createDocuments,
  fullAccess,
  type Operation,
  openFilesStore,
  parseExistingPath,
  readOnly,
  revisionOf,
} from "../../../src/app.ts";
import { openByPath } from "../../../src/backends/files/directory.ts";
import { readTrail, readTrails } from "../../helpers/written-records.ts";
import { at, openNotes, scratchFolder, stamp } from "./scratch.ts";

const rev = (text: string) => revisionOf(Buffer.from(text));

/** A plan that lets somebody else act between our reading of the document and our writing. */
function meanwhile(act: () => void): () => { kind: "put"; at: ReturnType<typeof at>; content: string }[] {
  let first = true;
  return () => {
    if (first) act();
    first = false;
    return [{ kind: "put", at: at("a.md"), content: "ours" }];
  };
}

describe("a person's editor beside a write", () => {
  it("KER-6b an edit in place during our write is kept as a revision", async () => {
    const folder = scratchFolder();
    const { store, documents } = openNotes(folder);
    await documents.write(at("a.md"), "old", stamp);
    const edit = meanwhile(() => appendFileSync(join(folder, "a.md"), " and edited"));
    await store.commit([at("a.md")].map(store.resolve), edit, stamp);
    expect(await (await readTrail(store.trail("notes"))).textOf("a.md", rev("old and edited"))).toBe("old and edited");
    expect((await documents.read(at("a.md")))?.content).toBe("ours");
  });

  it("KER-6b a save by rename is kept, also where the text before was superseded once already", async () => {
    const folder = scratchFolder();
    const { store, documents } = openNotes(folder);
    for (const text of ["A", "B", "A"]) await documents.write(at("a.md"), text, stamp);
    const save = meanwhile(() => {
      writeFileSync(join(folder, "saved"), "theirs");
      renameSync(join(folder, "saved"), join(folder, "a.md"));
    });
    await store.commit([at("a.md")].map(store.resolve), save, stamp);
    expect(await (await readTrail(store.trail("notes"))).textOf("a.md", rev("theirs"))).toBe("theirs");
  });

  it("KER-2 a document with a second name of ours stays readable after an edit in place", async () => {
    const folder = scratchFolder();
    const { documents } = openNotes(folder);
    await documents.write(at("a.md"), "old", stamp);
    // As a process leaves it that was killed between keeping and replacing, once history has the copy.
    rmSync(join(folder, `.recollect/kept-${rev("old")}`));
    linkSync(join(folder, "a.md"), join(folder, `.recollect/kept-${rev("old")}`));
    appendFileSync(join(folder, "a.md"), "er");
    expect((await documents.read(at("a.md")))?.content).toBe("older");
    expect((await documents.append(at("a.md"), "!", stamp)).kind).toBe("committed");
  });
});

describe("closing and moving", () => {
  it("KER-2 close waits for what is under way, which cannot end in another folder then", async () => {
    const [a, b] = [scratchFolder(), scratchFolder()];
    for (let round = 0; round < 10; round += 1) {
      const first = openFilesStore({ roots: [{ name: "notes", folder: a }], now: Date.now, blockingSync: false });
      const writing = first.commit(
        [at(`${round}.md`)].map(first.resolve),
        () => [{ kind: "put", at: at(`${round}.md`), content: "x" }],
        stamp,
      );
      const closing = first.close();
      const second = openFilesStore({ roots: [{ name: "notes", folder: b }], now: Date.now });
      await second.read(second.resolve(at("x.md")));
      await Promise.all([writing, closing]);
      await second.close();
    }
    expect(readdirSync(a).filter((name) => name.endsWith(".md"))).toHaveLength(10);
    expect(readdirSync(b)).toEqual([]);
  });

  it("KER-2 a root that was moved away gets no more writes; the path decides", async () => {
    const base = scratchFolder();
    const { documents } = openNotes(join(base, "notes"));
    await documents.write(at("a.md"), "one", stamp);
    renameSync(join(base, "notes"), join(base, "trash"));
    expect(await documents.read(at("a.md"))).toBeUndefined();
    await documents.write(at("a.md"), "two", stamp);
    expect(readFileSync(join(base, "trash/a.md"), "utf8")).toBe("one");
    expect(readFileSync(join(base, "notes/a.md"), "utf8")).toBe("two");
  });

  it("KER-5 concurrent writes of one process survive a deleted auxiliary folder", async () => {
    const folder = scratchFolder();
    const { documents } = openNotes(folder, { blockingSync: false });
    for (let round = 0; round < 10; round += 1) {
      await documents.append(at("a.md"), ".", stamp);
      rmSync(join(folder, ".recollect"), { recursive: true });
      await Promise.all([1, 2, 3].map(() => documents.append(at("a.md"), ".", stamp)));
    }
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe(".".repeat(40));
  });

  it("KER-10 a place that takes no folders is an error, not an endless loop", async () => {
    const { documents } = openNotes("/proc/recollect-cannot-be-made");
    await expect(documents.write(at("a.md"), "x", stamp)).rejects.toHaveProperty("code");
  });

  it("KER-7 begins again where a folder appears that was missing when the operation began", async () => {
    const folder = scratchFolder();
    const { store } = openNotes(folder);
    const runs: (string | undefined)[] = [];
    const result = await store.commit(
      [at("late/x.md"), at("a.md")].map(store.resolve),
      (current) => {
        runs.push(current(at("late/x.md"))?.content);
        if (runs.length === 1) {
          mkdirSync(join(folder, "late"));
          writeFileSync(join(folder, "late/x.md"), "came late");
        }
        const content = current(at("late/x.md"))?.content ?? "nothing";
        return [{ kind: "put" as const, at: at("a.md"), content }];
      },
      stamp,
    );
    expect(result.kind).toBe("committed");
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("came late");
  });
});

describe("what came with a clone", () => {
  const intent = (folders: readonly string[]) =>
    JSON.stringify({ recollect: "intent", format: 1, batch: "b", coordinator: "", folders, steps: [], records: [] });

  it("KER-2 an intent leads into no .git", async () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, ".git/hooks"), { recursive: true });
    mkdirSync(join(folder, ".recollect"));
    writeFileSync(join(folder, ".recollect/intent"), intent(["", ".git", ".git/hooks"]));
    writeFileSync(join(folder, "a.md"), "a");
    const { documents } = openNotes(folder);
    expect((await documents.read(at("a.md")))?.content).toBe("a");
    await expect(documents.write(at("a.md"), "b", stamp)).rejects.toMatchObject({ code: "RECOVERY_NEEDED" });
    expect(readdirSync(join(folder, ".git"))).toEqual(["hooks"]);
    expect(readdirSync(join(folder, ".git/hooks"))).toEqual([]);
  });

  it("KER-8 an intent changes nothing in a root that is only read", async () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, ".recollect"));
    writeFileSync(join(folder, "a.md"), "mine");
    writeFileSync(join(folder, ".recollect/new-0"), "theirs");
    const steps = [{ name: "a.md", rev: rev("theirs"), was: rev("mine"), fresh: 0 }];
    writeFileSync(join(folder, ".recollect/intent"), JSON.stringify({ ...JSON.parse(intent([""])), steps }));
    const store = openFilesStore({ roots: [{ name: "notes", folder, readOnly: true }], now: Date.now });
    onTestFinished(() => store.close());
    const documents = createDocuments({ roots: [{ name: "notes", policy: readOnly, store }] });
    expect((await documents.read(at("a.md")))?.content).toBe("mine");
    await documents.list({ root: "notes", details: true });
    await store.recover();
    expect(readdirSync(join(folder, ".recollect")).sort()).toEqual(["intent", "new-0"]);
    await expect(
      store.commit([at("a.md")].map(store.resolve), () => [{ kind: "put", at: at("a.md"), content: "x" }], stamp),
    ).rejects.toMatchObject({ code: "READ_ONLY" });
  });

  it("KER-9 journal lines that are none of ours are passed over", async () => {
    const folder = scratchFolder();
    const { store, documents } = openNotes(folder);
    await documents.write(at("a.md"), "a", stamp);
    const line = { kind: "put", name: "b.md", time: "t", author: "x" };
    for (const odd of [{ ...line, other: 5 }, { ...line, name: "../../etc/passwd" }, { ...line, rev: "no" }, 7, null]) {
      appendFileSync(join(folder, ".recollect/journal"), `${JSON.stringify(odd)}\n`);
    }
    expect((await readTrails(store)).map(({ path }) => path)).toEqual(["a.md"]);
  });

  const withLock = (bytes: Buffer) => {
    const folder = scratchFolder();
    mkdirSync(join(folder, ".recollect"));
    const lock = join(folder, ".recollect", "lock".padEnd(252, "_"));
    writeFileSync(lock, bytes);
    return { lock, ...openNotes(folder) };
  };

  it.each([
    ["garbage", Buffer.alloc(512, 7)],
    ["zeros", Buffer.alloc(512)],
    ["nothing", Buffer.alloc(0)],
  ])("KER-9 a lock of %s is written anew in the same file", async (_, bytes) => {
    const { documents, lock } = withLock(bytes);
    const { ino } = statSync(lock);
    expect(await documents.write(at("a.md"), "x", stamp)).toMatchObject({ kind: "committed" });
    expect(statSync(lock).ino).toBe(ino);
    expect(readFileSync(lock, "latin1")).toContain("SQLite format 3");
  });

  it("KER-9 a lock that is too long to be one is refused with what to do", async () => {
    const { documents } = withLock(Buffer.alloc(4096, 7));
    await expect(documents.write(at("a.md"), "x", stamp)).rejects.toMatchObject({
      code: "NOT_ALLOWED",
      message: expect.stringContaining("Stop all servers, then delete it"),
    });
  });
});

describe("policies", () => {
  it("KER-8 neither a plan nor a listing shows the content where reading is not allowed", async () => {
    const folder = scratchFolder();
    const { store, documents: owner } = openNotes(folder);
    await owner.write(at("a.md"), "secret", stamp);
    const policy = new Set<Operation>(["list", "write"]);
    const documents = createDocuments({ roots: [{ name: "notes", policy, store }] });
    await expect(
      documents.commit([at("a.md")], (current) => current(at("a.md"))?.content ?? "", stamp),
    ).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
    expect((await documents.list({ root: "notes", details: true })).entries).toEqual([
      { path: "a.md", owner: "notes" },
    ]);
    expect((await documents.write(at("a.md"), "new", stamp)).kind).toBe("committed");
  });

  it("KER-8 the folder of an inner root cannot be taken by a document of the outer one", async () => {
    const folder = scratchFolder();
    const store = openFilesStore({
      now: Date.now,
      roots: [
        { name: "notes", folder },
        { name: "inner", folder: join(folder, "inner") },
      ],
    });
    onTestFinished(() => store.close());
    const documents = createDocuments({
      roots: [
        { name: "notes", policy: fullAccess, store },
        { name: "inner", policy: readOnly, store },
      ],
    });
    await expect(documents.write(at("inner"), "x", stamp)).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
    expect(existsSync(join(folder, "inner"))).toBe(false);
  });

  it.runIf(process.getuid?.() !== 0)(
    "KER-10 one folder that may not be read breaks no listing of the others",
    async () => {
      const folder = scratchFolder();
      const { store, documents } = openNotes(folder);
      await documents.write(at("a/x.md"), "x", stamp);
      await documents.write(at("b/y.md"), "y", stamp);
      chmodSync(join(folder, "a"), 0o444);
      onTestFinished(() => chmodSync(join(folder, "a"), 0o755));
      expect((await documents.list({ root: "notes" })).entries.map((entry) => entry.path)).toContain("b/y.md");
      expect((await readTrails(store)).length).toBeGreaterThan(0);
      await store.recover();
    },
  );

  it("KER-9 a name that the disk cannot take is an invalid path", async () => {
    const { documents } = openNotes(scratchFolder());
    const path = parseExistingPath("x".repeat(300));
    await expect(documents.read({ root: "notes", path })).rejects.toMatchObject({ code: "INVALID_PATH" });
  });
});

describe("many folders at once", () => {
  it("KER-5 a commit over forty folders and forty writes at once all have their locks", async () => {
    const folder = scratchFolder();
    const { store, documents } = openNotes(folder, { blockingSync: false });
    const addresses = Array.from({ length: 40 }, (_, index) => at(`f${index}/a.md`));
    await store.commit(
      addresses.map(store.resolve),
      () => addresses.map((one) => ({ kind: "put" as const, at: one, content: "x" })),
      stamp,
    );
    await Promise.all(addresses.map((one) => documents.append(one, "y", stamp)));
    for (const one of addresses) expect((await documents.read(one))?.content).toBe("xy");
  });

  it("KER-2 folder names that mean something in an address are names like any others", async () => {
    const base = scratchFolder();
    for (const name of ["C#", "a?mode=memory&b", "100%25"]) {
      const { documents } = openNotes(join(base, name), { openDirectory: openByPath });
      expect((await documents.write(at("a.md"), "x", stamp)).kind).toBe("committed");
    }
    expect(readdirSync(base).sort()).toEqual(["100%25", "C#", "a?mode=memory&b"]);
  });

  it("KER-12 pages lose no document below a name at the end of all names", async () => {
    const { documents } = openNotes(scratchFolder());
    const names = ["d/\u{10fffd}a", "d/\u{10fffd}b", "d/\u{10fffd}c", "e"];
    for (const name of names) await documents.write(at(name), name, stamp);
    const found: string[] = [];
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page: Awaited<ReturnType<typeof documents.list>> = await documents.list({ root: "notes", limit: 1, after });
      found.push(...page.entries.map((entry) => entry.path));
      after = page.next;
    }
    expect(found).toEqual(names);
  });
});

describe("one odd folder", () => {
  it.each([
    ["a file", (path: string) => writeFileSync(path, "")],
    ["a looping link", (path: string) => symlinkSync(".recollect", path)],
  ])("KER-9 whose .recollect is %s spoils no reading, listing or following", async (_, make) => {
    const folder = scratchFolder();
    const { store, documents } = openNotes(folder);
    await documents.write(at("good/a.md"), "a", stamp);
    mkdirSync(join(folder, "odd"));
    writeFileSync(join(folder, "odd/b.md"), "b");
    make(join(folder, "odd/.recollect"));
    expect((await documents.read(at("odd/b.md")))?.content).toBe("b");
    expect((await documents.list({ root: "notes" })).entries).toHaveLength(2);
    expect(await readTrails(store)).toHaveLength(1);
    await expect(documents.write(at("odd/b.md"), "c", stamp)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  });

  it.each(["journal", "intent"])("KER-9 whose %s is a folder is refused with what to do, and alone", async (name) => {
    const folder = scratchFolder();
    const { store, documents } = openNotes(folder);
    await documents.write(at("good/a.md"), "a", stamp);
    mkdirSync(join(folder, "odd/.recollect", name), { recursive: true });
    writeFileSync(join(folder, "odd/b.md"), "b");
    const failure = await documents.write(at("odd/b.md"), "c", stamp).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: expect.stringMatching(/NOT_ALLOWED|NOT_A_DOCUMENT/) });
    expect(await readTrails(store)).toHaveLength(1);
    expect((await documents.list({ root: "notes" })).entries).toHaveLength(2);
  });
});
