import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { revisionOf } from "../../../src/app.ts";
import type { TrailPositions } from "../../../src/kernel/trail.ts";
import { at, openNotes, scratchFolder, stamp } from "./scratch.ts";

const rev = (text: string) => revisionOf(Buffer.from(text));
/** Makes a journal so large that it does not stay after it was released. */
const long = { ...stamp, reason: "r".repeat(300_000) };

function openTrail() {
  const folder = scratchFolder();
  const { store, documents } = openNotes(folder);
  const trail = store.trail("notes");
  const put = async (...texts: readonly string[]) => {
    for (const text of texts) await documents.write(at("a.md"), text, stamp);
  };
  const keptOf = (...texts: readonly string[]) => texts.map((text) => trail.bytesOf(at("a.md").path, rev(text)));
  const read = async (after: TrailPositions) => {
    const { records, positions, gaps } = await trail.records(after);
    return { revs: records.map((record) => record.rev), positions: { ...after, ...positions }, gaps };
  };
  return { folder, documents, trail, put, keptOf, read };
}

describe("history that follows a root", () => {
  it("KER-6b goes on from where it stood, misses nothing and repeats nothing", async () => {
    const { documents, read } = openTrail();
    const seen: unknown[] = [];
    let positions: TrailPositions = {};
    const rounds = Array.from({ length: 12 }, (_, round) => `round ${round}`);
    for (const [index, text] of rounds.entries()) {
      await documents.write(at(`f${index % 3}/d.md`), text, stamp);
      if (index % 4 !== 3) continue;
      const page = await read(positions);
      expect(page.gaps).toEqual([]);
      seen.push(...page.revs);
      positions = page.positions;
    }
    expect(seen.toSorted()).toEqual(rounds.map(rev).toSorted());
    expect((await read(positions)).revs).toEqual([]);
  });

  it("KER-6b drops what it has taken, and nothing that came since", async () => {
    const { trail, put, keptOf, read } = openTrail();
    await put("one", "two");
    const { positions } = await read({});
    await put("three", "four");
    await trail.release(positions);
    expect(keptOf("one")).toEqual([undefined]);
    expect(keptOf("two", "three", "four").map(String)).toEqual(["two", "three", "four"]);
    expect(await read(positions)).toMatchObject({ revs: ["three", "four"].map(rev), gaps: [] });
  });

  it("KER-6b goes on after everything was released, with the next number", async () => {
    const { folder, documents, trail, put, read } = openTrail();
    await documents.write(at("a.md"), "one", long);
    const { positions } = await read({});
    await trail.release(positions);
    expect(readdirSync(join(folder, ".recollect")).filter((name) => name.startsWith("journal"))).toEqual(["journal"]);
    expect(readFileSync(join(folder, ".recollect/journal"), "utf8")).toMatch(/^[^\n]*"segment":2,[^\n]*\n$/);
    await put("two");
    const page = await read(positions);
    expect(page).toMatchObject({ revs: [rev("two")], gaps: [] });
    expect((await read(page.positions)).revs).toEqual([]);
  });

  it("KER-6b is told that another one released what it had not read yet", async () => {
    const { documents, trail, put, read } = openTrail();
    await put("one");
    const slow = (await read({})).positions;
    await documents.write(at("a.md"), "two", long);
    const quick = (await read({})).positions;
    await trail.release(quick);
    await put("three");
    expect((await read(slow)).gaps).toEqual([""]);
    expect(await read(quick)).toMatchObject({ revs: [rev("three")], gaps: [] });
  });

  it("KER-6b is told of no gap where what was released holds nothing new", async () => {
    const { documents, trail, put, read } = openTrail();
    await documents.write(at("a.md"), "one", long);
    const { positions } = await read({});
    for (let round = 0; round < 3; round += 1) await trail.release((await read(positions)).positions);
    expect(await read(positions)).toMatchObject({ revs: [], gaps: [] });
    await put("two");
    expect(await read(positions)).toMatchObject({ revs: [rev("two")], gaps: [] });
  });

  it("KER-6b is told where records are missing after a folder was deleted and made again, and releases nothing there", async () => {
    const { folder, documents, trail, read } = openTrail();
    for (const text of ["one", "more", "much more"]) await documents.write(at("t/a.md"), text, long);
    const { positions } = await read({});
    rmSync(join(folder, "t"), { recursive: true });
    for (const text of ["two", "three"]) await documents.write(at("t/a.md"), text, long);
    await trail.release(positions);
    const page = await read(positions);
    expect(page).toMatchObject({ revs: [rev("two"), rev("three")], gaps: ["t"] });
    expect(String(trail.bytesOf(at("t/a.md").path, rev("two")))).toBe("two");
    expect((await read(page.positions)).gaps).toEqual([]);
  });

  it("KER-6b is told of a journal that a power cut shortened by a gap, and releases nothing of it", async () => {
    const { folder, documents, trail, keptOf, read } = openTrail();
    for (const text of ["one", "two", "three"]) await documents.write(at("a.md"), text, long);
    const { positions } = await read({});
    const journal = join(folder, ".recollect/journal");
    const [header = ""] = readFileSync(journal, "utf8").split("\n");
    writeFileSync(journal, `${header}\n`);
    for (const text of ["precious", "last"]) await documents.write(at("a.md"), text, long);
    await trail.release(positions);
    expect(keptOf("precious").map(String)).toEqual(["precious"]);
    expect(await read(positions)).toMatchObject({ revs: [rev("precious"), rev("last")], gaps: [""] });
  });

  it("KER-2 is led nowhere by positions that came with a clone", async () => {
    const base = scratchFolder();
    mkdirSync(join(base, "notes"));
    mkdirSync(join(base, ".recollect"));
    writeFileSync(join(base, ".recollect/kept-x"), "x");
    const { store, documents } = openNotes(join(base, "notes"));
    await documents.write(at("a.md"), "one", stamp);
    await documents.write(at("a.md"), "two", stamp);
    mkdirSync(join(base, "notes/sub"));
    const trail = store.trail("notes");
    const { positions } = await trail.records({});
    const own = positions[""];
    const { mark: _, ...withoutMark } = own as Record<string, unknown>;
    for (const folder of ["..", "sub/../..", ".", "/", base]) await trail.release({ [folder]: own });
    const another = { journal: "j", segment: 9, offset: 9, mark: "m" };
    for (const odd of ["q", 5, null, withoutMark, { ...another, segment: -1 }, another]) {
      await trail.release({ "": odd });
      expect((await trail.records({ "": odd })).records).toHaveLength(2);
    }
    expect(String(trail.bytesOf(at("a.md").path, rev("one")))).toBe("one");
    expect(readdirSync(base).toSorted()).toEqual([".recollect", "notes"]);
    expect(existsSync(join(base, ".recollect/kept-x"))).toBe(true);
  });
});
