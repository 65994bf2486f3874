import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { bin, checkout } from "../helpers/checkout.ts";
import { greeting, request, startRaw } from "../helpers/raw-server.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const place = `recollect/compile-cache/code-${process.version}-${process.arch}`;

function user() {
  const cache = folders.make();
  const env = { HOME: cache, XDG_CACHE_HOME: cache };
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [bin, ...args], {
      cwd: cache,
      env: { ...process.env, ...env },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const folder = join(cache, place);
  const kept = () => new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const));
  const write = (change: (code: Buffer, name: string) => Buffer) => {
    for (const [name, code] of kept()) writeFileSync(join(folder, name), change(Buffer.from(code), name));
  };
  return { cache, env, folder, run, kept, write };
}

let begun: ReturnType<typeof user>;

/** One for whom a first start has kept compiled code: a copy of the same. */
function userOfCode(): ReturnType<typeof user> {
  const made = user();
  cpSync(join(begun.cache, "recollect"), join(made.cache, "recollect"), { recursive: true, preserveTimestamps: true });
  return made;
}

beforeAll(() => {
  begun = user();
  begun.run("--version");
});

/**
 * A script to be loaded first. Into one file it writes whether the engine took the compiled code that it was given, line
 * by line, and into another the flags that the engine was set later.
 */
function writesDown(answers: string, flags: string): string {
  return `const [fs, v8, vm] = [require("node:fs"), require("node:v8"), require("node:vm")];
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    if (!options.cachedData) return;
    fs.appendFileSync(${JSON.stringify(answers)}, this.cachedDataRejected ? "refused\\n" : "taken\\n");
  }
};
const { setFlagsFromString } = v8;
v8.setFlagsFromString = (flag) => {
  setFlagsFromString(flag);
  fs.appendFileSync(${JSON.stringify(flags)}, flag + "\\n");
};`;
}

