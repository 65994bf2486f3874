import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGuard, type WorkspaceOptions } from "../../../src/app.ts";
import { cli } from "../../helpers/cli.ts";
import { databaseProxy } from "../../helpers/database-proxy.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { asJson, type HttpWorld, serveWorkspace } from "../../helpers/http-server.ts";
import { sharedDatabase } from "../../helpers/postgres-stores.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { type DatabaseWorld, databaseWorld } from "./open-workspaces.ts";

const folders = temporaryFolders();
const patience = { timeout: 10_000 };
const leaked = "ghp_Zq8vT3mN5bR1xW7kY2pL9sD4fG6hJ0aC1eUi";

/** One of several servers of the same memory. */
async function serve(world: DatabaseWorld, options: WorkspaceOptions & { machine: string }): Promise<HttpWorld> {
  const served = await serveWorkspace(await world.open({ stays: true, ...options }));
  onTestFinished(() => served.close());
  return served;
}

/** Of whoever started it, who may do everything. */
function ownOf({ server }: HttpWorld): string {
  return server.secret ?? "";
}

async function runCli(world: DatabaseWorld, args: readonly string[], input?: string) {
  const flags = ["--database-url", world.url, "--database-space", world.space];
  const { out, err, code } = await cli([...args, ...flags, "--json"], input, {
    cwd: world.project,
    env: { XDG_CACHE_HOME: world.env["XDG_CACHE_HOME"] },
    home: world.home,
  });
  return { code, err, answer: JSON.parse(out || "{}") };
}

describe("servers side by side", () => {
  it("PG-2 WEB-2 what one makes a token of, each accepts, and none once it is revoked", async () => {
    const world = await databaseWorld(folders.make());
    const [one, other] = [await serve(world, { machine: "one" }), await serve(world, { machine: "two" })];
    const request = { path: "/api/tokens", method: "POST", ...asJson({ name: "ada", scopes: ["*:read"] }) };
    const made = JSON.parse((await one.ask(request, ownOf(one))).text);
    for (const server of [one, other]) {
      expect((await server.ask({ path: "/api/session" }, made.secret)).status).toBe(200);
    }
    const listed = await runCli(world, ["token", "list"]);
    expect(listed.answer.tokens).toMatchObject([{ id: made.id, name: "ada", lastUsed: expect.any(String) }]);
    expect((await runCli(world, ["token", "revoke", made.id])).answer).toEqual({ revoked: true });
    for (const server of [one, other]) {
      expect((await server.ask({ path: "/api/session" }, made.secret)).status).toBe(401);
    }
    expect(readdirSync(world.home)).toEqual([]);
  });

  it("PG-2 WEB-2 a token of one part of a database is none of another, nor one that was made for files", async () => {
    const [here, there] = [await databaseWorld(folders.make()), await databaseWorld(folders.make())];
    const { answer } = await runCli(here, ["token", "create", "ada", "--scope", "*:all", "--admin"]);
    const files = await cli(["token", "create", "eve", "--json"], undefined, {
      cwd: there.project,
      env: {},
      home: there.home,
    });
    const [own, foreign] = [await serve(here, { machine: "one" }), await serve(there, { machine: "one" })];
    expect((await own.ask({ path: "/api/session" }, answer.secret)).status).toBe(200);
    for (const secret of [answer.secret, JSON.parse(files.out).secret]) {
      expect((await foreign.ask({ path: "/api/session" }, secret)).status).toBe(401);
    }
    expect((await foreign.workspace.tokens.list()).map(({ name }) => name)).toEqual([]);
  });

  it("PG-1 the database itself shows nobody the records of another space", async () => {
    const world = await databaseWorld(folders.make());
    await runCli(world, ["token", "create", "ada"]);
    const database = await sharedDatabase();
    const all = { text: "SELECT space FROM recollect.records" };
    expect((await database.read([world.space], all))[0]).toEqual([{ space: world.space }]);
    expect((await database.read(["another"], all))[0]).toEqual([]);
    const steal = {
      text: "INSERT INTO recollect.records (space, kind, name, record) VALUES ($1, 'tokens', 'x', '{}')",
      values: [world.space],
    };
    const stolen = await errorOf(() => database.transaction(["another"], (transaction) => transaction.commit(steal)));
    expect(stolen).toMatchObject({ code: "42501" });
  });

  it("PG-2 WEB-2 a damaged record of a token is named, and leaves the others what they are", async () => {
    const world = await databaseWorld(folders.make());
    const { answer } = await runCli(world, ["token", "create", "ada"]);
    const database = await sharedDatabase();
    const insert = {
      text: "INSERT INTO recollect.records (space, kind, name, record) VALUES ($1, 'tokens', $2, $3)",
      values: [world.space, "f".repeat(64), "{"],
    };
    await database.transaction([world.space], (transaction) => transaction.commit(insert));
    const { answer: listed, err } = await runCli(world, ["token", "list"]);
    expect(listed.tokens).toHaveLength(1);
    expect(err).toContain(`tokens/${"f".repeat(64)} in the database. Remove that row`);
    expect((await runCli(world, ["token", "revoke", answer.id])).answer).toEqual({ revoked: true });
  });

  it("PG-2 GUARD-4 what one allows the guard to let pass, the other lets pass as well, until it is taken back", async () => {
    const world = await databaseWorld(folders.make());
    const [one, other] = [await serve(world, { machine: "one" }), await serve(world, { machine: "two" })];
    const text = `The example is ${leaked}.\n`;
    expect(await errorOf(() => other.workspace.memories.write("example", text))).toMatchObject({
      code: "SENSITIVE_CONTENT",
    });
    const [finding] = createGuard({ policy: "standard", allowed: new Set() }).scan(text);
    const allowed = { fingerprint: finding?.fingerprint ?? "", reason: "of the vendor's documentation" };
    const request = { path: "/api/guard/allowed", method: "POST", ...asJson(allowed) };
    expect((await one.ask(request, ownOf(one))).status).toBe(200);
    const write = () => errorOf(() => other.workspace.memories.write(`example-${randomUUID()}`, text));
    await expect.poll(write, patience).toBeUndefined();
    const { answer } = await runCli(world, ["guard", "list"]);
    expect(answer.allowed).toMatchObject([allowed]);
    await runCli(world, ["guard", "revoke", allowed.fingerprint]);
    await expect.poll(write, patience).toMatchObject({ code: "SENSITIVE_CONTENT" });
  });
});

