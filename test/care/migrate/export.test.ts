import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportRoots } from "../../../src/care/export/export-roots.ts";
import { documentsOf, snapshotOf } from "../../helpers/folder-snapshot.ts";
import { workerScript } from "../../helpers/worker-script.ts";
import { openWorld, scratchFolder } from "../../history/scratch.ts";
import { filledOnce, fillWithAll, newSpace, openSpace, toSpace } from "./migration-world.ts";

const fillFolder = filledOnce(fillWithAll);
const worker = workerScript("./export-worker.ts", import.meta.url);

function exportFolder(from: string, to: string) {
  const { store } = openWorld(from);
  return exportRoots({ roots: [{ name: "notes", root: "notes", documents: store }], folder: to });
}

async function exportSpace(space: string, to: string) {
  const { store } = await openSpace(space);
  return exportRoots({ roots: [{ name: "notes", root: "notes", documents: store }], folder: to });
}

describe("an export", () => {
  it("PG-3 gives plain folders of the documents as they are, from folders and from a database alike", async () => {
    const [folder, one, other, space] = [scratchFolder(), scratchFolder(), scratchFolder(), newSpace()];
    await fillFolder(folder);
    await toSpace(folder, space);
    expect(await exportFolder(folder, one)).toMatchObject({ leftOut: [] });
    await exportSpace(space, other);
    const files = (all: Record<string, string>) => Object.entries(all).filter(([, what]) => what !== "folder");
    expect(files(snapshotOf(join(one, "notes")))).toEqual(files(documentsOf(folder)));
    expect(snapshotOf(other)).toEqual(snapshotOf(one));
    const time = (at: string) => Math.floor(statSync(join(at, "notes/b.md")).mtimeMs);
    expect([time(one), time(other)]).toEqual([1_600_000_000_123, 1_600_000_000_123]);
  });

  it("PG-3 is refused by a folder that holds anything, and leaves it as it is", async () => {
    const [folder, to] = [scratchFolder(), scratchFolder()];
    await fillFolder(folder);
    writeFileSync(join(to, ".hidden"), "mine");
    await expect(exportFolder(folder, to)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    expect(snapshotOf(to)).toEqual(expect.objectContaining({ ".hidden": expect.any(String) }));
    expect(readdirSync(to)).toEqual([".hidden"]);
  });

  it("PG-3 goes on after a kill, and ends the same", async () => {
    const [folder, to, whole] = [scratchFolder(), scratchFolder(), scratchFolder()];
    for (let number = 0; number < 450; number += 1) {
      if (number % 150 === 0) mkdirSync(join(folder, `f${number}`));
      writeFileSync(join(folder, `f${number - (number % 150)}/${number}.md`), `text ${number}\n`);
    }
    const child = spawn(process.execPath, [worker, folder, to], { stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.once("data", () => child.kill("SIGKILL"));
    await once(child, "close");
    expect(readdirSync(to).toSorted()).toEqual([".recollect-export", "notes"]);
    expect(await exportFolder(folder, to)).toMatchObject({ documents: 450 });
    await exportFolder(folder, whole);
    expect(snapshotOf(to)).toEqual(snapshotOf(whole));
    await expect(exportFolder(folder, to)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  });

  it("PG-3 follows no link that somebody put into what was cut off, and leaves nothing that is gone", async () => {
    const [folder, to, elsewhere] = [scratchFolder(), scratchFolder(), scratchFolder()];
    await fillFolder(folder);
    mkdirSync(join(to, ".recollect-export"));
    symlinkSync(elsewhere, join(to, "notes"));
    await expect(exportFolder(folder, to)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    rmSync(join(to, "notes"));
    mkdirSync(join(to, "notes"));
    symlinkSync(join(elsewhere, "a.md"), join(to, "notes/a.md"));
    await expect(exportFolder(folder, to)).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
    rmSync(join(to, "notes/a.md"));
    writeFileSync(join(to, "notes/gone since.md"), "old");
    await expect(exportFolder(folder, to)).rejects.toThrow(/gone since.*Delete the folder/);
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});
