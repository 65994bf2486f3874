import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { someCases } from "../helpers/some-cases.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(async () => {
  world = memoryWorld(join(folders.make(), "world"));
  for (const text of ["one\n", "two\n", "three\n"]) await world.cli(["memories", "write", "note"], text);
});

const auxiliary = (...names: string[]) => join(world.project, ".serena/memories/.recollect", ...names);
const mirrors = () => join(world.home, ".local/share/recollect/mirrors");
const mirror = (...names: string[]) =>
  join(mirrors(), readdirSync(mirrors()).find((name) => /^[0-9a-f]{40}$/.test(name)) ?? "", ...names);

const backup = "from a backup";
const byLog = "Run recollect log, which repairs this";
const byMirror = "it brings the history back from its mirror";

async function verify(): Promise<{ code: number; out: string }> {
  const { code, out, err } = await world.cli(["verify", "--no-search-index"]);
  expect(err).toBe("");
  return { code, out };
}

async function expectRepaired(): Promise<void> {
  const { code, out } = await world.cli(["log", "note", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out).operations).toHaveLength(3);
  expect((await verify()).code).toBe(0);
}

function damageFile(path: string, content = "junk"): void {
  chmodSync(path, 0o644);
  writeFileSync(path, content);
}

function replaceByFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  writeFileSync(join(path, "something"), "else");
}

const packs = (of: string, ending: string) =>
  readdirSync(join(of, "objects/pack"))
    .filter((name) => name.endsWith(ending))
    .map((name) => join(of, "objects/pack", name));

function each(of: string, ending: string, change: (path: string) => void): void {
  for (const path of packs(of, ending)) change(path);
}

describe("HIST-4b the remedy that verify names", () => {
  const damages: readonly (readonly [string, () => void])[] = [
    ["the cache of the state", () => damageFile(auxiliary("history/recollect-state.json"))],
    ["the note of the end", () => damageFile(auxiliary("history-tip"))],
    ["a folder in the place of that note", () => replaceByFolder(auxiliary("history-tip"))],
    ["HEAD", () => damageFile(auxiliary("history/HEAD"))],
    ["the branch", () => damageFile(auxiliary("history/refs/heads/history"))],
    ["a folder in the place of the branch", () => replaceByFolder(auxiliary("history/refs/heads/history"))],
    ["indexes of packs", () => each(auxiliary("history"), ".idx", damageFile)],
    ["missing indexes of packs", () => each(auxiliary("history"), ".idx", rmSync)],
  ];
  // Of each two the first is tried by `npm test`: with a mirror and without one, in turn.
  const ways = damages.flatMap(([name, damage], index) => {
    const both = [
      { name, mirror: "with", damage },
      { name, mirror: "without", damage },
    ];
    return index % 2 === 0 ? both : both.toReversed();
  });
  it.each(someCases(ways, damages.length))(
    "HIST-4b for $name is the next recording, which repairs it also $mirror a mirror",
    async ({ mirror: has, damage }) => {
      if (has === "without") rmSync(mirrors(), { recursive: true });
      damage();
      const { code, out } = await verify();
      expect([code, out]).toEqual([8, expect.stringContaining(byLog)]);
      expect(out).not.toContain(backup);
      await expectRepaired();
    },
  );

  it("HIST-4b for objects that the mirror has is the mirror, and a backup only without one", async () => {
    const kept = join(world.folder, "kept");
    const [first = ""] = packs(auxiliary("history"), ".pack");
    const bytes = readFileSync(first);
    bytes[bytes.length - 30] = (bytes.at(-30) ?? 0) ^ 0xff;
    chmodSync(first, 0o644);
    writeFileSync(first, bytes);
    renameSync(mirrors(), kept);
    expect((await verify()).out).toContain(backup);
    renameSync(kept, mirrors());
    const { code, out } = await verify();
    expect([code, out]).toEqual([8, expect.stringContaining(byMirror)]);
    expect(out).not.toContain(backup);
    expect(out).toMatch(/Some of its objects are missing or unreadable \(git fsck: .{1,160}\)\./);
    renameSync(auxiliary("history"), join(world.folder, "away"));
    await expectRepaired();
  });

  it("HIST-4b for a file in the place of the history is to move it away, and the mirror", async () => {
    rmSync(auxiliary("history"), { recursive: true });
    writeFileSync(auxiliary("history"), "x");
    const { code, out } = await verify();
    expect([code, out]).toEqual([8, expect.stringContaining(byMirror)]);
    expect(out).toContain(".serena/memories: not checked\n");
    rmSync(auxiliary("history"));
    await expectRepaired();
  });
});

describe("ONE-3 a damaged mirror", () => {
  it.each<[string, () => void, RegExp]>([
    [
      "junk in its packs",
      () => each(mirror(), ".pack", damageFile),
      /The second copy of this history, “mirrors\/[0-9a-f]{40}”, is damaged\. Move it away/,
    ],
    [
      "its packs gone",
      () => each(mirror(), ".pack", rmSync),
      /The second copy of this history, “mirrors\/[0-9a-f]{40}”, is damaged\. Move it away/,
    ],
    [
      "junk in its settings",
      () => damageFile(mirror("config"), "[core]\n\tx = y\n"),
      /“mirrors\/[0-9a-f]{40}\/config” was not made by Recollect\. Move it away/,
    ],
  ])("ONE-3 with %s is a remark of verify and doctor, and no error", async (_, damage, says) => {
    damage();
    const { code, out } = await verify();
    expect([code, out]).toEqual([0, expect.stringMatching(says)]);
    const doctor = await world.cli(["doctor"]);
    expect([doctor.code, doctor.out]).toEqual([0, expect.stringMatching(says)]);
    expect(doctor.out.match(new RegExp(says, "g"))).toHaveLength(1);
    expect(`${out}${doctor.out}`).not.toContain(".recollect/history/config");
  });

  it("ONE-3 whose packs are junk is whole again after the next write, also for what it is there for", async () => {
    for (const path of packs(mirror(), ".pack")) damageFile(path);
    await world.cli(["memories", "write", "note"], "four\n");
    const { code, out } = await verify();
    expect([code, out]).toEqual([0, expect.not.stringContaining("second copy")]);
    rmSync(auxiliary(), { recursive: true });
    await world.cli(["log"]);
    expect(JSON.parse((await world.cli(["log", "note", "--json"])).out).operations).toHaveLength(4);
  });

  it("ONE-3 that was moved away as advised is made again by the next recording", async () => {
    for (const path of packs(mirror(), ".pack")) rmSync(path);
    cpSync(mirror(), join(world.folder, "away"), { recursive: true });
    rmSync(mirror(), { recursive: true });
    await world.cli(["log"]);
    expect(existsSync(mirror("config"))).toBe(true);
    expect(await verify()).toEqual({ code: 0, out: expect.not.stringContaining("second copy") });
  });
});
