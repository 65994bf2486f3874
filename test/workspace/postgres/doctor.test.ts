import pg from "pg";
import { describe, expect, it } from "vitest";
import { cli } from "../../helpers/cli.ts";
import { sharedDatabase } from "../../helpers/postgres-stores.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { type DatabaseWorld, databaseWorld } from "./open-workspaces.ts";

const folders = temporaryFolders();

async function doctor(world: DatabaseWorld, url: string) {
  const args = ["doctor", "--json", "--database-url", url, "--database-space", world.space];
  const { out, code } = await cli(args, undefined, { cwd: world.project, env: {}, home: world.home });
  const { findings } = JSON.parse(out) as {
    findings: { level: string; about: string; says: string; remedy?: string }[];
  };
  // The database of the tests keeps nothing through a crash, which is said each time.
  const isOfTests = (says: string) => / has (?:fsync|synchronous_commit) off: /.test(says);
  const about = (what: string) =>
    findings
      .filter((one) => one.about === what && !isOfTests(one.says))
      .map(({ level, says }) => `${level}: ${says.replace(/\d+ ms/, "… ms")}`);
  return { code, findings, about };
}

/** Statements of somebody who may do everything, one by one. */
async function asAdmin(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const text of statements) await client.query(text);
  } finally {
    await client.end();
  }
}

function addressed(url: string, parts: Partial<Pick<URL, "port" | "username" | "password" | "pathname">>): string {
  return Object.assign(new URL(url), parts).href;
}

/** A database of its own on the same server. */
async function ownDatabase({ url, space }: DatabaseWorld, options = ""): Promise<{ superuser: string; bound: string }> {
  const admin = { username: "postgres", password: "postgres" };
  const name = `doctor_${space.replaceAll("-", "")}`;
  await asAdmin(addressed(url, { ...admin, pathname: "/postgres" }), `CREATE DATABASE ${name} ${options}`);
  const pathname = `/${name}`;
  return { superuser: addressed(url, { ...admin, pathname }), bound: addressed(url, { pathname }) };
}

describe("doctor over a database", () => {
  it("PG-1 says that it answers, and never shows the password", async () => {
    const world = await databaseWorld(folders.make());
    const { code, about, findings } = await doctor(world, world.url);
    const { host } = new URL(world.url);
    expect(about("database")).toEqual([`fine: ${host}/recollect, as recollect, answered after … ms`]);
    expect(JSON.stringify(findings)).not.toContain("recollect:recollect@");
    expect([code, findings.filter(({ level }) => level === "problem")]).toEqual([0, []]);
  });

  it.each([
    ["nothing answers", { port: "1" }, /cannot be used: nothing answers at that address$/],
    ["the password is wrong", { password: "wrong" }, /does not take this user or password$/],
    ["there is no such database", { pathname: "/none" }, /has no database of that name$/],
  ])("PG-1 says what to do where %s, and hides nothing else", async (_, parts, says) => {
    const world = await databaseWorld(folders.make());
    const { code, about, findings } = await doctor(world, addressed(world.url, parts));
    expect(code).toBe(1);
    expect(about("database")).toEqual([expect.stringMatching(says)]);
    expect(findings.find(({ about: what }) => what === "database")?.remedy).toBeDefined();
    expect(about("project")).toEqual([`fine: ${world.project}`]);
    expect(about("tokens")).toEqual([]);
  });

  it("PG-2 of several hosts, one that does not answer is a note as long as another does", async () => {
    const world = await databaseWorld(folders.make());
    const { host } = new URL(world.url);
    const { code, about } = await doctor(world, world.url.replace(host, `127.0.0.1:1,${host}`));
    expect(about("database")).toEqual([
      "note: 127.0.0.1:1/recollect cannot be used: nothing answers at that address",
      `fine: ${host}/recollect, as recollect, answered after … ms`,
    ]);
    expect(code).toBe(0);
  });

  it("PG-1 says that a role passes by the wall between spaces", async () => {
    const world = await databaseWorld(folders.make());
    const { superuser } = await ownDatabase(world);
    const { code, about, findings } = await doctor(world, superuser);
    expect(about("database")).toContain(
      "problem: the role “postgres” passes by the row-level security that keeps spaces apart",
    );
    expect([code, findings.find(({ says }) => says.includes("passes by"))?.remedy]).toEqual([
      1,
      expect.stringContaining("without SUPERUSER and BYPASSRLS"),
    ]);
  });

  it("PG-1 says that tables are older and may not be changed, or newer than this program", async () => {
    const world = await databaseWorld(folders.make());
    const { superuser, bound } = await ownDatabase(world);
    await doctor(world, superuser);
    const format = (change: string) => `UPDATE recollect.format SET version = version ${change}`;
    const rights = ["GRANT USAGE ON SCHEMA recollect TO recollect", "GRANT SELECT ON recollect.format TO recollect"];
    await asAdmin(superuser, ...rights, format("- 1"));
    const older = await doctor(world, bound);
    expect(older.about("database")).toContainEqual(expect.stringMatching(/^problem: .* and this Recollect needs \d+$/));
    await asAdmin(superuser, format("+ 8"));
    const newer = await doctor(world, bound);
    expect(newer.about("database")).toContainEqual(
      expect.stringMatching(/^problem: .* and this Recollect knows up to \d+$/),
    );
  });

  it("PG-2 says which settings of it let a crash take acknowledged writes back", async () => {
    const world = await databaseWorld(folders.make());
    const { superuser, bound } = await ownDatabase(world);
    const said = async () => {
      const { findings } = await doctor(world, bound);
      return findings
        .filter(({ says }) => says.includes("a crash may"))
        .map(({ level, remedy }) => `${level}: ${remedy}`);
    };
    const [fsync, commits] = ["note: Set fsync to on", "note: Set synchronous_commit to on"];
    expect(await said()).toEqual([commits, fsync].map((start) => expect.stringContaining(String(start))));
    await asAdmin(superuser, `ALTER DATABASE ${new URL(superuser).pathname.slice(1)} SET synchronous_commit = on`);
    expect(await said()).toEqual([expect.stringContaining(String(fsync))]);
  });

  it("PG-1 says that a database keeps texts in an encoding that not all texts have", async () => {
    const world = await databaseWorld(folders.make());
    const { superuser } = await ownDatabase(world, "ENCODING 'LATIN1' TEMPLATE template0");
    const { code, about } = await doctor(world, superuser);
    expect(about("database")).toContainEqual(expect.stringMatching(/^problem: .* in the encoding LATIN1: /));
    expect(code).toBe(1);
  });

  it("PG-1 shows nothing of an address whose password it cannot tell from the rest", async () => {
    const world = await databaseWorld(folders.make());
    const url = "postgres://u:12/34SECRET@127.0.0.1/db";
    const { out, err } = await cli(["doctor", "--json", "--database-url", url], undefined, {
      cwd: world.project,
      env: {},
      home: world.home,
    });
    expect(`${out}${err}`).toContain("write / in a password as %2F");
    expect(`${out}${err}`).not.toContain("SECRET");
  });

  it("PG-2 WEB-2 names a token's record in the database that cannot be read", async () => {
    const world = await databaseWorld(folders.make());
    const text = "INSERT INTO recollect.records (space, kind, name, record) VALUES ($1, 'tokens', $2, '{')";
    const insert = { text, values: [world.space, "e".repeat(64)] };
    await (await sharedDatabase()).transaction([world.space], (transaction) => transaction.commit(insert));
    expect((await doctor(world, world.url)).about("tokens")).toEqual([
      expect.stringContaining(`tokens/${"e".repeat(64)} in the database`),
    ]);
  });
});
