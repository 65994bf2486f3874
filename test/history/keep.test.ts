import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openGitHistory } from "../../src/history/git/history.ts";
import { cleanDocuments } from "../../src/history/git/purge/clean-documents.ts";
import { purgeRoot } from "../../src/history/git/purge/purge.ts";
import { verifyRoot } from "../../src/history/git/verify/verify.ts";
import { toPurgeForms } from "../../src/kernel/purge-forms.ts";
import { someCases } from "../helpers/some-cases.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { workerScript } from "../helpers/worker-script.ts";
import { ada, at, bob, fsck, git, logOf, openWorld, scratchFolder, textsOf } from "./scratch.ts";

const dayMs = 86_400_000;
const worker = workerScript("./keep-worker.ts", import.meta.url);

const folders = temporaryFolders();
const begun = Date.parse("2026-01-01T12:00:00Z");
/** Recorded once, and copied for each test. */
const templates = new Map<string, string>();

async function copyOf(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const template = templates.get(name) ?? folders.make();
  if (!templates.has(name)) await fill(template);
  templates.set(name, template);
  const folder = scratchFolder();
  cpSync(template, folder, { recursive: true, preserveTimestamps: true });
  return folder;
}

/** Ten days of work, recorded each evening; a document that was deleted, and one that nobody touched again. */
async function fillTenDays(folder: string): Promise<void> {
  const clock = { now: begun };
  const world = openWorld(folder, { now: () => clock.now });
  await world.documents.write(at("sub/still.md"), "still\n", ada);
  await world.documents.write(at("gone.md"), "an old secret of mine\n", ada);
  for (let day = 1; day <= 10; day += 1) {
    await world.documents.write(at("a.md"), `day ${day}\n`, { ...ada, reason: `day ${day}` });
    if (day === 2) await world.documents.remove(at("gone.md"), ada);
    await world.history.catchUp();
    clock.now += dayMs;
  }
  await world.close();
}

async function tenDays() {
  return openedAt(await copyOf("ten days", fillTenDays), begun + 10 * dayMs);
}

function openedAt(folder: string, now: number) {
  const clock = { now };
  const world = openWorld(folder, { now: () => clock.now });
  const keeping = (days: number) =>
    openGitHistory({ trail: world.store.trail("notes"), env: process.env, now: () => clock.now, keepMs: days * dayMs });
  const verify = async () => (await verifyRoot({ trail: world.store.trail("notes"), env: process.env })).findings;
  return { folder, clock, ...world, keeping, verify };
}

const days = (...all: number[]) => all.map((day) => `day ${day}\n`);

