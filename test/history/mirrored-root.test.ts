import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { purgeRoot } from "../../src/history/git/purge/purge.ts";
import { verifyRoot } from "../../src/history/git/verify/verify.ts";
import { toPurgeForms } from "../../src/kernel/purge-forms.ts";
import { someCases, someRuns } from "../helpers/some-cases.ts";
import { workerScript } from "../helpers/worker-script.ts";
import { ada, at, bob, git, openWorld, scratchFolder, textsOf } from "./scratch.ts";

const worker = workerScript("./mirror-worker.ts", import.meta.url);
const texts = ["one\n", "two\n", "three\n", "four\n"];

/** A root beside the user's data folder, in no repository. */
function places() {
  const base = scratchFolder();
  const [folder, dataFolder] = [join(base, "notes"), join(base, "data")];
  mkdirSync(folder);
  return { base, folder, dataFolder, mirror: { folder, dataFolder }, mirrors: join(dataFolder, "mirrors") };
}

async function filled(place = places(), kept: Parameters<typeof openWorld>[1] = {}) {
  const { documents, history, close } = openWorld(place.folder, { mirror: place.mirror, ...kept });
  for (const text of texts) {
    await documents.write(at("a.md"), text, ada);
    await history.catchUp();
  }
  await close();
  return { ...place, history: join(place.folder, ".recollect/history") };
}

function opened({ folder, mirror }: ReturnType<typeof places>) {
  const said: string[] = [];
  const log = (_: unknown, __: unknown, fields?: Record<string, unknown>) =>
    void said.push(String(fields?.["message"]));
  const world = openWorld(folder, { log, mirror });
  const verify = async () => {
    const { findings } = await verifyRoot({ trail: world.store.trail("notes"), env: process.env, mirror });
    return findings.filter(({ level }) => level !== "note").map(({ says }) => says);
  };
  return { ...world, said, verify };
}

function firstMirror({ mirrors }: { readonly mirrors: string }): string {
  const [name = ""] = readdirSync(mirrors).filter((one) => one !== "folders");
  return join(mirrors, name);
}

