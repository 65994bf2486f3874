import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { revisionOf } from "../../../src/app.ts";
import { ada, at, bob, fsck, git, logOf, openWorld, scratchFolder, textsOf } from "../scratch.ts";

describe("recording what was written", () => {
  it("HIST-1 keeps every revision, also those overwritten within the same moment", async () => {
    const { documents, history } = openWorld(scratchFolder());
    for (const text of ["one\n", "two\n", "one\n", "three\n"]) await documents.write(at("a.md"), text, ada);
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 4 });
    expect(await textsOf(history, "a.md")).toEqual(["three\n", "one\n", "two\n", "one\n"]);
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 0 });
  });

  it("HIST-2 says who did what, when and why, as the server stamped it", async () => {
    const { documents, history } = openWorld(scratchFolder(), { now: () => Date.parse("2026-03-01T10:00:00.123Z") });
    const reason = "tidy up\n\nrecollect-history 1\nrecord {}";
    await documents.write(at("a.md"), "one", { author: "agent:ada <x>\n", run: "run-1", reason });
    await history.catchUp();
    const [operation] = await logOf(history, "a.md");
    expect(operation).toMatchObject({
      author: "agent:ada <x>\n",
      run: "run-1",
      reason,
      time: "2026-03-01T10:00:00.123Z",
      changes: [{ path: "a.md", kind: "put", rev: revisionOf(Buffer.from("one")), was: undefined }],
    });
  });

  it("goes on in another process, under another name of the root, and doubles nothing", async () => {
    const folder = scratchFolder();
    const first = openWorld(folder);
    await first.documents.write(at("a.md"), "one", ada);
    await first.documents.write(at("sub/b.md"), "one", ada);
    await first.history.catchUp();
    await first.documents.write(at("a.md"), "two", bob);
    await first.close();
    const second = openWorld(folder, { root: "other name" });
    expect(await second.history.catchUp()).toEqual({ kind: "recorded", operations: 1 });
    expect(await textsOf(second.history, "a.md")).toEqual(["two", "one"]);
    rmSync(join(folder, ".recollect/history/recollect-state.json"));
    const third = openWorld(folder);
    await third.documents.write(at("a.md"), "three", bob);
    expect(await third.history.catchUp()).toEqual({ kind: "recorded", operations: 1 });
    expect(await textsOf(third.history, "a.md")).toEqual(["three", "two", "one"]);
    expect(fsck(folder)).toBe("");
  });

  it("HIST-1 drops what was kept for it once it is in history", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    for (const text of ["one", "two", "three"]) await documents.write(at("a.md"), text, ada);
    await history.catchUp();
    expect(readdirSync(join(folder, ".recollect")).filter((name) => name.startsWith("kept-"))).toEqual([]);
  });

  it("HIST-1 takes the records of one operation as one", async () => {
    const { documents, history } = openWorld(scratchFolder());
    await documents.commit(
      [at("a.md"), at("sub/b.md")],
      () => [
        { kind: "put", at: at("a.md"), content: "a" },
        { kind: "put", at: at("sub/b.md"), content: "b" },
      ],
      ada,
    );
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 1 });
    const { operations } = await history.log({ limit: 10 });
    expect(operations.map(({ changes }) => changes.map(({ path }) => path))).toEqual([["a.md", "sub/b.md"]]);
  });

  it("HIST-1 follows a document to where it was moved from", async () => {
    const { documents, history } = openWorld(scratchFolder());
    await documents.write(at("a.md"), "one", ada);
    await documents.write(at("a.md"), "two", ada);
    await documents.move(at("a.md"), at("sub/b.md"), ada);
    await documents.write(at("sub/b.md"), "three", ada);
    await documents.write(at("a.md"), "another", ada);
    await history.catchUp();
    expect(await textsOf(history, "sub/b.md")).toEqual(["three", "two", "two", "one"]);
    expect(await textsOf(history, "a.md")).toEqual(["another", undefined, "two", "one"]);
    const pages = [];
    for (let after: string | undefined, more = true; more; ) {
      const page = await history.log({ path: at("sub/b.md").path, limit: 1, ...(after ? { after } : {}) });
      pages.push(page.operations.map(({ changes }) => changes[0]?.path));
      after = page.next;
      more = after !== undefined;
    }
    expect(pages).toEqual([["sub/b.md"], ["sub/b.md"], ["a.md"], ["a.md"]]);
  });

  it("HIST-1 keeps bytes that are no text, names that mean something to git, and large documents", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    const odd = [
      "git~1",
      "GITMOD~1",
      "=x",
      "a b.md",
      "ä ü.md",
      '"q".md',
      "-dash.md",
      "line\nend.md",
      "x\\.git",
      "~t",
      "$(id).md",
    ];
    for (const name of odd) writeFileSync(join(folder, name), `of ${name}`);
    mkdirSync(join(folder, "-r"));
    writeFileSync(join(folder, "-r/.hidden.md"), "passed over");
    writeFileSync(join(folder, "-r/--all"), "dash");
    const bytes = Buffer.from([0xff, 0xfe, 0, 1, 10, 0x80]);
    writeFileSync(join(folder, "binary.md"), bytes);
    writeFileSync(join(folder, "large.md"), "x".repeat(17 * 1024 * 1024));
    await documents.write(at("plain.md"), "plain", ada);
    await history.catchUp();
    for (const name of odd) expect(await textsOf(history, name), name).toEqual([`of ${name}`]);
    expect(await textsOf(history, "-r/--all")).toEqual(["dash"]);
    expect(await textsOf(history, "-r/.hidden.md")).toEqual([]);
    const [imported] = await logOf(history, "binary.md");
    const [content] = await history.contents([{ id: imported?.id ?? "", path: at("binary.md").path, side: "after" }]);
    expect(Buffer.from(content ?? []).equals(bytes)).toBe(true);
    expect((await textsOf(history, "large.md"))[0]?.length).toBe(17 * 1024 * 1024);
    expect(fsck(folder)).toBe("");
  });

  it("HIST-1 puts a folder in the place of a document, and a document in the place of a folder", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    await documents.write(at("a"), "document", ada);
    await documents.remove(at("a"), ada);
    await documents.write(at("a/b"), "below", ada);
    await history.catchUp();
    rmSync(join(folder, "a"), { recursive: true });
    await documents.write(at("a"), "document again", ada);
    await history.catchUp();
    expect(await textsOf(history, "a/b")).toEqual([undefined, "below"]);
    expect((await textsOf(history, "a"))[0]).toBe("document again");
    expect(fsck(folder)).toBe("");
  });
});

