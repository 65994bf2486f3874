import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Trail } from "../../src/kernel/trail.ts";
import { workerScript } from "../helpers/worker-script.ts";
import { ada, at, bob, fsck, git, logOf, openWorld, scratchFolder, textsOf } from "./scratch.ts";

const worker = workerScript("./import-worker.ts", import.meta.url);
const count = 35;
const nameOf = (number: number) => `f${number % 3}/d${number}.md`;
const names = Array.from({ length: count }, (_, number) => nameOf(number));

function manyDocuments(): string {
  const folder = scratchFolder();
  for (const part of ["f0", "f1", "f2"]) mkdirSync(join(folder, part));
  for (const name of names) writeFileSync(join(folder, name), `text of ${name}`);
  return folder;
}

/** Whether there was more to import, after each run, oldest first. */
function runEnds(folder: string): boolean[] {
  const ends = git(folder, "log", "--reverse", "--format=%B", "history").matchAll(/^end (.*)$/gm);
  return [...ends].map(([, end = ""]) => JSON.parse(end).isImporting === true);
}

async function expectImported(history: ReturnType<typeof openWorld>["history"]): Promise<void> {
  const { operations } = await history.log({ limit: 1000 });
  const told = operations.flatMap(({ id, author, changes }) =>
    changes.map(({ kind, path }) => ({ id, author, kind, path })),
  );
  const ordered = told.toSorted((one, other) => names.indexOf(one.path) - names.indexOf(other.path));
  expect(ordered.map(({ author, kind, path }) => [author, kind, path])).toEqual(
    names.map((name) => ["outside", "import", name]),
  );
  const contents = await history.contents(ordered.map(({ id, path }) => ({ id, path, side: "after" })));
  expect(contents.map((bytes) => Buffer.from(bytes ?? []).toString("utf8"))).toEqual(
    names.map((name) => `text of ${name}`),
  );
  // As a reader asks for one of them.
  expect(await textsOf(history, nameOf(0))).toEqual([`text of ${nameOf(0)}`]);
}

describe("many documents that history has never seen", () => {
  it("HIST-1 are taken over in several runs, none of them large, and each once", async () => {
    const folder = manyDocuments();
    const { history } = openWorld(folder, { importLimit: 10 });
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 4 });
    expect(runEnds(folder)).toEqual([true, true, true, true, false]);
    const packs = readdirSync(join(folder, ".recollect/history/objects/pack")).filter((name) => name.endsWith(".pack"));
    expect(packs.length).toBe(5);
    await expectImported(history);
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 0 });
    expect(fsck(folder)).toBe("");
  });

  it("HIST-1 go with one run where they are few", async () => {
    const folder = manyDocuments();
    const { history } = openWorld(folder);
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 1 });
    expect(runEnds(folder)).toEqual([false]);
    await expectImported(history);
  });

  it("HIST-1 a kill between two runs loses nothing of those before it, and the rest is taken over by the next", async () => {
    const folder = manyDocuments();
    const programs = scratchFolder();
    const counter = join(programs, "imports");
    // The third time that it is to import, whoever asked for it is killed.
    const script = [
      "#!/bin/sh",
      `case "$*" in *fast-import*) echo x >> '${counter}'; [ "$(wc -l < '${counter}')" -eq 3 ] && kill -9 $PPID;; esac`,
      `PATH='${process.env["PATH"]}' exec git "$@"`,
      "",
    ];
    writeFileSync(join(programs, "git"), script.join("\n"), { mode: 0o755 });
    const env = { ...process.env, PATH: `${programs}:${process.env["PATH"]}` };
    const killed = spawnSync(process.execPath, [worker, folder, "10"], { env });
    expect(killed.signal).toBe("SIGKILL");
    expect(runEnds(folder)).toEqual([true, true]);
    const tip = git(folder, "rev-parse", "history").trim();
    const { history } = openWorld(folder, { importLimit: 10 });
    expect(await history.catchUp({ waitMs: 10_000 })).toEqual({ kind: "recorded", operations: 2 });
    expect(runEnds(folder)).toEqual([true, true, true, true, false]);
    expect(git(folder, "merge-base", tip, "history").trim()).toBe(tip);
    await expectImported(history);
    expect(fsck(folder)).toBe("");
  });

  it("HIST-1 what is written meanwhile is recorded once, in order, with what was there before it", async () => {
    const folder = manyDocuments();
    const surveyed = [...openWorld(folder).store.trail("notes").survey()].map(({ path }) => path);
    const [early = "", last = ""] = [surveyed[0], surveyed.at(-1)];
    const [seen = "", byHand = ""] = [surveyed[11], surveyed[1]];
    let asked = 0;
    const { documents, history } = openWorld(folder, { importLimit: 10, trail: disturbed });
    expect(await history.catchUp()).toMatchObject({ kind: "recorded" });
    // Imported before it was written, after that, in the very run that had read it, and while none was there.
    expect(await textsOf(history, early)).toEqual(["two", "one", `text of ${early}`]);
    expect(await textsOf(history, last)).toEqual(["of ada", `text of ${last}`]);
    expect(await textsOf(history, seen)).toEqual(["of bob", `text of ${seen}`]);
    expect(await textsOf(history, "f0/new.md")).toEqual(["new"]);
    expect(await textsOf(history, byHand)).toEqual(["by hand", `text of ${byHand}`]);
    expect((await logOf(history, early)).map(({ author }) => author)).toEqual(["person:bob", "agent:ada", "outside"]);
    expect((await logOf(history, seen)).map(({ author }) => author)).toEqual(["person:bob", "outside"]);
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 0 });
    expect(fsck(folder)).toBe("");

    /** Others write while the second run has read its documents and not yet looked at the journals again. */
    function disturbed(trail: Trail): Trail {
      return {
        ...trail,
        records: async (after) => {
          asked += 1;
          if (asked === 4) {
            await documents.write(at(early), "one", ada);
            await documents.write(at(last), "of ada", ada);
            await documents.write(at(seen), "of bob", bob);
            await documents.write(at(early), "two", bob);
            await documents.write(at("f0/new.md"), "new", ada);
            writeFileSync(join(folder, byHand), "by hand");
          }
          return trail.records(after);
        },
      };
    }
  });
});

