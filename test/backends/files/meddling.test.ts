import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { revisionOf } from "../../../src/app.ts";
import { workerScript } from "../../helpers/worker-script.ts";
import { readTrail } from "../../helpers/written-records.ts";
import type { MeddledJob } from "./meddled-worker.ts";
import { at, openNotes, scratchFolder, stamp } from "./scratch.ts";

const meddled = workerScript("./meddled-worker.ts", import.meta.url);
const appending = workerScript("./append-worker.ts", import.meta.url);
const holding = workerScript("./holding-worker.ts", import.meta.url);

function run(job: MeddledJob): string {
  const { stdout, stderr } = spawnSync(process.execPath, [meddled, JSON.stringify(job)], { encoding: "utf8" });
  if (stdout === "" || stderr !== "") throw new Error(stdout + stderr);
  return stdout.trim();
}

/** A folder with these documents or plain files, all of them with the same text. */
async function folderWith(
  names: readonly string[],
  { plain = false }: { plain?: boolean | undefined },
): Promise<string> {
  const folder = scratchFolder();
  const { documents } = openNotes(folder);
  for (const name of names) {
    if (plain) writeFileSync(join(folder, name), "old\n");
    else await documents.write(at(name), "old\n", stamp);
  }
  return folder;
}

function textOf(folder: string, name = "a.md"): string | undefined {
  return existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : undefined;
}

function draftsIn(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[]).filter((name) => /new-|recollect-draft/.test(name));
}

const theirs = [
  ["saves it", "save", "theirs\n"],
  ["deletes it", "delete", undefined],
] as const;

type Work = Pick<MeddledJob, "operation" | "plain">;

const works: readonly [string, Work, readonly string[]][] = [
  ["a document is replaced", { operation: "append" }, ["a.md"]],
  ["a document is made", { operation: "put" }, []],
  ["two documents are changed", { operation: "append to both" }, ["a.md", "b.md"]],
  ["a plain file is replaced", { operation: "put", plain: true }, ["a.md"]],
  ["a plain file is made", { operation: "put", plain: true }, []],
];

describe.each(works)("right after %s", (_, work, names) => {
  it.each(theirs)("KER-6b a person %s, and that stays", async (__, afterwards, expected) => {
    const folder = await folderWith(names, work);
    expect(run({ ...work, folder, afterwards })).toBe("committed");
    expect(textOf(folder)).toBe(expected);
    if (names.includes("b.md")) expect(textOf(folder, "b.md")).toBe("old\nours\n");
    expect(draftsIn(folder)).toEqual([]);
  });

  it.each(theirs)(
    "KER-10 a person %s, and that stays also where ours is taken back",
    async (__, afterwards, expected) => {
      const folder = await folderWith(names, work);
      expect(run({ ...work, folder, afterwards, failingSync: "afterwards" })).toBe("STORAGE_FAILED");
      expect(textOf(folder)).toBe(expected);
      if (names.includes("b.md")) expect(textOf(folder, "b.md")).toBe("old\n");
      expect(draftsIn(folder)).toEqual([]);
    },
  );

  it("KER-10 ours is taken back where nobody else has changed it", async () => {
    const folder = await folderWith(names, work);
    expect(run({ ...work, folder, failingSync: "afterwards" })).toBe("STORAGE_FAILED");
    expect(textOf(folder)).toBe(names.includes("a.md") ? "old\n" : undefined);
    expect(draftsIn(folder)).toEqual([]);
  });

  it("KER-10 nobody is told that nothing happened where ours could not be taken back", async () => {
    const folder = await folderWith(names, work);
    expect(run({ ...work, folder, readOnlyAfterwards: "for good" })).toBe("RECOVERY_NEEDED");
    const { documents } = openNotes(folder);
    const expected = work.operation === "put" ? "ours\n" : "old\nours\n";
    for (const name of ["a.md", ...names]) expect((await documents.read(at(name)))?.content).toBe(expected);
  });

  it("KER-10 nobody is told so where a draft was swapped, and could not be taken out of its place", async () => {
    const folder = await folderWith(names, work);
    const outside = join(scratchFolder(), "secret");
    writeFileSync(outside, "secret\n");
    const swapped = { outside, hard: false };
    expect(run({ ...work, folder, swapped, readOnlyAfterwards: "for good" })).toBe("RECOVERY_NEEDED");
  });

  it.each([
    ["a link", false],
    ["a second name", true],
  ])("KER-2 a draft that was swapped for %s of a file outside is found, and not left there", async (__, hard) => {
    const folder = await folderWith(names, work);
    const outside = join(scratchFolder(), "secret");
    writeFileSync(outside, "secret\n");
    run({ ...work, folder, swapped: { outside, hard } });
    expect(readFileSync(outside, "utf8")).toBe("secret\n");
    expect(statSync(outside).nlink).toBe(1);
    expect(lstatSync(join(folder, "a.md"), { throwIfNoEntry: false })?.isSymbolicLink() ?? false).toBe(false);
    expect(draftsIn(folder)).toEqual([]);
  });
});