describe("what others did", () => {
  it("HIST-1 takes what is there at first as an import", async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "old.md"), "old");
    writeFileSync(join(folder, "b.md"), "before");
    const { documents, history } = openWorld(folder);
    await documents.write(at("b.md"), "after", ada);
    await history.catchUp();
    expect(await textsOf(history, "b.md")).toEqual(["after", "before"]);
    expect((await logOf(history, "b.md")).map(({ author }) => author)).toEqual(["agent:ada", "outside"]);
    const { operations } = await history.log({ limit: 10 });
    expect(
      operations
        .at(-1)
        ?.changes.map(({ path, kind }) => [path, kind])
        .sort(),
    ).toEqual([
      ["b.md", "import"],
      ["old.md", "import"],
    ]);
  });

  it("HIST-1 notices edits, new documents, deletions and renames by hand", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    for (const name of ["a.md", "b.md", "c.md"]) await documents.write(at(name), `${name} one`, ada);
    await history.catchUp();
    writeFileSync(join(folder, "a.md"), "by hand");
    rmSync(join(folder, "b.md"));
    renameSync(join(folder, "c.md"), join(folder, "d.md"));
    writeFileSync(join(folder, "e.md"), "new");
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 1 });
    expect(await textsOf(history, "a.md")).toEqual(["by hand", "a.md one"]);
    expect(await textsOf(history, "b.md")).toEqual([undefined, "b.md one"]);
    expect(await textsOf(history, "d.md")).toEqual(["c.md one", "c.md one"]);
    const { operations } = await history.log({ limit: 1 });
    expect(operations[0]).toMatchObject({ author: "outside" });
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 0 });
  });

  it("HIST-1 keeps an edit by hand that a write replaced before it was seen", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    await documents.write(at("a.md"), "one", ada);
    await history.catchUp();
    writeFileSync(join(folder, "a.md"), "by hand");
    await documents.write(at("a.md"), "two", ada);
    await documents.write(at("a.md"), "three", ada);
    rmSync(join(folder, "a.md"));
    await documents.write(at("a.md"), "four", bob);
    await history.catchUp();
    const told = (await logOf(history, "a.md")).map(({ author }) => author);
    expect(told).toEqual(["person:bob", "outside", "agent:ada", "agent:ada", "outside", "agent:ada"]);
    expect(await textsOf(history, "a.md")).toEqual(["four", undefined, "three", "two", "by hand", "one"]);
  });
});

