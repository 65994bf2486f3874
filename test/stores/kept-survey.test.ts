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
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestOf } from "../../src/core/folder-digest.ts";
import type { AskChanged, SurveyedFolder, UnchangedFolder } from "../../src/core/source.ts";
import type { FilesSource } from "../../src/stores/files/files-source.ts";
import { exactStampOf, stampOf } from "../../src/stores/files/survey-stamp.ts";
import { createAskChanged } from "../../src/workspace/ask-changed.ts";
import { openSource } from "./files-source-open.ts";

/** Longer than a file must have rested before it is kept. */
const restMs = 2200;
const runs = 30;
const trees = runs + 10;
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
  const file = `${folder}.look`;
  const source = openSource(folder);
  await source.kept?.keep(file, ask, () => false);
  expect(existsSync(file)).toBe(true);
  return { folder, file, source };
}

async function surveySince({ source, file }: Kept, how = ask) {
  const found = await source.kept?.surveySince(file, how);
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
    const found = (await surveySince(kept)) ?? [];
    // A file with a second name, and one that is too large, can become another without a word.
    expect(namesOf(found)).toEqual(["large", "shared"]);
    expect(mistakesOf(found, kept.source)).toEqual([]);
    expect(found).toHaveLength(11);
  });

  it("SRCH-3 finds an edit in place of the same length with its old times, and nothing else", async () => {
    const kept = await keptTree();
    rewriteInPlace(join(kept.folder, "a/deep/one.md"));
    rewriteInPlace(join(kept.folder, "zwei – ü.md"));
    const found = (await surveySince(kept)) ?? [];
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
          expect(mistakesOf((await surveySince(kept)) ?? [], kept.source)).toEqual([]);
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
      if (at < whole.length - 20) expect(await surveySince(kept, async () => []), `byte ${at}`).toBeUndefined();
    }
    for (const length of [0, 1, 12, 500, whole.length - 21, whole.length - 1]) {
      writeFileSync(kept.file, whole.subarray(0, length));
      expect(await surveySince(kept), `${length} bytes`).toBeUndefined();
    }
    const other = await keptTree();
    expect(await surveySince({ ...kept, file: other.file })).toBeUndefined();

    writeFileSync(kept.file, whole);
    expect(namesOf(await surveySince(kept))).toContain("b");
    const replaced: AskChanged = async (...asked) => {
      writeFileSync(`${kept.file}.new`, whole);
      renameSync(`${kept.file}.new`, kept.file);
      return ask(...asked);
    };
    expect(await surveySince(kept, replaced)).toBeUndefined();
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
    expect(names).toHaveLength(9 * 4);
    expect(names).toEqual(names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect(lstatSync(kept.file).mode & 0o777).toBe(0o600);
    expect(readdirSync(place).filter((name) => name.startsWith(`tree-${next - 1}.look.`))).toEqual([]);
  });
});

describe("keeping a look", () => {
  const never: AskChanged = async () => undefined;

  it("SRCH-3 is given up for a day where git is of no use, and then tried again", async () => {
    const folder = join(place, `tree-${next++}`);
    const file = `${folder}.look`;
    const { kept } = openSource(folder);
    await kept?.keep(file, never, () => false);
    const before = readFileSync(file);
    expect(await kept?.surveySince(file, ask)).toBeUndefined();
    await kept?.keep(file, ask, () => false);
    expect(readFileSync(file)).toEqual(before);
    const yesterday = Date.now() / 1000 - 86_401;
    utimesSync(file, yesterday, yesterday);
    await kept?.keep(file, ask, () => false);
    expect(await kept?.surveySince(file, ask)).toBeDefined();
  });

  it("SRCH-3 leaves nothing where it is ended, nor where all was changed just now", async () => {
    const folder = mkdtempSync(join(place, "young-"));
    const file = `${folder}.look`;
    const { ctimeMs } = lstatSync(folder);
    makeTree(folder);
    const source = openSource(folder, undefined, () => ctimeMs + 1000);
    await source.kept?.keep(file, ask, () => false);
    await source.kept?.keep(file, ask, () => true);
    await source.kept?.keep(join(place, "no", "such", "folder"), ask, () => false).catch(() => undefined);
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(place).filter((name) => name.startsWith(`${file}.`))).toEqual([]);
  });

  it("SRCH-3 leaves out folders in which something was changed just now, which may change again unseen", async () => {
    const folder = join(place, `tree-${next++}`);
    rewriteInPlace(join(folder, "a/one.md"));
    writeFileSync(join(folder, "b/no-note-two.txt"), "only a name");
    const { ctimeMs } = lstatSync(join(folder, "a/one.md"));
    const kept = { folder, file: `${folder}.look`, source: openSource(folder, undefined, () => ctimeMs + 1000) };
    await kept.source.kept?.keep(kept.file, ask, () => false);
    expect(namesOf(await surveySince(kept))).toEqual(["a", "b", "large", "shared"]);
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
  it("SRCH-3 tells nothing where there is no git, it fails, or it does not answer", async () => {
    const kept = await keptTree();
    const bin = mkdtempSync(join(place, "bin-"));
    const askWith = (limitMs?: number) =>
      createAskChanged({ folder: join(place, "cache"), env: { PATH: bin }, ...(limitMs ? { limitMs } : {}) });
    expect(await surveySince(kept, askWith())).toBeUndefined();
    const program = (text: string) => writeFileSync(join(bin, "git"), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    program("printf 'one.md\\000'; exit 3");
    expect(await surveySince(kept, askWith())).toBeUndefined();
    program("exec /bin/sleep 60");
    expect(await surveySince(kept, askWith(100))).toBeUndefined();
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
    const found = await surveySince(kept, createAskChanged({ folder: join(place, "cache"), env }));
    expect(namesOf(found)).toContain("b");
    expect(existsSync(join(kept.folder, "ran"))).toBe(false);
  });
});
