import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordsInFolder } from "../../src/backends/files/records.ts";
import { idleScopes } from "../../src/credentials/idle-scopes.ts";
import { parseTokenScope, toGrants } from "../../src/credentials/token-scopes.ts";
import { openTokens } from "../../src/credentials/tokens.ts";
import { operations } from "../../src/kernel/root-policy.ts";
import { errorOf } from "../helpers/error-of.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const reader = { name: "ada", scopes: ["*:read"] };

describe("WEB-2 tokens", () => {
  it("WEB-2 are 256 random bits, shown once, of which only a hash is stored, for this user's eyes", async () => {
    const folder = folders.make();
    const { secret, token } = await openTokens({ records: recordsInFolder(folder) }).create(reader);
    expect(secret).toMatch(/^rcl_[A-Za-z0-9_-]{43}$/);
    const [file = ""] = readdirSync(join(folder, "tokens"));
    const path = join(folder, "tokens", file);
    const stored = readFileSync(path, "utf8");
    expect(stored).not.toContain(secret.slice(4, 24));
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(statSync(join(folder, "tokens")).mode & 0o077).toBe(0);
    expect(JSON.stringify(await openTokens({ records: recordsInFolder(folder) }).list())).not.toContain(
      secret.slice(4, 24),
    );
    expect(token).toMatchObject({ name: "ada", author: "person:ada", scopes: ["*:read"], isAdmin: false });
  });

  it("WEB-2 are known again by another process, until they are revoked", async () => {
    const folder = folders.make();
    const { secret, token } = await openTokens({ records: recordsInFolder(folder) }).create({
      ...reader,
      agentId: "builder",
    });
    const other = openTokens({ records: recordsInFolder(folder) });
    expect(await other.verify(secret)).toEqual(token);
    expect(await other.verify(secret)).toMatchObject({ author: "agent:builder", agentId: "builder" });
    expect(await openTokens({ records: recordsInFolder(folder) }).revoke(token.id)).toBe(true);
    expect(await other.verify(secret)).toBeUndefined();
    expect(await other.revoke(token.id)).toBe(false);
    expect(await other.list()).toEqual([]);
  });

  it("WEB-2 end when they expire", async () => {
    const folder = folders.make();
    let now = Date.parse("2026-01-01T00:00:00Z");
    const tokens = openTokens({ records: recordsInFolder(folder), now: () => now });
    const { secret, token } = await tokens.create({ ...reader, expiresInDays: 2 });
    expect(token.expires).toBe("2026-01-03T00:00:00.000Z");
    now += 2 * 86_400_000 - 1;
    expect(await tokens.verify(secret)).toBeDefined();
    now += 1;
    expect(await tokens.verify(secret)).toBeUndefined();
  });

  it.each([
    "",
    "rcl_",
    `rcl_${"A".repeat(43)}`,
    `rcl_${"A".repeat(42)}`,
    `rcl_${"A".repeat(44)}`,
    "../../etc/passwd",
    `rcl_${"../".repeat(14)}x`,
    `RCL_${"A".repeat(43)}`,
    "\0",
  ])("WEB-2 %j is no token", async (secret) => {
    const folder = folders.make();
    await openTokens({ records: recordsInFolder(folder) }).create(reader);
    expect(await openTokens({ records: recordsInFolder(folder) }).verify(secret)).toBeUndefined();
  });

  it("WEB-2 the name of a record makes nobody a token of it", async () => {
    const folder = folders.make();
    const tokens = openTokens({ records: recordsInFolder(folder) });
    const [one, two] = [
      await tokens.create(reader),
      await tokens.create({ name: "root", scopes: ["*:all"], isAdmin: true }),
    ];
    const files = readdirSync(join(folder, "tokens")).map((name) => join(folder, "tokens", name));
    const fileOf = (id: string) => files.find((file) => readFileSync(file, "utf8").includes(id)) ?? "";
    writeFileSync(fileOf(one.token.id), readFileSync(fileOf(two.token.id)));
    expect(await tokens.verify(one.secret)).toBeUndefined();
  });

  it("WEB-2 a use that is noted late brings no revoked token back", async () => {
    const folder = folders.make();
    const tokens = openTokens({ records: recordsInFolder(folder) });
    const { secret, token } = await tokens.create(reader);
    await openTokens({ records: recordsInFolder(folder) }).revoke(token.id);
    await tokens.used(token);
    expect(await tokens.verify(secret)).toBeUndefined();
    expect(await tokens.list()).toEqual([]);
  });

  it.each([
    ["empty", ""],
    ["cut off", '{"format":1,"id":'],
    ["of a newer Recollect", '{"format":99}'],
  ])("WEB-2 a record that is %s is named, and leaves the other tokens what they are", async (_, text) => {
    const folder = folders.make();
    const named: string[] = [];
    const tokens = openTokens({ records: recordsInFolder(folder), onUnreadable: (message) => named.push(message) });
    const [one, two] = [await tokens.create(reader), await tokens.create(reader)];
    const damaged = `${"f".repeat(64)}.json`;
    writeFileSync(join(folder, "tokens", damaged), text);
    await tokens.used(one.token);
    expect((await tokens.list()).map(({ id, lastUsed }) => [id, lastUsed !== undefined])).toEqual(
      expect.arrayContaining([
        [one.token.id, true],
        [two.token.id, false],
      ]),
    );
    expect(await tokens.revoke(one.token.id)).toBe(true);
    expect([await tokens.verify(one.secret), (await tokens.verify(two.secret))?.id]).toEqual([undefined, two.token.id]);
    expect(named).toEqual([expect.stringContaining(damaged)]);
    const unreadable = await tokens.unreadable();
    expect(unreadable).toEqual([{ id: "f".repeat(16), says: expect.stringMatching(/is damaged|newer Recollect/) }]);
    expect(JSON.stringify(unreadable)).not.toContain(folder);
  });

  it("WEB-2 the damaged record of a token makes it nobody's", async () => {
    const folder = folders.make();
    const named: string[] = [];
    const tokens = openTokens({ records: recordsInFolder(folder), onUnreadable: (message) => named.push(message) });
    const { secret } = await tokens.create(reader);
    const [file = ""] = readdirSync(join(folder, "tokens"));
    writeFileSync(join(folder, "tokens", file), "");
    expect(await tokens.verify(secret)).toBeUndefined();
    expect(named).toEqual([expect.stringContaining(file)]);
  });

  it("WEB-2 a use that cannot be noted keeps nobody from using, listing or revoking", async () => {
    const folder = folders.make();
    const named: string[] = [];
    const tokens = openTokens({ records: recordsInFolder(folder), onUnreadable: (message) => named.push(message) });
    const { secret, token } = await tokens.create(reader);
    // Nobody can write there, whoever runs the tests.
    writeFileSync(join(folder, "token-uses"), "");
    await tokens.used(token);
    expect(named).toHaveLength(1);
    expect(await tokens.list()).toMatchObject([{ id: token.id, lastUsed: undefined }]);
    expect((await tokens.verify(secret))?.id).toBe(token.id);
    expect(await tokens.revoke(token.id)).toBe(true);
    expect(await tokens.verify(secret)).toBeUndefined();
  });

  it("WEB-2 a use is noted at most once a minute", async () => {
    const folder = folders.make();
    let now = Date.parse("2026-01-01T00:00:00Z");
    const tokens = openTokens({ records: recordsInFolder(folder), now: () => now });
    const { token } = await tokens.create(reader);
    await tokens.used(token);
    now += 59_000;
    await tokens.used(token);
    expect((await tokens.list())[0]?.lastUsed).toBe("2026-01-01T00:00:00.000Z");
    now += 2000;
    await tokens.used(token);
    expect((await tokens.list())[0]?.lastUsed).toBe("2026-01-01T00:01:01.000Z");
  });

  it.each([
    [{ name: " ", scopes: ["*:read"] }, /name/],
    [{ name: "a\nb", scopes: ["*:read"] }, /name/],
    [{ name: "x".repeat(101), scopes: ["*:read"] }, /name/],
    [{ name: "ada\u202egnp", scopes: ["*:read"] }, /name/],
    [{ name: "ad\u200ba", scopes: ["*:read"] }, /name/],
    [{ name: "a\u2028b", scopes: ["*:read"] }, /name/],
    [{ name: "\ud800", scopes: ["*:read"] }, /name/],
    [{ name: "a", scopes: ["*:read"], author: "person:ada\u2066" }, /person:ada/],
    [{ name: "a", scopes: ["*:read"], author: `person:${"x".repeat(8000)}` }, /person:ada/],
    [{ name: "a", scopes: [] }, /may do/],
    [{ name: "a", scopes: ["*"] }, /ROOT:operations/],
    [{ name: "a", scopes: ["*:read", "x:everything"] }, /ROOT:operations/],
    [{ name: "a", scopes: ["*:read"], agentId: "../b" }, /agent id/],
    [{ name: "a", scopes: ["*:read"], author: "ada" }, /person:ada/],
    [{ name: "a", scopes: ["*:read"], expiresInDays: 0 }, /expires/],
    [{ name: "a", scopes: ["*:read"], expiresInDays: 1e-9 }, /1 to 36500/],
    [{ name: "a", scopes: ["*:read"], expiresInDays: 36_501 }, /1 to 36500/],
    [{ name: "a", scopes: ["*:read"], expiresInDays: Number.NaN }, /expires/],
  ])("WEB-2 are not made of %j", async (request, says) => {
    const folder = folders.make();
    const error = await errorOf(() => openTokens({ records: recordsInFolder(folder) }).create(request));
    expect(error).toMatchObject({ message: expect.stringMatching(says) });
    expect(await openTokens({ records: recordsInFolder(folder) }).list()).toEqual([]);
  });
});

