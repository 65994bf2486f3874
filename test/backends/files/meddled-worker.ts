// Does one operation on “a.md” while somebody else acts at a certain moment of it. Prints what became of it.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  constants,
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Change, type Current, isRecollectError, openFilesStore } from "../../../src/app.ts";
import { openByPath } from "../../../src/backends/files/directory.ts";
import { atFirstCall, beforeEachCall } from "./interrupt-at-call.ts";
import { at, stamp } from "./scratch.ts";

export interface MeddledJob {
  readonly folder: string;
  readonly plain?: boolean;
  readonly byPath?: boolean;
  readonly operation: "append" | "put" | "remove" | "append to both" | "append in two folders";
  readonly label?: string;
  /** Right after the document came into its place, or went from it; where the sync after that fails, during it. */
  readonly afterwards?: "save" | "delete" | "supersede";
  /** What the draft becomes a link to, right when it is put in its place. */
  readonly swapped?: { readonly outside: string; readonly hard: boolean };
  /**
   * When the journal is written: locks, or what they lie in, are taken away. Then another process appends, or keeps the new lock
   * until all is over; a folder is deleted; and the journal cannot be written.
   */
  readonly journaling?: {
    readonly takeAway: readonly string[];
    /** A folder. */
    readonly to: string;
    readonly appending?: string;
    readonly holding?: string;
    readonly deleted?: string;
    readonly isFull?: boolean;
  };
  /** The first look at an intent fails. */
  readonly unreadableIntent?: "EIO" | "ESTALE";
  /** During so many attempts, a person saves the document. */
  readonly savedAttempts?: number;
  /** When the journal is written, a person saves the document. */
  readonly savedWhileJournaling?: boolean;
  /** When the document is put in its place: the lock goes, and another process has its own text staged by then. */
  readonly overtaken?: { readonly lock: string; readonly worker: string };
  /**
   * When the journal is written, its text is staged. It makes one file to tell so, and goes on some time after somebody
   * has made the other.
   */
  readonly pausing?: { readonly begun: string; readonly until: string };
  /** When the journal is written: the draft becomes a file of somebody else, who has not written all of it yet. */
  readonly replacedDraft?: boolean;
  /** The first sync of all fails, or the first one after the document came into its place. */
  readonly failingSync?: "first" | "afterwards";
  /** Right after the document came into its place, or went from it, the disk turns read-only. */
  readonly readOnlyAfterwards?: "for good" | "for a moment";
  /** A lock that is deleted at that moment. */
  readonly lockDeletedAfterwards?: string;
}

const job = JSON.parse(process.argv[2] ?? "{}") as MeddledJob;
const { folder, plain = false } = job;
const place = join(folder, "a.md");
const changes: Record<MeddledJob["operation"], Change[]> = {
  append: [{ kind: "append", at: at("a.md"), content: `${job.label ?? "ours"}\n` }],
  put: [{ kind: "put", at: at("a.md"), content: "ours\n" }],
  remove: [{ kind: "remove", at: at("a.md") }],
  "append to both": [
    { kind: "append", at: at("a.md"), content: "ours\n" },
    { kind: "append", at: at("b.md"), content: "ours\n" },
  ],
  "append in two folders": [
    { kind: "append", at: at("a.md"), content: "ours\n" },
    { kind: "append", at: at("sub/b.md"), content: "ours\n" },
  ],
};

function systemError(code: string, errno: number): Error {
  return Object.assign(new Error(code), { code, errno: -errno });
}

function failNextSync(act: () => void): void {
  atFirstCall({ names: ["fsyncSync"], path: /^/, when: "before" }, () => {
    act();
    throw systemError("EIO", 5);
  });
}

function save(text = "theirs\n"): void {
  writeFileSync(join(folder, "saved"), text);
  renameSync(join(folder, "saved"), place);
}

