// One writing process of the tests of freshness. Says in a log before each operation what it is about to change, and
// after it that it is done.
import {
  appendFileSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

export interface WriterJob {
  /** A folder in the root that this writer has for itself. */
  readonly folder: string;
  readonly root: string;
  /** A folder outside of the root, on the same disk. */
  readonly outside: string;
  readonly log: string;
  readonly seed: number;
  readonly operations: number;
  readonly pauseMs: number;
}

/** What a document may be found to say while an operation runs, or after it: the last one. Null for gone. */
export type Effect = readonly [path: string, ...states: (string | null)[]];

const job = JSON.parse(process.argv[2] ?? "{}") as WriterJob;
const log = openSync(job.log, "a");
const files = new Map<string, string>();
const folders = [job.folder];
let count = 0;
let seed = job.seed;

function random(below: number): number {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return (seed >>> 8) % below;
}

const pick = <Item>(items: readonly Item[]): Item | undefined => items[random(Math.max(1, items.length))];
const onDisk = (path: string) => join(job.root, path);
const outside = (name: string) => join(job.outside, `${job.seed}-${name}`);
const below = (folder: string) => [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
const innerFolders = () => folders.filter((folder) => folder !== job.folder);
// Often the same, so that names come back, and of one length, so that the time alone tells two texts apart.
const someName = () => `n${random(12)}.md`;
const nextText = () => `text ${String(count).padStart(8, "0")}`;

function perform(effects: readonly Effect[], run: () => void): void {
  appendFileSync(log, `${JSON.stringify({ begin: count, effects })}\n`);
  for (const [path, ...states] of effects) {
    const last = states.at(-1);
    if (typeof last === "string") files.set(path, last);
    else files.delete(path);
  }
  run();
  appendFileSync(log, `${JSON.stringify({ done: count })}\n`);
}

function write(folder: string): void {
  const path = `${folder}/${someName()}`;
  const text = nextText();
  perform([[path, "", text]], () => writeFileSync(onDisk(path), text));
}

function forget(folder: string): void {
  const kept = folders.filter((one) => one !== folder && !one.startsWith(`${folder}/`));
  folders.splice(0, folders.length, ...kept);
}

/** The documents below one folder as they are found below another after a move. */
function moved(from: string, to: string): Effect[] {
  return below(from).flatMap((path): Effect[] => [
    [path, null],
    [to + path.slice(from.length), null, files.get(path) ?? null],
  ]);
}

function rename(from: string, to: string): void {
  const renamed = folders.filter((one) => one === from || one.startsWith(`${from}/`));
  perform(moved(from, to), () => renameSync(onDisk(from), onDisk(to)));
  forget(from);
  folders.push(...renamed.map((one) => to + one.slice(from.length)));
}

const operations: readonly (() => void)[] = [
  () => write(pick(folders) ?? job.folder),
  () => write(pick(folders) ?? job.folder),
  function saveLikeAnEditor() {
    const folder = pick(folders) ?? job.folder;
    const [path, text, draft] = [`${folder}/${someName()}`, nextText(), `${folder}/draft-${count}`];
    perform([[path, text]], () => {
      writeFileSync(onDisk(draft), text);
      renameSync(onDisk(draft), onDisk(path));
    });
  },
  function remove() {
    const path = pick([...files.keys()]);
    if (path) perform([[path, null]], () => unlinkSync(onDisk(path)));
  },
  function move() {
    const path = pick([...files.keys()]);
    const to = `${pick(folders) ?? job.folder}/moved-${count}.md`;
    if (path)
      perform(
        [
          [path, null],
          [to, files.get(path) ?? null],
        ],
        () => renameSync(onDisk(path), onDisk(to)),
      );
  },
  function makeFoldersAndWriteAtOnce() {
    const folder = `${pick(folders) ?? job.folder}/f${count}`;
    if (folder.split("/").length > 8) return;
    const text = nextText();
    perform([[`${folder}/inner/${someName()}`, "", text]], () => {
      mkdirSync(onDisk(`${folder}/inner`), { recursive: true });
      writeFileSync(onDisk([...files.keys()].at(-1) ?? ""), text);
    });
    folders.push(folder, `${folder}/inner`);
  },
  function renameFolder() {
    const from = pick(innerFolders());
    if (from) rename(from, `${from.slice(0, from.lastIndexOf("/"))}/r${count}`);
  },
  function replaceFolder() {
    const folder = pick(innerFolders());
    if (!folder) return;
    const text = nextText();
    const fresh = `${folder}/${someName()}`;
    const gone = below(folder).filter((path) => path !== fresh);
    const effects: Effect[] = [...gone.map((path): Effect => [path, null]), [fresh, null, text]];
    mkdirSync(outside(`staged-${count}`));
    writeFileSync(outside(`staged-${count}/${fresh.slice(folder.length + 1)}`), text);
    perform(effects, () => {
      renameSync(onDisk(folder), outside(`old-${count}`));
      renameSync(outside(`staged-${count}`), onDisk(folder));
    });
    forget(folder);
    folders.push(folder);
  },
  function removeFolderAndMakeItAgain() {
    const folder = pick(innerFolders());
    if (!folder) return;
    const [fresh, text] = [`${folder}/again.md`, nextText()];
    const gone = below(folder).filter((path) => path !== fresh);
    perform([...gone.map((path): Effect => [path, null]), [fresh, null, "", text]], () => {
      rmSync(onDisk(folder), { recursive: true });
      mkdirSync(onDisk(folder));
      writeFileSync(onDisk(fresh), text);
    });
    forget(folder);
    folders.push(folder);
  },
  function putALinkInPlaceOfAFolder() {
    const folder = pick(innerFolders());
    if (!folder) return;
    const name = `away-${count}`;
    perform(
      below(folder).map((path): Effect => [path, null]),
      () => {
        renameSync(onDisk(folder), outside(name));
        symlinkSync(outside(name), onDisk(folder));
      },
    );
    forget(folder);
    // What is written by way of the link is outside, and nothing of the root's.
    writeFileSync(outside(`${name}/outside.md`), "outside");
    unlinkSync(onDisk(folder));
  },
];

mkdirSync(onDisk(job.folder), { recursive: true });
const still = new Int32Array(new SharedArrayBuffer(4));
for (count = 1; count <= job.operations; count += 1) {
  pick(operations)?.();
  if (job.pauseMs > 0) Atomics.wait(still, 0, 0, job.pauseMs);
}
appendFileSync(log, `${JSON.stringify({ end: true })}\n`);