/** What a start in a folder leaves in it. */
function leftBy(env: NodeJS.ProcessEnv, ...nodeArgs: string[]) {
  const cwd = folders.make();
  const out = execFileSync(process.execPath, [...nodeArgs, bin, "--version"], {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  return { out, left: readdirSync(cwd) };
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
    const { run, kept } = userOfCode();
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

  it("CLI-1 is taken by a server, and of one, also when it has set other flags of the engine", async () => {
    const { cache, env, kept } = user();
    const [answers, flags, preload] = [join(cache, "answers"), join(cache, "flags"), join(cache, "preload.cjs")];
    writeFileSync(preload, writesDown(answers, flags));
    const askServer = async () => {
      writeFileSync(flags, "");
      const given = { ...process.env, ...env, NODE_OPTIONS: `--require ${preload}` };
      const server = startRaw([], { cwd: cache, env: given });
      const ask = (id: number, question: unknown) => {
        server.send(question);
        return server.answer(id);
      };
      await ask(1, greeting(1));
      // By then it has kept what its start needed.
      await expect.poll(() => readFileSync(flags, "utf8")).toContain("--semi-space-growth-factor=1\n");
      const before = kept();
      const note = { memory_name: "hello", content: "# Hello\n" };
      await ask(2, request(2, "tools/call", { name: "write_memory", arguments: note }));
      await ask(3, request(3, "tools/call", { name: "search_memory", arguments: { query: "hello" } }));
      // A client would have it killed if that took long, and it keeps the rest at its end.
      server.endInput();
      await server.ended;
      return before;
    };
    const before = await askServer();
    expect([...kept()].filter(([name, code]) => !before.get(name)?.equals(code))).not.toEqual([]);
    await askServer();
    expect(readFileSync(answers, "utf8")).toMatch(/^(taken\n)+$/);
  });

  it.each([
    ["cut off", (code: Buffer) => code.subarray(0, code.length / 2)],
    ["empty", () => Buffer.alloc(0)],
    ["damaged in the middle", (code: Buffer) => code.fill(0xff, code.length / 2, code.length / 2 + 64)],
    ["of another source", (code: Buffer) => code.fill(1, 0, 4)],
  ])("CLI-1 is not believed where it is %s, and made anew", (_, change) => {
    const { run, kept, write } = userOfCode();
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
    const { folder, run, kept } = userOfCode();
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

  it("CLI-1 leaves no drafts where it cannot be put in place", () => {
    const { folder, run } = user();
    mkdirSync(join(folder, "recollect"), { recursive: true, mode: 0o700 });
    expect(run("--version")).toMatch(version);
    expect(readdirSync(folder).length).toBeGreaterThan(5);
    expect(readdirSync(folder).filter((name) => /\.\d+$/.test(name))).toEqual([]);
  });

  it("CLI-1 is neither read nor written where others may write", () => {
    const { folder, run, kept } = user();
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
    expect(run("--version")).toMatch(version);
    expect(kept().size).toBe(0);
  });

  it.each(["recollect", "recollect/compile-cache"])(
    "CLI-1 is neither read nor written where others may put a folder in place of it, in %s",
    (above) => {
      const { cache, folder, run, kept } = user();
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      chmodSync(join(cache, above), 0o777);
      expect(run("--version")).toMatch(version);
      expect(kept().size).toBe(0);
    },
  );

  it("CLI-1 takes nothing away where a link leads to", () => {
    const { cache, run } = user();
    const elsewhere = folders.make();
    writeFileSync(join(elsewhere, "old"), "x");
    const longAgo = Date.now() / 1000 - 40 * 24 * 3600;
    utimesSync(join(elsewhere, "old"), longAgo, longAgo);
    mkdirSync(join(cache, "recollect"), { mode: 0o700 });
    symlinkSync(elsewhere, join(cache, "recollect/compile-cache"));
    expect(run("--version")).toMatch(version);
    expect(existsSync(join(elsewhere, "old"))).toBe(true);
  });

  it.each([
    ["a relative folder for caches", { XDG_CACHE_HOME: ".cache", HOME: folders.make() }],
    ["an empty home", { XDG_CACHE_HOME: "", HOME: "" }],
  ])("CLI-1 is not kept in whatever folder a user is in, with %s", (_, env) => {
    expect(leftBy({ LOCALAPPDATA: "", ...env })).toEqual({ out: expect.stringMatching(version), left: [] });
  });

  it("CLI-1 is done without for a user who has no home", () => {
    const preload = join(folders.make(), "homeless.cjs");
    writeFileSync(preload, 'require("node:os").homedir = () => { throw new Error("nobody"); };');
    const { out } = leftBy({ LOCALAPPDATA: "", XDG_CACHE_HOME: "" }, "--require", preload);
    expect(out).toMatch(version);
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

describe("what is compiled", () => {
  it("is as strict as the modules it was made of", () => {
    const parts = readdirSync(join(checkout, "dist/bin")).filter((name) => name.endsWith(".cjs"));
    expect(parts.length).toBeGreaterThan(5);
    const lax = parts.filter(
      (name) => !readFileSync(join(checkout, "dist/bin", name), "utf8").startsWith('"use strict";'),
    );
    expect(lax).toEqual([]);
  });

  it("is no document that is not there, where another version took its place", () => {
    const other = folders.make();
    for (const name of ["bin", "dist/bin"]) cpSync(join(checkout, name), join(other, name), { recursive: true });
    const load = join(other, "bin/load.cjs");
    const [part = ""] = readdirSync(join(other, "dist/bin")).filter((name) => name.startsWith("open-search-"));
    rmSync(join(other, "dist/bin", part));
    const script = `try { require(${JSON.stringify(load)}).start(${JSON.stringify(part.replace(".cjs", ""))}); } catch (error) { console.log(error.code, error.message); }`;
    const out = execFileSync(process.execPath, ["-e", script], { cwd: dirname(load), encoding: "utf8" });
    expect(out).toMatch(/^ERR_MODULE_NOT_FOUND A part of recollect is gone: .*open-search-.*start it anew/);
  });
});
