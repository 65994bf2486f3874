import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { type LiveNews, RecollectError } from "../../../src/app.ts";
import type { ApiSaved } from "../../../src/http/api/contract/document.ts";
import type { ApiChanged, ApiEvent } from "../../../src/http/api/contract/events.ts";
import { liveEvents } from "../../../src/http/live-events.ts";
import { cliProcess } from "../../helpers/cli.ts";
import { type ApiWorld, apiWorlds } from "./open-api.ts";

const open = apiWorlds();
const root = ".serena/memories";

/** Reads events one after the other; comments are passed over. */
function eventsOf(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffered = "";
  async function next(): Promise<ApiEvent | undefined> {
    for (;;) {
      const end = buffered.indexOf("\n\n");
      if (end !== -1) {
        const block = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        if (block.startsWith("data: ")) return JSON.parse(block.slice("data: ".length)) as ApiEvent;
        continue;
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      buffered += decoder.decode(value, { stream: true });
    }
  }
  return { next, close: () => reader.cancel() };
}

async function listen(world: ApiWorld, who?: string) {
  const response = await world.request("/events", {}, who);
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  if (!response.body) throw new Error("a stream has a body");
  const events = eventsOf(response.body);
  expect(await events.next()).toEqual({ kind: "hello" });
  return {
    ...events,
    /** The first change of a document that fits. */
    change: async (fits: (change: ApiChanged) => boolean): Promise<ApiChanged> => {
      for (;;) {
        const event = await events.next();
        const found = event?.kind === "changed" ? event.changes.find(fits) : undefined;
        if (found) return found;
        if (!event) throw new Error("the stream ended");
      }
    },
  };
}

describe("WEB-3 live events", () => {
  it("WEB-3 a new folder without documents is no change of any", async () => {
    const world = await open({ before: (one) => void one.write(`work/app/${root}/first.md`, "first\n") });
    const events = await listen(world);
    mkdirSync(join(world.project, root, "empty"));
    // Told after it, had it been told.
    for (let number = 0; number < 3; number += 1) {
      writeFileSync(join(world.project, root, `after-${number}.md`), "after\n");
      const change = await events.change(({ path }) => path === "empty" || path === `after-${number}.md`);
      expect(change.path).toBe(`after-${number}.md`);
    }
    await events.close();
  });

  it("WEB-3 a write of this process is told once, with its revision and author", async () => {
    const world = await open({ askers: { bob: { author: "agent:bob" } } });
    const events = await listen(world);
    const { rev } = (
      await world.send<ApiSaved>("PUT", "/document", { root, path: "a.md", content: "a\n", ifRev: null }, "bob")
    ).body;
    expect(await events.next()).toEqual({
      kind: "changed",
      changes: [{ root, path: "a.md", rev, author: "agent:bob" }],
    });
    await world.send("PUT", "/document", { root, path: "b.md", content: "b\n", ifRev: null });
    const second = await events.next();
    expect(second, "the first one is not told again").toMatchObject({ changes: [{ path: "b.md" }] });
    await events.close();
  });

  it("WEB-3 a write of another process is told, with its author", async () => {
    const world = await open();
    world.write(`work/app/${root}/a.md`, "a\n");
    const events = await listen(world);
    const place = { cwd: world.project, env: world.env };
    const written = await cliProcess(["memories", "write", "other", "--content", "from elsewhere"], place);
    expect(written).toMatchObject({ code: 0 });
    const change = await events.change(({ path }) => path === "other.md");
    expect(change).toMatchObject({ root, rev: expect.any(String), author: expect.stringMatching(/^person:/) });
    await events.close();
  });

  it("WEB-3 what is made, changed, moved and removed by hand is told, and that nobody is known", async () => {
    const world = await open();
    const folder = join(world.project, root);
    mkdirSync(folder, { recursive: true });
    const events = await listen(world);
    writeFileSync(join(folder, "hand.md"), "one\n");
    const made = await events.change(({ path, rev }) => path === "hand.md" && rev !== undefined);
    expect(made.author).toBeUndefined();
    writeFileSync(join(folder, "hand.md"), "two\n");
    await events.change(({ path, rev }) => path === "hand.md" && rev !== undefined && rev !== made.rev);
    renameSync(join(folder, "hand.md"), join(folder, "moved.md"));
    await events.change(({ path, rev }) => path === "moved.md" && rev !== undefined);
    mkdirSync(join(folder, "sub"));
    writeFileSync(join(folder, "sub/deep.md"), "deep\n");
    await events.change(({ path }) => path === "sub/deep.md");
    rmSync(join(folder, "moved.md"));
    await events.change(({ path, rev }) => path === "moved.md" && rev === undefined);
    await events.close();
  });

  it("AGT-4 nobody is told of what they may not read, nor of another agent's files", async () => {
    const world = await open({
      askers: {
        one: { author: "agent:one", agentId: "one", grants: new Map([["memory", new Set(["list", "read"])]]) },
        two: { author: "agent:two", agentId: "two" },
      },
    });
    const events = await listen(world, "one");
    await world.send("PUT", "/document", { root, path: "hidden.md", content: "x\n", ifRev: null });
    await world.send("PUT", "/document", { root: "agent_memory", path: "two.md", content: "x\n", ifRev: null }, "two");
    const place = { cwd: world.project, env: world.env };
    await cliProcess(["memories", "write", "hidden2", "--content", "x"], place);
    await world.send("PUT", "/document", { root: "agent_memory", path: "one.md", content: "x\n", ifRev: null }, "one");
    expect(await events.next()).toMatchObject({
      changes: [{ root: "agent_memory", path: "one.md", author: "agent:one" }],
    });
    await world.send("PUT", "/document", {
      root: "memory",
      path: "t/s.md",
      content: "## 2026-01-01: T\n",
      ifRev: null,
    });
    expect(await events.next()).toMatchObject({ changes: [{ root: "memory", path: "t/s.md" }] });
    await events.close();
  });

  it("WEB-1 very many changes at once come as one event that says to look again", async () => {
    const world = await open();
    const folder = join(world.project, root);
    mkdirSync(folder, { recursive: true });
    const events = await listen(world);
    for (let at = 0; at < 400; at += 1) writeFileSync(join(folder, `n${at}.md`), `${at}\n`);
    for (;;) if ((await events.next())?.kind === "stale") break;
    await events.close();
  });
});

describe("WEB-1 a stream of events is bounded", () => {
  function source() {
    let tell: (news: LiveNews) => void = () => {};
    const state = { isStopped: false };
    const listening = (given: typeof tell) => {
      tell = given;
      return {
        ready: Promise.resolve(),
        stop: () => {
          state.isStopped = true;
        },
      };
    };
    const change = (at: number): LiveNews => ({
      kind: "changed",
      changes: [{ root, path: `n${at}.md`, rev: undefined, author: undefined }],
    });
    return { listening, state, tell: (at: number) => tell(change(at)) };
  }

  it("WEB-1 a reader that does not read finds one event in the place of all that it missed, then new ones", async () => {
    const { listening, tell } = source();
    const events = eventsOf(liveEvents(listening, { mostWaiting: 5 }));
    expect(await events.next()).toEqual({ kind: "hello" });
    for (let at = 0; at < 1000; at += 1) tell(at);
    const seen: (ApiEvent | undefined)[] = [];
    do seen.push(await events.next());
    while (seen.at(-1)?.kind !== "changed" || JSON.stringify(seen.at(-1)).includes("n999") === false);
    expect(seen.length).toBeLessThan(10);
    expect(seen.map((event) => event?.kind)).toContain("stale");
    tell(1000);
    expect(await events.next()).toMatchObject({ changes: [{ path: "n1000.md" }] });
  });

  it("WEB-1 whoever goes away is not told any more, and a stream ends by itself", async () => {
    const gone = source();
    const events = eventsOf(liveEvents(gone.listening));
    await events.next();
    await events.close();
    expect(gone.state.isStopped).toBe(true);
    gone.tell(1);
    const short = source();
    const other = eventsOf(liveEvents(short.listening, { lastsMs: 30, beatEveryMs: 5 }));
    expect(await other.next()).toEqual({ kind: "hello" });
    expect(await other.next()).toBeUndefined();
    expect(short.state.isStopped).toBe(true);
  });

  it("WEB-1 a stream that cannot begin leaves no timer behind", () => {
    vi.useFakeTimers();
    try {
      const away = () => {
        throw new RecollectError("STORAGE_FAILED", "The root cannot be watched.");
      };
      expect(() => liveEvents(away)).toThrow("cannot be watched");
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
