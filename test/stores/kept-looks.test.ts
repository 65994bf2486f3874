import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestOf } from "../../src/core/folder-digest.ts";
import type { AskChanged, KeptLookOptions, KeptLooks, SurveyedFolder, UnchangedFolder } from "../../src/core/source.ts";
import type { FilesSource } from "../../src/stores/files/files-source.ts";
import { neverThere } from "../../src/stores/files/look-file.ts";
import { exactStampOf, stampOf } from "../../src/stores/files/survey-stamp.ts";
import { createAskChanged } from "../../src/workspace/ask-changed.ts";
import { openSource } from "./files-source-open.ts";

/** Longer than a file must have rested before it is kept. */
const restMs = 2200;
const runs = 30;
const trees = runs + 20;
const large = (1 << 20) + 1;

let place: string;
let ask: AskChanged;
let next = 0;

/** All of them are made at once, so that they rest together. */
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "recollect-kept-"));
  ask = createAskChanged({ folder: join(place, "cache"), env: process.env });
  for (let tree = 0; tree < trees; tree++) makeTree(join(place, `tree-${tree}`));
  makeTree(join(place, "elsewhere"));
  await pause(restMs);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

function makeTree(folder: string): void {
  for (const at of [
    "",
    "a/",
    "a-b/",
    "a/deep/",
    "a/deep/er/",
    "b/",
    "ö/",
    "\u{ff5e}/",
    "\u{1f4da}/",
    "shared/",
    "large/",
  ]) {
    mkdirSync(join(folder, at), { recursive: true });
    for (const name of ["one.md", "two.md", "zwei – ü.md", "empty.md", "no-note.txt"]) {
      writeFileSync(join(folder, at, name), name.startsWith("empty") ? "" : `text of ${at}${name}`);
    }
  }
  linkSync(join(folder, "shared/one.md"), join(folder, "shared/no-note-either.txt"));
  writeFileSync(join(folder, "large/large.md"), Buffer.alloc(large, "x"));
}

interface Kept {
  readonly folder: string;
  readonly file: string;
  readonly source: FilesSource;
}

/** A tree that nobody has changed, and a look at it. */
async function keptTree(): Promise<Kept> {
  const folder = join(place, `tree-${next++}`);
  const kept = { folder, file: `${folder}.look`, source: openSource(folder) };
  await keep(kept);
  expect(existsSync(kept.file)).toBe(true);
  return kept;
}

const never = new AbortController().signal;

/** All that is there is in the index of whoever keeps it, unless something else is said. */
function digestsOf(source: FilesSource): ReadonlyMap<string, number> {
  return new Map([...source.survey()].map(({ folder, documents }) => [folder, digestOf(documents)]));
}

async function keep({ source, file }: Omit<Kept, "folder">, how: Partial<Parameters<KeptLooks["keep"]>[1]> = {}) {
  await source.kept?.keep(file, { ask, least: 1, signal: never, known: digestsOf(source), isUrgent: true, ...how });
}

async function lookSince({ source, file }: Omit<Kept, "folder">, how: Partial<KeptLookOptions> = {}) {
  const found = await source.kept?.lookSince(file, { ask, least: 0, signal: never, ...how });
  return found && [...found];
}

/** What is wrong with a survey beside one that looks at each document. */
function mistakesOf(found: readonly (SurveyedFolder | UnchangedFolder)[], source: FilesSource): string[] {
  const right = new Map([...source.survey()].map(({ folder, documents }) => [folder, documents]));
  const mistakes = found.flatMap((one) => {
    const digest = digestOf(right.get(one.folder) ?? []);
    const own = "digest" in one ? one.digest : digestOf(one.documents);
    right.delete(one.folder);
    return digest === own ? [] : [one.folder];
  });
  return [...mistakes, ...right.keys()];
}

const draftsOf = (file: string) => readdirSync(place).filter((name) => name.startsWith(`${basename(file)}.`));
const namesOf = (found: readonly (SurveyedFolder | UnchangedFolder)[] | undefined) =>
  found?.flatMap((one) => ("documents" in one ? [one.folder] : [])).sort();

