import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { cleanDocuments } from "../../src/history/git/purge/clean-documents.ts";
import { purgeRoot } from "../../src/history/git/purge/purge.ts";
import { verifyRoot } from "../../src/history/git/verify/verify.ts";
import { type PurgeForms, toPurgeForms } from "../../src/kernel/purge-forms.ts";
import { workerScript } from "../helpers/worker-script.ts";
import { ada, at, bob, fsck, git, openWorld, scratchFolder, textsOf } from "./scratch.ts";

const value = "a secret of some length";
const worker = workerScript("./purge-worker.ts", import.meta.url);

async function planted() {
  const folder = scratchFolder();
  const world = openWorld(folder);
  for (let index = 0; index < 12; index += 1) {
    await world.documents.write(at(`sub/${index % 3}.md`), `${index} ${index % 2 ? value : "clean"}\n`, {
      ...ada,
      reason: index % 5 === 0 ? value : "none",
    });
    await world.documents.write(at("a.md"), `${index}\n`, ada);
    if (index % 4 === 0) await world.history.catchUp();
  }
  return { folder, ...world };
}

/** With what it started: its git writes history. */
async function killedPurge(folder: string, after: string, ms: number): Promise<void> {
  const child = spawn(process.execPath, [worker, folder], { stdio: ["pipe", "pipe", "inherit"], detached: true });
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.stdin.end(value);
  const due = Promise.withResolvers<void>();
  child.stdout.setEncoding("utf8").on("data", (said: string) => said.includes(after) && due.resolve());
  await Promise.race([ended, due.promise.then(() => delay(ms))]);
  if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await ended;
}

async function purge({ store, documents, history }: Awaited<ReturnType<typeof planted>>, forms: PurgeForms) {
  const trail = store.trail("notes");
  // As the command does: what a killed write staged may hold the value.
  await store.recover();
  await cleanDocuments(trail, documents, forms, bob);
  await history.catchUp({ waitMs: 10_000 });
  const stamp = { author: "person:bob", time: new Date().toISOString(), fingerprint: "f00" };
  await purgeRoot({ trail, env: process.env, forms, stamp });
}

function isClean(folder: string, forms: PurgeForms): boolean {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const inFiles = files.some(({ parentPath, name }) => forms.isIn(readFileSync(join(parentPath, name))));
  return !inFiles && !forms.isIn(Buffer.from(git(folder, "cat-file", "--batch-all-objects", "--batch")));
}

describe("a purge among others", () => {
  it("HIST-5 is brought to its end by whoever does it again, wherever it was killed", async () => {
    const forms = toPurgeForms(value, "removed");
    for (const [after, ms] of [
      ["begun", 5],
      ["cleaned", 10],
      ["recorded", 15],
      ["recorded", 60],
      ["recorded", 140],
    ] as const) {
      const world = await planted();
      await killedPurge(world.folder, after, ms);
      // Somebody else goes on in between.
      await world.documents.write(at("a.md"), "in between\n", ada);
      await world.history.catchUp();
      await purge(world, forms);
      expect(isClean(world.folder, forms)).toBe(true);
      expect(fsck(world.folder)).toBe("");
      expect((await verifyRoot({ trail: world.store.trail("notes"), env: process.env })).findings).toEqual([]);
      const texts = await textsOf(world.history, "a.md");
      expect(texts).toEqual(["in between\n", ...[11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((one) => `${one}\n`)]);
    }
  });

  it("HIST-5 reaches what an import left that was killed before it let go of its pack", async () => {
    const forms = toPurgeForms(value, "removed");
    const world = await planted();
    const packs = join(world.folder, ".recollect/history/objects/pack");
    for (const name of readdirSync(packs).filter((one) => one.endsWith(".pack"))) {
      writeFileSync(join(packs, name.replace(/pack$/, "keep")), "fast-import");
    }
    await purge(world, forms);
    expect(isClean(world.folder, forms)).toBe(true);
    expect(fsck(world.folder)).toBe("");
  });

  it("HIST-5 loses nothing of what others write and record meanwhile", async () => {
    const world = await planted();
    const forms = toPurgeForms(value, "removed");
    const other = openWorld(world.folder);
    const written: string[] = [];
    let isDone = false;
    const writing = (async () => {
      for (let index = 0; !isDone; index += 1) {
        const content = `meanwhile ${index}\n`;
        await other.documents.write(at("sub/new.md"), content, bob);
        written.unshift(content);
        if (index % 7 === 0) await other.history.catchUp();
        await delay(15);
      }
    })();
    await purge(world, forms);
    isDone = true;
    await writing;
    await world.history.catchUp({ waitMs: 10_000 });
    expect(await textsOf(world.history, "sub/new.md")).toEqual(written);
    expect(isClean(world.folder, forms)).toBe(true);
    expect((await verifyRoot({ trail: world.store.trail("notes"), env: process.env })).findings).toEqual([]);
  });
});