describe("HIST-3b how long history is kept", () => {
  it("HIST-3b drops what is older, keeps what it had become by then, and touches no document", async () => {
    const { folder, history, keeping, verify } = await tenDays();
    const before = (await history.status()).bytes;
    expect(await keeping(3.5).trim()).toBe(10);
    expect(await textsOf(history, "a.md")).toEqual(days(10, 9, 8, 7));
    expect(await textsOf(history, "sub/still.md")).toEqual(["still\n"]);
    expect(await textsOf(history, "gone.md")).toEqual([]);
    const [newest, ...others] = await logOf(history, "a.md");
    expect(newest).toMatchObject({ author: "agent:ada", reason: "day 10" });
    expect(others.at(-1)).toMatchObject({ changes: [{ kind: "import" }], author: "outside" });
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("day 10\n");
    expect([fsck(folder), await verify()]).toEqual(["", []]);
    expect(git(folder, "cat-file", "--batch-all-objects", "--batch")).not.toContain("an old secret");
    expect((await history.status()).bytes).toBeLessThan(before);
    expect(git(folder, "log", "--reverse", "--format=%B")).toMatch(/^cut \{"time":"2026-01-11T12:00:00.000Z"/m);
  });

  it("HIST-3b goes on after a cut, cuts again, and at most once a day", async () => {
    const { clock, documents, history, keeping, verify } = await tenDays();
    await keeping(3.5).trim();
    expect(await keeping(3.5).trim()).toBe(0);
    await documents.write(at("a.md"), "day 11\n", ada);
    await history.catchUp();
    expect(await textsOf(history, "a.md")).toEqual(days(11, 10, 9, 8, 7));
    clock.now += dayMs / 2;
    expect(await keeping(3.5).trim()).toBe(0);
    clock.now += 30 * dayMs;
    expect(await keeping(3.5).trim()).toBeGreaterThan(0);
    expect(await textsOf(history, "a.md")).toEqual(days(11));
    await documents.write(at("a.md"), "day 12\n", ada);
    await history.catchUp();
    expect(await textsOf(history, "a.md")).toEqual(days(12, 11));
    expect(await verify()).toEqual([]);
  });

  it("HIST-3b keeps all by default, and what is young enough", async () => {
    const { history, keeping } = await tenDays();
    const tip = (await logOf(history, "a.md"))[0]?.id;
    expect([await history.trim(), await keeping(30).trim()]).toEqual([0, 0]);
    expect((await logOf(history, "a.md"))[0]?.id).toBe(tip);
  });

  it("HIST-3b records nothing twice where the recorder has lost its place after a cut", async () => {
    const { folder, documents, history, keeping, verify } = await tenDays();
    await keeping(3.5).trim();
    const count = (await history.log({ limit: 100 })).operations.length;
    rmSync(join(folder, ".recollect/history/recollect-state.json"), { force: true });
    await documents.write(at("a.md"), "day 11\n", ada);
    const other = keeping(30);
    await other.catchUp();
    expect((await other.log({ limit: 100 })).operations).toHaveLength(count + 1);
    expect(await verify()).toEqual([]);
  });

  /** So that what goes is not in journals any more either. */
  async function longJournals() {
    return openedAt(await copyOf("long journals", fillLongJournals), begun + 13 * dayMs);
  }
  async function fillLongJournals(folder: string): Promise<void> {
    cpSync(await copyOf("ten days", fillTenDays), folder, { recursive: true, preserveTimestamps: true });
    const { clock, documents, history, close } = openedAt(folder, begun + 10 * dayMs);
    for (let index = 0; index < 150; index += 1) {
      await documents.write(at("sub/long.md"), `${index}\n`, { ...ada, reason: "x".repeat(8000) });
      if (index % 50 === 49) await history.catchUp();
    }
    clock.now += 3 * dayMs;
    await documents.write(at("sub/long.md"), "young\n", ada);
    await documents.write(at("sub/long.md"), "younger, with a leaked value\n", ada);
    await history.catchUp();
    await close();
  }
  const marksIn = (folder: string) =>
    git(folder, "log", "--reverse", "--format=%B")
      .split("\n")
      .filter((line) => /^(cut|purge) \{/.test(line));

  it("HIST-3b HIST-5 verify knows what records go on from after a cut, also after a purge and another cut", async () => {
    const { folder, clock, store, documents, history, keeping, verify } = await longJournals();
    expect(await keeping(2).trim()).toBeGreaterThan(0);
    const [cut = ""] = marksIn(folder);
    expect(JSON.parse(cut.slice(4)).links).toEqual({ sub: [expect.stringMatching(/^[0-9a-f]{32}$/)] });
    expect(await verify()).toEqual([]);
    const trail = store.trail("notes");
    for (const value of ["a leaked value", "younger"]) {
      const forms = toPurgeForms(value, "removed");
      await cleanDocuments(trail, documents, forms, bob);
      await history.catchUp();
      const stamp = { author: "person:bob", time: new Date(clock.now).toISOString(), fingerprint: value.slice(0, 1) };
      await purgeRoot({ trail, env: process.env, forms, stamp });
      expect(await verify()).toEqual([]);
    }
    expect(marksIn(folder)).toEqual([cut, expect.stringContaining('"a"'), expect.stringContaining('"y"')]);
    clock.now += 30 * dayMs;
    expect(await keeping(2).trim()).toBeGreaterThan(0);
    expect([fsck(folder), await verify()]).toEqual(["", []]);
  });

  it("HIST-3b HIST-4b verify finds that the first records after a cut are not those that were there", async () => {
    const { folder, keeping, verify } = await longJournals();
    await keeping(2).trim();
    // All commits again, with another link in the first one.
    const stream = git(folder, "fast-export", "--no-data", "refs/heads/history");
    const forged = stream.replace(/("links":\{"sub":\[")[0-9a-f]{4}/, "$10000");
    execFileSync("git", [`--git-dir=${join(folder, ".recollect/history")}`, "fast-import", "--quiet", "--force"], {
      input: forged,
    });
    writeFileSync(join(folder, ".recollect/history-tip"), `recollect history ${git(folder, "rev-parse", "history")}`);
    rmSync(join(folder, ".recollect/history/recollect-state.json"), { force: true });
    const says = "Records of “sub” are missing, or were changed.";
    expect(await verify()).toContainEqual(expect.objectContaining({ level: "damaged", says }));
  });

  it("HIST-3b a cut that was killed anywhere is there as a whole or not at all", async () => {
    for (const ms of someCases([0, 40, 80, 120, 160, 220, 300], 4)) {
      const { folder, clock, documents, history, keeping, verify } = await tenDays();
      const args = [worker, folder, String(clock.now), String(3.5 * dayMs)];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], detached: true });
      const ended = new Promise((resolve) => child.once("close", resolve));
      const begun = new Promise((resolve) => child.stdout.once("data", resolve));
      await Promise.race([ended, begun.then(() => delay(ms))]);
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      await ended;
      const texts = await textsOf(history, "a.md");
      expect([10, 4]).toContain(texts.length);
      expect(await verify()).toEqual([]);
      await documents.write(at("a.md"), "day 11\n", ada);
      await history.catchUp({ waitMs: 10_000 });
      await keeping(3.5).trim();
      expect(await textsOf(history, "a.md")).toEqual(days(11, 10, 9, 8, 7));
      expect([fsck(folder), await verify()]).toEqual(["", []]);
      expect(existsSync(join(folder, ".recollect/history/recollect-dropping"))).toBe(false);
      expect(git(folder, "cat-file", "--batch-all-objects", "--batch")).not.toContain("an old secret");
    }
  });
});
