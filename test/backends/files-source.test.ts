import { execFileSync } from "node:child_process";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { openFilesStore } from "../../src/app.ts";
import type { FilesSource } from "../../src/backends/files/source.ts";
import { mayChangeUnseen, stampOf } from "../../src/backends/files/survey-stamp.ts";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { canGiveAway, scratchFolder, writeForeignFile } from "./files/scratch.ts";
import { openSource } from "./files-source-open.ts";

function put(folder: string, files: Record<string, string | Buffer>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

function surveyed(source: FilesSource, at?: string): Record<string, string[]> {
  return Object.fromEntries([...source.survey(at)].map((one) => [one.folder, one.documents.map((d) => d.path).sort()]));
}

function stampIn(source: FilesSource, path: string): number | undefined {
  return [...source.survey(path)][0]?.documents[0]?.stamp;
}

describe("survey", () => {
  it("SRCH-3 gives the documents folder by folder, and nothing that is none", () => {
    const [folder, outside] = [scratchFolder(), scratchFolder()];
    put(outside, { "secret.md": "outside" });
    put(folder, {
      "a.md": "a",
      "topic/b.md": "b",
      "topic/deep/c.md": "c",
      "topic/picture.png": "no text",
      ".hidden.md": "hidden",
      ".git/HEAD.md": "git",
      ".recollect/kept.md": "kept",
      "topic/.recollect/kept.md": "kept",
      "．git/x.md": "another spelling of a reserved folder",
    });
    symlinkSync(join(outside, "secret.md"), join(folder, "link.md"));
    symlinkSync(outside, join(folder, "linked"));
    execFileSync("mkfifo", [join(folder, "pipe.md")]);
    put(folder, { "large.md": Buffer.alloc((1 << 20) + 1, "x"), "full.md": Buffer.alloc(1 << 20, "x") });
    expect(surveyed(openSource(folder))).toEqual({
      "": ["a.md", "full.md"],
      topic: ["topic/b.md"],
      "topic/deep": ["topic/deep/c.md"],
    });
  });

  it("KER-2 looks into the folder that it holds, also where another one has taken its place meanwhile", () => {
    const [folder, moved] = [scratchFolder(), join(scratchFolder(), "moved")];
    const many = (text: string) => Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`many/${at}.md`, text]));
    put(folder, { "a.md": "a", ...many("own") });
    const source = openSource(folder);
    const [, before] = [...source.survey()];
    const survey = source.survey()[Symbol.iterator]();
    survey.next();
    renameSync(folder, moved);
    put(folder, many("another one's"));
    expect(before?.documents).toHaveLength(40);
    expect(survey.next().value).toEqual(before);
  });

  it("SRCH-3 looks into a folder whose path is too long for the system", () => {
    const folder = scratchFolder();
    const top = process.cwd();
    try {
      process.chdir(folder);
      for (let depth = 0; depth < 16; depth += 1) {
        mkdirSync("f".repeat(254));
        process.chdir("f".repeat(254));
      }
      for (let number = 0; number < 20; number += 1) writeFileSync(`${number}.md`, "text");
    } finally {
      process.chdir(top);
    }
    expect([...openSource(folder).survey()].at(-1)?.documents).toHaveLength(20);
  });

  it("SRCH-3 looks at one folder or one document where a path is given", () => {
    const folder = scratchFolder();
    put(folder, { "a.md": "a", "topic/b.md": "b", "topic/deep/c.md": "c", ".hidden/d.md": "d" });
    const source = openSource(folder);
    expect(surveyed(source, "topic")).toEqual({ topic: ["topic/b.md"], "topic/deep": ["topic/deep/c.md"] });
    expect(surveyed(source, "topic/b.md")).toEqual({ topic: ["topic/b.md"] });
    for (const none of ["gone.md", "gone/x", ".hidden", "../x", "/etc", "a.md/x", "topic/../a.md"]) {
      expect(surveyed(source, none)).toEqual({});
    }
  });

  it("KER-8 leaves what an inner root owns to that one", () => {
    const folder = scratchFolder();
    put(folder, { "a.md": "a", "inner/b.md": "b", "inner/c/d.md": "d" });
    const roots = [
      { name: "outer", folder },
      { name: "inner", folder: join(folder, "inner") },
    ];
    const store = openFilesStore({ now: Date.now, roots });
    onTestFinished(() => store.close());
    expect(surveyed(store.source("outer"))).toEqual({ "": ["a.md"] });
    expect(surveyed(store.source("outer"), "inner")).toEqual({});
    expect(surveyed(store.source("inner"))).toEqual({ "": ["b.md"], c: ["c/d.md"] });
  });

  it("KER-3 creates nothing, in a root that is there and in one that is not", async () => {
    const folder = scratchFolder();
    put(folder, { "topic/a.md": "a" });
    const before = snapshotOf(folder);
    const [source, missing] = [openSource(folder), openSource(join(folder, "missing"))];
    for (const one of [source, missing]) {
      await one.watch();
      surveyed(one);
      await one.changes();
      await one.read("topic/a.md");
      await one.read("topic/gone.md");
    }
    expect(surveyed(missing)).toEqual({});
    expect(snapshotOf(folder)).toEqual(before);
  });

  it("names the same place in every process, by whatever path it was configured", () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, "real"));
    symlinkSync(join(folder, "real"), join(folder, "alias"));
    expect(openSource(join(folder, "alias")).identity).toBe(openSource(join(folder, "real")).identity);
  });
});

