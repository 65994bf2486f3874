import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bearer, type HttpWorld, httpWorld, modernCall } from "../helpers/http-server.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;
let at: HttpWorld;
beforeAll(async () => {
  world = memoryWorld(folders.make());
  at = await httpWorld(world);
});
afterAll(() => at.close());

describe("WEB-2 a token that is taken back", () => {
  it("WEB-2 is refused by the next request, whoever revoked it", async () => {
    const created = await world.cli(["token", "create", "ada", "--scope", "*:all", "--json"]);
    const { id, secret } = JSON.parse(created.out);
    const ask = () => at.ask({ path: "/api/session", headers: bearer(secret) });
    expect((await ask()).status).toBe(200);
    expect((await world.cli(["token", "revoke", id])).code).toBe(0);
    expect((await ask()).status).toBe(401);
  });

  it("WEB-2 ends the streams that it opened", async () => {
    const { token, secret } = await at.tokens.create({ name: "listener", scopes: ["*:read"] });
    const listening = modernCall("subscriptions/listen", { notifications: { resourcesListChanged: true } });
    const opened = await Promise.all([
      fetch(`${at.origin}/api/events`, { headers: bearer(secret) }),
      fetch(`${at.origin}/mcp`, {
        method: "POST",
        headers: { ...bearer(secret), ...(listening.headers as Record<string, string>) },
        body: listening.body as string,
      }),
    ]);
    expect(opened.map(({ status }) => status)).toEqual([200, 200]);
    const ended = Promise.all(opened.map((response) => response.text()));
    await at.tokens.revoke(token.id);
    for (const text of await ended) expect(text).not.toBe("");
  });

  it("WEB-2 leaves the sessions that it began without a way in", async () => {
    const { token, secret } = await at.tokens.create({ name: "session", scopes: ["*:read"] });
    const client = await at.connect(secret);
    await at.tokens.revoke(token.id);
    await expect(client.listTools()).rejects.toThrow(/401|Unauthorized|not valid/);
  });
});

describe("WEB-2 who did what", () => {
  it("WEB-2 HIST-1 history names the agent or person of the token, and each start of a server is a run", async () => {
    for (const [name, agentId] of [
      ["ada", undefined],
      ["robot", "builder"],
    ] as const) {
      const secret = await at.token({ name, agentId });
      const asked = modernCall("tools/call", {
        name: "write_memory",
        arguments: { memory_name: `by-${name}`, content: "x\n" },
      });
      expect((await at.ask({ ...asked, headers: { ...asked.headers, ...bearer(secret) } })).status).toBe(200);
    }
    await vi.waitFor(async () => {
      const log = JSON.parse((await world.cli(["log", "--json"])).out).operations as { author: string; run?: string }[];
      expect(log.map(({ author }) => author)).toEqual(expect.arrayContaining(["person:ada", "agent:builder"]));
      expect(new Set(log.map(({ run }) => run)).size).toBe(2);
    }, 20_000);
  });

  it("WEB-2 the token of whoever started the server is stored nowhere", async () => {
    const secret = at.server.secret ?? "";
    expect((await at.ask({ path: "/api/tokens", headers: bearer(secret) })).status).toBe(200);
    expect(await at.tokens.verify(secret)).toBeUndefined();
    expect((await at.tokens.list()).map(({ name }) => name)).not.toContain("who started the server");
  });

  it("WEB-2 a token is known as used, to the minute", async () => {
    const { token, secret } = await at.tokens.create({ name: "used", scopes: ["*:read"] });
    const used = async () => (await at.tokens.list()).find(({ id }) => id === token.id)?.lastUsed;
    expect(await used()).toBeUndefined();
    await at.ask({ path: "/api/session", headers: bearer(secret) });
    expect(Date.parse((await used()) ?? "")).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe("WEB-1 what a server says of itself", () => {
  it("WEB-1 metrics count requests by route and status, and name no path, token or agent", async () => {
    const secret = await at.token({ name: "prometheus", isAdmin: true });
    await at.ask({ path: "/api/document?root=secret-root&path=secret-path.md", headers: bearer(secret) });
    await at.ask({ path: "/nothing/of/that/name" });
    const { text, headers } = await at.ask({ path: "/metrics", headers: bearer(secret) });
    expect(headers["content-type"]).toContain("text/plain; version=0.0.4");
    expect(text).toMatch(/^recollect_http_requests_total\{route="\/api",status="404"\} \d+$/m);
    expect(text).toMatch(/^recollect_http_request_duration_seconds_bucket\{route="\/api",le="\+Inf"\} \d+$/m);
    expect(text).toMatch(/^recollect_build_info\{version="1\.2\.3"/m);
    expect(text).not.toMatch(/secret-|nothing|builder|prometheus|rcl_/);
  });
});
