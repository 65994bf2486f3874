import { connect } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createAdmission } from "../../src/http/admission.ts";
import { createRateLimit } from "../../src/http/rate-limit.ts";
import { bearer, type HttpWorld, httpWorld, initialize, modernCall } from "../helpers/http-server.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const usual = { bodyBytes: 1_048_576, requestsPerMinute: 600_000, requestMs: 30_000, atOnce: 16, mostWaiting: 256 };
let at: HttpWorld | undefined;

async function start(limits: Partial<typeof usual>): Promise<HttpWorld> {
  at = await httpWorld(memoryWorld(folders.make()), { limits: { ...usual, ...limits } });
  return at;
}
afterEach(async () => {
  await at?.close();
  at = undefined;
});

const call = (secret: string, name: string, args: object = {}) => {
  const asked = modernCall("tools/call", { name, arguments: args });
  return { ...asked, headers: { ...asked.headers, ...bearer(secret) } };
};

describe("WEB-1 how often a token may ask", () => {
  it("WEB-1 too often is answered 429 with the time to wait, and other tokens go on", async () => {
    const world = await start({ requestsPerMinute: 30 });
    const [eager, calm] = [await world.token(), await world.token({ name: "calm" })];
    const ask = () => world.ask({ path: "/api/session", headers: bearer(eager) });
    const begun = performance.now();
    let [taken, refused] = [0, await ask()];
    for (; refused.status === 200; refused = await ask()) taken += 1;
    expect(taken).toBeGreaterThanOrEqual(5);
    // One more every two seconds, which pass on a busy machine.
    expect(taken).toBeLessThanOrEqual(6 + (performance.now() - begun) / 2000);
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect((await world.ask({ path: "/api/session", headers: bearer(calm) })).status).toBe(200);
    expect((await world.ask({ path: "/healthz" })).status).toBe(200);
  });

  it("WEB-1 what was not used may be used later, up to ten seconds' worth", () => {
    let now = 0;
    const rate = createRateLimit({ perMinute: 60, now: () => now });
    const take = () => rate.take("one");
    expect(Array.from({ length: 10 }, take)).toEqual(Array(10).fill(0));
    expect(take()).toBe(1);
    now += 1000;
    expect([take(), take()]).toEqual([0, 1]);
    now += 3_600_000;
    expect(Array.from({ length: 11 }, take)).toEqual([...Array(10).fill(0), 1]);
    now -= 5000;
    expect(take()).toBe(1);
  });
});

describe("WEB-1 how much is worked on at once", () => {
  it("WEB-1 the rest waits in its order, and beyond that is refused at once", async () => {
    const admission = createAdmission({ atOnce: 4, mostWaiting: 2, waitMs: 60_000 });
    const first = await admission.enter("one");
    await admission.enter("one");
    const order: string[] = [];
    const waits = ["third", "fourth"].map(async (name) => {
      const leave = await admission.enter("one");
      order.push(name);
      return leave;
    });
    expect([admission.working, admission.waiting]).toEqual([2, 2]);
    expect(await admission.enter("one")).toBeUndefined();
    first?.();
    first?.();
    const third = await waits[0];
    expect([order, admission.working, admission.waiting]).toEqual([["third"], 2, 1]);
    third?.();
    await waits[1];
    expect(order).toEqual(["third", "fourth"]);
  });

  it("WEB-1 who waits too long, or goes away, gives up its place", async () => {
    const admission = createAdmission({ atOnce: 1, mostWaiting: 5, waitMs: 20 });
    const leave = await admission.enter("one");
    const abort = new AbortController();
    const gone = admission.enter("one", abort.signal);
    abort.abort();
    expect(await gone).toBeUndefined();
    expect(await admission.enter("one")).toBeUndefined();
    expect(admission.waiting).toBe(0);
    leave?.();
    expect(await admission.enter("one")).toBeDefined();
  });

  it("WEB-1 overload is answered 503 with Retry-After, nothing acknowledged is lost, and it goes on after", async () => {
    const world = await start({ atOnce: 1, mostWaiting: 4 });
    const secret = await world.token();
    // Connections are taken one at a time, requests on open ones all at once.
    await Promise.all(Array.from({ length: 40 }, () => world.ask({ path: "/healthz" })));
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        world.ask(call(secret, "append_memory", { memory_name: "log", content: `line ${index};` })),
      ),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 503]);
    for (const { status, headers } of answers) if (status === 503) expect(headers["retry-after"]).toBe("1");
    const { content } = await world.workspace.memories.read("log");
    for (const [index, { status }] of answers.entries())
      expect(content.includes(`line ${index};`), `${index}`).toBe(status === 200);
    expect((await world.ask({ path: "/api/session", headers: bearer(secret) })).status).toBe(200);
  });

  it("WEB-1 a session's answers take their turn as well", async () => {
    const world = await start({ atOnce: 1, mostWaiting: 0 });
    const secret = await world.token();
    const begin = initialize();
    const first = await world.ask({ ...begin, headers: { ...begin.headers, ...bearer(secret) } });
    expect(first.status).toBe(200);
    const second = await world.ask({ ...begin, headers: { ...begin.headers, ...bearer(secret) } });
    expect(second.status).toBe(200);
  });
});

