import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Documents, openFilesStore, revisionOf, type Store } from "../../../src/app.ts";
import { bestOpenDirectory, type Directory } from "../../../src/backends/files/directory.ts";
import { someRuns } from "../../helpers/some-cases.ts";
import { workerScript } from "../../helpers/worker-script.ts";
import { readTrail } from "../../helpers/written-records.ts";
import { at, openNotes, scratchFolder, stamp } from "./scratch.ts";
import { after, before, contents, spanningChanges } from "./spanning-operation.ts";

const worker = workerScript("./killed-worker.ts", import.meta.url);

/** A folder with the documents as they are before the operation. */
async function prepareIn(folder: string): Promise<string> {
  const store = openFilesStore({ roots: [{ name: "notes", folder }], now: Date.now });
  const addresses = Object.keys(before).map((path) => at(path));
  await store.commit(
    addresses.map(store.resolve),
    () => Object.entries(before).map(([path, content]) => ({ kind: "put" as const, at: at(path), content })),
    stamp,
  );
  await store.close();
  return folder;
}

function runKilledAt(folder: string, nth: number): { acknowledged: boolean; killed: boolean } {
  const { stdout, signal, stderr } = spawnSync(process.execPath, [worker, folder, String(nth)], { encoding: "utf8" });
  if (signal === null && stdout === "") throw new Error(stderr);
  return { acknowledged: stdout.includes("acknowledged"), killed: signal === "SIGKILL" };
}

/** The only, or first, text that is staged in a folder: that of “x.md” in “a”. */
function stagedIn(folder: string, inner: string): string {
  const { steps } = JSON.parse(readFileSync(join(folder, inner, ".recollect/intent"), "utf8"));
  return join(folder, inner, ".recollect", `new-${steps[0].fresh}`);
}

function leftovers(folder: string): string[] {
  return globSync("**/.recollect/{new-*,intent*,journal-draft}", { cwd: folder });
}