describe("where history lies", () => {
  it("keeps none of a read-only root, and says so", async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "a.md"), "one");
    const { history } = openWorld(folder, { store: { roots: [{ name: "notes", folder, readOnly: true }] } });
    expect(await history.catchUp()).toEqual({ kind: "none", reason: expect.stringContaining("read-only") });
    expect(readdirSync(folder)).toEqual(["a.md"]);
    expect(await history.log({ limit: 10 })).toEqual({ operations: [], next: undefined });
  });

  it("KER-3 makes nothing for an empty root, nor for one that is not there", async () => {
    const folder = scratchFolder();
    expect(await openWorld(folder).history.catchUp()).toEqual({ kind: "recorded", operations: 0 });
    expect(readdirSync(folder)).toEqual([]);
    await openWorld(join(folder, "missing")).history.catchUp();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("HIST-1 records a document in the root that owns it", async () => {
    const folder = scratchFolder();
    const roots = [
      { name: "notes", folder },
      { name: "inner", folder: join(folder, "inner") },
    ];
    const outer = openWorld(folder, { store: { roots } });
    const inner = openWorld(folder, { store: { roots }, root: "inner" });
    await outer.documents.write(at("a.md"), "outer", ada);
    await outer.documents.write(at("inner/b.md"), "inner", ada);
    await outer.history.catchUp();
    await inner.history.catchUp();
    expect(await textsOf(outer.history, "inner/b.md")).toEqual([]);
    expect(await textsOf(inner.history, "b.md")).toEqual(["inner"]);
    const alone = openWorld(folder);
    await alone.documents.write(at("inner/b.md"), "by somebody who knows the outer one alone", ada);
    expect(await alone.history.catchUp()).toEqual({ kind: "recorded", operations: 0 });
    await inner.history.catchUp();
    expect(await textsOf(inner.history, "b.md")).toEqual(["by somebody who knows the outer one alone", "inner"]);
  });

  it("begins anew where it was deleted, with what is there and what the journals still tell", async () => {
    const folder = scratchFolder();
    const first = openWorld(folder);
    await first.documents.write(at("a.md"), "one", ada);
    await first.documents.write(at("a.md"), "two", ada);
    await first.documents.write(at("sub/b.md"), "three", bob);
    await first.history.catchUp();
    await first.close();
    rmSync(join(folder, ".recollect/history"), { recursive: true });
    const second = openWorld(folder);
    await second.history.catchUp();
    expect(await textsOf(second.history, "a.md")).toEqual(["two"]);
    expect((await logOf(second.history, "sub/b.md")).map(({ author }) => author)).toEqual(["person:bob"]);
    expect(fsck(folder)).toBe("");
  });

  it("MEM-4 what changed last is still known after it was recorded", async () => {
    const { documents, history } = openWorld(scratchFolder());
    await documents.write(at("a.md"), "one", ada);
    await documents.write(at("b.md"), "two", ada);
    await history.catchUp();
    const recent = await documents.recent({ root: "notes", limit: 10 });
    expect(recent.map(({ path }) => path).sort()).toEqual(["a.md", "b.md"]);
  });

  it("keeps the lines of the journals byte for byte, in their order", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    for (const text of ["one", "two", "three"]) {
      await documents.write(at("sub/a.md"), text, { ...ada, reason: `grün\n"${text}"` });
      await history.catchUp();
    }
    const lines = readFileSync(join(folder, "sub/.recollect/journal"), "utf8").trimEnd().split("\n").slice(1);
    const kept = git(folder, "log", "--reverse", "--format=%B").split("\n");
    expect(kept.filter((line) => line.startsWith("record ")).map((line) => line.slice(7))).toEqual(lines);
    expect(kept).toContain('in "sub"');
  });

  it("moves with its folder", async () => {
    const folder = scratchFolder();
    const first = openWorld(join(folder, "old"));
    await first.documents.write(at("a.md"), "one", ada);
    await first.history.catchUp();
    await first.documents.write(at("a.md"), "two", ada);
    await first.close();
    renameSync(join(folder, "old"), join(folder, "new"));
    const second = openWorld(join(folder, "new"));
    await second.history.catchUp();
    expect(await textsOf(second.history, "a.md")).toEqual(["two", "one"]);
  });

  it("HIST-3 can be read by ordinary git", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    await documents.write(at("a.md"), "one\n", { ...ada, reason: "because" });
    await history.catchUp();
    expect(git(folder, "show", "HEAD:a.md")).toBe("one\n");
    expect(git(folder, "log", "--format=%an: %s")).toBe("agent:ada: create a.md\n");
    expect(git(folder, "log", "--format=%b")).toContain("> because");
  });

  it("HIST-3 says so where there is no git, and loses nothing where git fails", async () => {
    const folder = scratchFolder();
    const programs = scratchFolder();
    const env = { PATH: programs };
    const without = openWorld(folder, { env });
    await without.documents.write(at("a.md"), "one", ada);
    expect(await without.history.catchUp()).toEqual({ kind: "none", reason: expect.stringContaining("Install git") });
    writeFileSync(join(programs, "git"), "#!/bin/sh\necho 'fatal: No space left on device' >&2\nexit 128\n", {
      mode: 0o755,
    });
    await without.documents.write(at("a.md"), "two", ada);
    await expect(without.history.catchUp()).rejects.toMatchObject({ code: "DISK_FULL" });
    const { history } = openWorld(folder);
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 2 });
    expect(await textsOf(history, "a.md")).toEqual(["two", "one"]);
  });

  it("KER-2 refuses a repository that came from somebody else", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    await documents.write(at("a.md"), "one", ada);
    const place = join(folder, ".recollect/history");
    mkdirSync(join(place, "hooks"), { recursive: true });
    const trap = join(folder, "trapped");
    writeFileSync(join(place, "hooks/reference-transaction"), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
    await history.catchUp();
    expect(await textsOf(history, "a.md")).toEqual(["one"]);
    expect(existsSync(trap)).toBe(false);
    writeFileSync(join(place, "config"), `[core]\n\tbare = true\n\tfsmonitor = touch ${trap}\n`);
    await documents.write(at("a.md"), "two", ada);
    await expect(history.catchUp()).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await expect(history.log({ limit: 1 })).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    expect(existsSync(trap)).toBe(false);
  });
});