it("KER-7 a commit of several stays decided where a swapped draft could not be taken out of its place at once", async () => {
  const folder = await folderWith(["a.md", "b.md"], {});
  const outside = join(scratchFolder(), "secret");
  writeFileSync(outside, "secret\n");
  const job = { folder, operation: "append to both", swapped: { outside, hard: false } } as const;
  expect(run({ ...job, readOnlyAfterwards: "for a moment" })).toBe("RECOVERY_NEEDED");
  expect((await openNotes(folder).documents.read(at("b.md")))?.content).toBe("old\nours\n");
  expect(readFileSync(outside, "utf8")).toBe("secret\n");
});

describe("right after a document was removed", () => {
  it("KER-10 a person makes it anew, and that stays also where the removal is taken back", async () => {
    const folder = await folderWith(["a.md"], {});
    const job = { folder, operation: "remove", afterwards: "save", failingSync: "afterwards" } as const;
    expect(run(job)).toBe("STORAGE_FAILED");
    expect(textOf(folder)).toBe("theirs\n");
    const written = await readTrail(openNotes(folder).store.trail("notes"));
    expect(await written.textOf("a.md", revisionOf(Buffer.from("old\n")))).toBe("old\n");
  });

  it("KER-10 it is back where the removal is taken back", async () => {
    const folder = await folderWith(["a.md"], {});
    expect(run({ folder, operation: "remove", failingSync: "afterwards" })).toBe("STORAGE_FAILED");
    expect(textOf(folder)).toBe("old\n");
  });
});

it("KER-6 what a person saves until the last moment is not written over", async () => {
  const folder = await folderWith(["a.md"], {});
  expect(run({ folder, operation: "append", savedWhileJournaling: true })).toBe("committed");
  expect(textOf(folder)).toBe("theirs\nours\n");
});

