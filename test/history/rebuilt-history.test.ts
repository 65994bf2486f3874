import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verifyRoot } from "../../src/history/git/verify/verify.ts";
import { ada, at, bob, fsck, openWorld, scratchFolder, textsOf } from "./scratch.ts";

const texts = ["one\n", "two\n", "three\n", "four\n"];

async function filled() {
  const folder = scratchFolder();
  for (const text of texts) {
    const { documents, history, close } = openWorld(folder);
    await documents.write(at("a.md"), text, ada);
    await history.catchUp();
    await close();
  }
  return { folder, place: join(folder, ".recollect/history") };
}

function opened(folder: string) {
  const said: string[] = [];
  const world = openWorld(folder, { log: (_, __, fields) => void said.push(String(fields?.["message"])) });
  const verify = async () => {
    const { findings } = await verifyRoot({ trail: world.store.trail("notes"), env: process.env });
    return findings.filter(({ level }) => level !== "note").map(({ says }) => says);
  };
  return { ...world, said, verify };
}

function filesOf(place: string, ending: string): string[] {
  const packs = join(place, "objects/pack");
  return readdirSync(packs)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(packs, name));
}

describe("HIST-1 what git derives is made again before anything is given up", () => {
  const harmEach = (harm: (path: string) => void) => (place: string) => {
    for (const path of filesOf(place, ".idx")) harm(path);
  };
  const harms: Record<string, (place: string) => void> = {
    "an emptied index": harmEach((path) => replace(path, "")),
    "an index of zeros": harmEach((path) => replace(path, Buffer.alloc(1200))),
    "an index that was cut off": harmEach((path) => truncateSync(path, 600)),
    "an index of junk": harmEach((path) => replace(path, "junk".repeat(300))),
    "an index with flipped bits": harmEach(flip),
    "an index that is a link": harmEach(link),
    "an index that is a folder": harmEach(makeFolder),
    "a branch that is a folder": (place) => makeFolder(join(place, "refs/heads/history")),
    "settings that a full disk emptied": (place) => replace(join(place, "config"), ""),
    "a commit graph of junk": (place) => replace(join(place, "objects/info/commit-graph"), "junk"),
    "a lock of the branch that was left": (place) => replace(join(place, "refs/heads/history.lock"), ""),
  };
  it.each(Object.entries(harms))("%s", async (_, harm) => {
    const { folder, place } = await filled();
    harm(place);
    const { documents, history, verify, said } = opened(folder);
    await documents.write(at("a.md"), "five\n", bob);
    await history.catchUp();
    expect(said.filter((one) => one.includes("was lost"))).toEqual([]);
    expect(await textsOf(history, "a.md")).toEqual(["five\n", ...texts.toReversed()]);
    expect(await verify()).toEqual([]);
    expect(fsck(folder)).toBe("");
  });

  it("a pack that cannot be read is put aside with all its bytes, and history goes on without it", async () => {
    const { folder, place } = await filled();
    for (const pack of filesOf(place, ".pack")) replace(pack, "junk");
    const { documents, history, said } = opened(folder);
    await documents.write(at("a.md"), "five\n", bob);
    await history.catchUp();
    expect(said.join()).toContain("was lost");
    expect(readdirSync(join(place, "recollect-damaged")).filter((name) => name.endsWith(".pack"))).toHaveLength(4);
    expect(await textsOf(history, "a.md")).toEqual(["five\n", "four\n"]);
  });
});

describe("ONE-3 a part of history that is damaged", () => {
  it("comes back from the mirror when somebody reads it", async () => {
    const base = scratchFolder();
    const [folder, dataFolder] = [join(base, "notes"), join(base, "data")];
    mkdirSync(folder);
    const mirror = { folder, dataFolder };
    const place = join(folder, ".recollect/history");
    let oldest: string[] = [];
    for (const text of texts) {
      const { documents, history, close } = openWorld(folder, { mirror });
      await documents.write(at("a.md"), text, ada);
      await history.catchUp();
      await close();
      if (oldest.length === 0) oldest = filesOf(place, ".pack");
    }
    for (const pack of oldest) replace(pack, "junk");
    const { history, store } = openWorld(folder, { mirror });
    await history.catchUp();
    expect(await textsOf(history, "a.md")).toEqual(texts.toReversed());
    const { findings } = await verifyRoot({ trail: store.trail("notes"), env: process.env, mirror });
    expect(findings).toEqual([]);
  });
});

describe("HIST-1 a history that can be read again", () => {
  it("is joined with what was recorded while its packs were away, and nothing tells of a loss", async () => {
    const { folder, place } = await filled();
    const away = join(folder, "../", `${folder.split("/").at(-1)}-away`);
    renameSync(join(place, "objects/pack"), away);
    mkdirSync(join(place, "objects/pack"));
    const first = opened(folder);
    await first.documents.write(at("a.md"), "five\n", bob);
    await first.history.catchUp();
    await first.documents.write(at("b.md"), "beside\n", bob);
    await first.history.catchUp();
    expect(first.said.join()).toContain("was lost");
    expect(await first.verify()).toEqual([expect.stringContaining("was lost")]);
    await first.close();
    for (const name of readdirSync(away)) renameSync(join(away, name), join(place, "objects/pack", name));
    rmSync(away, { recursive: true });
    const { history, documents, said, verify } = opened(folder);
    await history.catchUp();
    expect(said.join()).toContain("can be read again");
    expect(await textsOf(history, "a.md")).toEqual(["five\n", ...texts.toReversed()]);
    expect(await textsOf(history, "b.md")).toEqual(["beside\n"]);
    expect(await verify()).toEqual([]);
    await documents.write(at("a.md"), "six\n", ada);
    await history.catchUp();
    expect(await textsOf(history, "a.md")).toEqual(["six\n", "five\n", ...texts.toReversed()]);
    expect(await verify()).toEqual([]);
    expect(fsck(folder)).toBe("");
  });
});

/** Git writes its files so that nobody may write to them. */
function replace(path: string, content: string | Buffer): void {
  rmSync(path, { force: true, recursive: true });
  writeFileSync(path, content);
}

/** In the middle, where the ids of objects are. */
function flip(path: string): void {
  const bytes = readFileSync(path);
  for (let index = 1032; index < bytes.length - 40; index += 1) bytes[index] = (bytes[index] ?? 0) ^ 0xff;
  replace(path, bytes);
}

function link(path: string): void {
  rmSync(path);
  symlinkSync("/dev/null", path);
}

function makeFolder(path: string): void {
  rmSync(path);
  mkdirSync(path);
}