describe("WEB-2 scopes", () => {
  it.each([
    ["*:read", "*", ["list", "read"]],
    ["memory:write,append", "memory", ["append", "write"]],
    [".serena/memories:read,write", ".serena/memories", ["list", "read", "write"]],
    ["C:/notes:read", "C:/notes", ["list", "read"]],
    ["*:all", "*", [...operations].sort()],
  ])("WEB-2 %s is %s with %j", (text, root, granted) => {
    const scope = parseTokenScope(text);
    expect([scope.root, [...scope.operations].sort()]).toEqual([root, granted]);
  });

  it.each([
    "",
    ":",
    "*",
    "*:",
    ":read",
    "*:read,",
    "*:READ",
    "*:read write",
    "*:admin",
    "*:__proto__",
    "*:constructor",
  ])("WEB-2 %j is no scope", async (text) => {
    const error = await errorOf(async () => parseTokenScope(text));
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("ROOT:operations") });
  });

  it.each([
    [["*:read", "a:write"], []],
    [["*:all", "project:read", "agent_memory:append"], [], "builder"],
    [["a:read", "*:write"], []],
    [["c:read"], [/no root “c” .* a, b/]],
    [["a:write"], [/“a:write” grants nothing without read.* a:read,write$/]],
    [["*:write,move"], [/\*:read,write,move$/]],
    [["*:read", "project:write"], [/project:read,write$/]],
    [["agent_memory:read"], [], "builder"],
    [["*:read", "agent_memory:read"], [/“agent_memory:read” .* without an agent id/]],
  ])("WEB-2 of %j it is said what grants nothing", (texts, says, agentId?: string) => {
    expect(idleScopes({ scopes: texts, agentId }, ["a", "b"])).toEqual(says.map((one) => expect.stringMatching(one)));
  });

  it("WEB-2 where no project is known, any root may be one", () => {
    expect(idleScopes({ scopes: ["c:read"] }, undefined)).toEqual([]);
    expect(idleScopes({ scopes: ["c:write"] }, undefined)).toHaveLength(1);
  });

  it("WEB-2 add up, mean the roots of memory by *, and the project and an agent's files by name alone", () => {
    const grants = (...texts: string[]) =>
      Object.fromEntries(
        [...toGrants(texts.map(parseTokenScope), ["a", "b"])].map(([root, policy]) => [root, [...policy].sort()]),
      );
    expect(grants("*:read", "a:write")).toEqual({ a: ["list", "read", "write"], b: ["list", "read"] });
    expect(grants("a:read")).toEqual({ a: ["list", "read"] });
    expect(grants("project:read", "agent_memory:list")).toEqual({ project: ["list", "read"], agent_memory: ["list"] });
    expect(grants()).toEqual({});
  });
});
