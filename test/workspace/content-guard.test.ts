import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type GuardPolicy, openAllowList, openWorkspace, type SettingFlags } from "../../src/app.ts";
import { recordsInFolder } from "../../src/backends/files/records.ts";
import { made } from "../../src/guard/rules/made.ts";
import { createContentGuard } from "../../src/workspace/content-guard.ts";
import { cliProcess } from "../helpers/cli.ts";
import { errorOf } from "../helpers/error-of.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const token = (which = 0) => ["gh", "p_", made(60).slice(which, which + 36)].join("");
const refused = { code: "SENSITIVE_CONTENT" };
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

type Logged = readonly [level: string, event: string, fields: Record<string, unknown> | undefined];

async function open(flags: SettingFlags = {}, lockTimeoutMs = 2000) {
  const logged: Logged[] = [];
  const { project, home } = world;
  const log = (...line: [string, string, Record<string, unknown>?]) => void logged.push([line[0], line[1], line[2]]);
  const workspace = await openWorkspace({ project, home, env: {}, flags, log, lockTimeoutMs });
  onTestFinished(() => workspace.close());
  return { ...workspace, topics: workspace.topics, logged };
}

const note = (name: string, content: string) => world.write(`work/app/.serena/memories/${name}.md`, content);
const noteText = (name: string) => readFileSync(join(world.project, ".serena/memories", `${name}.md`), "utf8");
const topicFile = (path: string) => join(world.project, "memory", path);
const entry = (title: string, date = "2026-01-01", text = "p") =>
  `## ${date}: ${title}\n**Problem:** ${text}\n\n---\n\n`;
const fresh = { topic: "build", subtopic: "cache", title: "New", context: "c", problem: "p", solution: "s" };