/** What people and programs do to notes without telling anybody; each by its number does something else. */
const changes: readonly ((folder: string, path: string, other: string) => void)[] = [
  (folder, path) => rewriteInPlace(join(folder, path)),
  (folder, path) => appendFileSync(join(folder, path), "more"),
  (folder, path) => rmSync(join(folder, path)),
  (folder, path, other) => renameSync(join(folder, path), join(folder, other)),
  (folder, path) => writeFileSync(join(folder, dirname(path), "new.md"), "new"),
  (folder, path) => {
    writeFileSync(join(folder, `${path}~`), readFileSync(join(folder, path)));
    renameSync(join(folder, `${path}~`), join(folder, path));
  },
  (folder, path) => chmodSync(join(folder, path), 0o600),
  (folder, path) => utimesSync(join(folder, path), 1, 1),
  (folder, path, other) => {
    rmSync(join(folder, path));
    symlinkSync(join(folder, other), join(folder, path));
  },
  (folder, path) => linkSync(join(folder, path), join(folder, "..", `linked-${Math.random()}`)),
  (folder, path) => {
    rmSync(join(folder, path));
    mkdirSync(join(folder, path));
    writeFileSync(join(folder, path, "inner.md"), "inner");
  },
  (folder, path) => mkdirSync(join(folder, dirname(path), `${Math.random()}`)),
  (folder, path) => {
    if (dirname(path) !== ".") renameSync(join(folder, dirname(path)), join(folder, `moved-${Math.random()}`));
  },
  (folder, path) => {
    if (dirname(path) === ".") return;
    renameSync(join(folder, dirname(path)), `${folder}-${Math.random()}`);
    symlinkSync(join(place, "elsewhere", "a"), join(folder, dirname(path)));
  },
  (folder) => truncateSync(join(folder, "large/large.md"), 5),
  (folder) => appendFileSync(join(folder, "shared/no-note-either.txt"), "by its other name"),
];

function changeSome({ folder, source }: Kept, change: number, from: number, to: number): void {
  const paths = [...source.survey()].flatMap(({ documents }) => documents.map(({ path }) => path));
  const [path, other] = [paths[from % paths.length], paths[to % paths.length]];
  if (path === undefined || other === undefined) return;
  try {
    changes[change]?.(folder, path, other);
  } catch (error) {
    // Not everything can be done to everything.
    if (!(error instanceof Error && "syscall" in error)) throw error;
  }
}

/** As many bytes as before, with the times put back: only the kernel's own time tells. */
function rewriteInPlace(file: string): void {
  const { atime, mtime, size } = statSync(file);
  writeFileSync(file, Buffer.alloc(size, "y"), { flag: "r+" });
  utimesSync(file, atime, mtime);
}

