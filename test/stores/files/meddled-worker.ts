// Does one operation on “a.md” while somebody else acts at a certain moment of it. Prints what became of it.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Change, isRecollectError, openFilesStore } from "../../../src/index.ts";
import { openByPath } from "../../../src/stores/files/directory.ts";
import { atFirstCall } from "./interrupt-at-call.ts";
import { at, stamp } from "./scratch.ts";

export interface MeddledJob {
  readonly folder: string;
  readonly plain?: boolean;
  readonly byPath?: boolean;
  readonly operation: "append" | "put" | "remove" | "append to both";
  readonly label?: string;
  /** Right after the document came into its place, or went from it; where the sync after that fails, during it. */
  readonly afterwards?: "save" | "delete" | "supersede";
  /** What the draft becomes a link to, right when it is put in its place. */
  readonly swapped?: { readonly outside: string; readonly hard: boolean };
  /** When the journal is written: what a lock lies in is taken away. Then another process appends. */
  readonly journaling?: { readonly takeAway: string; readonly to: string; readonly worker: string };
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
};

function failNextSync(act: () => void): void {
  atFirstCall({ names: ["fsyncSync"], path: /^/, when: "before" }, () => {
    act();
    throw Object.assign(new Error("input/output error"), { code: "EIO", errno: -5 });
  });
}

function save(text = "theirs\n"): void {
  writeFileSync(join(folder, "saved"), text);
  renameSync(join(folder, "saved"), place);
}

function meddle(): void {
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

atFirstCall({ names: ["renameSync", "linkSync", "unlinkSync"], path: /\/a\.md$/, when: "after" }, () => {
  if (job.failingSync === "afterwards") failNextSync(meddle);
  else meddle();
});
const { swapped, journaling } = job;
if (swapped) {
  atFirstCall({ names: ["renameSync", "linkSync"], path: /\/a\.md$/, when: "before" }, (draft) => {
    rmSync(String(draft));
    if (swapped.hard) linkSync(swapped.outside, String(draft));
    else symlinkSync(swapped.outside, String(draft));
  });
}
if (journaling) {
  atFirstCall({ names: ["openSync"], path: /\/journal$/, when: "before" }, () => {
    renameSync(join(folder, journaling.takeAway), journaling.to);
    const other = { root: folder, path: "a.md", label: "theirs", count: 1 };
    spawnSync(process.execPath, [journaling.worker, JSON.stringify(other)], { stdio: ["ignore", "ignore", "inherit"] });
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
  ...(job.byPath ? { openDirectory: openByPath } : {}),
});
const planned = changes[job.operation];
const addresses = planned.flatMap((change) => ("at" in change ? [change.at] : []));
try {
  const { kind } = await store.commit(addresses, () => planned, stamp);
  process.stdout.write(`${kind}\n`);
} catch (error) {
  process.stdout.write(`${isRecollectError(error) ? error.code : error}\n`);
}
await store.close();
if (overtaking && overtaking.exitCode === null) await once(overtaking, "exit");