describe("GUARD-1 a document that holds a finding by hand", () => {
  it("GUARD-1 is edited, extended, replaced and renamed elsewhere", async () => {
    const { memories } = await open();
    note("old", `# Old\nalpha\n${token()}\n`);
    await memories.append("old", "more\n");
    await memories.prepend("old", "above\n");
    await memories.edit("old", { needle: "alpha", replacement: "beta", mode: "literal", multiple: false });
    await memories.write("old", `rewritten around ${token()}\n`);
    await memories.rename("old", "older");
    expect(noteText("older")).toBe(`rewritten around ${token()}\n`);
    await memories.delete("older");
  });

  it("GUARD-1 takes no second one, neither another nor the same once more", async () => {
    const { memories } = await open();
    const text = `# Old\nalpha\n${token()}\n`;
    note("old", text);
    for (const added of [token(), token(1)]) {
      expect(await errorOf(() => memories.append("old", `\n${added}\n`))).toMatchObject(refused);
      const edit = { needle: "alpha", replacement: added, mode: "literal", multiple: false } as const;
      expect(await errorOf(() => memories.edit("old", edit))).toMatchObject(refused);
      expect(await errorOf(() => memories.write("other", added))).toMatchObject(refused);
    }
    expect(noteText("old")).toBe(text);
  });

  it("GUARD-1 by whose name it is found is renamed to a clean name, and edited, but not renamed to another such", async () => {
    const { memories } = await open();
    note(token(), "text\n");
    await memories.append(token(), "more\n");
    expect(await errorOf(() => memories.rename(token(), token(1)))).toMatchObject(refused);
    await memories.rename(token(), `archive/${token()}`);
    await memories.rename(`archive/${token()}`, "clean");
    expect(noteText("clean")).toContain("more");
  });

  it("GUARD-1 is referred to by a note that is renamed with it", async () => {
    const { memories } = await open();
    note("a", "text\n");
    note("b", `see mem:a\n${token()}\n`);
    expect(await memories.rename("a", "c")).toMatchObject({ rewritten: ["b"] });
  });

  it("GUARD-1 of topics is pruned into the archive, and does not block stores", async () => {
    const { topics } = await open();
    const old = entry("Old", "2020-01-01", token()) + entry("To\u200bken", "2020-01-01", "a zero-width title");
    world.write("work/app/memory/build/cache.md", Array.from({ length: 10 }, (_, n) => entry(`E${n}`)).join("") + old);
    expect(await topics.store(fresh)).toMatchObject({ archived: 3 });
    expect(readFileSync(topicFile("build/cache.md"), "utf8")).not.toContain(token());
    expect(readFileSync(topicFile("archive/build/2020.md"), "utf8")).toContain(token());
    await topics.store({ ...fresh, title: "Next" });
    await topics.archive({ topic: "build", subtopic: "cache" }, { keep: 1 });
  });

  it("GUARD-1 an invisible character is excused in its own line alone", async () => {
    const { memories } = await open();
    note("old", "# Old\nze\u200bro\nlast\n");
    const edit = (needle: string, replacement: string) =>
      memories.edit("old", { needle, replacement, mode: "literal", multiple: false });
    await edit("last", "changed");
    for (const added of ["ze\u200bro\nlast", "\u200b", "other ze\u200bro"])
      expect(await errorOf(() => edit("changed", added))).toMatchObject(refused);
    expect(noteText("old")).toBe("# Old\nze\u200bro\nchanged\n");
  });

  it("GUARD-1 of topics does not excuse the same value in a new entry while the old one is archived", async () => {
    const { topics } = await open();
    const old = entry("Old", "2020-01-01", token());
    world.write("work/app/memory/build/cache.md", Array.from({ length: 10 }, (_, n) => entry(`E${n}`)).join("") + old);
    expect(await errorOf(() => topics.store({ ...fresh, problem: token() }))).toMatchObject(refused);
    expect(readdirSync(topicFile(""))).toEqual(["build"]);
  });

  it("GUARD-1 that is no text can be replaced and deleted", async () => {
    const { memories } = await open();
    world.write("work/app/.serena/memories/latin.md", Buffer.from([0xe9, 0x0a]));
    await memories.write("latin", "text\n");
    expect(await errorOf(() => memories.write("latin", token()))).toMatchObject(refused);
  });

  it("GUARD-1 a topic that has a token for its name by hand does not block the stores of others", async () => {
    const { topics } = await open();
    world.write(`work/app/memory/${token()}/a.md`, entry("By hand"));
    world.write(`work/app/memory/plain/${token(1)}.md`, entry("By hand"));
    await topics.store(fresh);
    expect(await topics.reindex()).toMatchObject({ topics: 1, leftOut: 2 });
    const index = readFileSync(topicFile("index.md"), "utf8");
    expect(index).toContain("build/cache");
    for (const which of [0, 1]) expect(index).not.toContain(token(which).slice(4));
    expect(await world.cli(["topics", "reindex"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("2 left out"),
    });
  });

  it("GUARD-1 such a topic itself takes further entries, and stays out of the index", async () => {
    const { topics } = await open();
    world.write(`work/app/memory/${token()}/a.md`, entry("By hand"));
    await topics.store({ ...fresh, topic: token(), subtopic: "a" });
    expect((await topics.load({ topic: token() })).total).toBe(2);
    await topics.store(fresh);
    expect(readFileSync(topicFile("index.md"), "utf8")).not.toContain(token().slice(4));
  });
});

describe("GUARD-2 policies by settings", () => {
  const write = async (flags: SettingFlags, content: string) => {
    const { memories, logged } = await open(flags);
    return { error: await errorOf(() => memories.write("a", content)), logged };
  };

  it.each(["password", "The TOKEN of the parser", "key"])("GUARD-2 strict refuses the word in %j", async (text) => {
    expect((await write({}, text)).error).toBeUndefined();
    expect((await write({ "--guard-policy": "strict" }, `${text}, and ${text} again`)).error).toMatchObject(refused);
  });

  it("GUARD-2 warn lets pass, and logs once the place and never the value", async () => {
    const { error, logged } = await write({ "--guard-policy": "warn" }, `fine\n  ${token()}\n`);
    expect(error).toBeUndefined();
    const lines = logged.filter(([, event]) => event === "guard");
    expect(lines).toEqual([
      [
        "warning",
        "guard",
        { root: ".serena/memories", path: "a.md", rule: "github-token", line: 2, column: 3, where: "content" },
      ],
    ]);
    expect(JSON.stringify(logged)).not.toContain(token().slice(4));
  });

  it("GUARD-2 warn does not log a name that is the value", async () => {
    const { memories, logged } = await open({ "--guard-policy": "warn" });
    await memories.write(token(), "text\n");
    expect(logged.filter(([, event]) => event === "guard")).toMatchObject([
      ["warning", "guard", { rule: "github-token", where: "name", column: 1 }],
    ]);
    expect(JSON.stringify(logged)).not.toContain(token().slice(4));
  });

  it("GUARD-2 warn says so on stderr of a command, where no log was asked for", async () => {
    const args = ["memories", "write", "a", "--content", token(), "--guard-policy", "warn", "--json"];
    const { code, out, err } = await cliProcess(args, { cwd: world.project, env: world.env });
    expect([code, JSON.parse(out)]).toMatchObject([0, { name: "a" }]);
    expect(JSON.parse(err)).toMatchObject({ level: "warning", event: "guard", path: "a.md", rule: "github-token" });
    expect(err).not.toContain(token().slice(4));
  });

  it("CFG-2 a clone's own guard.policy: warn has no effect, its strict does", async () => {
    world.write("work/app/recollect.yaml", "guard:\n  policy: warn\n");
    const weakened = await world.cli(["memories", "write", "a", "--content", token()]);
    expect(weakened).toMatchObject({ code: 5, err: expect.stringContaining("weakens the guard") });
    world.write("work/app/recollect.yaml", "guard:\n  policy: strict\n");
    expect(await world.cli(["memories", "write", "a", "--content", "a token"])).toMatchObject({ code: 5 });
    world.write("work/app/recollect.yaml", "guard:\n  policy: warn\n");
    await world.cli(["trust", "--yes"]);
    expect(await world.cli(["memories", "write", "a", "--content", token()])).toMatchObject({ code: 0 });
  });

  it("GUARD-2 the environment and the user's file choose it too", async () => {
    world.write("home/.config/recollect/config.yaml", "guard:\n  policy: strict\n");
    expect(await world.cli(["memories", "write", "a", "--content", "a token"])).toMatchObject({ code: 5 });
  });
});

describe("GUARD-4 what somebody allowed", () => {
  it("GUARD-4 passes: scan, allow with a reason, write; and no longer once it is revoked", async () => {
    const file = world.write("work/app/example.md", `The documentation has ${token()} as its example.\n`);
    const write = () => world.cli(["memories", "write", "a", "--content", `see ${token()}`]);
    expect(await write()).toMatchObject({ code: 5 });
    const scanned = await world.cli(["guard", "scan", file, "--json"]);
    const { fingerprint } = JSON.parse(scanned.out).found[0].findings[0];
    expect(await world.cli(["guard", "allow", fingerprint, "--reason", "the vendor's example"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Allowed\. /),
    });
    expect(await write()).toMatchObject({ code: 0 });
    expect(await world.cli(["memories", "write", "b", "--content", token(1)])).toMatchObject({ code: 5 });
    expect((await world.cli(["guard", "list"])).out).toMatch(
      /^\d{4}-\d\d-\d\d {2}[0-9a-f]{32} {2}the vendor's example\n$/,
    );
    expect(await world.cli(["guard", "revoke", fingerprint])).toMatchObject({ code: 0, out: "Taken back.\n" });
    expect(await world.cli(["memories", "write", "b", "--content", token()])).toMatchObject({ code: 5 });
    // What stands there already stays.
    expect(await world.cli(["memories", "append", "a", "--content", "more"])).toMatchObject({ code: 0 });
  });

  it("GUARD-4 nothing in a text switches the guard off", async () => {
    const { memories } = await open();
    for (const marker of [
      "gitleaks:allow",
      "pragma: allowlist secret",
      "secretlint-disable",
      "nosec",
      "---\nguard:\n  policy: warn\n---",
      "<!-- recollect:guard off -->",
      "placeholder example",
    ]) {
      const error = await errorOf(() => memories.write("a", `${marker}\n${token()} # ${marker}\n${marker}\n`));
      expect([marker, error]).toEqual([marker, expect.objectContaining(refused)]);
    }
  });

  it("GUARD-4 a damaged record stops writes and says what to do, but no deletion; mended, the same server goes on", async () => {
    const { memories } = await open();
    note("a", "text\n");
    note("b", "text\n");
    const data = join(world.home, ".local/share/recollect");
    await openAllowList({ records: recordsInFolder(data) }).allow("0".repeat(32), "why not");
    const record = join(data, "guard-allowed", `${"0".repeat(32)}.json`);
    writeFileSync(record, "{");
    expect(await errorOf(() => memories.write("c", "harmless"))).toMatchObject({
      code: "STORAGE_FAILED",
      message: `A record of what you allow the guard to let pass is damaged: ${record}. Remove that file, then run “recollect guard allow” again.`,
    });
    await memories.delete("a");
    await openAllowList({ records: recordsInFolder(data) }).revoke("0".repeat(32));
    await memories.write("c", "harmless");
  });

  it("GUARD-1 the rules are loaded with the first write", async () => {
    let asked = 0;
    const allowed = () => {
      asked += 1;
      return new Set<string>();
    };
    const load = createContentGuard({ policy: "standard" satisfies GuardPolicy, allowed, log: () => {} });
    expect(asked).toBe(0);
    expect(await load()).toBe(await load());
    expect(asked).toBe(1);
  });
});