function meddle(): void {
  if (job.lockDeletedAfterwards) rmSync(join(folder, job.lockDeletedAfterwards));
  if (job.afterwards === "delete") rmSync(place);
  if (job.afterwards === "save") save();
  if (job.afterwards === "supersede") {
    // One who has the lock by now, and a third one who begins to replace that.
    save(`${readFileSync(place, "utf8")}theirs\n`);
    linkSync(place, join(folder, ".recollect", "kept-of-a-third-one"));
  }
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Not for ever: whoever was to make it may have been killed. */
function waitFor(file: string): void {
  for (const end = performance.now() + 20_000; !existsSync(file) && performance.now() < end; ) sleep(1);
}

/** Returns once it has the lock. */
function holdBy(worker: string): ChildProcess {
  const said = join(folder, "said");
  const child = spawn(process.execPath, [worker, folder], { stdio: ["ignore", openSync(said, "w"), "inherit"] });
  for (const end = performance.now() + 20_000; statSync(said).size === 0 && performance.now() < end; ) sleep(1);
  return child;
}

let holder: ChildProcess | undefined;
let isReadOnly = false;
atFirstCall({ names: ["renameSync", "linkSync", "unlinkSync"], path: /\/a\.md$/, when: "after" }, () => {
  if (job.failingSync === "afterwards") failNextSync(meddle);
  else meddle();
  isReadOnly = job.readOnlyAfterwards !== undefined;
});
beforeEachCall((name, [, flags]) => {
  const isReading = name === "openSync" && (Number(flags) & constants.O_CREAT) === 0;
  if (!isReadOnly || isReading) return;
  isReadOnly = job.readOnlyAfterwards === "for good";
  throw name === "fsyncSync" ? systemError("EIO", 5) : systemError("EROFS", 30);
});
const { swapped, journaling, unreadableIntent } = job;
if (swapped) {
  atFirstCall({ names: ["renameSync", "linkSync"], path: /\/a\.md$/, when: "before" }, (draft) => {
    rmSync(String(draft));
    if (swapped.hard) linkSync(swapped.outside, String(draft));
    else symlinkSync(swapped.outside, String(draft));
  });
}
if (journaling) {
  atFirstCall({ names: ["openSync"], path: /\/journal$/, when: "before" }, () => {
    const { takeAway, to, appending, holding, deleted, isFull } = journaling;
    for (const [index, name] of takeAway.entries()) renameSync(join(folder, name), join(to, String(index)));
    const other = JSON.stringify({ root: folder, path: "a.md", label: "theirs", count: 1 });
    if (appending) spawnSync(process.execPath, [appending, other], { stdio: ["ignore", "ignore", "inherit"] });
    if (holding) holder = holdBy(holding);
    if (deleted) rmSync(join(folder, deleted), { recursive: true });
    if (isFull) throw systemError("ENOSPC", 28);
  });
}
if (unreadableIntent) {
  atFirstCall({ names: ["openSync"], path: /\/intent$/, when: "before" }, () => {
    throw unreadableIntent === "EIO" ? systemError("EIO", 5) : systemError("ESTALE", 116);
  });
}
if (job.savedWhileJournaling) {
  atFirstCall({ names: ["openSync"], path: /\/journal$/, when: "before" }, () => save());
}
const { pausing, overtaken } = job;
if (pausing) {
  atFirstCall({ names: ["openSync"], path: /\/journal$/, when: "before" }, () => {
    writeFileSync(pausing.begun, "");
    waitFor(pausing.until);
    sleep(500);
  });
}
const placed = join(folder, "placed");
let overtaking: ChildProcess | undefined;
if (overtaken) {
  atFirstCall({ names: ["renameSync"], path: /\/a\.md$/, when: "before" }, () => {
    rmSync(join(folder, overtaken.lock));
    const begun = join(folder, "staged");
    const other: MeddledJob = { folder, operation: "append", label: "theirs", pausing: { begun, until: placed } };
    overtaking = spawn(process.execPath, [overtaken.worker, JSON.stringify(other)], { stdio: "ignore" });
    waitFor(begun);
  });
  atFirstCall({ names: ["renameSync"], path: /\/a\.md$/, when: "after" }, () => writeFileSync(placed, ""));
}
if (job.replacedDraft) {
  atFirstCall({ names: ["openSync"], path: /\/journal$/, when: "before" }, () => {
    const auxiliary = join(folder, ".recollect");
    const name = readdirSync(auxiliary).find((one) => /^new-\d+$/.test(one)) ?? "";
    const draft = join(auxiliary, name);
    rmSync(draft);
    writeFileSync(draft, "hal");
  });
}
if (job.failingSync === "first") failNextSync(() => {});

const store = openFilesStore({
  roots: [{ name: "notes", folder, plain }],
  now: Date.now,
  ...(journaling?.holding ? { lockTimeoutMs: 200 } : {}),
  ...(job.byPath ? { openDirectory: openByPath } : {}),
});
const planned = changes[job.operation];
const addresses = planned.flatMap((change) => ("at" in change ? [change.at] : []));
let attempts = 0;

function plan(current: Current): readonly Change[] | { kind: "refused" } {
  attempts += 1;
  if (attempts <= (job.savedAttempts ?? 0)) save();
  const isRefused = job.operation === "append in two folders" && !addresses.every((one) => current(one));
  return isRefused ? { kind: "refused" } : planned;
}

try {
  const { kind } = await store.commit(addresses.map(store.resolve), plan, stamp);
  process.stdout.write(`${kind}\n`);
} catch (error) {
  process.stdout.write(`${isRecollectError(error) ? error.code : error}\n`);
}
isReadOnly = false;
await store.close();
holder?.kill("SIGKILL");
if (overtaking && overtaking.exitCode === null) await once(overtaking, "exit");
