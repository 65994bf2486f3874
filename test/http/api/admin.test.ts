import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTokens } from "../../../src/app.ts";
import { recordsInFolder } from "../../../src/backends/files/records.ts";
import type { ApiAgents } from "../../../src/http/api/contract/agents.ts";
import type { ApiDocument, ApiSaved } from "../../../src/http/api/contract/document.ts";
import type { ApiGuard } from "../../../src/http/api/contract/guard.ts";
import type { ApiCreatedToken, ApiTokens } from "../../../src/http/api/contract/tokens.ts";
import { type ApiWorld, apiWorlds } from "./open-api.ts";

const open = apiWorlds();
const root = ".serena/memories";
const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;

async function scanned(world: ApiWorld): Promise<ApiGuard> {
  for (;;) {
    const { body } = await world.get<ApiGuard>("/guard");
    if (!body.isPartial) return body;
  }
}

async function settled(world: ApiWorld): Promise<ApiAgents["agents"]> {
  for (;;) {
    const { agents, isPartial } = (await world.get<ApiAgents>("/agents")).body;
    if (!isPartial) return agents;
  }
}

describe("GUARD-1 the guard over the JSON API", () => {
  it("GUARD-4 shows what is found in files that came by hand, lets one pass with a reason, and takes that back", async () => {
    const world = await open();
    world.write(`work/app/${root}/keys.md`, `# Keys\n\ntoken: ${secret}\n`);
    world.write(`work/app/${root}/fine.md`, "nothing\n");
    const answer = await world.get<ApiGuard>("/guard");
    expect(answer.text).not.toContain(secret);
    const report = await scanned(world);
    expect(report).toMatchObject({
      policy: "standard",
      allowed: [],
      flagged: [{ root, path: "keys.md", findings: [{ line: 3 }] }],
    });
    const [finding] = report.flagged[0]?.findings ?? [];
    const fingerprint = finding?.fingerprint ?? "";
    const document = (await world.get<ApiDocument>("/document", { root, path: "keys.md" })).body;
    expect(document.findings).toEqual([finding]);

    const write = { root, path: "more.md", content: `token: ${secret}\n`, ifRev: null };
    expect((await world.send("PUT", "/document", write)).status).toBe(422);
    const allowed = await world.send<ApiGuard>("POST", "/guard/allowed", {
      fingerprint,
      reason: "of the documentation",
    });
    expect(allowed.body).toMatchObject({ flagged: [], allowed: [{ fingerprint, reason: "of the documentation" }] });
    expect((await world.get<ApiDocument>("/document", { root, path: "keys.md" })).body.findings).toEqual([]);
    const saved = await world.send<ApiSaved>("PUT", "/document", write);
    expect(saved.status, "what was allowed just now passes at once").toBe(200);

    const revoked = await world.send<ApiGuard>("DELETE", `/guard/allowed?fingerprint=${fingerprint}`);
    expect(revoked.body.allowed).toEqual([]);
    expect((await scanned(world)).flagged.length).toBeGreaterThan(0);
    expect((await world.send("PUT", "/document", { ...write, path: "again.md" })).status).toBe(422);
  });

  it("GUARD-4 a reason is needed, and a fingerprint that is one; a reason must hold no secret either", async () => {
    const world = await open();
    const fingerprint = "0".repeat(32);
    const allow = (body: unknown) => world.send("POST", "/guard/allowed", body);
    expect((await allow({ fingerprint, reason: "" })).status).toBe(400);
    expect((await allow({ fingerprint, reason: "   " })).status).toBe(400);
    expect((await allow({ fingerprint: "../../x", reason: "r" })).status).toBe(400);
    const refused = await allow({ fingerprint, reason: `it is ${secret}` });
    expect([refused.status, refused.text.includes(secret)]).toEqual([422, false]);
    expect((await world.send("DELETE", "/guard/allowed?fingerprint=..%2Fx")).status).toBe(400);
  });

  it("KER-9 a damaged record of the server's own is not shown with its place on the host", async () => {
    const world = await open();
    await world.send("POST", "/guard/allowed", { fingerprint: "a".repeat(32), reason: "r" });
    writeFileSync(join(world.data, "guard-allowed", `${"b".repeat(32)}.json`), "{");
    const failed = await world.send("PUT", "/document", { root, path: "a.md", content: "a\n", ifRev: null });
    expect(failed.status).toBe(500);
    expect(failed.text).not.toContain(world.home);
  });
});

