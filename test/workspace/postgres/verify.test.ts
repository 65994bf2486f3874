import { describe, expect, it } from "vitest";
import type { Workspace } from "../../../src/app.ts";
import { cli } from "../../helpers/cli.ts";
import { sharedDatabase } from "../../helpers/postgres-stores.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { newEntry } from "../../notes/topics/new-entry.ts";
import { type DatabaseWorld, databaseWorld } from "./open-workspaces.ts";

const folders = temporaryFolders();

/** What no program of ours does. `$1` is the space of the memories. */
async function tamper(world: DatabaseWorld, text: string): Promise<void> {
  const database = await sharedDatabase();
  const space = `${world.space}/memories`;
  await database.transaction([space], (transaction) => transaction.commit({ text, values: [space] }));
}

async function filled(): Promise<{ readonly world: DatabaseWorld; readonly workspace: Workspace }> {
  const world = await databaseWorld(folders.make());
  const workspace = await world.open();
  await workspace.memories.write("build", "Run the tests first.\n");
  await workspace.memories.write("build", "Run the tests first, then ship.\n");
  await workspace.memories.write("style", "Plain words.\n");
  await workspace.memories.rename("style", "words/plain");
  await workspace.memories.write("gone", "For a day.\n");
  await workspace.memories.delete("gone");
  await workspace.topics.store(newEntry("Blue and green"));
  return { world, workspace };
}

async function verified(workspace: Workspace) {
  const { result, findings } = await workspace.verify({ searchIndex: false });
  return { result, says: findings.map(({ level, path, says }) => `${level} ${path ?? ""}: ${says}`) };
}