describe("how the database is", () => {
  it("PG-2 a server tells a database that is slow from one that is away, and is ready again by itself", async () => {
    const world = await databaseWorld(folders.make());
    const proxy = await databaseProxy(world.url);
    onTestFinished(() => proxy.close());
    const server = await serve(world, { machine: "one", flags: { "--database-url": proxy.url } });
    const ready = async () => {
      const { status, text } = await server.ask({ path: "/readyz" });
      return `${status} ${text.replace(/\d+ ms/, "… ms").trim()}`;
    };
    const figure = async (name: string) =>
      new RegExp(`^${name} (.*)$`, "m").exec((await server.ask({ path: "/metrics" }, ownOf(server))).text)?.[1];
    expect(await ready()).toBe("200 ready");
    expect([await figure("recollect_database_up"), await figure("recollect_database_slow")]).toEqual(["1", "0"]);
    expect(Number(await figure("recollect_database_latency_seconds"))).toBeLessThan(1);
    proxy.delay(1100);
    await expect.poll(ready, patience).toBe("200 ready, but the database is slow (… ms)");
    expect(await figure("recollect_database_slow")).toBe("1");
    proxy.delay(0);
    proxy.cut();
    await expect.poll(ready, patience).toBe("503 the database cannot be reached");
    expect(await figure("recollect_database_up")).toBe("0");
    expect((await server.ask({ path: "/healthz" })).status).toBe(200);
    const token = await server.ask({ path: "/api/session" }, `rcl_${"A".repeat(43)}`);
    expect([token.status, token.text]).toEqual([503, expect.stringContaining("UNAVAILABLE")]);
    proxy.mend();
    await expect.poll(ready, patience).toBe("200 ready");
  }, 40_000);
});
