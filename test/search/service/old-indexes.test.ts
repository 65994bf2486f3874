import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isMarked, readPointer } from "../../../src/search/index/generation-pointer.ts";
import { removeOldIndexes, removeSearchIndexes, searchFolder } from "../../../src/search/service/old-indexes.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { indexFiles, searchWorld } from "../whole/search-world.ts";

const temporary = temporaryFolders();
const root = "0123456789abcdef0123456789abcdef";
const dayMs = 24 * 60 * 60 * 1000;
const now = Date.parse("2026-03-01T12:00:00Z");

function index(folder: string, version: string, days: number): void {
  for (const name of [`${root}-${version}`, `${root}-${version}.00aa.sqlite`]) {
    writeFileSync(join(folder, name), "");
    const time = new Date(now - days * dayMs);
    utimesSync(join(folder, name), time, time);
  }
}

describe("search indexes of other versions", () => {
  it("SRCH-3 are taken away once nobody has used them for a day, and nothing else is", async () => {
    const folder = temporary.make();
    index(folder, "1111111111111111", 40);
    index(folder, "2222222222222222", 2);
    index(folder, "3333333333333333", 0.5);
    writeFileSync(join(folder, "vectors.sqlite"), "");
    removeOldIndexes(folder, "1111111111111111", now);
    const left = new Set(readdirSync(folder).map((name) => /-(\d)/.exec(name)?.[1] ?? name));
    expect(left).toEqual(new Set(["1", "3", "vectors.sqlite"]));
  });

  it("SRCH-3 lose the surveys that earlier builds kept beside them, and nothing else", () => {
    const folder = temporary.make();
    index(folder, "1111111111111111", 0);
    const before = readdirSync(folder);
    const [current, other] = ["1111111111111111", "2222222222222222"].map((version) => `${root}-${version}.look`);
    for (const name of [current, other, `${current}.7f1a4c1e`]) writeFileSync(join(folder, name ?? ""), "DIRC");
    mkdirSync(join(folder, "empty.git/objects"), { recursive: true });
    removeOldIndexes(folder, "1111111111111111", now);
    expect(readdirSync(folder)).toEqual(before);
  });

  it("SRCH-3 stay as a whole while one of their files is newer", () => {
    const folder = temporary.make();
    index(folder, "2222222222222222", 2);
    writeFileSync(join(folder, `${root}-2222222222222222.00aa.sqlite-wal`), "");
    const before = readdirSync(folder);
    removeOldIndexes(folder, "1111111111111111", Date.now());
    expect(readdirSync(folder)).toEqual(before);
  });

  it("SRCH-3 stay while somebody searches in them, and are the same to who has them open", async () => {
    const world = searchWorld(temporary.make());
    world.note("n.md", "# Note\n\nThe zebrafish.\n");
    await world.ask("zebrafish");
    const longAgo = new Date(Date.now() - 2 * dayMs);
    for (const file of indexFiles(world)) utimesSync(file, longAgo, longAgo);
    const before = indexFiles(world).map((file) => ({ file, pointer: readPointer(file) }));
    expect((await world.ask("zebrafish")).total).toBe(1);
    removeOldIndexes(world.cache, "1111111111111111", Date.now());
    expect(indexFiles(world)).toEqual(before.map(({ file }) => file));
    for (const { file, pointer } of before) expect(pointer === undefined || isMarked(file, pointer.mark)).toBe(true);
    removeOldIndexes(world.cache, "1111111111111111", Date.now() + 2 * dayMs);
    expect(indexFiles(world)).toEqual([]);
  });

  it("GUARD-4 all go when something is no longer allowed", () => {
    const place = { env: { XDG_CACHE_HOME: temporary.make() }, home: "/nowhere", platform: "linux" as const };
    mkdirSync(searchFolder(place), { recursive: true });
    index(searchFolder(place), "1111111111111111", 0);
    removeSearchIndexes(place);
    expect(readdirSync(searchFolder(place))).toEqual([]);
  });

  it("SRCH-3 need no folder", () => {
    expect(() => removeOldIndexes(join(temporary.make(), "none"), "1111111111111111", now)).not.toThrow();
  });
});
