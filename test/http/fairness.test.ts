import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { createAdmission } from "../../src/http/admission.ts";
import { createRateLimit } from "../../src/http/rate-limit.ts";
import { createBudget, readBody } from "../../src/http/request-body.ts";
import { createStreams } from "../../src/http/streams.ts";
import { bearer, httpWorld, modernCall } from "../helpers/http-server.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const limits = { bodyBytes: 8_388_608, requestsPerMinute: 600_000, requestMs: 30_000, atOnce: 16, mostWaiting: 256 };

describe("WEB-1 one credential and the others", () => {
  it("WEB-1 take turns, however many of one wait", async () => {
    const admission = createAdmission({ atOnce: 1, mostWaiting: 100, waitMs: 60_000 });
    const first = await admission.enter("eager");
    const order: string[] = [];
    const enter = async (key: string, name: string) => {
      const leave = await admission.enter(key);
      order.push(name);
      leave?.();
    };
    const eager = ["e1", "e2", "e3", "e4", "e5"].map((name) => enter("eager", name));
    const others = [enter("calm", "c1"), enter("third", "t1"), enter("calm", "c2")];
    first?.();
    await Promise.all([...eager, ...others]);
    expect(order).toEqual(["e1", "c1", "t1", "e2", "c2", "e3", "e4", "e5"]);
    expect([admission.working, admission.waiting]).toEqual([0, 0]);
  });

  it("WEB-1 one that fills the queue gives places up to others, down to as many as they have", async () => {
    const admission = createAdmission({ atOnce: 1, mostWaiting: 4, waitMs: 60_000 });
    const first = await admission.enter("eager");
    const answers: Record<string, boolean> = {};
    const enter = async (key: string, name: string) => {
      const leave = await admission.enter(key);
      answers[name] = leave !== undefined;
      leave?.();
    };
    const all = ["e1", "e2", "e3", "e4", "e5"].map((name) => enter("eager", name));
    all.push(enter("calm", "c1"), enter("calm", "c2"), enter("calm", "c3"));
    expect(admission.waiting).toBe(4);
    first?.();
    await Promise.all(all);
    expect(answers).toEqual({ e1: true, e2: true, e3: false, e4: false, e5: false, c1: true, c2: true, c3: false });
  });

  it.each([
    [1, [1, 0]],
    [2, [1, 1, 0]],
    [3, [2, 1, 0]],
    [16, [8, 4, 2, 1, 1, 0]],
  ])("WEB-1 none holds more of %i places than it leaves free, however long its work takes", async (atOnce, shares) => {
    const admission = createAdmission({ atOnce, mostWaiting: 0, waitMs: 60_000 });
    const leaves: (() => void)[][] = [];
    for (const index of shares.keys()) {
      const entered = await Promise.all(Array.from({ length: 20 }, () => admission.enter(`key ${index}`)));
      leaves.push(entered.filter((leave) => leave !== undefined));
    }
    expect(leaves.map(({ length }) => length)).toEqual(shares);
    for (const leave of leaves.flat()) leave();
    expect(admission.working).toBe(0);
  });

  it("WEB-1 who waits for its own work to end keeps nobody out, and goes on as soon as there is room", async () => {
    const admission = createAdmission({ atOnce: 4, mostWaiting: 10, waitMs: 60_000 });
    const [first] = [await admission.enter("eager"), await admission.enter("eager")];
    const order: string[] = [];
    const third = admission.enter("eager").then(() => order.push("eager"));
    const calm = await admission.enter("calm");
    order.push("calm");
    expect([admission.working, admission.waiting]).toEqual([3, 1]);
    calm?.();
    first?.();
    await third;
    expect([order, admission.working, admission.waiting]).toEqual([["calm", "eager"], 2, 0]);
  });

  it("WEB-1 a request that counts as more than a burst holds is let in once, and waited for after", () => {
    let now = 0;
    const rate = createRateLimit({ perMinute: 60, now: () => now });
    expect([rate.take("one", 20), rate.take("one")]).toEqual([0, 11]);
    now += 11_000;
    expect([rate.take("one"), rate.take("one")]).toEqual([0, 1]);
  });
});