describe("what differs without a record", () => {
  it("HIST-1 goes into commits of a thousand, where it is more", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    await documents.write(at("a.md"), "one", ada);
    await history.catchUp();
    for (let number = 0; number < 1500; number += 1) writeFileSync(join(folder, `n${number}.md`), `text ${number}`);
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 2 });
    const { operations } = await history.log({ limit: 2 });
    expect(operations.map(({ changes }) => changes.length)).toEqual([500, 1000]);
    expect(await textsOf(history, "n1499.md")).toEqual(["text 1499"]);
  });

  it("HIST-1 is noticed where somebody puts back what history had before the last write", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    await documents.write(at("a.md"), "one", ada);
    await history.catchUp();
    await documents.write(at("a.md"), "two", bob);
    await documents.write(at("a.md"), "three", bob);
    writeFileSync(join(folder, "a.md"), "one");
    await history.catchUp();
    expect((await logOf(history, "a.md")).map(({ author }) => author)).toEqual([
      "outside",
      "person:bob",
      "person:bob",
      "agent:ada",
    ]);
    expect(await textsOf(history, "a.md")).toEqual(["one", "three", "two", "one"]);
  });

  it("HIST-1 is noticed whatever became of the file that spares reading all documents", async () => {
    const folder = manyDocuments();
    const state = join(folder, ".recollect/history/recollect-state.json");
    await openWorld(folder).history.catchUp();
    const whole = readFileSync(state);
    const flipped = Buffer.from(whole);
    flipped.writeUInt8(flipped.readUInt8(whole.length >> 1) ^ 1, whole.length >> 1);
    let edits = 0;
    for (const left of [undefined, Buffer.alloc(0), Buffer.from("\n"), flipped, whole.subarray(0, -1), whole]) {
      if (left) writeFileSync(state, left);
      else rmSync(state);
      edits += 1;
      writeFileSync(join(folder, "f0/d0.md"), `edit ${edits}`);
      const { history } = openWorld(folder);
      expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 1 });
      expect((await textsOf(history, "f0/d0.md"))[0]).toBe(`edit ${edits}`);
      expect(existsSync(state)).toBe(true);
    }
  });
});
