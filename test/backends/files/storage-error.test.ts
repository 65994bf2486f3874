import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { toStorageError } from "../../../src/backends/files/storage-error.ts";
import { at, openNotes, scratchFolder, stamp } from "./scratch.ts";

const canMount = process.platform === "linux" && process.getuid?.() === 0;

/** A disk so small that it fills up; needs the right to mount. */
function smallDisk(options: string): string {
  const folder = join(scratchFolder(), "disk");
  mkdirSync(folder);
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]);
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  return folder;
}

describe("errors of the storage", () => {
  it.each([
    ["ENOSPC", "DISK_FULL"],
    ["EDQUOT", "DISK_FULL"],
    ["EROFS", "READ_ONLY"],
    ["EACCES", "PERMISSION_DENIED"],
    ["EPERM", "PERMISSION_DENIED"],
    ["EMFILE", "TOO_MANY_OPEN_FILES"],
    ["ENFILE", "TOO_MANY_OPEN_FILES"],
    ["EIO", "STORAGE_FAILED"],
  ] as const)("KER-10 %s by its number is %s, without the host's path", (name, code) => {
    const system = Object.assign(new Error(`${name}: write '/home/somebody/x'`), {
      code: "UNKNOWN",
      errno: -constants.errno[name],
    });
    const error = toStorageError(system, "write “a.md”");
    expect(error.code).toBe(code);
    expect(error.message).not.toContain("/home");
    expect(error.cause).toBe(system);
  });

  it.runIf(canMount)("KER-10 a full disk keeps the old content and the store works afterwards", async () => {
    const folder = smallDisk("size=200k");
    const { documents } = openNotes(folder);
    await documents.write(at("a.md"), "old", stamp);
    writeFileSync(join(folder, "ballast"), Buffer.alloc(100_000));
    const large = "x".repeat(150_000);
    await expect(documents.write(at("a.md"), large, stamp)).rejects.toMatchObject({ code: "DISK_FULL" });
    await expect(documents.write(at("new/b.md"), large, stamp)).rejects.toMatchObject({ code: "DISK_FULL" });
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("old");
    expect(await documents.read(at("new/b.md"))).toBeUndefined();
    rmSync(join(folder, "ballast"));
    expect((await documents.write(at("a.md"), "new", stamp)).kind).toBe("committed");
  });

  it.runIf(canMount)("KER-10 a disk without inodes keeps the old content and the store works afterwards", async () => {
    const folder = smallDisk("size=1m,nr_inodes=12");
    const { documents } = openNotes(folder);
    await documents.write(at("a.md"), "old", stamp);
    let made = 0;
    const failure = (async () => {
      for (; ; made += 1) writeFileSync(join(folder, `ballast-${made}`), "");
    })();
    await expect(failure).rejects.toMatchObject({ code: "ENOSPC" });
    await expect(documents.write(at("a.md"), "new", stamp)).rejects.toMatchObject({ code: "DISK_FULL" });
    expect((await documents.read(at("a.md")))?.content).toBe("old");
    for (let index = 0; index < made; index += 1) rmSync(join(folder, `ballast-${index}`));
    expect((await documents.write(at("a.md"), "new", stamp)).kind).toBe("committed");
  });
});