describe("a lock that is taken away while it is held", () => {
  const lock = join(".recollect", "lock".padEnd(252, "_"));

  it("KER-5 KER-7 makes nobody append twice where another one ended what was begun", async () => {
    const folder = await folderWith(["a.md", "b.md"], {});
    const journaling = { takeAway: [lock], to: scratchFolder(), appending };
    expect(run({ folder, operation: "append to both", journaling })).toBe("committed");
    expect(textOf(folder)).toBe("old\nours\ntheirs:0\n");
    expect(textOf(folder, "b.md")).toBe("old\nours\n");
  });

  it.each(["EIO", "ESTALE"] as const)(
    "KER-7 makes nobody append twice where it cannot be read whether another one ended it (%s)",
    async (unreadableIntent) => {
      const folder = await folderWith(["a.md", "b.md"], {});
      const journaling = { takeAway: [lock], to: scratchFolder() };
      expect(run({ folder, operation: "append to both", journaling, unreadableIntent })).toBe("committed");
      for (const name of ["a.md", "b.md"]) expect(textOf(folder, name)).toBe("old\nours\n");
    },
  );

  it("KER-7 takes nothing from whoever ended what was begun, where ours fails for another reason", async () => {
    const folder = await folderWith(["a.md", "b.md"], {});
    const journaling = { takeAway: [lock], to: scratchFolder(), appending, isFull: true };
    expect(run({ folder, operation: "append to both", journaling })).toBe("committed");
    expect(textOf(folder)).toBe("old\nours\ntheirs:0\n");
    expect(textOf(folder, "b.md")).toBe("old\nours\n");
  });

  describe("KER-7 lets nobody be told that nothing happened, where another one ended what was begun", () => {
    it("and keeps the new lock", async () => {
      const folder = await folderWith(["a.md", "b.md"], {});
      const journaling = { takeAway: [lock], to: scratchFolder(), holding };
      expect(run({ folder, operation: "append to both", journaling })).toBe("RECOVERY_NEEDED");
      for (const name of ["a.md", "b.md"]) expect(textOf(folder, name)).toBe("old\nours\n");
    });

    it("and it was the last attempt", async () => {
      const folder = await folderWith(["a.md", "b.md"], {});
      const journaling = { takeAway: [lock], to: scratchFolder(), appending };
      const job = { folder, operation: "append to both", savedAttempts: 9, journaling } as const;
      expect(run(job)).toBe("RECOVERY_NEEDED");
      expect(textOf(folder)).toBe("theirs\nours\ntheirs:0\n");
      expect(textOf(folder, "b.md")).toBe("old\nours\n");
    });

    it("and a folder of it is gone", async () => {
      const folder = await folderWith(["a.md", "sub/b.md"], {});
      const journaling = { takeAway: [lock, join("sub", lock)], to: scratchFolder(), appending, deleted: "sub" };
      expect(run({ folder, operation: "append in two folders", journaling })).toBe("RECOVERY_NEEDED");
      expect(textOf(folder)).toBe("old\nours\ntheirs:0\n");
    });

    it("and its own sync of one document failed", async () => {
      const folder = await folderWith(["a.md"], {});
      const afterwards = { afterwards: "supersede", lockDeletedAfterwards: lock, failingSync: "afterwards" } as const;
      expect(run({ folder, operation: "append", ...afterwards })).toBe("RECOVERY_NEEDED");
      expect(textOf(folder)).toBe("old\nours\ntheirs\n");
    });
  });

  it("KER-5 lets nobody put the text of another writer in the place of its own", async () => {
    const folder = await folderWith(["a.md"], {});
    expect(run({ folder, operation: "append", overtaken: { lock, worker: meddled } })).toBe("committed");
    expect(textOf(folder)?.split("\n").toSorted()).toEqual(["", "old", "ours", "theirs"]);
  });

  it("KER-5 lets nobody take back what another one has built on it", async () => {
    const folder = await folderWith(["a.md"], {});
    expect(run({ folder, operation: "append", afterwards: "supersede" })).toBe("committed");
    expect(textOf(folder)).toBe("old\nours\ntheirs\n");
  });

  it.each([
    ["one document, where the file goes", "append", lock],
    ["one document, where its folder goes", "append", ".recollect"],
    ["several documents, where its folder goes", "append to both", ".recollect"],
  ] as const)("KER-5 loses no write of %s", async (_, operation, takeAway) => {
    const folder = await folderWith(["a.md", "b.md"], {});
    // Kept already: no second name of the document tells the other process that somebody is at work on it.
    const { documents } = openNotes(folder);
    for (const name of ["a.md", "b.md"]) await documents.write(at(name), "between\n", stamp);
    for (const name of ["a.md", "b.md"]) await documents.write(at(name), "old\n", stamp);
    const journaling = { takeAway: [takeAway], to: scratchFolder(), appending };
    expect(run({ folder, operation, journaling })).toBe("committed");
    expect(textOf(folder)).toBe("old\ntheirs:0\nours\n");
    expect(textOf(folder, "b.md")).toBe(operation === "append" ? "old\n" : "old\nours\n");
  });
});

describe("a draft that another writer replaced", () => {
  it.each(["append", "append to both"] as const)("KER-4 is never taken for ours (%s)", async (operation) => {
    const folder = await folderWith(["a.md", "b.md"], {});
    expect(run({ folder, operation, replacedDraft: true })).toBe("committed");
    expect(textOf(folder)).toBe("old\nours\n");
    expect(textOf(folder, "b.md")).toBe(operation === "append" ? "old\n" : "old\nours\n");
  });
});

describe("a folder that cannot be synced", () => {
  it.each([
    ["by descriptors", false],
    ["by paths", true],
  ])("KER-10 fails the first write in it, %s", (_, byPath) => {
    const folder = scratchFolder();
    expect(run({ folder, byPath, operation: "put", failingSync: "first" })).toBe("STORAGE_FAILED");
    expect(textOf(folder)).toBeUndefined();
    expect(run({ folder, byPath, operation: "put" })).toBe("committed");
  });
});