describe("WEB-1 what clients send", () => {
  it("WEB-1 bodies that never come keep nobody else's out, whatever length they announce", async () => {
    const world = await httpWorld(memoryWorld(folders.make()), { limits });
    const [slow, other] = [await world.token(), await world.token({ name: "other" })];
    const [hostname = "", port = ""] = world.host.split(":");
    const head = `POST /mcp HTTP/1.1\r\nHost: ${world.host}\r\nAuthorization: Bearer ${slow}\r\nContent-Type: application/json\r\n`;
    const begins = [
      `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
      `${head}Content-Length: ${limits.bodyBytes}\r\n\r\n{`,
    ];
    const sockets = Array.from({ length: 40 }, (_, index) => {
      const socket = connect(Number(port), hostname).on("error", () => {});
      socket.write(begins[index % 2] ?? "");
      return socket;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const asked = modernCall("tools/call", { name: "list_memories", arguments: {} });
    for (const secret of [other, slow]) {
      const headers = { ...asked.headers, ...bearer(secret) };
      expect((await world.ask({ ...asked, headers })).status).toBe(200);
      expect((await world.ask({ ...asked, headers: { ...headers, "transfer-encoding": "chunked" } })).status).toBe(200);
    }
    for (const socket of sockets) socket.destroy();
    await world.close();
  });

  it("WEB-1 each credential has a share of what is held, and gives it back", () => {
    const budget = createBudget({ most: 100, mostEach: 40 });
    expect([budget.take("one", 40), budget.take("one", 1), budget.take("other", 40)]).toEqual([true, false, true]);
    expect([budget.take("third", 30), budget.take("third", 20)]).toEqual([false, true]);
    budget.give("one", 40);
    expect([budget.take("one", 40), budget.take("one", 1)]).toEqual([true, false]);
  });

  it("WEB-1 a body that does not arrive in time, or for which there is no room, is refused and let go", async () => {
    const budget = createBudget({ most: 100, mostEach: 50 });
    const send = (first: number, isWhole: boolean) => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(new Uint8Array(first).fill(120));
          if (isWhole) controller.close();
        },
      });
      const request = new Request("http://x/", {
        method: "POST",
        body,
        headers: { "transfer-encoding": "chunked" },
        duplex: "half",
      });
      return readBody({ request }, "one", {
        mostBytes: 60,
        arriveMs: 30,
        bytes: budget,
        underWay: createBudget({ most: 1, mostEach: 1 }),
      });
    };
    expect(await send(10, false)).toMatchObject({ status: 408 });
    expect(await send(51, true)).toMatchObject({ status: 503 });
    expect(await send(61, true)).toMatchObject({ status: 413 });
    const whole = await send(50, true);
    expect(whole).toMatchObject({ text: "x".repeat(50) });
    if (!(whole instanceof Response)) whole.letGo();
    expect(budget.take("one", 50)).toBe(true);
  });
});

describe("WEB-2 streams of a credential that was revoked", () => {
  const endless = () => new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } });

  it("WEB-2 end, also where the check of another one never does", async () => {
    const streams = createStreams({ most: 10, mostEach: 5, checkEveryMs: 5, checkMs: 60_000 });
    let hasHung = false;
    const hanging = () => {
      hasHung = true;
      return new Promise<boolean>(() => {});
    };
    streams.reserve("slow")?.keep(endless(), { stillMay: hanging });
    await expect.poll(() => hasHung).toBe(true);
    streams.reserve("fails")?.keep(endless(), { stillMay: () => Promise.reject(new Error("no answer")) });
    const revoked = streams.reserve("revoked")?.keep(endless(), { stillMay: async () => false });
    expect(await revoked?.text()).toBe("");
    expect(streams.count).toBe(2);
    streams.endAll();
    expect(streams.count).toBe(0);
  });

  it("WEB-2 a check that did not end in time is made again", async () => {
    const streams = createStreams({ most: 10, mostEach: 5, checkEveryMs: 5, checkMs: 5 });
    let checks = 0;
    const second = () => {
      checks += 1;
      return checks === 1 ? new Promise<boolean>(() => {}) : Promise.resolve(false);
    };
    expect(await streams.reserve("one")?.keep(endless(), { stillMay: second }).text()).toBe("");
    expect(checks).toBe(2);
  });

  it("WEB-1 room is taken before a stream is opened, and given back where none was", () => {
    const streams = createStreams({ most: 3, mostEach: 2, checkEveryMs: 1000, checkMs: 1000 });
    const [first] = [streams.reserve("one"), streams.reserve("one")];
    expect(streams.reserve("one")).toBeUndefined();
    expect(streams.reserve("other")).toBeDefined();
    expect(streams.reserve("third")).toBeUndefined();
    first?.giveBack();
    expect(streams.reserve("third")).toBeDefined();
  });
});