describe("read", () => {
  it("gives text, time and the stamp that a survey gives, once the file is at rest", async () => {
    const folder = scratchFolder();
    put(folder, { "topic/a.md": "\uFEFFtext ü\r\n" });
    const source = openSource(folder);
    await pause(60);
    const { mtimeMs } = lstatSync(join(folder, "topic/a.md"));
    const stamp = stampIn(source, "topic/a.md");
    expect(await source.read("topic/a.md")).toEqual({ content: "\uFEFFtext ü\r\n", stamp, modified: mtimeMs });
    expect(stamp).toBeGreaterThan(0);
  });

  it("KER-2 answers undefined for everything that is no document of the root", async () => {
    const [folder, outside] = [scratchFolder(), scratchFolder()];
    put(outside, { "secret.md": "outside" });
    put(folder, { "bytes.md": Buffer.from([0xff, 0xfe]), "large.md": Buffer.alloc((1 << 20) + 1, "x") });
    put(folder, { "topic/a.md": "a", ".hidden.md": "hidden" });
    symlinkSync(join(outside, "secret.md"), join(folder, "link.md"));
    symlinkSync(outside, join(folder, "linked"));
    if (canGiveAway) {
      writeForeignFile(join(outside, "foreign.md"), "foreign");
      linkSync(join(outside, "foreign.md"), join(folder, "hard.md"));
    }
    execFileSync("mkfifo", [join(folder, "pipe.md")]);
    const source = openSource(folder);
    const none = ["bytes.md", "large.md", "topic", "link.md", "linked/secret.md", "hard.md", "pipe.md", "gone.md"];
    for (const path of [...none, ".hidden.md", "../secret.md", "topic/a.md/x", "", "topic//a.md"]) {
      expect(await source.read(path), path).toBeUndefined();
    }
  });
});

describe("read after a look", () => {
  it("SRCH-3 reads in the folder that is there, not in one that was there a moment ago", async () => {
    const folder = scratchFolder();
    put(folder, { "topic/a.md": "old", "next/a.md": "new" });
    const source = openSource(folder);
    expect((await source.read("topic/a.md"))?.content).toBe("old");
    renameSync(join(folder, "topic"), join(folder, "former"));
    renameSync(join(folder, "next"), join(folder, "topic"));
    expect(stampIn(source, "topic/a.md")).toBeGreaterThan(0);
    expect((await source.read("topic/a.md"))?.content).toBe("new");
  });
});

