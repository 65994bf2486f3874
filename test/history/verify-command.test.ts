import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it } from "vitest";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let { project, home, cli }: MemoryWorld = {} as never;

async function run(args: readonly string[], input?: string) {
  const result = await cli(args, input);
  expect(result.err).toBe("");
  return result;
}

/** Each test begins with it as it is here, and only the last one leaves something else. */
beforeAll(async () => {
  ({ project, home, cli } = memoryWorld(join(folders.make(), "world")));
  await run(["memories", "write", "auth/login"], "Sessions last an hour.\n");
  for (let index = 0; index < 14; index += 1) {
    const fields = ["--context", "c", "--problem", "p", "--solution", `solution ${index}`, "--date", "2026-01-01"];
    await run(["topics", "store", "build", "cache", "--title", `Entry ${index}`, ...fields]);
  }
  await run(["search", "sessions"]);
});

describe("recollect verify", () => {
  it("HIST-4b names the entries that an archive lost, and an index that does not say what there is", async () => {
    const archive = join(project, "memory/archive/build/2026.md");
    const text = readFileSync(archive, "utf8");
    writeFileSync(archive, text.replace(/## 2026-01-01: Entry 1\n[\s\S]*?(?=## )/, ""));
    const index = join(project, "memory/index.md");
    const listed = readFileSync(index, "utf8");
    writeFileSync(index, listed.replace("10 entries", "11 entries"));
    const { code, out } = await run(["verify", "--json"]);
    writeFileSync(archive, text);
    writeFileSync(index, listed);
    expect(code).toBe(7);
    const { findings } = JSON.parse(out) as { findings: { part: string; says: string; remedy: string }[] };
    expect(findings.find(({ part }) => part === "archive")?.says).toContain("“2026-01-01: Entry 1”");
    expect(findings.filter(({ part }) => part === "index").map(({ remedy }) => remedy)).toContain(
      "recollect topics reindex",
    );
  });

  it("SRCH-3 an index that says something else than one made anew is damaged, and stays as it is", async () => {
    const cache = join(home, ".cache/recollect/search");
    for (const name of readdirSync(cache).filter((one) => one.endsWith(".sqlite"))) {
      const database = new DatabaseSync(join(cache, name));
      database.exec("UPDATE tail SET document = ''");
      database.close();
    }
    const before = snapshotOf(cache);
    const { code, out } = await run(["verify"]);
    expect(code).toBe(8);
    expect(out).toMatch(/damaged: \.serena\/memories: The search index[\s\S]*recollect reindex/);
    expect(snapshotOf(cache)).toEqual(before);
    await run(["reindex"]);
    expect((await run(["verify"])).code).toBe(0);
  });

  it("HIST-4b ends with 0, with 7 for what was changed outside, and with 8 for damage", async () => {
    const clean = await run(["verify"]);
    expect(clean.code).toBe(0);
    expect(clean.out).toMatch(/Everything agrees\.\n$/);
    const note = join(project, ".serena/memories/auth/login.md");
    writeFileSync(note, "Sessions last for ever.\n");
    const changed = await run(["verify"]);
    expect(changed.code).toBe(7);
    const command = /recollect restore "(auth\/login)" ([0-9a-f]{12})\b/.exec(changed.out);
    await run(["restore", command?.[1] ?? "", command?.[2] ?? ""]);
    expect(readFileSync(note, "utf8")).toBe("Sessions last an hour.\n");
    await run(["log"]);
    expect((await run(["verify", "--no-search-index"])).code).toBe(0);
    rmSync(join(project, ".serena/memories/auth/.recollect/journal"));
    const damaged = await run(["verify", "--json", "--no-search-index"]);
    expect(damaged.code).toBe(8);
    expect(JSON.parse(damaged.out)).toMatchObject({
      result: "damaged",
      findings: [{ level: "damaged", part: "journal", root: ".serena/memories", path: "auth" }],
    });
  });
});
