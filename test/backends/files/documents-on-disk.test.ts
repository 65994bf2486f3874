import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseExistingPath, revisionOf } from "../../../src/app.ts";
import { turnsDuring } from "../../helpers/turns-during.ts";
import { readTrail, readTrails } from "../../helpers/written-records.ts";
import { at, canGiveAway, openNotes, scratchFolder, stamp, writeForeignFile } from "./scratch.ts";

const isRoot = process.getuid?.() === 0;

describe("documents on disk", () => {
  it("are plain files under their own names, with an auxiliary folder that git ignores", async () => {
    const folder = scratchFolder();
    const { documents } = openNotes(folder);
    await documents.write(at("build/notes.md"), "# Build\n", stamp);
    expect(readFileSync(join(folder, "build/notes.md"), "utf8")).toBe("# Build\n");
    expect(readdirSync(join(folder, "build")).sort()).toEqual([".recollect", "notes.md"]);
    expect(readFileSync(join(folder, "build/.recollect/.gitignore"), "utf8")).toBe("*\n");
  });

  it("KER-3 reading, listing and following create nothing", async () => {
    const folder = join(scratchFolder(), "root");
    const { store, documents } = openNotes(folder);
    await documents.read(at("a/b.md"));
    await documents.list({ root: "notes", details: true });
    expect(await readTrails(store)).toEqual([]);
    await store.recover();
    await documents.remove(at("a/b.md"), stamp);
    await documents.move(at("a/b.md"), at("c/d.md"), stamp);
    await documents.write(at("a/b.md"), "x", stamp, { ifRev: revisionOf(Buffer.from("y")) });
    expect(existsSync(folder)).toBe(false);
  });

  it("KER-4 replacing keeps the mode", async () => {
    const folder = scratchFolder();
    const { documents } = openNotes(folder);
    await documents.write(at("a.md"), "one", stamp);
    chmodSync(join(folder, "a.md"), 0o604);
    await documents.write(at("a.md"), "two", stamp);
    expect(statSync(join(folder, "a.md")).mode & 0o777).toBe(0o604);
  });

  it.runIf(isRoot)("KER-4 replacing keeps the group", async () => {
    const folder = scratchFolder();
    const { documents } = openNotes(folder);
    await documents.write(at("a.md"), "one", stamp);
    chownSync(join(folder, "a.md"), 0, 4242);
    chmodSync(join(folder, "a.md"), 0o660);
    await documents.append(at("a.md"), "two", stamp);
    const { gid, mode } = statSync(join(folder, "a.md"));
    expect([gid, mode & 0o777]).toEqual([4242, 0o660]);
  });

  it("a move keeps mode and time", async () => {
    const folder = scratchFolder();
    const { documents } = openNotes(folder);
    await documents.write(at("a.md"), "one", stamp);
    chmodSync(join(folder, "a.md"), 0o640);
    utimesSync(join(folder, "a.md"), 1_700_000_000, 1_700_000_000);
    await documents.move(at("a.md"), at("sub/b.md"), stamp);
    const { mode, mtimeMs } = statSync(join(folder, "sub/b.md"));
    expect([mode & 0o777, mtimeMs]).toEqual([0o640, 1_700_000_000_000]);
  });

  it("KER-4 readers beside a writer never see half a document", async () => {
    const folder = scratchFolder();
    const writer = openNotes(folder, { blockingSync: false });
    const reader = openNotes(folder);
    const page = (letter: string) => letter.repeat(200_000);
    await writer.documents.write(at("a.md"), page("a"), stamp);
    let writing = true;
    const writes = (async () => {
      for (const letter of "bcdefghijklmnop") await writer.documents.write(at("a.md"), page(letter), stamp);
      writing = false;
    })();
    let reads = 0;
    while (writing) {
      const content = (await reader.documents.read(at("a.md")))?.content ?? "";
      expect(content === page(content.charAt(0))).toBe(true);
      reads += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writes;
    expect(reads).toBeGreaterThan(5);
  });

  it("KER-6b keeps the bytes that a person wrote over ours, once we write again", async () => {
    const folder = scratchFolder();
    const { store, documents } = openNotes(folder);
    await documents.write(at("a.md"), "ours", stamp);
    writeFileSync(join(folder, "a.md"), "theirs");
    await documents.write(at("a.md"), "ours again", stamp);
    const { records, textOf } = await readTrail(store.trail("notes"));
    expect(await textOf("a.md", revisionOf(Buffer.from("theirs")))).toBe("theirs");
    expect(records.at(-1)?.was).toBe(revisionOf(Buffer.from("theirs")));
  });

  it("KER-6b does not believe a kept revision that has other bytes than its name says", async () => {
    const folder = scratchFolder();
    const { store, documents } = openNotes(folder);
    await documents.write(at("a.md"), "one", stamp);
    const rev = revisionOf(Buffer.from("one"));
    writeFileSync(join(folder, `.recollect/kept-${rev}`), "forged");
    const { textOf } = await readTrail(store.trail("notes"));
    expect(await textOf("a.md", revisionOf(Buffer.from("forged")))).toBeUndefined();
    await documents.write(at("a.md"), "two", stamp);
    expect(await textOf("a.md", rev)).toBe("one");
  });

  it.runIf(canGiveAway)("KER-2 refuses a document that is a second name of another user's file", async () => {
    const [folder, outside] = [scratchFolder(), scratchFolder()];
    const { documents } = openNotes(folder);
    writeForeignFile(join(outside, "secret"), "secret");
    linkSync(join(outside, "secret"), join(folder, "a.md"));
    const refused = { code: "NOT_A_DOCUMENT", data: { reason: "hard-link" } };
    await expect(documents.read(at("a.md"))).rejects.toMatchObject(refused);
    await expect(documents.measure(at("a.md"))).rejects.toMatchObject(refused);
    await expect(documents.append(at("a.md"), "x", stamp)).rejects.toMatchObject(refused);
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret");
  });

  it("KER-11 lists a file that is not UTF-8 as such, refuses to read it, and is not disturbed otherwise", async () => {
    const folder = scratchFolder();
    const { documents } = openNotes(folder);
    await documents.write(at("good.md"), "good", stamp);
    writeFileSync(join(folder, "bad.md"), Buffer.from([0x66, 0xff, 0xfe]));
    const { entries } = await documents.list({ root: "notes", details: true });
    expect(entries.map(({ path, remark }) => [path, remark])).toEqual([
      ["bad.md", "not-utf8"],
      ["good.md", undefined],
    ]);
    await expect(documents.read(at("bad.md"))).rejects.toMatchObject({ code: "NOT_UTF8" });
    await expect(documents.append(at("bad.md"), "x", stamp)).rejects.toMatchObject({ code: "NOT_UTF8" });
    expect((await documents.move(at("bad.md"), at("bin.md"), stamp))?.kind).toBe("committed");
    expect((await documents.write(at("bin.md"), "text now", stamp)).kind).toBe("committed");
    expect((await documents.read(at("bin.md")))?.content).toBe("text now");
  });

  it("KER-12 measures a document without reading more than its beginning, and refuses what cannot be read", async () => {
    const [folder, outside] = [scratchFolder(), scratchFolder()];
    const { documents } = openNotes(folder);
    const put = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
    put("short.md", "größe");
    // A character lies across the end of what is looked at.
    put("long.md", `${"x".repeat(8191)}ß${"y".repeat(1_000_000)}`);
    put("ends-badly.md", Buffer.concat([Buffer.alloc(100_000, "x"), Buffer.from([0xff])]));
    put("bad.md", Buffer.from([0x66, 0xff, 0xfe]));
    symlinkSync(join(outside, "secret"), join(folder, "linked.md"));
    mkdirSync(join(folder, "folder.md"));
    const sizeOf = async (name: string) => (await documents.measure(at(name)))?.size;
    expect(await sizeOf("short.md")).toBe(7);
    expect(await sizeOf("long.md")).toBe(1_008_193);
    expect(await sizeOf("ends-badly.md")).toBe(100_001);
    expect(await documents.measure(at("none.md"))).toBeUndefined();
    const { mtimeMs } = statSync(join(folder, "short.md"));
    expect((await documents.measure(at("short.md")))?.modified).toBe(Math.floor(mtimeMs));
    await expect(documents.measure(at("bad.md"))).rejects.toMatchObject({ code: "NOT_UTF8" });
    for (const name of ["linked.md", "folder.md"]) {
      await expect(documents.measure(at(name)), name).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
    }
  });

  it("KER-12 lets others have their turn while it reads long documents for the details of a list", async () => {
    const folder = scratchFolder();
    const { documents } = openNotes(folder);
    for (let number = 0; number < 12; number += 1) {
      writeFileSync(join(folder, `${number}.md`), "x".repeat(600_000));
    }
    const page = documents.list({ root: "notes", details: true });
    expect(await turnsDuring(page)).toBeGreaterThanOrEqual(12);
    expect((await page).entries.map(({ details }) => details?.size)).toEqual(Array(12).fill(600_000));
  });

  it("KER-1 lists names that it would not give with the rule that they break, and reads them", async () => {
    const [folder, outside] = [scratchFolder(), scratchFolder()];
    const { documents } = openNotes(folder);
    for (const name of ["ab:c.md", "e\u0301.md", "~tilde.md", ".hidden.md"]) writeFileSync(join(folder, name), name);
    mkdirSync(join(folder, ".git"));
    writeFileSync(join(folder, ".git/config"), "[core]");
    writeFileSync(join(outside, "note.md"), "outside");
    symlinkSync(outside, join(folder, "topic"));
    const { entries } = await documents.list({ root: "notes" });
    expect(entries.map(({ path, remark }) => [path, remark])).toEqual([
      ["ab:c.md", "reserved-character"],
      ["e\u0301.md", "normalisation"],
      ["topic", "link"],
      ["~tilde.md", "leading-tilde"],
    ]);
    const read = (path: string) => documents.read({ root: "notes", path: parseExistingPath(path) });
    expect((await read("ab:c.md"))?.content).toBe("ab:c.md");
    expect((await read("e\u0301.md"))?.content).toBe("e\u0301.md");
    await expect(read("topic/note.md")).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
    const renamed = await documents.move({ root: "notes", path: parseExistingPath("ab:c.md") }, at("a-b.md"), stamp);
    expect(renamed?.kind).toBe("committed");
  });

  it("KER-12 reads a larger document than it writes, up to a limit that it names", async () => {
    const folder = scratchFolder();
    const { documents } = openNotes(folder, { maxReadBytes: 2_000_000 });
    writeFileSync(join(folder, "large.md"), "x".repeat(1_500_000));
    writeFileSync(join(folder, "huge.md"), "x".repeat(2_000_001));
    expect((await documents.read(at("large.md")))?.content).toHaveLength(1_500_000);
    await expect(documents.read(at("huge.md"))).rejects.toMatchObject({
      code: "TOO_LARGE",
      data: { size: 2_000_001, limit: 2_000_000 },
    });
  });
});