function inMirror(mirror: string, ...args: string[]): string {
  const env = { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  return execFileSync("git", [`--git-dir=${mirror}`, ...args], { encoding: "utf8", env });
}

function branchOf(mirror: string): string {
  return readdirSync(join(mirror, "refs/heads"))[0] ?? "";
}

describe("ONE-3 the mirror of a history", () => {
  it("is named after its first commit, and has every commit of the history after each run", async () => {
    const place = await filled();
    const mirror = firstMirror(place);
    expect(mirror).toBe(join(place.mirrors, git(place.folder, "rev-list", "--max-parents=0", "history").trim()));
    expect(inMirror(mirror, "rev-parse", branchOf(mirror))).toBe(git(place.folder, "rev-parse", "history"));
    expect(inMirror(mirror, "fsck", "--strict", "--no-dangling", "--no-progress")).not.toContain("missing");
  });

  it("keeps few packs, however often something is recorded", async () => {
    const place = places();
    const { documents, history } = openWorld(place.folder, { mirror: place.mirror });
    // More than it keeps apart.
    const count = someRuns(22, 40);
    for (let index = 0; index < count; index += 1) {
      await documents.write(at("a.md"), `text ${index}\n`, ada);
      await history.catchUp();
      await history.maintain();
    }
    const packs = readdirSync(join(firstMirror(place), "objects/pack")).filter((name) => name.endsWith(".pack"));
    expect(packs.length).toBeLessThanOrEqual(17);
    rmSync(join(place.folder, ".recollect"), { recursive: true });
    const again = opened(place);
    await again.history.catchUp();
    expect(await textsOf(again.history, "a.md")).toHaveLength(count);
    expect(await again.verify()).toEqual([]);
  });

  it("brings back a history that was set back together with the note of its end", async () => {
    const place = places();
    const first = openWorld(place.folder, { mirror: place.mirror });
    await first.documents.write(at("a.md"), "one\n", ada);
    await first.history.catchUp();
    await first.close();
    const backup = join(place.base, "backup");
    cpSync(join(place.folder, ".recollect"), backup, { recursive: true });
    await filled(place);
    rmSync(join(place.folder, ".recollect"), { recursive: true });
    cpSync(backup, join(place.folder, ".recollect"), { recursive: true });
    const { history, said } = opened(place);
    await history.catchUp();
    expect(said.join()).toContain("was set back. It was brought back from its mirror");
    expect(await textsOf(history, "a.md")).toEqual(expect.arrayContaining(texts));
  });

  it.each(["packs", "objects", "references", "everything"])("brings back %s that were deleted", async (what) => {
    const place = await filled();
    const gone = { packs: "objects/pack", objects: "objects", references: "refs", everything: "" }[what] ?? "";
    rmSync(join(place.history, gone), { recursive: true });
    const { documents, history, verify } = opened(place);
    await documents.write(at("a.md"), "five\n", bob);
    await history.catchUp();
    expect(await textsOf(history, "a.md")).toEqual(["five\n", ...texts.toReversed()]);
    expect(await verify()).toEqual([]);
  });

  it("is found by its branch where the pointer of the folder is gone", async () => {
    const place = await filled();
    rmSync(join(place.mirrors, "folders"), { recursive: true });
    rmSync(join(place.folder, ".recollect"), { recursive: true });
    const { history } = opened(place);
    await history.catchUp();
    expect(await textsOf(history, "a.md")).toEqual(texts.toReversed());
  });

  it("is made whole by the next run where it has lost its objects", async () => {
    const place = await filled();
    rmSync(join(firstMirror(place), "objects/pack"), { recursive: true });
    const { documents, history } = opened(place);
    await documents.write(at("a.md"), "five\n", bob);
    await history.catchUp();
    await documents.write(at("a.md"), "six\n", bob);
    await history.catchUp();
    expect(inMirror(firstMirror(place), "rev-list", "--count", branchOf(firstMirror(place)))).toBe("6\n");
  });

  it("that cannot be written is a remark, and history is recorded all the same", async () => {
    const place = places();
    mkdirSync(place.dataFolder);
    writeFileSync(place.mirrors, "");
    const { documents, history, verify } = opened(place);
    await documents.write(at("a.md"), "one\n", ada);
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 1 });
    expect(await history.status()).toMatchObject({ faults: [], remarks: [expect.stringContaining("no second copy")] });
    expect(await verify()).toEqual([]);
    rmSync(place.mirrors);
    await history.catchUp();
    expect((await history.status()).remarks).toEqual([]);
  });

  it("that came from somebody else is neither read nor written: history begins another one", async () => {
    const place = await filled();
    const mirror = firstMirror(place);
    chmodSync(join(mirror, "config"), 0o644);
    writeFileSync(join(mirror, "config"), "[core]\n\tfsmonitor = touch /tmp/x\n");
    rmSync(join(place.folder, ".recollect"), { recursive: true });
    const { history } = opened(place);
    await history.catchUp();
    expect(await textsOf(history, "a.md")).toEqual(["four\n"]);
    expect(readdirSync(join(mirror, "refs/heads"))).toHaveLength(1);
    expect((await history.status()).remarks).toEqual([]);
  });

  it.each([
    ["at its beginning", ["blue-kestrel-42\n"]],
    ["later on", ["clean\n", "blue-kestrel-42\n"]],
  ])("follows what an older version recorded, and drops what that version purged %s", async (_, written) => {
    const place = places();
    const newer = openWorld(place.folder, { mirror: place.mirror });
    for (const text of written) {
      await newer.documents.write(at("a.md"), text, bob);
      await newer.history.catchUp();
    }
    await newer.close();
    const older = openWorld(place.folder);
    await older.documents.write(at("a.md"), "by an older version\n", bob);
    await older.history.catchUp();
    const stamp = { author: "person:bob", time: new Date().toISOString(), fingerprint: "f".repeat(32) };
    await older.documents.write(at("a.md"), "five\n", bob);
    await older.history.catchUp();
    await purgeRoot({
      trail: older.store.trail("notes"),
      env: process.env,
      forms: toPurgeForms("blue-kestrel-42", "gone"),
      stamp,
    });
    await older.close();
    const { history } = opened(place);
    await history.catchUp();
    const mirror = firstMirror(place);
    expect(readdirSync(place.mirrors)).toHaveLength(2);
    expect(inMirror(mirror, "rev-parse", branchOf(mirror))).toBe(git(place.folder, "rev-parse", "history"));
    const objects = inMirror(mirror, "cat-file", "--batch-all-objects", "--batch");
    expect([objects.includes("blue-kestrel-42"), objects.includes("by an older version")]).toEqual([false, true]);
  });

  it("joins what an older version gave up with what the mirror has", async () => {
    const place = await filled();
    rmSync(join(place.history, "objects/pack"), { recursive: true });
    const older = openWorld(place.folder);
    await older.documents.write(at("a.md"), "five\n", bob);
    await older.history.catchUp();
    await older.close();
    const { history, verify, said } = opened(place);
    await history.catchUp();
    expect(said.join()).toContain("can be read again");
    expect(await textsOf(history, "a.md")).toEqual(["five\n", ...texts.toReversed()]);
    expect(await verify()).toEqual([]);
  });

  it("of several folders that record at the same time has the whole history of each", async () => {
    const place = await filled();
    const folders = [1, 2, 3].map((index) => join(place.base, `copy-${index}`));
    // Together more packs than a mirror keeps apart.
    const count = someRuns(8, 20);
    for (const folder of folders) cpSync(place.folder, folder, { recursive: true });
    await Promise.all(
      folders.map(async (folder) => {
        const world = openWorld(folder, { mirror: { ...place.mirror, folder } });
        for (let index = 0; index < count; index += 1) {
          await world.documents.write(at("a.md"), `${folder} ${index}\n`, ada);
          await world.history.catchUp();
          await world.history.maintain();
        }
        await world.close();
      }),
    );
    for (const folder of folders) {
      rmSync(join(folder, ".recollect"), { recursive: true });
      const { history } = openWorld(folder, { mirror: { ...place.mirror, folder } });
      await history.catchUp();
      const seen = await textsOf(history, "a.md");
      expect(seen).toHaveLength(texts.length + count);
      expect(seen.slice(0, count).every((text) => text?.startsWith(folder))).toBe(true);
    }
    expect(readdirSync(place.mirrors)).toHaveLength(2);
  });

  it("a recorder that is killed at any moment leaves a mirror that the next one completes", async () => {
    const place = await filled();
    for (const round of someCases([0, 1, 2, 3, 4, 5], 3)) {
      const args = [worker, place.folder, place.dataFolder, String(round)];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], detached: true });
      const ended = once(child, "exit");
      await once(child.stdout, "data");
      await delay(round * 7);
      // With what it started: its git copies.
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      await ended;
    }
    const before = opened(place);
    await before.history.catchUp();
    const seen = await textsOf(before.history, "a.md");
    await before.close();
    rmSync(join(place.folder, ".recollect"), { recursive: true });
    const { history, verify } = opened(place);
    await history.catchUp();
    expect(await textsOf(history, "a.md")).toEqual(seen);
    expect(await verify()).toEqual([]);
  });
});