describe("WEB-1 how long and how large a request may be", () => {
  it("WEB-1 one that takes too long is answered, and what it began is ended", async () => {
    const world = await start({ requestMs: 30, atOnce: 1 });
    const secret = await world.token();
    // A regular expression that is ended after half a second.
    const asked = call(secret, "edit_memory", { memory_name: "long", needle: "(a+)+$", repl: "x", mode: "regex" });
    await world.workspace.memories.write("long", `${"a".repeat(40)}!\n`);
    const answer = await world.ask(asked);
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([503, "TOO_SLOW"]);
    await vi.waitFor(async () => {
      const next = await world.ask({ path: "/api/session", headers: bearer(secret) });
      expect(next.status).toBe(200);
    }, 10_000);
  });

  it("WEB-1 a body over the limit is refused unread, also by who says nothing of its length", async () => {
    const world = await start({ bodyBytes: 1024 });
    const secret = await world.token();
    const large = call(secret, "write_memory", { memory_name: "large", content: "x".repeat(2000) });
    expect((await world.ask(large)).status).toBe(413);
    const chunked = { ...large, headers: { ...large.headers, "transfer-encoding": "chunked" } };
    expect((await world.ask(chunked)).status).toBe(413);
    expect(await world.workspace.memories.names()).toEqual([]);
  });

  it("WEB-1 who sends nothing, or slowly, keeps nobody else waiting", async () => {
    const world = await start({ atOnce: 1, mostWaiting: 0 });
    const secret = await world.token();
    const [hostname = "", port = ""] = world.host.split(":");
    const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname));
    for (const socket of sockets) {
      socket.on("error", () => {});
      socket.write(
        `POST /mcp HTTP/1.1\r\nHost: ${world.host}\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await world.ask(call(secret, "list_memories"))).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it("WEB-1 so many streams are open at once, and no more", async () => {
    const world = await start({});
    const secret = await world.token();
    const aborts = Array.from({ length: 64 }, () => new AbortController());
    const open = ({ signal }: { signal: AbortSignal }) =>
      fetch(`${world.origin}/api/events`, { headers: bearer(secret), signal });
    const opened = await Promise.all(aborts.map(open));
    expect(opened.every(({ status }) => status === 200)).toBe(true);
    const refused = await world.ask({ path: "/api/events", headers: bearer(secret) });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
    expect((await world.ask({ path: "/api/session", headers: bearer(secret) })).status).toBe(200);
    for (const abort of aborts) abort.abort();
    await vi.waitFor(async () => {
      const metrics = await world.ask({ path: "/metrics", headers: bearer(await world.token({ isAdmin: true })) });
      expect(metrics.text).toContain("recollect_http_streams_open 0");
    }, 20_000);
  });
});
