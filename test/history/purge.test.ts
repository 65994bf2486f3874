import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentMemoryService, openWorkspace, userDataFolder } from "../../src/app.ts";
import { cleanDocuments } from "../../src/history/git/purge/clean-documents.ts";
import { purgeRoot } from "../../src/history/git/purge/purge.ts";
import { verifyRoot } from "../../src/history/git/verify/verify.ts";
import { type PurgeForms, toPurgeForms } from "../../src/kernel/purge-forms.ts";
import { ada, at, bob, fsck, git, openWorld, scratchFolder, textsOf } from "./scratch.ts";

const secret = 'hunter2-"größe"-Zx9';
const stamp = { author: "person:bob", time: "2026-11-15T12:00:00.000Z", fingerprint: "f00" };

/** Every file that holds a value in any form, every object of every history among them. */
function holders(folder: string, forms: PurgeForms): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const found = files.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const isNamed = forms.all.some((form) => entry.name.includes(form.toString("utf8")));
    const holds = entry.isFile() && forms.isIn(readFileSync(path));
    return isNamed || holds ? [relative(folder, path)] : [];
  });
  const histories = files.filter(
    (entry) => entry.isDirectory() && join(entry.parentPath, entry.name).endsWith(".recollect/history"),
  );
  return [
    ...found,
    ...histories.flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const args = [`--git-dir=${path}`, "cat-file", "--batch-all-objects", "--unordered", "--batch"];
      const objects = execFileSync("git", args, { maxBuffer: 1024 ** 3 });
      return forms.isIn(objects) ? [`objects of ${relative(folder, path)}`] : [];
    }),
  ];
}

/** All that a root can hold of it: texts, names, reasons, what was deleted, what waits, packed and not. */
async function planted(value = secret) {
  const folder = scratchFolder();
  const world = openWorld(folder);
  const { documents, history } = world;
  await documents.write(at("clean.md"), "clean one\n", ada);
  await documents.write(at("a.md"), "before\n", ada);
  await history.catchUp();
  for (let index = 0; index < 18; index += 1) {
    await documents.write(at("a.md"), `text ${index} ${value} more\n`, ada);
    await history.catchUp();
  }
  await history.maintain();
  await documents.write(at("clean.md"), "clean two\n", { ...bob, reason: `because of ${value}` });
  await documents.write(at("sub/gone.md"), `${value}\n${value}`, ada);
  await history.catchUp();
  await documents.remove(at("sub/gone.md"), ada);
  await documents.write(at("sub/stays.md"), "stays\n", ada);
  writeFileSync(join(folder, `by hand ${value.replaceAll('"', "")}.md`), `${value.normalize("NFD")}\n`);
  await history.catchUp();
  for (const text of ["waits", "waits still"]) await documents.write(at("a.md"), `${text} ${value}\n`, ada);
  return { folder, ...world };
}

async function purge(world: Awaited<ReturnType<typeof planted>>, forms: PurgeForms) {
  const trail = world.store.trail("notes");
  const cleaned = await cleanDocuments(trail, world.documents, forms, bob);
  await world.history.catchUp();
  return { cleaned, purged: await purgeRoot({ trail, env: process.env, forms, stamp }) };
}

async function findings(world: Awaited<ReturnType<typeof planted>>) {
  return (await verifyRoot({ trail: world.store.trail("notes"), env: process.env })).findings;
}