describe("HIST-5 ONE-3 what is rewritten on purpose", () => {
  const secret = "sk-live-4f9a1c77e2";

  it("a purge leaves no byte of the value in the mirror, also not in a branch of a folder that is gone", async () => {
    const place = places();
    const copy = join(place.base, "copy");
    const { documents, history, store, close } = openWorld(place.folder, { mirror: place.mirror });
    await documents.write(at("a.md"), "clean\n", ada);
    await documents.write(at("a.md"), `key ${secret}\n`, ada);
    await documents.write(at("a.md"), "clean again\n", ada);
    await history.catchUp();
    cpSync(place.folder, copy, { recursive: true });
    const beside = openWorld(copy, { mirror: { ...place.mirror, folder: copy } });
    await beside.documents.write(at("b.md"), "of the copy\n", bob);
    await beside.history.catchUp();
    await beside.close();
    const holds = () => inMirror(firstMirror(place), "cat-file", "--batch-all-objects", "--batch").includes(secret);
    expect(holds()).toBe(true);
    const stamp = { author: "person:bob", time: new Date().toISOString(), fingerprint: "f".repeat(32) };
    const forms = toPurgeForms(secret, "removed");
    const purged = await purgeRoot({
      trail: store.trail("notes"),
      env: process.env,
      forms,
      stamp,
      mirror: place.mirror,
    });
    expect(purged.left).toEqual([]);
    const names = readdirSync(place.mirrors).filter((name) => name !== "folders");
    for (const name of names) {
      const objects = inMirror(join(place.mirrors, name), "cat-file", "--batch-all-objects", "--batch");
      expect(objects.includes(secret)).toBe(false);
    }
    await close();
    rmSync(join(place.folder, ".recollect"), { recursive: true });
    const again = opened(place);
    await again.history.catchUp();
    expect(await textsOf(again.history, "a.md")).toEqual(["clean again\n", "key ‹removed›\n", "clean\n"]);
  });

  it("history.keep drops what is old from the mirror too", async () => {
    const place = places();
    const day = 86_400_000;
    const clock = { now: Date.now() - 40 * day };
    const world = openWorld(place.folder, { mirror: place.mirror, now: () => clock.now, keepMs: 10 * day });
    for (const text of texts) {
      await world.documents.write(at("a.md"), text, ada);
      clock.now += 10 * day;
    }
    await world.history.catchUp();
    const before = firstMirror(place);
    expect(await world.history.trim()).toBeGreaterThan(0);
    expect(existsSync(before)).toBe(false);
    const mirror = firstMirror(place);
    expect(inMirror(mirror, "rev-parse", branchOf(mirror))).toBe(git(place.folder, "rev-parse", "history"));
    expect(inMirror(mirror, "cat-file", "--batch-all-objects", "--batch")).not.toContain("one\n");
  });
});
