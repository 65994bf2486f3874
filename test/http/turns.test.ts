import { request } from "node:http";
import type { McpServer } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bearer, type HttpRequest, type HttpWorld, httpWorld, initialize, modernCall } from "../helpers/http-server.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const one = { bodyBytes: 1_048_576, requestsPerMinute: 600_000, requestMs: 30_000, atOnce: 1, mostWaiting: 0 };
let at: HttpWorld | undefined;
/** The calls of the tool "wait" that are worked on now; each ends when it is called. */
const begun: (() => void)[] = [];

const fixtures = {
  add: (server: McpServer) => {
    server.registerTool("wait", {}, async () => {
      await new Promise<void>((resolve) => begun.push(resolve));
      return { content: [{ type: "text", text: "done" }] };
    });
  },
  verifyState: async () => undefined,
};

async function start(limits: Partial<typeof one> = {}): Promise<HttpWorld> {
  at = await httpWorld(memoryWorld(folders.make()), { limits: { ...one, ...limits }, fixtures });
  return at;
}
afterEach(async () => {
  endAll();
  await at?.close();
  at = undefined;
});

function endAll(): void {
  for (const end of begun.splice(0)) end();
}

/** Sends a request, and is gone as soon as the work has begun. */
async function vanish(world: HttpWorld, { method, path, headers, body }: HttpRequest): Promise<void> {
  const { hostname, port } = new URL(world.origin);
  const before = begun.length;
  const outgoing = request({ host: hostname, port, method, path, headers });
  outgoing.on("error", () => {});
  outgoing.on("response", (response) => response.on("error", () => {}));
  const gone = new Promise((resolve) => outgoing.once("close", resolve));
  outgoing.end(body);
  await vi.waitFor(() => expect(begun.length).toBe(before + 1), 20_000);
  outgoing.destroy();
  await gone;
}

async function sessionOf(world: HttpWorld, secret: string): Promise<Record<string, string>> {
  const asked = initialize();
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const answer = await world.ask({ ...asked, headers: { ...headers, ...bearer(secret) } });
  return { ...headers, ...bearer(secret), "mcp-session-id": String(answer.headers["mcp-session-id"]) };
}

const toWait = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "wait", arguments: {} } });

async function isFreeAgain(world: HttpWorld, secret: string): Promise<void> {
  await vi.waitFor(async () => {
    expect((await world.ask({ path: "/api/session", headers: bearer(secret) })).status).toBe(200);
  }, 20_000);
}

describe("WEB-1 a turn lasts as long as the work", () => {
  it.each(["with sessions", "without sessions"])("WEB-1 also where the client has gone, in the era %s", async (era) => {
    const world = await start();
    const secret = await world.token();
    const modern = modernCall("tools/call", { name: "wait", arguments: {} });
    const asked: HttpRequest =
      era === "with sessions"
        ? { method: "POST", path: "/mcp", headers: await sessionOf(world, secret), body: JSON.stringify(toWait(2)) }
        : { ...modern, headers: { ...modern.headers, ...bearer(secret) } };
    await isFreeAgain(world, secret);
    await vanish(world, asked);
    const statuses = [];
    for (let index = 0; index < 20; index += 1) statuses.push((await world.ask(asked)).status);
    expect(statuses).toEqual(Array(20).fill(503));
    expect(begun).toHaveLength(1);
    endAll();
    await isFreeAgain(world, secret);
  });

  it("WEB-1 also where it was answered that it takes too long, and it ends with the work", async () => {
    const world = await start({ requestMs: 300 });
    const secret = await world.token();
    const headers = await sessionOf(world, secret);
    await isFreeAgain(world, secret);
    const asked = { method: "POST", path: "/mcp", headers, body: JSON.stringify(toWait(2)) };
    await world.ask(asked);
    expect((await world.ask(asked)).status).toBe(503);
    endAll();
    await isFreeAgain(world, secret);
    expect(begun).toEqual([]);
  });

  it("WEB-1 a stream is opened in a turn of its own, and takes none from then on", async () => {
    const world = await start();
    const secret = await world.token();
    const headers = await sessionOf(world, secret);
    await isFreeAgain(world, secret);
    const asked = modernCall("subscriptions/listen", { notifications: { resourceSubscriptions: ["memory:///alpha"] } });
    const listen = () =>
      fetch(`${world.origin}/mcp`, {
        method: "POST",
        headers: { ...asked.headers, ...bearer(secret) } as Record<string, string>,
        body: String(asked.body),
      });
    await vanish(world, { method: "POST", path: "/mcp", headers, body: JSON.stringify(toWait(2)) });
    expect((await listen()).status).toBe(503);
    endAll();
    await isFreeAgain(world, secret);
    const opened = await listen();
    expect(opened.headers.get("content-type")).toContain("text/event-stream");
    await isFreeAgain(world, secret);
    await opened.body?.cancel();
  });
});

describe("WEB-1 work that does not end", () => {
  it("WEB-1 of one credential, however much of it, leaves a turn for the next who comes", async () => {
    const world = await start({ atOnce: 4 });
    const [eager, calm] = [await world.token({ name: "eager" }), await world.token({ name: "calm" })];
    const modern = modernCall("tools/call", { name: "wait", arguments: {} });
    const asked = { ...modern, headers: { ...modern.headers, ...bearer(eager) } };
    await isFreeAgain(world, eager);
    await vanish(world, asked);
    await vanish(world, asked);
    expect((await world.ask(asked)).status).toBe(503);
    expect(begun).toHaveLength(2);
    expect((await world.ask({ path: "/api/session", headers: bearer(calm) })).status).toBe(200);
    endAll();
    await isFreeAgain(world, eager);
  });
});

describe("WEB-1 several messages in one request", () => {
  it("WEB-1 are worked on one after the other, in one turn", async () => {
    const world = await start();
    const secret = await world.token();
    const headers = await sessionOf(world, secret);
    await isFreeAgain(world, secret);
    const body = JSON.stringify([toWait(2), toWait(3), toWait(4)]);
    const answer = world.ask({ method: "POST", path: "/mcp", headers, body });
    for (let index = 0; index < 3; index += 1) {
      await vi.waitFor(() => expect(begun.length).toBeGreaterThan(0), 20_000);
      expect((await world.ask({ path: "/api/session", headers: bearer(secret) })).status).toBe(503);
      expect(begun).toHaveLength(1);
      endAll();
    }
    expect((await answer).text.match(/"done"/g)).toHaveLength(3);
  });

  it("WEB-1 count as many requests, and are so many at most", async () => {
    const world = await start({ requestsPerMinute: 90, atOnce: 16 });
    const secret = await world.token();
    const headers = await sessionOf(world, secret);
    const send = (count: number) => {
      const pings = Array.from({ length: count }, (_, index) => ({ jsonrpc: "2.0", id: index + 2, method: "ping" }));
      return world.ask({ method: "POST", path: "/mcp", headers, body: JSON.stringify(pings) });
    };
    expect((await send(21)).status).toBe(400);
    expect((await send(9)).status).toBe(200);
    const refused = await send(20);
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
  });
});