describe("WEB-2 tokens and agents over the JSON API", () => {
  it("WEB-2 a token is made, shown once, listed and revoked", async () => {
    const world = await open();
    const made = await world.send<ApiCreatedToken>("POST", "/tokens", {
      name: "builder",
      agentId: "builder-7",
      scopes: ["*:read", `${root}:write`],
      expiresInDays: 30,
    });
    expect(made).toMatchObject({
      status: 201,
      body: { author: "agent:builder-7", agentId: "builder-7", isAdmin: false },
    });
    expect(made.body.secret).toMatch(/^rcl_/);
    expect(made.body.warnings).toEqual([]);
    expect((await openTokens({ records: recordsInFolder(world.data) }).verify(made.body.secret))?.id).toBe(
      made.body.id,
    );
    const listed = await world.get<ApiTokens>("/tokens");
    expect(listed.body.tokens).toMatchObject([{ id: made.body.id, name: "builder" }]);
    expect(listed.text).not.toContain(made.body.secret);
    expect((await world.send<ApiTokens>("DELETE", `/tokens?id=${made.body.id}`)).body.tokens).toEqual([]);
    expect((await world.send("DELETE", `/tokens?id=${made.body.id}`)).status).toBe(404);
    expect(await openTokens({ records: recordsInFolder(world.data) }).verify(made.body.secret)).toBeUndefined();
  });

  it.each([
    ["without scopes", { name: "x", scopes: [] }],
    ["with a scope that is none", { name: "x", scopes: ["everything"] }],
    ["without a name", { name: "", scopes: ["*:read"] }],
    ["with a name of two lines", { name: "a\nb", scopes: ["*:read"] }],
    ["for an agent that leads elsewhere", { name: "x", agentId: "../other", scopes: ["*:read"] }],
    ["that expired before it began", { name: "x", scopes: ["*:read"], expiresInDays: -1 }],
    ["that ends before anybody could use it", { name: "x", scopes: ["*:read"], expiresInDays: 1e-9 }],
    ["with a secret of one's own", { name: "x", scopes: ["*:read"], secret: "mine" }],
    ["with an author of one's own", { name: "x", scopes: ["*:read"], author: "person:boss" }],
  ])("WEB-2 no token is made %s", async (_, request) => {
    const world = await open();
    expect((await world.send("POST", "/tokens", request)).status).toBe(400);
    expect((await world.get<ApiTokens>("/tokens")).body.tokens).toEqual([]);
  });

  it("WEB-2 scopes that grant nothing here are told of", async () => {
    const world = await open();
    const scopes = ["tean:read", `${root}:write`, "agent_memory:read"];
    const made = await world.send<ApiCreatedToken>("POST", "/tokens", { name: "x", scopes });
    expect(made).toMatchObject({
      status: 201,
      body: {
        warnings: [
          expect.stringContaining("tean"),
          expect.stringContaining(`${root}:read,write`),
          expect.stringContaining("without an agent id"),
        ],
      },
    });
    const agents = await world.send<ApiCreatedToken>("POST", "/tokens", {
      name: "y",
      agentId: "builder",
      scopes: ["agent_memory:read"],
    });
    expect(agents.body.warnings).toEqual([]);
  });

  it("WEB-2 one damaged record is told of, and leaves the tokens to be listed and revoked", async () => {
    const world = await open();
    const made = await world.send<ApiCreatedToken>("POST", "/tokens", { name: "x", scopes: ["*:read"] });
    writeFileSync(join(world.data, "tokens", `${"f".repeat(64)}.json`), "");
    const listed = await world.get<ApiTokens>("/tokens");
    expect(listed.body.tokens).toMatchObject([{ id: made.body.id }]);
    expect(listed.body.unreadable).toEqual([{ id: "f".repeat(16), says: "is damaged" }]);
    expect(listed.text).not.toContain(world.home);
    expect((await world.get("/agents")).status).toBe(200);
    expect((await world.send<ApiTokens>("DELETE", `/tokens?id=${made.body.id}`)).body.tokens).toEqual([]);
  });

  it("WEB-3 the agents are those that wrote, have files of their own, or a token", async () => {
    const world = await open({ askers: { bot: { author: "agent:bot", agentId: "bot" } } });
    await world.send("PUT", "/document", { root, path: "a.md", content: "a\n", ifRev: null }, "bot");
    await world.send("PUT", "/document", { root: "agent_memory", path: "a.md", content: "a\n", ifRev: null }, "bot");
    await world.send("POST", "/tokens", { name: "t", agentId: "bot", scopes: ["*:read"] });
    await world.send("POST", "/tokens", { name: "eve", scopes: ["*:read"] });
    const agents = await settled(world);
    expect(agents).toContainEqual({ author: "agent:bot", changes: 1, last: expect.any(String), tokens: 1 });
    expect(agents).toContainEqual({ author: "person:eve", changes: 0, tokens: 1 });
  });

  it.each([
    ["GET", "/guard"],
    ["POST", "/guard/allowed"],
    ["DELETE", "/guard/allowed?fingerprint=00"],
    ["GET", "/agents"],
    ["GET", "/tokens"],
    ["POST", "/tokens"],
    ["DELETE", "/tokens?id=00"],
    ["PUT", "/tokens"],
    ["PATCH", "/guard/allowed"],
    ["POST", "/agents"],
  ])("WEB-2 %s %s answers those who are no admin like a path that there is not", async (method, path) => {
    const world = await open({ askers: { eve: { author: "person:eve" } } });
    const none = await world.send(method, "/no-such-path", undefined, "eve");
    const answer = await world.send(method, path, undefined, "eve");
    expect([answer.status, answer.text]).toEqual([404, none.text]);
    expect((await world.get<ApiTokens>("/tokens")).body.tokens).toEqual([]);
  });
});
