import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace } from "../../../src/app.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { snapshotOf } from "../../helpers/folder-snapshot.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { wholeAnswer } from "../../helpers/whole-answer.ts";
import { newEntry } from "../../notes/topics/new-entry.ts";
import { databaseWorld, found } from "./open-workspaces.ts";

const folders = temporaryFolders();

describe("a workspace in a database", () => {
  it("PG-1 keeps memories, topics and the files of agents there, and nothing in the project", async () => {
    const world = await databaseWorld(folders.make());
    const before = snapshotOf(world.project);
    const workspace = await world.open({ flags: { "--agent-id": "builder" } });
    await workspace.memories.write("build", "Run the tests first.\n");
    await workspace.topics.store(newEntry("Blue and green"));
    await workspace.agent?.memory.writeMemoryFile("builder", "plan.md", "First the kernel.\n");
    expect(workspace.roots.map(({ kind, hasHistory }) => [kind, hasHistory])).toEqual([
      ["memories", true],
      ["global", false],
      ["topics", true],
      ["agent", false],
    ]);
    expect((await workspace.memories.read("build")).content).toBe("Run the tests first.\n");
    expect(await workspace.agent?.memory.readMemoryFile("builder", "plan.md")).toBe("First the kernel.\n");
    expect(await workspace.agents.list()).toEqual(["builder"]);
    expect(snapshotOf(world.project)).toEqual(before);
    expect(readdirSync(world.home)).toEqual([]);
  });

  it("PG-1 works without any project, as a server of a team does", async () => {
    const world = await databaseWorld(folders.make());
    const nowhere = join(world.folder, "nowhere");
    mkdirSync(nowhere);
    const flags = { "--database-url": world.url, "--database-space": world.space };
    const workspace = await openWorkspace({ cwd: nowhere, home: world.home, env: world.env, flags });
    await workspace.memories.write("team/rules", "Review every change.\n");
    expect(await found(workspace, "review")).toEqual([`postgres:${world.space}/memories: team/rules.md`]);
    await workspace.close();
  });

  it("PG-1 roots in folders and in the database mix, in their order", async () => {
    const world = await databaseWorld(folders.make());
    const shared = `postgres:${world.space}/handbook`;
    const first = await world.open({ flags: { "--memories-folder": shared } });
    await first.memories.write("style", "Plain words.\n");
    await first.memories.write("only/there", "Ask the librarian.\n");
    const flags = { "--memories-folder": "notes", "--additional-folder": [`${shared}:ro`] };
    const mixed = await world.open({ flags, machine: "two" });
    await mixed.memories.write("own/style", "Short words.\n");
    expect(readdirSync(join(world.project, "notes", "own"))).toContain("style.md");
    expect((await mixed.memories.read("style")).content).toBe("Plain words.\n");
    expect((await mixed.memories.read("only/there")).content).toBe("Ask the librarian.\n");
    expect(await found(mixed, "librarian")).toEqual([`${shared}: only/there.md`]);
    expect(await errorOf(() => mixed.memories.write("only/there", "Ask nobody.\n"))).toMatchObject({
      code: expect.stringMatching(/READ_ONLY|NOT_ALLOWED/),
    });
  });

  it("PG-1 the bank lies in spaces too: the project's part, and templates that nobody changes", async () => {
    const world = await databaseWorld(folders.make());
    const workspace = await world.open({ flags: { "--memory-path": `postgres:${world.space}/bank` } });
    const [area = ""] = workspace.bankAreas?.bank ?? [];
    await workspace.bank.createFile(`${area}/progress.md`, "Half of it.\n");
    expect(await workspace.bank.readFile(`${area}/progress.md`)).toMatchObject({ content: "Half of it.\n" });
    const [templates = ""] = workspace.bankAreas?.templates ?? [];
    expect(await errorOf(() => workspace.bank.createFile(`${templates}/x.md`, "x\n"))).toMatchObject({
      code: expect.stringMatching(/READ_ONLY|NOT_ALLOWED/),
    });
  });

  it("PG-2 what one server writes, another finds, reads and knows the author of at once", async () => {
    const world = await databaseWorld(folders.make());
    const [one, other] = [
      await world.open({ stays: true, author: "person:ada" }),
      await world.open({ stays: true, machine: "two" }),
    ];
    const root = `postgres:${world.space}/memories`;
    expect(await found(other, "rotation")).toEqual([]);
    for (const step of [1, 2, 3]) {
      await one.memories.write(`keys/k${step}`, `Key rotation number ${step}.\n`);
      expect(await found(other, `rotation ${step}`)).toContain(`${root}: keys/k${step}.md`);
    }
    await one.memories.rename("keys/k1", "keys/first");
    await one.memories.delete("keys/k2");
    expect((await found(other, "rotation")).sort()).toEqual([`${root}: keys/first.md`, `${root}: keys/k3.md`]);
    const history = other.history;
    const { operations } = await history.timeline({ limit: 10, name: "keys/first" });
    expect(operations.map(({ author }) => author)).toEqual(["person:ada", "person:ada"]);
  });

  it("PG-2 whoever listens on one server is told of what another writes", async () => {
    const world = await databaseWorld(folders.make());
    const [one, other] = [
      await world.open({ stays: true, author: "person:ada" }),
      await world.open({ stays: true, machine: "two" }),
    ];
    const told = Promise.withResolvers<unknown>();
    const listening = other.live.listen(other, (news) => told.resolve(news));
    await listening.ready;
    const { rev } = await one.memories.write("news", "It is out.\n");
    expect(await told.promise).toEqual({
      kind: "changed",
      changes: [{ root: `postgres:${world.space}/memories`, path: "news.md", rev, author: "person:ada" }],
    });
    listening.stop();
  });

  it("AGT-4 an agent neither reads, lists nor finds another one's files", async () => {
    const world = await databaseWorld(folders.make());
    const workspace = await world.open({ stays: true });
    const [ada, bob] = ["ada", "bob"].map((agentId) => workspace.session({ author: `agent:${agentId}`, agentId }));
    await ada?.agent?.memory.writeMemoryFile("ada", "secret/plan.md", "The tunnel begins at the oak.\n");
    const [ofAda, ofBob] = [ada?.search, bob?.search];
    const query = "tunnel oak";
    expect((await wholeAnswer(async () => ofBob?.search({ query })))?.hits).toEqual([]);
    expect((await wholeAnswer(async () => ofAda?.search({ query })))?.hits).toHaveLength(1);
    expect((await bob?.agent?.memory.listMemoryFiles("bob"))?.files).toEqual([]);
    expect(await errorOf(async () => bob?.agent?.memory.readMemoryFile("bob", "secret/plan.md"))).toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("says what is missing where a root lies in a database that nobody named", async () => {
    const world = await databaseWorld(folders.make());
    const flags = { "--memories-folder": "postgres:team/notes" };
    const error = await errorOf(() =>
      openWorkspace({ project: world.project, home: world.home, env: world.env, flags }),
    );
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("--database-url") });
  });

  it("names no password where the database cannot be reached", async () => {
    const world = await databaseWorld(folders.make());
    const flags = { "--database-url": "postgres://ada:hunter2@127.0.0.1:1/memory", "--database-space": world.space };
    const error = await errorOf(() =>
      openWorkspace({ project: world.project, home: world.home, env: world.env, flags }),
    );
    expect(error).toMatchObject({ code: "STORAGE_FAILED", data: { reason: "unreachable" } });
    expect(String(error)).not.toContain("hunter2");
  });

  it("shows the address of the database without its password", async () => {
    const world = await databaseWorld(folders.make());
    const url = world.url.replace("?", "");
    const { out } = await world.cli(["config", "show", "--json", "--database-url", url]);
    const { host, pathname } = new URL(url);
    expect(JSON.parse(out).settings["database.url"].value).toBe(`postgres://${host}${pathname}`);
    expect(out).not.toContain(new URL(url).password === "recollect" ? ":recollect@" : new URL(url).password);
  });
});