describe("stamps", () => {
  /** Changes a document at rest by some other program; true where the survey sees it. */
  async function isSeen(change: (file: string, folder: string) => void): Promise<boolean> {
    const folder = scratchFolder();
    put(folder, { "a.md": "text one" });
    const source = openSource(folder);
    await pause(60);
    const read = await source.read("a.md");
    expect(read?.stamp).toBe(stampIn(source, "a.md"));
    change(join(folder, "a.md"), folder);
    return stampIn(source, "a.md") !== read?.stamp;
  }

  it.each<[string, (file: string, folder: string) => void]>([
    ["a text of the same length", (file) => writeFileSync(file, "text two")],
    [
      "a text of the same length with the old time put back",
      (file) => {
        const { atime, mtime } = lstatSync(file);
        writeFileSync(file, "text two");
        utimesSync(file, atime, mtime);
      },
    ],
    [
      "another file renamed over it, of the same length and time",
      (file, folder) => {
        const { atime, mtime } = lstatSync(file);
        writeFileSync(join(folder, "draft"), "text two");
        utimesSync(join(folder, "draft"), atime, mtime);
        renameSync(join(folder, "draft"), file);
      },
    ],
    [
      "removed and made again",
      (file) => {
        rmSync(file);
        writeFileSync(file, "text two");
      },
    ],
  ])("SRCH-3 see %s", async (_, change) => {
    expect(await isSeen(change)).toBe(true);
  });

  it("SRCH-3 see a checkout by git", async () => {
    const folder = scratchFolder();
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.com", ...args]);
    git("init", "-q", "-b", "main");
    put(folder, { "a.md": "text one", "b.md": "stays" });
    git("add", ".");
    git("commit", "-qm", "one");
    put(folder, { "a.md": "text two" });
    git("commit", "-qam", "two");
    const source = openSource(folder);
    await pause(60);
    const [a, b] = [await source.read("a.md"), await source.read("b.md")];
    git("checkout", "-q", "HEAD~1");
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("text one");
    expect(stampIn(source, "a.md")).not.toBe(a?.stamp);
    expect(stampIn(source, "b.md")).toBe(b?.stamp);
  });

  it("SRCH-3 never take two texts of one moment for the same: what was read is 0 until it is at rest", async () => {
    const folder = scratchFolder();
    const source = openSource(folder);
    const file = join(folder, "a.md");
    const texts = new Map<number, string>();
    for (let round = 0; round < 1500; round += 1) {
      const text = String(round).padStart(6, "0");
      writeFileSync(file, text);
      const read = await source.read("a.md");
      expect(read?.content).toBe(text);
      if (read && read.stamp !== 0) texts.set(read.stamp, text);
      writeFileSync(file, text.replace("0", "x"));
      expect(texts.get(stampIn(source, "a.md") ?? 0)).toBeUndefined();
    }
    expect((await source.read("a.md"))?.stamp).toBe(0);
  });

  it("distrust the last ticks of a clock, coarse clocks for longer, and clocks that were set back", () => {
    const now = 1_800_000_000_500;
    const at = (ctimeMs: number, mtimeMs = ctimeMs) => ({ ctimeMs, mtimeMs }) as Stats;
    expect(mayChangeUnseen(at(now - 49.5), now)).toBe(true);
    expect(mayChangeUnseen(at(now - 50.5), now)).toBe(false);
    expect(mayChangeUnseen(at(now + 3_600_000.5), now)).toBe(true);
    // Whole seconds: a file system that keeps no more.
    expect(mayChangeUnseen(at(now - 1500), now)).toBe(true);
    expect(mayChangeUnseen(at(now - 2500), now)).toBe(false);
    // A time that somebody has set says nothing.
    expect(mayChangeUnseen(at(now - 1000.5, now + 9_000_000), now)).toBe(false);
  });

  it("differ with each part, and are whole numbers that a database keeps", () => {
    const one = { size: 100, mtimeMs: 1_800_000_000_000.25, ctimeMs: 1_800_000_000_000.25, ino: 7 };
    const stamps = new Set<number>();
    for (let step = 0; step < 5000; step += 1) {
      stamps.add(stampOf({ ...one, size: 101 + step } as Stats));
      stamps.add(stampOf({ ...one, ino: 8 + step } as Stats));
      stamps.add(stampOf({ ...one, ctimeMs: one.ctimeMs + 1 + step / 4 } as Stats));
      const both = one.mtimeMs + 5000 + step / 4;
      stamps.add(stampOf({ ...one, mtimeMs: both, ctimeMs: both } as Stats));
    }
    expect(stamps.size).toBe(20_000);
    for (const stamp of stamps) expect(Number.isSafeInteger(stamp) && stamp > 0).toBe(true);
  });
});
