import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { at, openNotes, scratchFolder, stamp } from "./scratch.ts";

const holder = fileURLToPath(new URL("./holding-worker.ts", import.meta.url));

/** A process that holds the lock of the folder until it is killed. */
async function holdLock(folder: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [holder, folder], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

describe("the lock of a folder", () => {
  it("KER-5 is free as soon as its holder was killed", async () => {
    const folder = scratchFolder();
    const child = await holdLock(folder);
    const { documents } = openNotes(folder);
    const writing = documents.write(at("a.md"), "after the kill", stamp);
    child.kill("SIGKILL");
    expect((await writing).kind).toBe("committed");
  });

  it("KER-5 ends waiting with BUSY, and writes nothing then", async () => {
    const folder = scratchFolder();
    await holdLock(folder);
    const { documents } = openNotes(folder, { lockTimeoutMs: 100 });
    await expect(documents.write(at("a.md"), "x", stamp)).rejects.toMatchObject({ code: "BUSY" });
    expect(await documents.read(at("a.md"))).toBeUndefined();
  });

  it("KER-5 goes past a paused process that only waits", async () => {
    const folder = scratchFolder();
    const { documents } = openNotes(folder);
    const holding = await holdLock(folder);
    const waiting = spawn(process.execPath, [holder, folder], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void waiting.kill("SIGKILL"));
    await waitForFile(join(folder, ".recollect/turn-1"));
    waiting.kill("SIGSTOP");
    holding.kill("SIGKILL");
    expect((await documents.write(at("a.md"), "went past", stamp)).kind).toBe("committed");
  });

  it("KER-5 is made anew where its folder was deleted while a store is open", async () => {
    const folder = scratchFolder();
    const { documents } = openNotes(folder);
    await documents.write(at("a.md"), "one", stamp);
    rmSync(join(folder, ".recollect"), { recursive: true });
    const other = openNotes(folder);
    await Promise.all([documents.append(at("a.md"), "+", stamp), other.documents.append(at("a.md"), "+", stamp)]);
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("one++");
  });

  it("KER-5 works on in a root that was deleted and made again", async () => {
    const folder = join(scratchFolder(), "root");
    const { documents } = openNotes(folder);
    await documents.write(at("a.md"), "one", stamp);
    rmSync(folder, { recursive: true });
    expect(await documents.read(at("a.md"))).toBeUndefined();
    await documents.write(at("a.md"), "two", stamp);
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("two");
  });

  it("KER-13 refuses a folder that a newer Recollect has written, also while it is open", async () => {
    const folder = scratchFolder();
    const { documents } = openNotes(folder);
    await documents.write(at("a.md"), "one", stamp);
    const lock = new DatabaseSync(join(folder, ".recollect/lock"));
    lock.exec("PRAGMA user_version = 2");
    lock.close();
    for (const each of [documents, openNotes(folder).documents]) {
      await expect(each.write(at("a.md"), "two", stamp)).rejects.toMatchObject({
        code: "UNSUPPORTED_FORMAT",
        data: { found: 2, known: 1 },
      });
    }
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("one");
  });

  it("KER-2 refuses a rollback journal beside the lock, which SQLite would obey", async () => {
    const folder = scratchFolder();
    await openNotes(folder).documents.write(at("a.md"), "one", stamp);
    writeFileSync(join(folder, ".recollect/lock-journal"), "crafted");
    await expect(openNotes(folder).documents.write(at("a.md"), "two", stamp)).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
  });

  it("KER-2 follows neither a linked lock nor a linked auxiliary folder", async () => {
    const [folder, outside] = [scratchFolder(), scratchFolder()];
    await openNotes(folder).documents.write(at("a.md"), "one", stamp);
    renameSync(join(folder, ".recollect/lock"), join(outside, "lock"));
    symlinkSync(join(outside, "lock"), join(folder, ".recollect/lock"));
    await expect(openNotes(folder).documents.write(at("a.md"), "two", stamp)).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
    renameSync(join(folder, ".recollect"), join(outside, "auxiliary"));
    symlinkSync(join(outside, "auxiliary"), join(folder, ".recollect"));
    await expect(openNotes(folder).documents.write(at("a.md"), "two", stamp)).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("one");
  });
});

async function waitForFile(file: string): Promise<void> {
  for (;;) {
    try {
      readFileSync(file);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