describe("purging a root", () => {
  it("HIST-5 leaves no byte of the value in documents, names, journals, kept bytes or objects, and a whole history", async () => {
    const world = await planted();
    const forms = toPurgeForms(secret, "removed");
    const names = toPurgeForms(secret.replaceAll('"', ""), "removed");
    expect(holders(world.folder, forms)).not.toEqual([]);
    const before = await textsOf(world.history, "clean.md");
    const { cleaned, purged } = await purge(world, forms);
    await purge(world, names);
    expect(cleaned.left).toEqual([]);
    expect(purged.left).toEqual([]);
    expect(purged.revisions.get("a.md")).toBe(20);
    expect(holders(world.folder, forms)).toEqual([]);
    expect(holders(world.folder, names)).toEqual([]);
    expect(fsck(world.folder)).toBe("");
    expect(await findings(world)).toEqual([]);
    expect(await textsOf(world.history, "clean.md")).toEqual(before);
    expect(await textsOf(world.history, "a.md")).toContain("text 7 ‹removed› more\n");
    expect(await textsOf(world.history, "a.md")).toContain("before\n");
  });

  it("HIST-5 puts down who purged, when and what by its fingerprint, in journals and history", async () => {
    const world = await planted();
    await purge(world, toPurgeForms(secret, "removed"));
    const mark = '{"author":"person:bob","time":"2026-11-15T12:00:00.000Z","fingerprint":"f00"}';
    expect(readFileSync(join(world.folder, ".recollect/journal"), "utf8")).toContain(`"purge":${mark}`);
    expect(git(world.folder, "log", "-1", "--format=%B")).toContain(`\npurge ${mark}\n`);
  });

  it("HIST-5 history goes on afterwards, in this process and in others that were there before", async () => {
    const world = await planted();
    const other = openWorld(world.folder);
    await other.history.catchUp();
    await purge(world, toPurgeForms(secret, "removed"));
    await other.documents.write(at("a.md"), "after\n", bob);
    expect(await other.history.catchUp()).toEqual({ kind: "recorded", operations: 1 });
    await world.documents.write(at("sub/new.md"), "new\n", ada);
    expect(await world.history.catchUp()).toEqual({ kind: "recorded", operations: 1 });
    expect(await findings(world)).toEqual([]);
    expect((await textsOf(world.history, "a.md"))[0]).toBe("after\n");
  });

  it("HIST-5 what waits for history is cleaned where it waits, also where there is no history at all", async () => {
    const folder = scratchFolder();
    const world = { folder, ...openWorld(folder) };
    for (const text of ["one", secret, `${secret} again`, "four"]) await world.documents.write(at("a.md"), text, ada);
    const forms = toPurgeForms(secret, "removed");
    await purgeRoot({ trail: world.store.trail("notes"), env: process.env, forms, stamp });
    expect(holders(folder, forms)).toEqual([]);
    await world.history.catchUp();
    expect(await textsOf(world.history, "a.md")).toEqual(["four", "‹removed› again", "‹removed›", "one"]);
    expect(await findings(world)).toEqual([]);
  });

  it("HIST-5 whoever was killed after the journals were rewritten does it once more", async () => {
    const world = await planted();
    const forms = toPurgeForms(secret, "removed");
    const history = join(world.folder, ".recollect/history");
    await cleanDocuments(world.store.trail("notes"), world.documents, forms, bob);
    await world.history.catchUp();
    const tip = readFileSync(join(world.folder, ".recollect/history-tip"));
    execFileSync("cp", ["-r", history, `${world.folder}-history`]);
    await purgeRoot({ trail: world.store.trail("notes"), env: process.env, forms, stamp });
    // As it is where history was not moved yet.
    rmSync(history, { recursive: true });
    renameSync(`${world.folder}-history`, history);
    writeFileSync(join(world.folder, ".recollect/history-tip"), tip);
    await world.documents.write(at("clean.md"), "in between\n", ada);
    await world.history.catchUp();
    await purge(world, forms);
    expect(holders(world.folder, forms)).toEqual([]);
    expect(await findings(world)).toEqual([]);
    expect((await textsOf(world.history, "clean.md")).slice(0, 2)).toEqual(["in between\n", "clean two\n"]);
  });

  it("HIST-5 a value of several lines goes, with either line end and as JSON", async () => {
    const key = "-----BEGIN KEY-----\nabcdef\nghijkl\n-----END KEY-----";
    const folder = scratchFolder();
    const world = { folder, ...openWorld(folder) };
    await world.documents.write(at("a.md"), key, { ...ada, reason: `this: ${key}` });
    await world.documents.write(at("a.md"), key.replaceAll("\n", "\r\n"), ada);
    await world.history.catchUp();
    const forms = toPurgeForms(key, "removed");
    await purge(world, forms);
    expect(holders(folder, forms)).toEqual([]);
    for (const line of ["abcdef", "ghijkl"]) expect(holders(folder, toPurgeForms(line, "removed"))).toEqual([]);
    expect(await findings(world)).toEqual([]);
  });

  it("refuses what would take words apart", () => {
    for (const value of ["", "abc", "     a     "]) expect(() => toPurgeForms(value, "x")).toThrow(/at least 6/);
  });
});