describe("a look that was kept", () => {
  it("SRCH-3 tells of every folder in which nothing has changed, without a look at its documents", async () => {
    const kept = await keptTree();
    const found = (await lookSince(kept)) ?? [];
    // A file with a second name, and one that is too large, can become another without a word.
    expect(namesOf(found)).toEqual(["large", "shared"]);
    expect(mistakesOf(found, kept.source)).toEqual([]);
    expect(found).toHaveLength(11);
  });

  it("SRCH-3 finds an edit in place of the same length with its old times, and nothing else", async () => {
    const kept = await keptTree();
    rewriteInPlace(join(kept.folder, "a/deep/one.md"));
    rewriteInPlace(join(kept.folder, "zwei – ü.md"));
    const found = (await lookSince(kept)) ?? [];
    expect(namesOf(found)).toEqual(["", "a/deep", "large", "shared"]);
    expect(mistakesOf(found, kept.source)).toEqual([]);
  });

  it("SRCH-3 says the same as a look at everything, whatever happened since", async () => {
    const step = fc.tuple(fc.nat(changes.length - 1), fc.nat(), fc.nat());
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const kept = await keptTree();
        for (const step of steps) {
          changeSome(kept, ...step);
          expect(mistakesOf((await lookSince(kept)) ?? [], kept.source)).toEqual([]);
        }
      }),
      { numRuns: runs, endOnFailure: true },
    );
  });

  it("SRCH-3 is not believed where it is damaged, of another root or replaced while git reads it", async () => {
    const kept = await keptTree();
    rewriteInPlace(join(kept.folder, "b/two.md"));
    const whole = readFileSync(kept.file);
    for (let at = 0; at < whole.length; at += 37) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x20;
      writeFileSync(kept.file, damaged);
      // Its end says nothing: zeros, of which git reads none.
      if (at < whole.length - 20)
        expect(await lookSince(kept, { ask: async () => [neverThere] }), `byte ${at}`).toBeUndefined();
    }
    for (const length of [0, 1, 12, 500, whole.length - 21, whole.length - 1]) {
      writeFileSync(kept.file, whole.subarray(0, length));
      expect(await lookSince(kept), `${length} bytes`).toBeUndefined();
    }
    const other = await keptTree();
    expect(await lookSince({ ...kept, file: other.file })).toBeUndefined();

    writeFileSync(kept.file, whole);
    expect(namesOf(await lookSince(kept))).toContain("b");
    const replaced: AskChanged = async (...asked) => {
      writeFileSync(`${kept.file}.new`, whole);
      renameSync(`${kept.file}.new`, kept.file);
      return ask(...asked);
    };
    expect(await lookSince(kept, { ask: replaced })).toBeUndefined();
  });

  it("SRCH-3 is an index that git reads, in its order", async () => {
    const kept = await keptTree();
    const env = { ...process.env, GIT_DIR: join(place, "cache/empty.git"), GIT_INDEX_FILE: kept.file };
    const listed = execFileSync("git", ["ls-files", "-z"], {
      cwd: kept.folder,
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const names = listed.toString().split("\0").slice(0, -1);
    expect(names).toHaveLength(1 + 9 * 4);
    expect(names).toEqual(names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect(lstatSync(kept.file).mode & 0o777).toBe(0o600);
    expect(draftsOf(kept.file)).toEqual([]);
  });
});

describe("keeping a look", () => {
  const wrong: AskChanged = async () => [neverThere, ..."abcdefghij"];

  it("SRCH-3 is given up for a day where git finds changes in what was just seen, and then tried again", async () => {
    const folder = join(place, `tree-${next++}`);
    const kept = { file: `${folder}.look`, source: openSource(folder) };
    await keep(kept, { ask: wrong });
    const before = readFileSync(kept.file);
    expect(await lookSince(kept)).toBeUndefined();
    await keep(kept);
    expect(readFileSync(kept.file)).toEqual(before);
    const yesterday = Date.now() / 1000 - 86_401;
    utimesSync(kept.file, yesterday, yesterday);
    await keep(kept);
    expect(await lookSince(kept)).toBeDefined();
  });

  it("SRCH-3 leaves an older one where it is, if git cannot be asked or it is ended", async () => {
    const kept = await keptTree();
    const before = readFileSync(kept.file);
    await keep(kept, { isUrgent: false });
    expect(readFileSync(kept.file)).toEqual(before);
    await keep(kept, { ask: async () => undefined });
    await keep(kept, { ask: async () => [] });
    // As while the index is begun anew.
    await keep(kept, { known: new Map() });
    await keep(kept, { signal: AbortSignal.abort() }).catch(() => undefined);
    let asked = 0;
    const failsLater: AskChanged = async (...about) => (asked++ === 0 ? ask(...about) : undefined);
    await keep(kept, { ask: failsLater });
    expect(asked).toBe(2);
    expect(readFileSync(kept.file)).toEqual(before);
    expect(draftsOf(kept.file)).toEqual([]);
  });

  it("SRCH-3 writes down no name that the index does not have, of documents or of folders", async () => {
    const folder = join(place, `tree-${next++}`);
    const kept = { folder, file: `${folder}.look`, source: openSource(folder) };
    const known = new Map(digestsOf(kept.source));
    // As where the guard keeps a document out of the index, or all of a folder.
    known.set("b", 1);
    for (const path of ["a/deep", "a/deep/er"]) known.delete(path);
    await keep(kept, { known });
    const text = readFileSync(kept.file, "latin1");
    expect(text).not.toMatch(/[^-]b\/one|deep|[^-]a\/one/);
    expect(text).toContain("a-b/one.md");
    expect(namesOf(await lookSince(kept))).toEqual(["a", "a/deep", "a/deep/er", "b", "large", "shared"]);
  });

  it("SRCH-3 leaves nothing where all was changed just now", async () => {
    const folder = mkdtempSync(join(place, "young-"));
    const { ctimeMs } = lstatSync(folder);
    makeTree(folder);
    const kept = { folder, file: `${folder}.look`, source: openSource(folder, undefined, () => ctimeMs + 1000) };
    await keep(kept);
    expect(existsSync(kept.file)).toBe(false);
    expect(draftsOf(kept.file)).toEqual([]);
  });

  it("SRCH-3 leaves out folders in which something was changed just now, which may change again unseen", async () => {
    const folder = join(place, `tree-${next++}`);
    rewriteInPlace(join(folder, "a/one.md"));
    writeFileSync(join(folder, "b/no-note-two.txt"), "only a name");
    const { ctimeMs } = lstatSync(join(folder, "a/one.md"));
    const kept = { folder, file: `${folder}.look`, source: openSource(folder, undefined, () => ctimeMs + 1000) };
    await keep(kept);
    expect(namesOf(await lookSince(kept))).toEqual(["a", "b", "large", "shared"]);
  });

  it("SRCH-3 a stamp from nanoseconds is that of a look in milliseconds", () => {
    const file = join(place, "stamped");
    fc.assert(
      fc.property(fc.double({ min: 0, max: 4e9, noNaN: true }), (seconds) => {
        writeFileSync(file, "x");
        utimesSync(file, seconds, seconds);
        expect(exactStampOf(lstatSync(file, { bigint: true }))).toBe(stampOf(lstatSync(file)));
      }),
    );
  });
});

describe("asking git", () => {
  const askFrom = (bin: string) => createAskChanged({ folder: join(place, "cache"), env: { PATH: bin } });
  const program = (bin: string, text: string) =>
    writeFileSync(join(bin, "git"), `#!/bin/sh\n${text}\n`, { mode: 0o755 });

  it("SRCH-3 tells nothing where there is no git, it fails, complains or has not looked", async () => {
    const kept = await keptTree();
    const bin = mkdtempSync(join(place, "bin-"));
    expect(await lookSince(kept, { ask: askFrom(bin) })).toBeUndefined();
    const all = `printf '${neverThere}\\000'`;
    for (const text of [
      `${all}; exit 3`,
      `${all}; echo 'a/one.md: Permission denied' >&2`,
      "exit 0",
      "printf 'a.md\\000'",
    ]) {
      program(bin, text);
      expect(await lookSince(kept, { ask: askFrom(bin) }), text).toBeUndefined();
    }
    program(bin, all);
    expect(await lookSince(kept, { ask: askFrom(bin) })).toBeDefined();
  });

  it("SRCH-3 does not wait for one that hangs, nor another time", async () => {
    const kept = await keptTree();
    const bin = mkdtempSync(join(place, "bin-"));
    // What it starts holds its output open, also out of reach.
    program(bin, "/usr/bin/setsid /bin/sleep 8 & /bin/sleep 8");
    expect(await lookSince(kept, { ask: askFrom(bin) })).toBeUndefined();
    expect(existsSync(kept.file)).toBe(false);

    const other = await keptTree();
    expect(await lookSince(other, { ask: askFrom(bin), signal: AbortSignal.timeout(50) })).toBeUndefined();
    expect(existsSync(other.file), "who only went away").toBe(true);
  });

  it("SRCH-3 runs no program that lies among the notes", async () => {
    const kept = await keptTree();
    program(kept.folder, "touch ran");
    const ask = createAskChanged({ folder: join(place, "cache"), env: { PATH: `:.:${process.env["PATH"]}` } });
    expect(await lookSince(kept, { ask })).toBeDefined();
    expect(existsSync(join(kept.folder, "ran"))).toBe(false);
  });

  it("SRCH-3 is asked only where enough is as it was, and the clock was not set back", async () => {
    const kept = await keptTree();
    let asked = 0;
    const counting: AskChanged = (...about) => {
      asked += 1;
      return ask(...about);
    };
    // 36 documents, of which four lie in a folder with another name in it.
    expect(await lookSince(kept, { ask: counting, least: 37 })).toBeUndefined();
    writeFileSync(join(kept.folder, "b/new.txt"), "new");
    expect(await lookSince(kept, { ask: counting, least: 33 })).toBeUndefined();
    const earlier = openSource(kept.folder, undefined, () => Date.now() - 3_600_000);
    expect(await lookSince({ ...kept, source: earlier }, { ask: counting })).toBeUndefined();
    expect(asked).toBe(0);
    expect(await lookSince(kept, { ask: counting, least: 32 })).toBeDefined();
    expect(asked).toBe(1);
  });

  it("SRCH-3 makes its repository anew where somebody tidied up", async () => {
    const kept = await keptTree();
    const folder = join(place, "tidied");
    const ask = createAskChanged({ folder, env: process.env });
    mkdirSync(join(folder, "empty.git"), { recursive: true });
    writeFileSync(join(folder, "empty.git/HEAD"), "");
    expect(await lookSince(kept, { ask })).toBeDefined();
    rmSync(join(folder, "empty.git/refs"), { recursive: true });
    expect(await lookSince(kept, { ask })).toBeDefined();
  });

  it("SRCH-3 goes by no settings but its own", async () => {
    const kept = await keptTree();
    const home = mkdtempSync(join(place, "home-"));
    writeFileSync(
      join(home, ".gitconfig"),
      "[core]\n\tcheckStat = minimal\n\ttrustctime = false\n\tfsmonitor = touch ran\n",
    );
    writeFileSync(join(kept.folder, "b/.gitattributes"), "* filter=evil\n");
    rewriteInPlace(join(kept.folder, "b/one.md"));
    const env = {
      ...process.env,
      HOME: home,
      GIT_DIR: "/nowhere",
      GIT_INDEX_FILE: "/nowhere",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.trustctime",
      GIT_CONFIG_VALUE_0: "false",
    };
    const found = await lookSince(kept, { ask: createAskChanged({ folder: join(place, "cache"), env }) });
    expect(namesOf(found)).toContain("b");
    expect(existsSync(join(kept.folder, "ran"))).toBe(false);
  });
});
