import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { made } from "../../../src/guard/rules/made.ts";
import { snapshotOf } from "../../helpers/folder-snapshot.ts";
import { type MemoryWorld, memoryWorld } from "../../helpers/memory-world.ts";
import { diskFolder, temporaryFolders } from "../../helpers/temporary-folders.ts";
import { entryText, onDisk } from "./open-topics.ts";

const folders = temporaryFolders(diskFolder);
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

const own = () => onDisk(join(world.project, "memory"));
const external = () => onDisk(join(world.folder, "external"));
const records = () => {
  const folder = join(world.home, ".local/share/recollect/fallback-entries");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};
const run = (...args: string[]) => world.cli(["topics", ...args]);
const store = async (title: string, ...args: string[]) =>
  expect(await run("store", "build", "cache", "--title", title, "--problem", "p", ...args)).toMatchObject({ code: 0 });

/** The external memory in the user's own file: it works, it is broken, or there is none. */
function configure(how: "works" | "broken" | "none"): void {
  const path = how === "works" ? join(world.folder, "external") : world.write("a-file", "x");
  const text = `memory_configuration:\n  external_memory_enabled: ${how !== "none"}\n  memory_path: ${path}\n`;
  world.write("home/.config/recollect/config.yaml", text);
}

async function findings(): Promise<{ about: string; level: string; says: string; remedy?: string }[]> {
  const all = JSON.parse((await world.cli(["doctor", "--json"])).out).findings as {
    about: string;
    level: string;
    says: string;
  }[];
  return all.filter(({ about }) => about === "topics");
}

describe("TOP-7 entries that were stored during a fallback", () => {
  it("TOP-7 doctor offers them once the external memory works, and the command moves them over", async () => {
    configure("broken");
    await store("One", "--date", "2026-01-02");
    await store("Two", "--date", "2026-01-03");
    expect(await findings()).toEqual([]);
    configure("works");
    expect(await findings()).toEqual([
      {
        level: "note",
        about: "topics",
        says: "2 entries were stored in “memory” of the project while the external memory could not be used",
        remedy: "recollect topics move-over",
      },
    ]);
    expect(await run("move-over")).toEqual({
      code: 0,
      out: "  2026-01-03  Two  [build/cache]\n  2026-01-02  One  [build/cache]\n2 entries moved.\n",
      err: "",
    });
    expect(external().titles("build/cache.md")).toEqual(["Two", "One"]);
    expect(own().has("build/cache.md")).toBe(false);
    expect([await findings(), records()]).toEqual([[], []]);
    expect((await run("move-over")).out).toBe("0 entries moved.\n");
  });

  it("TOP-7 those that were stored in the project on purpose stay, unless all are asked for", async () => {
    await store("On purpose", "--date", "2025-01-01");
    configure("broken");
    await store("Fallback", "--date", "2026-01-01");
    configure("works");
    await store("External", "--date", "2026-02-01");
    expect((await findings())[0]?.says).toMatch(/^1 entry was stored/);
    const { moved, left } = JSON.parse((await run("move-over", "--json")).out);
    expect([moved, left]).toMatchObject([[{ topic: "build", title: "Fallback", isArchived: false }], []]);
    expect(own().titles("build/cache.md")).toEqual(["On purpose"]);
    expect(external().titles("build/cache.md")).toEqual(["External", "Fallback"]);
    await run("move-over", "--all");
    expect(external().titles("build/cache.md")).toEqual(["External", "Fallback", "On purpose"]);
    expect(own().has("build/cache.md")).toBe(false);
  });

  it("TOP-4 TOP-7 pruned ones are among them, and those that were edited since", async () => {
    configure("broken");
    for (let one = 0; one < 12; one += 1) await store(`E${one}`, "--date", `2026-01-${10 + one}`);
    const file = join(world.project, "memory/build/cache.md");
    writeFileSync(file, readFileSync(file, "utf8").replace(": E11\n", ": E11\n**Owner:** Ada\n"));
    configure("works");
    const { moved } = JSON.parse((await run("move-over", "--json")).out);
    expect(moved).toHaveLength(12);
    expect(external().titles("build/cache.md")).toEqual(Array.from({ length: 10 }, (_, one) => `E${11 - one}`));
    expect(external().titles("archive/build/2026.md")).toEqual(["E1", "E0"]);
    expect(external().text("build/cache.md")).toContain("**Owner:** Ada");
    expect(own().archives("build")).toEqual([]);
  });

  it("TOP-3 TOP-7 one that had been stored in the project before, and is stored again, is among them", async () => {
    await store("Same");
    configure("broken");
    expect((await run("store", "build", "cache", "--title", "Same", "--problem", "p")).out).toContain("already");
    configure("works");
    await run("move-over");
    expect(external().titles("build/cache.md")).toEqual(["Same"]);
  });

  it("TOP-7 over MCP, too", async () => {
    configure("broken");
    const { client } = await world.connect();
    const said = { topic: "build", subtopic: "cache", title: "Agent", context: "c", problem: "p", solution: "s" };
    await client.callTool({ name: "store_in_memory", arguments: said });
    configure("works");
    expect(JSON.parse((await run("move-over", "--json")).out).moved).toMatchObject([{ title: "Agent" }]);
  });

  it("TOP-7 --dry-run only shows", async () => {
    configure("broken");
    await store("One", "--date", "2026-01-02");
    configure("works");
    await run("list");
    const before = snapshotOf(world.folder);
    expect((await run("move-over", "--dry-run")).out).toBe("  2026-01-02  One  [build/cache]\n1 entry to move.\n");
    expect(snapshotOf(world.folder)).toEqual(before);
  });

  it("TOP-7 the record of one holds nothing of what it says, and is private", async () => {
    configure("broken");
    await store("Particular", "--problem", "words of its own");
    const [record = "", ...others] = records();
    expect(others).toEqual([]);
    expect(record).toMatch(/[0-9a-f]{64}\.json$/);
    expect(JSON.parse(readFileSync(record, "utf8"))).toEqual({
      format: 1,
      folder: join(world.project, "memory"),
      storedAt: expect.any(String),
    });
  });
});

