import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { isForeign, lockNames, placeIn, raceFolders, raceNames } from "./race-place.ts";

/**
 * One of the attackers of rig:race: swaps what the store works on for links to the outside, in a
 * tight loop of system calls, and back again. It never touches the outside itself.
 */
const [base = "", kind = "", name = ""] = process.argv.slice(2);
const { insideNames, beyond, outside, parked } = placeIn(base);
const ownParked = join(parked, name);
mkdirSync(ownParked);

function pick<Value>(values: readonly Value[]): Value {
  return values[Math.floor(Math.random() * values.length)] as Value;
}

const [mostSwapped, mostNormal] = [200, 3000];
const clock = new Int32Array(new SharedArrayBuffer(4));

/** Stays in a state for a random moment, mostly short. Sleeping lets the victims run; spinning is finer. */
function linger(mostMicroseconds: number): void {
  const microseconds = Math.random() ** 2 * mostMicroseconds;
  if (microseconds > 60) {
    Atomics.wait(clock, 0, 0, microseconds / 1000);
    return;
  }
  const until = process.hrtime.bigint() + BigInt(Math.floor(microseconds * 1000));
  while (process.hrtime.bigint() < until);
}

/** Works in a folder of the inside. */
function inFolder(segments: readonly string[], work: (folder: string) => void): void {
  fromBase([...insideNames, ...segments], work);
}

/**
 * By descriptor: by path, one attacker would work through the link that another one has just planted, and change the
 * outside itself.
 */
function fromBase(segments: readonly string[], work: (folder: string) => void): void {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const opened: number[] = [];
  try {
    opened.push(openSync(base, flags));
    for (const segment of segments) opened.push(openSync(`/proc/self/fd/${opened.at(-1)}/${segment}`, flags));
    work(`/proc/self/fd/${opened.at(-1)}`);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** The other attackers and the store are at work on the same names, so any step may fail. */
function attempt(step: () => void): boolean {
  try {
    step();
    return true;
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return false;
    throw error;
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Swaps a path for what `plant` puts there, and back. */
function swap(path: string, plant: (path: string) => void): void {
  const away = join(ownParked, "away");
  const had = attempt(() => renameSync(path, away));
  attempt(() => plant(path));
  linger(mostSwapped);
  restore(path, had ? away : undefined);
}

/** Takes the planted thing away. What the store made there in the meantime goes too: nothing is counted on here. */
function restore(path: string, away: string | undefined): void {
  const planted = join(ownParked, "planted");
  attempt(() => renameSync(path, planted));
  if (away) attempt(() => renameSync(away, path));
  attempt(() => rmSync(planted, { force: true, recursive: !isLink(planted) }));
  attempt(() => rmSync(join(ownParked, "away"), { force: true, recursive: true }));
}

function swapFolder(): void {
  const folder = pick(raceFolders);
  const segments = folder.split("/");
  inFolder(segments.slice(0, -1), (parent) => {
    swap(join(parent, segments.at(-1) ?? ""), (path) => symlinkSync(join(outside, folder), path));
  });
}

/** To where the outside lies as the inside does, or to where the root is missing and might be made. */
function swapAbove(): void {
  const target = Math.random() < 0.5 ? beyond : join(outside, pick(raceFolders));
  fromBase([], (parent) => {
    swap(join(parent, insideNames[0]), (path) => symlinkSync(target, path));
  });
}

function swapDocument(): void {
  const [folder, document] = [pick(raceFolders), pick(raceNames)];
  const target = join(outside, folder, document);
  inFolder(folder.split("/"), (parent) => {
    swap(join(parent, document), (path) => {
      const way = Math.random();
      if (way < 0.5) symlinkSync(target, path);
      else if (way < 0.75) symlinkSync(join(outside, folder, `made-${document}`), path);
      else if (way < 0.9 && isForeign) linkSync(target, path);
      else symlinkSync(join(outside, folder), path);
    });
  });
}

function swapAuxiliary(): void {
  const folder = pick(raceFolders);
  inFolder(folder.split("/"), (parent) => {
    swap(join(parent, ".recollect"), (path) => {
      if (Math.random() < 0.8) symlinkSync(join(outside, folder, ".recollect"), path);
      else symlinkSync(join(outside, folder, "made-auxiliary"), path);
    });
  });
}

const staged = "new-0";
const auxiliaryFiles = [...lockNames, ...lockNames, "turns", "journal", "journal", staged, "intent-draft"];

function swapAuxiliaryFile(): void {
  const [folder, wanted] = [pick(raceFolders), pick(auxiliaryFiles)];
  const target = join(outside, folder, ".recollect", Math.random() < 0.5 ? wanted : "small-lock");
  inFolder([...folder.split("/"), ".recollect"], (parent) => {
    // What is staged has another number each time.
    const file = wanted === staged ? (readdirSync(parent).find((name) => /^new-\d/.test(name)) ?? staged) : wanted;
    swap(join(parent, file), (path) => {
      const way = Math.random();
      if (way < 0.4) symlinkSync(target, path);
      else if (way < 0.75) symlinkSync(join(outside, folder, `made-${file}`.slice(0, 250)), path);
      else linkSync(target, path);
    });
  });
}

const swaps = {
  above: swapAbove,
  folders: swapFolder,
  documents: swapDocument,
  auxiliary: () => pick([swapAuxiliary, swapAuxiliaryFile])(),
};
const act = swaps[kind as keyof typeof swaps];
// Ends with the rig, also where that was killed itself.
for (const rig = process.ppid; process.ppid === rig; ) {
  act();
  linger(mostNormal);
}
