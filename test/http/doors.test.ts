import { connect, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RecollectError, type Tokens } from "../../src/app.ts";
import { createAdmission } from "../../src/http/admission.ts";
import { createArrivals } from "../../src/http/arrivals.ts";
import { shapeOf } from "../../src/http/request-body.ts";
import { createSignIns } from "../../src/http/sign-ins.ts";
import { createStreams } from "../../src/http/streams.ts";
import { asJson, bearer, type HttpWorld, httpWorld, modernCall, serveWorkspace } from "../helpers/http-server.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const putNote = { method: "PUT", path: "/api/document" } as const;
const note = JSON.stringify({ root: ".serena/memories", path: "note.md", content: "x\n", ifRev: null });

let world: HttpWorld;
beforeEach(async () => {
  world = await httpWorld(memoryWorld(folders.make()));
});
afterEach(() => world.close());

/** A socket to the server, and all that came by it so far. */
function openSocket(origin: string) {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).on("error", () => {});
  let received = "";
  socket.on("data", (part) => {
    received += part.toString("latin1");
  });
  return { socket, received: () => received };
}

function headOf({ method, path }: typeof putNote, headers: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries({ host: world.host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** The same server over tokens that are looked up in another way. */
function withTokens(verify: Tokens["verify"]): Promise<HttpWorld> {
  return serveWorkspace({ ...world.workspace, tokens: { ...world.tokens, verify } });
}

describe("WEB-1 who goes away", () => {
  it("WEB-1 while its token is looked up leaves no stream behind", async () => {
    const secret = await world.token();
    const asked: (() => void)[] = [];
    const slow = await withTokens(async (given) => {
      await new Promise<void>((resolve) => asked.push(resolve));
      return world.tokens.verify(given);
    });
    const sockets = ["/api/events", "/api/events"].map((path) => {
      const { socket } = openSocket(slow.origin);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${slow.host}\r\nAuthorization: Bearer ${secret}\r\n\r\n`);
      return socket;
    });
    await expect.poll(() => asked.length).toBe(sockets.length);
    for (const socket of sockets) socket.resetAndDestroy();
    await delay(50);
    for (const goOn of asked) goOn();
    await expect
      .poll(async () => (await slow.ask({ path: "/metrics" }, slow.server.secret)).text)
      .toContain("recollect_http_streams_open 0");
    await slow.close();
  });

  it("WEB-1 before a stream is there, or while it lasts, gives its place back", () => {
    const streams = createStreams({ most: 2, mostEach: 2, checkEveryMs: 60_000, checkMs: 60_000 });
    const endless = () => new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } });
    const [gone, there] = [new Socket().destroy(), new Socket()];
    const stillMay = async () => true;
    streams.reserve("one")?.keep(endless(), { stillMay, socket: gone });
    expect(streams.count).toBe(0);
    streams.reserve("one")?.keep(endless(), { stillMay, socket: there });
    expect(streams.count).toBe(1);
    there.emit("close");
    expect([streams.count, there.listenerCount("close")]).toEqual([0, 0]);
  });
});

describe("WEB-2 a token that is revoked while its request is under way", () => {
  it("WEB-2 changes nothing, where the rest of the body comes later", async () => {
    const { token, secret } = await world.tokens.create({ name: "somebody", scopes: ["*:all"] });
    const lookedUp = Promise.withResolvers<void>();
    const server = await withTokens(async (given) => {
      const found = await world.tokens.verify(given);
      lookedUp.resolve();
      return found;
    });
    const { socket, received } = openSocket(server.origin);
    const type = { "content-type": "application/json", "content-length": note.length };
    socket.write(headOf(putNote, { ...bearer(secret), ...type, host: server.host }) + note.slice(0, 10));
    // For a second it is believed without another look.
    await lookedUp.promise;
    await delay(1100);
    await world.tokens.revoke(token.id);
    socket.write(note.slice(10));
    await expect.poll(received).toMatch(/^HTTP\/1\.1 401 /);
    expect(await world.workspace.memories.list()).toMatchObject({ memories: [] });
    socket.destroy();
    await server.close();
  });
});

describe("WEB-1 what is sent", () => {
  it.each([
    ["an object of very many values", `{"a":{${Array.from({ length: 20_001 }, (_, at) => `"${at}":0`).join(",")}}}`],
    ["a list of very many lists", `[${"[],".repeat(10_001)}0]`],
    ["a very deep list", `${"[".repeat(101)}${"]".repeat(101)}`],
  ])("WEB-1 %s is refused unparsed", async (_, body) => {
    const asked = modernCall("tools/call", { name: "list_memories", arguments: {} });
    const answer = await world.ask({ ...asked, body }, world.server.secret);
    expect(answer).toMatchObject({ status: 413, text: expect.stringContaining("values") });
  });

  it("WEB-1 a long text with much punctuation is one value", async () => {
    const content = `${'{"[,\\'.repeat(6_000)}\n`;
    expect(shapeOf(JSON.stringify({ content: [content, "\\"] }))).toEqual({ pieces: 4, depth: 2 });
    const sent = asJson({ root: ".serena/memories", path: "note.md", content, ifRev: null });
    expect((await world.ask({ ...putNote, ...sent }, world.server.secret)).status).toBe(200);
    expect((await world.workspace.memories.read("note")).content).toBe(content);
  });

  it("WEB-1 a model is told of three parameters that there are not, whatever number it sent", async () => {
    const given = Object.fromEntries(["one", "two", "three", "four", "five"].map((name) => [name, 1]));
    const asked = modernCall("tools/call", { name: "list_memories", arguments: given });
    const { text } = await world.ask({ ...asked, headers: { ...asked.headers, ...bearer(world.server.secret ?? "") } });
    expect(text).toContain("“one”, “two”, “three”");
    expect(text).not.toContain("four");
  });

  it("WEB-1 is asked for once it is known who sends it, and that it is not too large", async () => {
    const expecting = { expect: "100-continue", "content-type": "application/json" };
    const first = async (headers: Readonly<Record<string, string | number>>) => {
      const { socket, received } = openSocket(world.origin);
      socket.write(headOf(putNote, { ...expecting, ...headers }));
      await expect.poll(received).toMatch(/^HTTP/);
      if (received().includes(" 100 ")) {
        socket.write(note);
        await expect.poll(received).toMatch(/HTTP\/1\.1 200/);
      }
      socket.destroy();
      return received().slice(9, 12);
    };
    const own = bearer(world.server.secret ?? "");
    expect(await first({ "content-length": note.length })).toBe("401");
    expect(await first({ ...own, "content-length": 900_000_000 })).toBe("413");
    expect(await first({ ...own, "content-length": note.length })).toBe("100");
    expect((await world.workspace.memories.read("note")).content).toBe("x\n");
  });
});

describe("WEB-2 strangers", () => {
  const stranger = () => ({ path: "/api/overview", headers: bearer(`rcl_${"x".repeat(43)}`) });

  it("WEB-2 that come too often are not looked at, and who was known before is", async () => {
    const known = await world.token();
    expect((await world.ask({ path: "/api/overview" }, known)).status).toBe(200);
    // At once: one by one, they would come seldom enough on a busy machine.
    const answers = await Promise.all(Array.from({ length: 80 }, () => world.ask(stranger())));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect((await world.ask({ path: "/api/overview" }, known)).status).toBe(200);
  });

  it("WEB-2 are told of once a minute, and looked at again after a while", () => {
    let now = 0;
    const onMany = vi.fn();
    const signIns = createSignIns({ now: () => now, onMany });
    const look = (authorization: string, address = "one") => signIns.look(address, authorization).wait;
    for (let time = 0; time < 50; time += 1) expect(look(`none ${time}`)).toBe(0);
    expect([look("x"), look("y"), look("x", "other")]).toEqual([1, 1, 0]);
    expect(onMany.mock.calls).toEqual([["one"]]);
    now += 1000;
    expect(look("x")).toBe(0);
  });

  it("WEB-2 good tokens cost nothing, however many come from one address, nor do those that nobody could look at", () => {
    const signIns = createSignIns({ now: () => 0, onMany: () => {} });
    for (let time = 0; time < 500; time += 1) {
      // Two requests at once with each, before it is known.
      const good = [signIns.look("one", `good ${time}`), signIns.look("one", `good ${time}`)];
      const unseen = signIns.look("one", `unseen ${time}`);
      expect([...good, unseen].map(({ wait }) => wait)).toEqual([0, 0, 0]);
      for (const look of good) look.good();
      unseen.unseen();
    }
  });

  it.each([
    new RecollectError("BUSY", "Somebody else has it."),
    new RecollectError("STORAGE_FAILED", "The password is wrong."),
  ])("WEB-2 whose token cannot be looked up are told to try again ($message)", async (error) => {
    const away = await withTokens(() => Promise.reject(error));
    const answer = await away.ask(stranger());
    expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect(answer.text).not.toContain(error.message);
    await away.close();
  });
});

describe("WEB-1 turns", () => {
  it("WEB-1 who has slow work under way is not passed over for ever", async () => {
    const admission = createAdmission({ atOnce: 4, mostWaiting: 100, waitMs: 60_000 });
    await admission.enter("slow");
    let isServed = false;
    const second = admission.enter("slow").then(() => {
      isServed = true;
    });
    // Others, each of them once and one after the other, that take every place that is left.
    const others = await Promise.all([0, 1].map((index) => admission.enter(`other ${index}`)));
    let turns = 0;
    for (; !isServed && turns < 100; turns += 1) {
      const next = admission.enter(`later ${turns}`);
      others.shift()?.();
      await Promise.resolve();
      await Promise.race([next, second]);
      void next.then((leave) => others.push(leave));
      await delay(0);
    }
    expect(isServed).toBe(true);
    expect(turns).toBeLessThan(20);
  });

  it("WEB-1 work begins when nobody arrives any more, one piece in each turn of the loop", async () => {
    const arrivals = createArrivals();
    const order: string[] = [];
    let coming = 3;
    const come = () => {
      if (coming === 0) return;
      coming -= 1;
      order.push("came");
      arrivals.arrived();
      setImmediate(come);
    };
    come();
    await Promise.all(["first", "second"].map((name) => arrivals.settled().then(() => order.push(name))));
    expect(order).toEqual(["came", "came", "came", "first", "second"]);
  });

  it("WEB-1 who keeps arriving keeps nobody from work for long", async () => {
    const arrivals = createArrivals();
    let isOver = false;
    const come = () => {
      arrivals.arrived();
      if (!isOver) setImmediate(come);
    };
    come();
    await arrivals.settled();
    isOver = true;
  });
});