describe("TOP-7 a move that cannot be done as a whole", () => {
  const token = ["gh", "p_", made(60).slice(0, 36)].join("");

  it("GUARD-1 GUARD-3 what the guard refuses stays, is counted and not shown, and all others are moved", async () => {
    own().put("build/cache.md", `${entryText("Fine")}${entryText("Bad").replace("**Solution:** s", token)}`);
    own().put("build/other.md", entryText(token));
    configure("works");
    const { code, out, err } = await run("move-over", "--all");
    expect([code, out]).toEqual([1, expect.stringContaining("1 entry moved, 2 left in the project.")]);
    expect(out + err).not.toContain(token.slice(4, 20));
    expect([own().titles("build/cache.md"), own().titles("build/other.md")]).toEqual([["Bad"], [token]]);
    expect(external().titles("build/cache.md")).toEqual(["Fine"]);
  });

  it("KER-11 TOP-7 a file that cannot be read is named, and the others are moved", async () => {
    own().put("build/cache.md", entryText("Fine"));
    own().put("build/latin.md", Buffer.from([0xe9]));
    configure("works");
    const { code, out } = await run("move-over", "--all");
    expect([code, out]).toEqual([1, expect.stringContaining("“build/latin.md” cannot be read.")]);
    expect(external().titles("build/cache.md")).toEqual(["Fine"]);
  });

  it("TOP-7 without an external memory in use it says so, whatever lies in the project", async () => {
    await store("One");
    expect(await run("move-over")).toMatchObject({
      code: 3,
      err: expect.stringContaining("no external memory in use"),
    });
    configure("broken");
    expect(await run("move-over", "--all")).toMatchObject({ code: 3 });
    expect(own().titles("build/cache.md")).toEqual(["One"]);
  });

  it("CFG-2 a folder of topics that a clone links to elsewhere is not emptied, and is no problem of the external memory", async () => {
    const elsewhere = onDisk(join(world.folder, "elsewhere"));
    elsewhere.put("build/cache.md", entryText("Another's"));
    symlinkSync(join(world.folder, "elsewhere"), join(world.project, "memory"));
    configure("works");
    expect(await run("move-over", "--all")).toMatchObject({ code: 5, err: expect.stringContaining("through a link") });
    expect(elsewhere.titles("build/cache.md")).toEqual(["Another's"]);
    expect(await findings()).toEqual([]);
  });

  it("TOP-7 a folder that is the external memory as well, or lies in it, has nothing to move", async () => {
    configure("works");
    await store("One");
    const outer = await run("move-over", "--all", "--topics-folder", join(world.folder, "external"));
    expect(outer).toMatchObject({ code: 3 });
    const inner = await run("move-over", "--all", "--topics-folder", join(world.folder, "external/build"));
    expect(inner).toMatchObject({ code: 3 });
    expect(external().titles("build/cache.md")).toEqual(["One"]);
  });

  it.skipIf(process.getuid?.() === 0)(
    "TOP-7 where no record can be kept, the entry is stored all the same",
    async () => {
      configure("broken");
      mkdirSync(join(world.home, ".local"), { mode: 0o500 });
      await store("One");
      chmodSync(join(world.home, ".local"), 0o700);
      expect(own().titles("build/cache.md")).toEqual(["One"]);
    },
  );

  it("TOP-7 where a file stands in the way of the records, the entry is stored all the same, and --all finds it", async () => {
    configure("broken");
    world.write("home/.local/share/recollect/fallback-entries", "in the way");
    await store("One");
    rmSync(join(world.home, ".local/share/recollect/fallback-entries"));
    configure("works");
    expect(await findings()).toEqual([]);
    await run("move-over", "--all");
    expect(external().titles("build/cache.md")).toEqual(["One"]);
  });

  it("TOP-7 a damaged record is a problem with its remedy, and breaks nothing else", async () => {
    configure("broken");
    await store("One");
    writeFileSync(records()[0] ?? "", "{");
    configure("works");
    expect(await findings()).toMatchObject([{ level: "problem", says: expect.stringContaining("is damaged") }]);
  });
});
