import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bin } from "../helpers/checkout.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const place = `recollect/compile-cache/code-${process.version}-${process.arch}`;

function user() {
  const cache = folders.make();
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [bin, ...args], {
      cwd: cache,
      env: { ...process.env, HOME: cache, XDG_CACHE_HOME: cache },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const folder = join(cache, place);
  const kept = () => new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const));
  const write = (change: (code: Buffer, name: string) => Buffer) => {
    for (const [name, code] of kept()) writeFileSync(join(folder, name), change(Buffer.from(code), name));
  };
  return { cache, folder, run, kept, write };
}

const version = /^\d+\.\d+\.\d+\n$/;
const sourceSumOf = (code: Buffer) => code.readUInt32LE(0);
const generationOf = (code: Buffer) => code.readUInt32LE(8);

describe("compiled code that is kept", () => {
  it("CLI-1 is the user's own, and is left alone once it is there", () => {
    const { folder, run, kept } = user();
    expect(run("--version")).toMatch(version);
    const first = kept();
    expect(first.size).toBeGreaterThan(5);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of first.keys()) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(run("--version")).toMatch(version);
    expect(kept()).toEqual(first);
  });

  it("CLI-1 gets better with what is called later, a few times at most", () => {
    const { run, kept } = user();
    run("--version");
    const first = kept();
    run("memories", "list");
    const second = kept();
    const isGrown = ([name, code]: [string, Buffer]) => (second.get(name)?.length ?? 0) > code.length;
    expect([...first].filter(isGrown).length).toBeGreaterThan(0);
    for (const args of [
      ["search", "x"],
      ["recall", "x"],
      ["doctor"],
      ["config"],
      ["agent", "list"],
      ["memories", "list"],
    ]) {
      try {
        run(...args);
      } catch {
        // What it answers does not matter here.
      }
    }
    for (const code of kept().values()) expect(generationOf(code)).toBeLessThanOrEqual(5);
  });

  it.each([
    ["cut off", (code: Buffer) => code.subarray(0, code.length / 2)],
    ["empty", () => Buffer.alloc(0)],
    ["damaged in the middle", (code: Buffer) => code.fill(0xff, code.length / 2, code.length / 2 + 64)],
    ["of another source", (code: Buffer) => code.fill(1, 0, 4)],
  ])("CLI-1 is not believed where it is %s, and made anew", (_, change) => {
    const { run, kept, write } = user();
    run("--version");
    const good = kept();
    write(change);
    expect(run("--version")).toMatch(version);
    expect([...kept().keys()]).toEqual([...good.keys()]);
    for (const [name, code] of kept()) {
      expect([name, sourceSumOf(code)]).toEqual([name, sourceSumOf(good.get(name) as Buffer)]);
      expect([name, code.readUInt32LE(4)]).toEqual([name, crc32(code.subarray(12))]);
    }
  });

  it("CLI-1 of one file is not taken for that of another", () => {
    const { folder, run, kept } = user();
    run("--version");
    const [[one, its] = ["", Buffer.of()], [other, itsOwn] = ["", Buffer.of()]] = [...kept()];
    writeFileSync(join(folder, one), itsOwn);
    writeFileSync(join(folder, other), its);
    expect(run("--version")).toMatch(version);
  });

  it("CLI-1 is done without where it cannot be kept", () => {
    const { cache, folder, run } = user();
    mkdirSync(join(cache, "recollect"));
    writeFileSync(join(cache, "recollect/compile-cache"), "a file");
    expect(run("--version")).toMatch(version);
    expect(existsSync(folder)).toBe(false);
  });

  it("CLI-1 is neither read nor written where others may write", () => {
    const { folder, run, kept } = user();
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
    expect(run("--version")).toMatch(version);
    expect(kept().size).toBe(0);
  });

  it("CLI-1 of what is not there any more goes after a while", () => {
    const { folder, run, kept } = user();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of ["old-part", "new-part"]) writeFileSync(join(folder, name), "x");
    const longAgo = Date.now() / 1000 - 40 * 24 * 3600;
    utimesSync(join(folder, "old-part"), longAgo, longAgo);
    run("--version");
    expect([kept().has("old-part"), kept().has("new-part")]).toEqual([false, true]);
  });
});
