import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import type { FillProgress } from "../../../src/kernel/backend.ts";
import { postgresUrl } from "../../helpers/postgres-stores.ts";
import { workerScript } from "../../helpers/worker-script.ts";
import { ada, at, bob, fsck, openWorld, scratchFolder } from "../../history/scratch.ts";
import { filledOnce, newSpace, tellFolder, tellSpace, toFolder, toSpace } from "./migration-world.ts";

type Step = FillProgress | { readonly stage: "end" };

const worker = workerScript("../../../rigs/migration-worker.ts", import.meta.url);

/** A copy that is killed with SIGKILL at its step number `most`; says all steps where it came to its end before. */
async function copyUntil(direction: "to-space" | "to-folder", space: string, folder: string, most: number) {
  const args = [worker, direction, await postgresUrl(), space, folder, "4", String(most)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  const steps: Step[] = [];
  for await (const line of createInterface(child.stdout)) steps.push(JSON.parse(line) as Step);
  await closed;
  return steps;
}

/** Again and again, a few steps further each time, until it comes to its end. */
async function copyWithKills(direction: "to-space" | "to-folder", space: string, folder: string) {
  let kills = 0;
  let before: FillProgress | undefined;
  for (let most = 2; ; most += 2) {
    const steps = await copyUntil(direction, space, folder, most);
    const [first] = steps;
    // What was said to be done is not done again.
    if (before?.stage === "history" && first?.stage === "history")
      expect(first.done).toBeGreaterThanOrEqual(before.done);
    const last = steps.at(-1);
    if (last?.stage === "end") return kills;
    kills += 1;
    before = last;
  }
}

const fillMany = filledOnce(async (folder) => {
  writeFileSync(join(folder, "binary.bin"), Buffer.from([0xff, 0, 0xfe]));
  const { documents, history, close } = openWorld(folder);
  for (let number = 0; number < 30; number += 1) {
    await documents.write(at(`f${number % 3}/n${number % 12}.md`), `text ${number}\n`, number % 2 === 0 ? ada : bob);
  }
  const many = [1, 2, 3, 4, 5, 6].map((number) => at(`batch/${number}.md`));
  await documents.commit(many, () => many.map((one) => ({ kind: "put", at: one, content: one.path })), ada);
  await documents.move(at("batch/1.md"), at("f0/moved.md"), bob);
  await documents.remove(at("batch/2.md"), bob);
  await history.catchUp();
  await close();
});

describe("a copy that is killed", () => {
  it("PG-3 goes on where it was, both ways, and ends the same", async () => {
    const [folder, back, space] = [scratchFolder(), scratchFolder(), newSpace()];
    await fillMany(folder);
    const told = await tellFolder(folder);
    expect(await copyWithKills("to-space", space, folder)).toBeGreaterThan(2);
    expect(await tellSpace(space)).toEqual(told);
    expect(await copyWithKills("to-folder", space, back)).toBeGreaterThan(2);
    expect(await tellFolder(back)).toEqual(told);
    expect(fsck(back)).toBe("");
  });

  it("PG-3 leaves a folder in which nothing is recorded until it was run again", async () => {
    const [folder, back, space] = [scratchFolder(), scratchFolder(), newSpace()];
    await fillMany(folder);
    await toSpace(folder, space);
    const steps = await copyUntil("to-folder", space, back, 13);
    expect(steps.at(-1)?.stage).toBe("documents");
    const { history } = openWorld(back);
    const caught = await history.catchUp();
    expect(caught).toMatchObject({ kind: "none", reason: expect.stringMatching(/cut off.*migrate again/) });
    expect((await history.status()).faults).toEqual([]);
    await toFolder(space, back);
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 0 });
    expect(await tellFolder(back)).toEqual(await tellFolder(folder));
  });

  it("PG-3 first ends what it had begun where its source has grown since", async () => {
    const [folder, back, space] = [scratchFolder(), scratchFolder(), newSpace()];
    await fillMany(folder);
    await toSpace(folder, space);
    await copyUntil("to-folder", space, back, 13);
    const { documents } = openWorld(folder);
    for (let number = 0; number < 12; number += 1)
      await documents.write(at(`f${number % 3}/n${number}.md`), "newer", ada);
    await documents.remove(at("f0/moved.md"), ada);
    await toSpace(folder, space);
    await toFolder(space, back);
    expect(await tellFolder(back)).toEqual(await tellFolder(folder));
  });

  it("PG-3 replaces nothing that somebody wrote into the folder meanwhile", async () => {
    const [folder, back, space] = [scratchFolder(), scratchFolder(), newSpace()];
    await fillMany(folder);
    await toSpace(folder, space);
    await copyUntil("to-folder", space, back, 12);
    const missing = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /^f2\/.*\.md$/.test(path))
      .at(-1);
    mkdirSync(join(back, "f2"), { recursive: true });
    writeFileSync(join(back, missing ?? ""), "mine");
    await expect(toFolder(space, back)).rejects.toMatchObject({ code: "CONFLICT" });
    writeFileSync(
      join(back, missing ?? ""),
      (await openWorld(folder).documents.read(at(missing ?? "")))?.content ?? "",
    );
    await toFolder(space, back);
    expect(await tellFolder(back)).toMatchObject({ operations: (await tellFolder(folder)).operations });
  });
});