describe("a multi-document operation that is killed", () => {
  let decided: string;
  beforeAll(async () => {
    decided = await cutOffAfterDecision();
  }, 240_000);
  afterAll(() => rmSync(decided, { recursive: true, force: true }));

  function cutOff(): string {
    const folder = scratchFolder();
    cpSync(decided, folder, { recursive: true });
    return folder;
  }

  it("KER-7 is all there or not at all, whichever call it was killed at", { timeout: 240_000 }, async () => {
    const prepared = await prepareIn(scratchFolder());
    const seen = { none: 0, all: 0 };
    // An odd step, so that both ways to recover meet every kind of call.
    for (let nth = 1; ; nth += someRuns(3, 1)) {
      const folder = scratchFolder();
      cpSync(prepared, folder, { recursive: true });
      const { acknowledged, killed } = runKilledAt(folder, nth);
      const store = openFilesStore({ roots: [{ name: "notes", folder }], now: Date.now });
      // Every other time by merely reading, which brings a cut-off operation to its end as well.
      if (nth % 2 === 0) await store.recover();
      else await contents(store);
      const found = await contents(store);
      expect([before, after], `killed at call ${nth}`).toContainEqual(found);
      if (acknowledged) expect(found).toEqual(after);
      await store.recover();
      expect(leftovers(folder), `killed at call ${nth}`).toEqual([]);
      await store.close();
      seen[found["a/x.md"] === "X" ? "none" : "all"] += 1;
      if (!killed) break;
    }
    // The sweep met both ends, so it really cut through the operation.
    expect(seen.none).toBeGreaterThan(3);
    expect(seen.all).toBeGreaterThan(3);
  });

  it("KER-7 is brought to its end before anybody writes to one of its folders", async () => {
    const folder = cutOff();
    const { documents } = openNotes(folder);
    await documents.append(at("b/later.md"), "later", stamp);
    expect(existsSync(join(folder, "b/y.md"))).toBe(false);
    expect(readFileSync(join(folder, "c/new.md"), "utf8")).toBe("N");
  });

  it("KER-7 is brought to its end before anybody sees a listing", async () => {
    const { documents } = openNotes(cutOff());
    const { entries } = await documents.list({ root: "notes" });
    expect(entries.map((entry) => entry.path)).toEqual(Object.keys(after).toSorted());
  });

  it("KER-7 does not touch what a person changed in the meantime, and keeps its own text for history", async () => {
    const folder = cutOff();
    writeFileSync(join(folder, "a/x.md"), "edited by hand");
    const { store } = openNotes(folder);
    await store.recover();
    expect(readFileSync(join(folder, "a/x.md"), "utf8")).toBe("edited by hand");
    const { records, textOf } = await readTrail(store.trail("notes"));
    const record = records.findLast(({ path, batch }) => path === "a/x.md" && batch);
    expect(record?.rev && (await textOf("a/x.md", record.rev))).toBe("X2");
  });

  it.each([
    ["an intent without content", (folder: string) => join(folder, "b/.recollect/intent")],
    ["a staged text without content", (folder: string) => stagedIn(folder, "c")],
  ])("KER-7 has not happened where a power cut left %s", async (_, pathIn) => {
    const folder = cutOff();
    writeFileSync(pathIn(folder), "");
    const { store } = openNotes(folder);
    expect((await store.recover()).completed).toBe(0);
    expect(await contents(store)).toEqual(before);
    expect(leftovers(folder)).toEqual([]);
  });

  it("KER-7 has not happened where a power cut left no intent in one of its folders", async () => {
    const folder = cutOff();
    rmSync(join(folder, "b/.recollect/intent"));
    const { store } = openNotes(folder);
    expect(await contents(store)).toEqual(before);
    expect(leftovers(folder)).toEqual([]);
  });

  it.each(["in place", "by another file"])(
    "KER-7 is brought to its end where a person edited %s what it had put in place already",
    async (way) => {
      const folder = cutOff();
      const edited = join(folder, "c/new.md");
      const staged = stagedIn(folder, "c");
      linkSync(staged, edited);
      sayInode(folder, "c", staged);
      if (way === "by another file") rmSync(edited);
      writeFileSync(edited, "edited by hand");
      const { store } = openNotes(folder);
      expect(await contents(store)).toEqual({ ...after, "c/new.md": "edited by hand" });
      expect(leftovers(folder)).toEqual([]);
    },
  );

  it.each(["X", "as it was before a person's edit, which the power cut took"])(
    "KER-7 has not happened where what it staged is a name of the document, left by an earlier one: %s",
    async (text) => {
      const folder = cutOff();
      const staged = stagedIn(folder, "a");
      rmSync(staged);
      writeFileSync(join(folder, "a/x.md"), text);
      linkSync(join(folder, "a/x.md"), staged);
      const { store } = openNotes(folder);
      expect((await store.recover()).completed).toBe(0);
      expect(await contents(store)).toEqual({ ...before, "a/x.md": text });
      expect(leftovers(folder)).toEqual([]);
    },
  );

  it("KER-7 says what to do where one of its folders is not configured", async () => {
    const folder = cutOff();
    const store = openFilesStore({ roots: [{ name: "notes", folder: join(folder, "b") }], now: Date.now });
    await expect(
      store.commit([at("z.md")].map(store.resolve), () => [{ kind: "put", at: at("z.md"), content: "z" }], stamp),
    ).rejects.toMatchObject({
      code: "RECOVERY_NEEDED",
    });
    expect((await store.read(store.resolve(at("y.md"))))?.content).toBe("Y");
    await store.close();
  });

  it("KER-7 takes a moved document from nowhere while the folder that it goes to is away", async () => {
    const folder = cutOff();
    const away = join(scratchFolder(), "a");
    renameSync(join(folder, "a"), away);
    const { store } = openNotes(folder);
    await store.recover();
    expect(readFileSync(join(folder, "r.md"), "utf8")).toBe("R");
    renameSync(away, join(folder, "a"));
    await store.recover();
    expect(Object.values(await contents(store))).toContain("R");
    expect(leftovers(folder)).toEqual([]);
  });

  it("KER-7 survives that its project was renamed before recovery", async () => {
    const folder = cutOff();
    const moved = scratchFolder();
    cpSync(folder, join(moved, "elsewhere"), { recursive: true });
    const { store } = openNotes(join(moved, "elsewhere"));
    await store.recover();
    expect(await contents(store)).toEqual(after);
  });

  it("KER-7 is ended by a reader also where a waiter died as well", async () => {
    const folder = cutOff();
    for (const auxiliary of globSync("**/.recollect", { cwd: folder })) {
      const numbers = Buffer.concat([Buffer.from("recollect turns\n"), Buffer.alloc(16)]);
      numbers.writeBigUInt64LE(7n, 16);
      writeFileSync(join(folder, auxiliary, "turns"), numbers);
    }
    expect(await contents(openNotes(folder).store)).toEqual(after);
  });

  it("KER-7 is taken back whole where two of its documents have one text", async () => {
    const folder = scratchFolder();
    const disk = { fails: (text: string) => text === "new", synced: [] };
    const { documents, store } = openNotes(folder, { openDirectory: openFailing(disk) });
    await expect(replaceBoth(documents, store)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    const texts = async () => [
      (await documents.read(at("a.md")))?.content,
      (await documents.read(at("b.md")))?.content,
    ];
    expect(await texts()).toEqual(["same", "same"]);
    await documents.append(at("a.md"), "+", stamp);
    expect(await texts()).toEqual(["same+", "same"]);
  });

  it("KER-7 is taken back on disk before the decision goes", async () => {
    const folder = scratchFolder();
    const disk: FailingDisk = { fails: (text) => text === "new", synced: [] };
    const { documents, store } = openNotes(folder, { openDirectory: openFailing(disk) });
    await expect(replaceBoth(documents, store)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    expect(disk.synced.at(-1)).toEqual({ text: "same", isDecided: true });
    expect(leftovers(folder)).toEqual([]);
  });

  it("KER-7 stays decided where taking it back did not get to the disk, and says so", async () => {
    const folder = scratchFolder();
    const disk: FailingDisk = { fails: (_, isDecided) => isDecided, synced: [] };
    const { documents, store } = openNotes(folder, { openDirectory: openFailing(disk) });
    await expect(replaceBoth(documents, store)).rejects.toMatchObject({
      code: "RECOVERY_NEEDED",
      message: expect.stringContaining("all of it or nothing"),
    });
    expect(existsSync(join(folder, ".recollect/intent"))).toBe(true);
    disk.fails = () => false;
    expect((await documents.read(at("a.md")))?.content).toBe("new");
    expect((await documents.read(at("b.md")))?.content).toBe("new");
    expect(leftovers(folder)).toEqual([]);
  });

  it("KER-7 begins nothing that recovery could not read back", async () => {
    const folder = await prepareIn(scratchFolder());
    const { store } = openNotes(folder);
    const reason = "y".repeat(17 * 1024 * 1024);
    const moving = store.commit(
      [at("a/x.md"), at("a/z.md")].map(store.resolve),
      () => [{ kind: "move", from: at("a/x.md"), to: at("a/z.md") }],
      { ...stamp, reason },
    );
    await expect(moving).rejects.toMatchObject({ code: "TOO_LARGE" });
    expect(await contents(store)).toEqual(before);
    expect(leftovers(folder)).toEqual([]);
  });

  it("KER-7 ignores an intent that names documents outside of its own folder", async () => {
    const folder = await prepareIn(scratchFolder());
    const forged = {
      recollect: "intent",
      format: 1,
      batch: "forged",
      coordinator: "",
      folders: [""],
      steps: [{ name: "../b/y.md", was: undefined, fresh: 0 }],
      records: [],
    };
    writeFileSync(join(folder, "a/.recollect/intent"), JSON.stringify(forged));
    const { store, documents } = openNotes(folder);
    await documents.append(at("a/x.md"), "+", stamp);
    expect(await contents(store)).toEqual({ ...before, "a/x.md": "X+" });
    expect(leftovers(folder)).toEqual([]);
  });
});

describe("what a killed process left behind", () => {
  it("KER-6b takes nothing of what waits for history with it where a backup has hard links to all files", async () => {
    const folder = scratchFolder();
    const { documents, store } = openNotes(join(folder, "notes"));
    for (const text of ["one", "two", "three"]) await documents.write(at("a.md"), text, stamp);
    // As `cp -al` does, and rsnapshot.
    const auxiliary = join(folder, "notes/.recollect");
    mkdirSync(join(folder, "backup"));
    for (const name of readdirSync(auxiliary)) linkSync(join(auxiliary, name), join(folder, "backup", name));
    writeFileSync(join(auxiliary, "new-0"), "left behind");
    expect(await store.recover()).toEqual({ completed: 0, discarded: 1 });
    const { textOf } = await readTrail(store.trail("notes"));
    for (const text of ["one", "two"]) expect(await textOf("a.md", revisionOf(Buffer.from(text)))).toBe(text);
  });

  it("KER-6b has no second name for a document that was not replaced after all", async () => {
    const folder = scratchFolder();
    const { documents, store } = openNotes(folder);
    await documents.write(at("a.md"), "text", stamp);
    const kept = join(folder, `.recollect/kept-${revisionOf(Buffer.from("text"))}`);
    // As a process leaves it that was killed between keeping and replacing, once history has the copy.
    rmSync(kept);
    linkSync(join(folder, "a.md"), kept);
    writeFileSync(join(folder, ".recollect/new-0"), "left behind");
    await store.recover();
    expect(existsSync(kept)).toBe(false);
    expect(statSync(join(folder, "a.md")).nlink).toBe(1);
  });

  it.each(["topic", "topic/.recollect"])("KER-7 is nothing to end where “%s” is deleted meanwhile", async (deleted) => {
    const folder = await prepareIn(scratchFolder());
    mkdirSync(join(folder, "topic/.recollect"), { recursive: true });
    writeFileSync(join(folder, "topic/.recollect/new-0"), "left behind");
    let looks = 0;
    const vanishing = (directory: Directory): Directory => ({
      ...directory,
      child: (name) => {
        const child = vanishing(directory.child(name));
        const isIt = existsSync(child.at("new-0"));
        if (isIt) looks += 1;
        // Seen, and seen again by the recovery itself, which has not locked it yet.
        if (isIt && looks === 2) rmSync(join(folder, deleted), { recursive: true });
        return child;
      },
    });
    const { store } = openNotes(folder, { openDirectory: (path) => vanishing(bestOpenDirectory()(path)) });
    expect(await store.recover()).toEqual({ completed: 0, discarded: 0 });
    expect(looks).toBe(2);
    expect(await contents(store)).toEqual(before);
  });
});

/** When the sync of the folder of documents fails, by the text of one of them, and what was synced there. */
interface FailingDisk {
  fails: (text: string, isDecided: boolean) => boolean;
  readonly synced: { text: string; isDecided: boolean }[];
}

function openFailing(disk: FailingDisk): (path: string) => Directory {
  return (path) => failing(bestOpenDirectory()(path), disk);
}

function failing(directory: Directory, disk: FailingDisk): Directory {
  return {
    ...directory,
    child: (name) => failing(directory.child(name), disk),
    sync: async (blocking) => {
      if (existsSync(directory.at("b.md"))) {
        const text = readFileSync(directory.at("b.md"), "utf8");
        const isDecided = existsSync(directory.at(".recollect/intent"));
        if (disk.fails(text, isDecided)) throw Object.assign(new Error("EIO"), { code: "EIO", errno: -5 });
        disk.synced.push({ text, isDecided });
      }
      await directory.sync(blocking);
    },
  };
}

async function replaceBoth(documents: Documents, store: Store): Promise<void> {
  const names = ["a.md", "b.md"];
  for (const name of names) await documents.write(at(name), "same", stamp);
  await store.commit(
    names.map((name) => at(name)).map(store.resolve),
    () => names.map((name) => ({ kind: "put" as const, at: at(name), content: "new" })),
    stamp,
  );
}

/** A copy of a folder has other inodes: the intent of one of its folders says the one that its staged file has. */
function sayInode(folder: string, part: string, staged: string): void {
  const [file, { ino }] = [join(folder, part, ".recollect/intent"), statSync(staged, { bigint: true })];
  const intent = JSON.parse(readFileSync(file, "utf8"));
  for (const step of intent.steps) if (`new-${step.fresh}` === basename(staged)) step.inode = String(ino);
  writeFileSync(file, JSON.stringify(intent));
}

/** Finds a call between the decision and all that follows: its intents are there, nothing else yet. */
async function cutOffAfterDecision(): Promise<string> {
  const base = mkdtempSync(join(tmpdir(), "recollect-decided-"));
  for (let nth = 40; nth < 200; nth += 1) {
    const folder = join(base, "notes");
    rmSync(folder, { recursive: true, force: true });
    await prepareIn(folder);
    runKilledAt(folder, nth);
    const intents = globSync("**/.recollect/intent", { cwd: folder });
    const journals = globSync("**/.recollect/journal", { cwd: folder }).map((path) => readFileSync(join(folder, path)));
    const isBegun = journals.some((journal) => journal.includes("agent:killed"));
    if (intents.length === spanningChanges().changes.length && !isBegun) return folder;
  }
  throw new Error("no call with a decided operation found");
}
