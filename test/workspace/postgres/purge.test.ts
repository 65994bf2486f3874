import { describe, expect, it } from "vitest";
import type { ExistingPath, Workspace } from "../../../src/app.ts";
import { cli } from "../../helpers/cli.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { sharedDatabase } from "../../helpers/postgres-stores.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { newEntry } from "../../notes/topics/new-entry.ts";
import { type DatabaseWorld, databaseWorld, found } from "./open-workspaces.ts";

const folders = temporaryFolders();
/** Nothing that the guard knows: it got in as any word does. */
const leaked = "correct horse battery staple";

const tables = ["spaces", "contents", "documents", "changes", "records"];

/** Everything that the database keeps for this world, as text. */
async function everythingIn({ space }: DatabaseWorld, ...agents: readonly string[]): Promise<string> {
  const database = await sharedDatabase();
  const spaces = [
    space,
    ...["memories", "topics", "global", "handbook"].map((part) => `${space}/${part}`),
    ...agents.map((id) => `${space}/agents/${id}`),
  ];
  const text = (table: string) =>
    table === "contents"
      ? "SELECT rev, encode(content, 'escape') AS content FROM recollect.contents"
      : `SELECT * FROM recollect.${table}`;
  const rows = await database.read(spaces, ...tables.map((table) => ({ text: text(table) })));
  return JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value));
}

async function textOf(workspace: Workspace, name: string): Promise<string> {
  return (await workspace.memories.read(name)).content;
}