describe("verify over a database", () => {
  it("PG-1 HIST-4b everything agrees, also after operations of every kind; and nothing is changed by asking", async () => {
    const { workspace } = await filled();
    const told: string[] = [];
    const { result, roots, findings } = await workspace.verify({
      onProgress: ({ root, doing, done, total }) => told.push(`${root} ${doing} ${done <= total}`),
    });
    expect([result, findings]).toEqual(["ok", []]);
    expect(roots).toMatchObject([
      { root: expect.stringContaining("memories"), documents: 2, operations: 6, revisions: 5, pending: 0 },
      { root: expect.stringContaining("topics") },
    ]);
    expect(told).toContain(`${roots[0]?.root} database true`);
    expect(told.join()).not.toContain("false");
  });

  it("PG-1 HIST-4b goes on while others write", async () => {
    const { world, workspace } = await filled();
    const writer = await world.open({ machine: "two" });
    let isDone = false;
    const writing = (async () => {
      for (let index = 0; !isDone; index += 1) await writer.memories.write(`new/${index % 7}`, `Text ${index}.\n`);
    })();
    for (let round = 0; round < 5; round += 1) expect(await verified(workspace)).toEqual({ result: "ok", says: [] });
    isDone = true;
    await writing;
  });

  it("PG-3 HIST-4b a history that came from files agrees, too, and goes on", async () => {
    const world = await databaseWorld(folders.make());
    const place = { cwd: world.project, env: { PATH: process.env["PATH"] }, home: world.home };
    for (const [name, text] of [
      ["build", "First.\n"],
      ["build", "Second.\n"],
      ["style", "Plain.\n"],
    ]) {
      expect((await cli(["memories", "write", name ?? "", "--content", text ?? ""], undefined, place)).code).toBe(0);
    }
    world.write("work/app/.serena/memories/build.md", "By hand.\n");
    await cli(["log"], undefined, place);
    await cli(["memories", "rename", "style", "words/plain"], undefined, place);
    await cli(["memories", "delete", "build"], undefined, place);
    const flags = ["--database-url", world.url, "--database-space", world.space];
    const migrated = await cli(["migrate", "to-postgres", ...flags], undefined, place);
    expect(migrated).toMatchObject({ code: 0 });
    const workspace = await world.open();
    expect(await verified(workspace)).toEqual({ result: "ok", says: [] });
    await workspace.memories.write("build", "Again.\n");
    expect(await verified(workspace)).toEqual({ result: "ok", says: [] });
  }, 20_000);

  it("HIST-4b HIST-5 goes through more than one page, also where a chain goes on in the next one", async () => {
    const world = await databaseWorld(folders.make());
    const workspace = await world.open();
    await workspace.memories.write("first", "The first.\n");
    const word = "correct horse battery staple";
    // Two changes of each of 1,500 documents, made by the database itself.
    const made = `FROM generate_series(1, 1500) AS i, generate_series(1, 2) AS round,
      LATERAL (SELECT convert_to(round || ' of ' || i || ' ${word}', 'UTF8') AS content) AS k`;
    const rev = "left(encode(sha256(%), 'hex'), 32)";
    const revOf = (round: string) => rev.replace("%", `convert_to(${round} || ' of ' || i || ' ${word}', 'UTF8')`);
    const number = "1 + (round - 1) * 1500 + i";
    for (const text of [
      `INSERT INTO recollect.contents (space, rev, content) SELECT $1, ${revOf("round")}, content ${made}`,
      `INSERT INTO recollect.changes (space, change, operation, path, kind, rev, was, time, author)
        SELECT $1, ${number}, 'o' || ${number}, 'n/' || lpad(i::text, 5, '0') || '.md', 'put', ${revOf("round")},
          CASE WHEN round = 2 THEN ${revOf("1")} END, now(), 'person:ada' ${made}`,
      `INSERT INTO recollect.documents (space, path, rev, size, modified, change)
        SELECT $1, 'n/' || lpad(i::text, 5, '0') || '.md', ${revOf("round")}, length(content), now(), ${number} ${made}
        WHERE round = 2`,
      "UPDATE recollect.spaces SET last_change = 3001 WHERE space = $1",
    ]) {
      await tamper(world, text);
    }
    expect(await verified(workspace)).toEqual({ result: "ok", says: [] });
    const { places, left } = await workspace.purge({ value: word });
    expect([places.length, left]).toEqual([1500, []]);
    expect(await verified(workspace)).toEqual({ result: "ok", says: [] });
    await tamper(
      world,
      "UPDATE recollect.changes SET was = NULL WHERE space = $1 AND path = 'n/01400.md' AND change < 3002",
    );
    const { says } = await verified(workspace);
    expect(says).toEqual([expect.stringContaining("The changes of “n/01400.md” do not follow one another")]);
  });

  it.each([
    [
      "other bytes in a content that is current",
      "UPDATE recollect.contents SET content = 'evil' WHERE space = $1 AND convert_from(content, 'UTF8') LIKE 'Plain%'",
      /^damaged words\/plain\.md: The revision .* has other bytes than it had/,
    ],
    [
      "other bytes in one that was",
      "UPDATE recollect.contents SET content = 'evil' WHERE space = $1 AND convert_from(content, 'UTF8') LIKE 'For a day%'",
      /^damaged gone\.md: The revision .* has other bytes/,
    ],
    [
      "a content that is gone",
      "DELETE FROM recollect.contents WHERE space = $1 AND convert_from(content, 'UTF8') LIKE '%then ship%'",
      /^damaged build\.md: “build.md” has no content/,
    ],
    [
      "a document with an older revision",
      `UPDATE recollect.documents d SET rev = c.was, size = 21 FROM recollect.changes c
        WHERE d.space = $1 AND c.space = $1 AND c.path = d.path AND c.was IS NOT NULL AND d.path = 'build.md'`,
      /^damaged build\.md: “build.md” is not what was last recorded/,
    ],
    [
      "a document that is gone",
      "DELETE FROM recollect.documents WHERE space = $1 AND path = 'build.md'",
      /^damaged build\.md: “build.md” is gone/,
    ],
    [
      "a document that nobody wrote",
      `INSERT INTO recollect.documents SELECT space, 'new.md', rev, size, is_text, modified, change
        FROM recollect.documents WHERE space = $1 AND path = 'build.md'`,
      /^damaged new\.md: “new.md” came without a record/,
    ],
    [
      "a change that is gone",
      "DELETE FROM recollect.changes WHERE space = $1 AND path = 'build.md' AND was IS NULL",
      /^damaged : 1 of the changes are missing/,
    ],
    [
      "a chain that does not fit",
      "UPDATE recollect.changes SET was = repeat('0', 32) WHERE space = $1 AND path = 'build.md' AND was IS NOT NULL",
      /^damaged build\.md: The changes of “build.md” do not follow one another/,
    ],
    [
      "a change that nobody counted",
      "UPDATE recollect.spaces SET last_change = last_change - 1 WHERE space = $1",
      /^damaged : 1 changes are there that nobody counted/,
    ],
  ])("HIST-4b finds %s", async (_, text, expected) => {
    const { world, workspace } = await filled();
    await tamper(world, text);
    const { result, says } = await verified(workspace);
    expect(result).toBe("damaged");
    expect(says).toContainEqual(expect.stringMatching(expected));
  });
});