describe("purging a workspace", () => {
  async function opened(policy: "warn" | "standard" = "warn") {
    const folder = scratchFolder();
    const [home, project] = [join(folder, "home"), join(folder, "project")];
    for (const path of [home, join(project, ".git")]) mkdirSync(path, { recursive: true });
    const env = { PATH: process.env["PATH"], HOME: home };
    const open = (guard: "warn" | "standard" = policy) =>
      openWorkspace({ cwd: project, project, home, env, log: () => {}, flags: { "--guard-policy": guard } });
    return { folder, open };
  }

  it("HIST-5 cleans memories, topics, their archive and names, indexes and caches, and says where it was", async () => {
    const value = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const { folder, open } = await opened();
    const workspace = await open();
    await workspace.memories.write("login", `token ${value}\n`);
    await workspace.memories.write(`note ${value}`, "named after it\n");
    const fields = { context: "c", problem: "p" };
    for (let index = 0; index < 14; index += 1) {
      const title = index % 2 === 0 ? `Entry ${index}` : `Entry ${index} ${value}`;
      await workspace.topics.store({ topic: "build", subtopic: "cache", title, ...fields, solution: value });
    }
    await workspace.topics.store({ topic: `top ${value}`, subtopic: "sub", title: "t", ...fields, solution: "s" });
    await workspace.topics.load({ topic: `top ${value}`, subtopic: "sub" });
    await workspace.history.catchUp();
    await workspace.search.search({ query: value });
    await workspace.memories.delete(`note ${value}`);
    const forms = toPurgeForms(value, "removed");
    expect(holders(folder, forms).length).toBeGreaterThan(8);
    const seen = await workspace.purge({ value, dryRun: true });
    expect(seen.places.find(({ path }) => path === "login.md")).toMatchObject({ isCurrent: true, revisions: 1 });
    const report = await workspace.purge({ value });
    expect(report.left).toEqual([]);
    expect(report.places.map(({ path }) => path)).toContain("archive/build/2026.md");
    expect(JSON.stringify(report)).not.toContain(value);
    expect((await workspace.memories.read("login")).content).toBe("token ‹removed›\n");
    expect(await workspace.verify()).toMatchObject({ result: "ok" });
    await workspace.search.search({ query: "token" });
    await workspace.close();
    expect(holders(folder, forms)).toEqual([]);
  });

  it("HIST-5 cleans the files of all agents, and what they were", async () => {
    const value = "correct horse battery staple";
    const { folder, open } = await opened("standard");
    const workspace = await open();
    const memory = new AgentMemoryService(userDataFolder({ home: join(folder, "home"), env: {} }));
    for (const text of ["one", value, "three"]) await memory.writeMemoryFile("ada", "notes/a.md", `${text}\n`);
    await memory.writeMemoryFile("bob", "b.md", `It is ${value}.\n`);
    const { left, places } = await workspace.purge({ value });
    expect([left, places.map(({ path }) => path)]).toEqual([[], ["bob/b.md"]]);
    expect(await memory.readMemoryFile("bob", "b.md")).toBe("It is ‹removed›.\n");
    await memory.close();
    await workspace.close();
    expect(holders(folder, toPurgeForms(value, "removed"))).toEqual([]);
  });

  it("HIST-5 nobody writes it again, whatever the guard's policy, in no process of this user", async () => {
    const value = "correct horse battery staple";
    const { open } = await opened("standard");
    const [one, other] = [await open(), await open()];
    await one.memories.write("a", `The phrase is ${value}.\n`);
    await other.memories.write("b", "clean\n");
    await one.purge({ value });
    for (const workspace of [one, other, await open("warn")]) {
      await expect(workspace.memories.write("b", `once more ${value}`)).rejects.toThrow(/was purged/);
      await workspace.close();
    }
  });
});