describe("purge over a database", () => {
  it("HIST-5 takes a value out of documents, names, reasons and all that was, in every space, and loses nothing else", async () => {
    const world = await databaseWorld(folders.make());
    const workspace = await world.open({ flags: { "--agent-id": "builder" }, run: `run of ${leaked}` });
    const { memories } = workspace;
    await memories.write("door", `It opens with ${leaked}, and closes.\n`);
    await memories.write("door", `It opens with ${leaked} or a key.\n`);
    await memories.write("past", `Was ${leaked}.\n`);
    await memories.write("past", "Is clean.\n");
    await memories.write(`notes/${leaked}`, "Only its name holds it.\n");
    await memories.write("clean", "Nothing here.\n");
    await memories.write("removed", `Also ${leaked}.\n`);
    await memories.delete("removed");
    await workspace.topics.store({ ...newEntry("Of the door"), problem: `The word is ${leaked}.` });
    await workspace.agent?.memory.writeMemoryFile("builder", "plan.md", `Say ${leaked}.\n`);
    const before = await workspace.history.timeline({ limit: 100 });
    const clean = await memories.read("clean");
    expect(await everythingIn(world, "builder")).toContain(leaked);

    const seen = await workspace.purge({ value: leaked, dryRun: true });
    expect(await everythingIn(world, "builder")).toContain(leaked);
    const report = await workspace.purge({ value: leaked });
    expect(report.left).toEqual([]);
    expect(report.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    const root = `postgres:${world.space}/memories`;
    const inMemories = (places: typeof report.places) =>
      places
        .filter((one) => one.root === root)
        .map(({ path, isCurrent, revisions }) => [path, isCurrent, revisions])
        .sort();
    expect(inMemories(report.places)).toEqual(inMemories(seen.places));
    expect(inMemories(seen.places)).toEqual([
      ["door.md", true, 2],
      ["notes/removed.md", true, 1],
      ["past.md", false, 1],
      ["removed.md", false, 1],
    ]);
    expect(report.places).toContainEqual(expect.objectContaining({ root: "agent_memory", path: "builder/plan.md" }));

    expect(await everythingIn(world, "builder")).not.toContain(leaked);
    expect(await textOf(workspace, "door")).toBe("It opens with ‹removed› or a key.\n");
    expect(await memories.read("clean")).toEqual(clean);
    expect(await workspace.agent?.memory.readMemoryFile("builder", "plan.md")).toBe("Say ‹removed›.\n");
    const after = await workspace.history.timeline({ limit: 100 });
    const told = after.operations.filter(({ reason }) => reason?.includes("purge of a leaked value"));
    expect(told.length).toBeGreaterThan(0);
    expect(after.operations.length).toBeGreaterThanOrEqual(before.operations.length + told.length);
    expect((await workspace.verify()).findings).toEqual([]);
  }, 20_000);

  it("HIST-5 nobody writes it again, on no server, until that is taken back", async () => {
    const world = await databaseWorld(folders.make());
    const [one, other] = [await world.open(), await world.open({ machine: "two" })];
    await one.memories.write("door", `It opens with ${leaked}.\n`);
    await other.memories.write("warm", "The guard is loaded.\n");
    const { fingerprint = "" } = await one.purge({ value: leaked });
    for (const { memories } of [one, other]) {
      const refused = await errorOf(() => memories.write("again", `It opens with ${leaked}.\n`));
      expect(refused).toMatchObject({ code: "SENSITIVE_CONTENT", data: { purged: fingerprint } });
    }
    const place = { cwd: world.project, env: {}, home: world.home };
    const flags = ["--database-url", world.url, "--database-space", world.space];
    expect((await cli(["purge", "--list", ...flags], undefined, place)).out).toContain(fingerprint);
    expect((await cli(["purge", "--take-back", fingerprint, ...flags], undefined, place)).code).toBe(0);
    const write = () => errorOf(() => other.memories.write("again", `It opens with ${leaked}.\n`));
    await expect.poll(write, { timeout: 10_000 }).toBeUndefined();
  }, 20_000);

  it("HIST-5 PG-2 a server that has it in its index finds it no more, nor the name that held it", async () => {
    const world = await databaseWorld(folders.make());
    const [one, other] = [await world.open(), await world.open({ machine: "two", stays: true })];
    await one.memories.write("door", `It opens with ${leaked}.\n`);
    await one.memories.write(`notes/${leaked}`, "Zebrafish.\n");
    expect(await found(other, "staple")).toHaveLength(2);
    await one.purge({ value: leaked });
    expect(await found(other, "staple")).toEqual([]);
    expect(await found(other, "zebrafish")).toEqual([expect.stringMatching(/notes\/removed-[0-9a-f]{8}\.md$/)]);
  }, 20_000);

  it("HIST-5 two names that are the same without it stay two documents, each with its own history", async () => {
    const world = await databaseWorld(folders.make());
    const workspace = await world.open();
    const [nfc, nfd] = ["geheimnis-für-alle".normalize("NFC"), "geheimnis-für-alle".normalize("NFD")];
    await workspace.memories.write(`a/${nfc}`, "One.\n");
    const space = `${world.space}/memories`;
    const copy = {
      text: "UPDATE recollect.documents SET path = $2 WHERE space = $1",
      values: [space, `a/${nfd}.md`],
    };
    const history = { ...copy, text: "UPDATE recollect.changes SET path = $2 WHERE space = $1" };
    await (await sharedDatabase()).transaction([space], (transaction) => transaction.commit(copy, history));
    await workspace.memories.write(`a/${nfc}`, "Two.\n");
    const { left } = await workspace.purge({ value: nfc });
    expect(left).toEqual([]);
    const { memories } = await workspace.memories.list({});
    const texts = await Promise.all(memories.map(({ name }) => textOf(workspace, name)));
    expect(texts.sort()).toEqual(["One.\n", "Two.\n"]);
    expect((await workspace.verify({ searchIndex: false })).findings).toEqual([]);
  }, 20_000);

  it("HIST-5 what others write meanwhile stays, and what was said stays to be undone", async () => {
    const world = await databaseWorld(folders.make());
    const [one, other] = [await world.open(), await world.open({ machine: "two" })];
    await one.memories.write("door", `It opens with ${leaked}.\n`);
    await one.memories.write("door", `It opens with ${leaked}, twice.\n`);
    const written: string[] = [];
    let isDone = false;
    const writing = (async () => {
      for (let index = 0; !isDone; index += 1) {
        await other.memories.write(`new/${index}`, `Text ${index}.\n`);
        written.push(`new/${index}`);
      }
    })();
    const reports = await Promise.all([one.purge({ value: leaked }), other.purge({ value: leaked })]);
    isDone = true;
    await writing;
    expect(reports.map(({ left }) => left)).toEqual([[], []]);
    expect(await everythingIn(world)).not.toContain(leaked);
    expect((await one.verify({ searchIndex: false })).findings).toEqual([]);
    for (const name of written) expect(await textOf(one, name)).toMatch(/^Text \d+\.\n$/);
    const history = one.history;
    const at = { root: `postgres:${world.space}/memories`, path: "door.md" as ExistingPath };
    const { operations } = await history.log({ ...at, limit: 10 });
    await history.restore(at, operations.at(-1)?.changes[0]?.rev ?? "");
    expect(await textOf(one, "door")).toBe("It opens with ‹removed›.\n");
  }, 30_000);

  it("HIST-5 a space that is only read here is named, and not touched", async () => {
    const world = await databaseWorld(folders.make());
    const shared = `postgres:${world.space}/handbook`;
    const owner = await world.open({ flags: { "--memories-folder": shared } });
    await owner.memories.write("door", `It opens with ${leaked}.\n`);
    const reader = await world.open({ flags: { "--additional-folder": [`${shared}:ro`] }, machine: "two" });
    const { left, places } = await reader.purge({ value: leaked });
    expect(places).toEqual([]);
    expect(left).toEqual([`“door.md” in “${shared}” holds it, and is read-only here.`]);
    expect(await textOf(owner, "door")).toContain(leaked);
  }, 20_000);
});
