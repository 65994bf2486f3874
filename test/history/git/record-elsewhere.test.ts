import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type RecordRequest, recordElsewhere as recordUntil } from "../../../src/history/git/record-elsewhere.ts";
import { toTipNote } from "../../../src/history/git/tip-note.ts";
import type { Log } from "../../../src/kernel/log.ts";
import type { CatchUp } from "../../../src/kernel/root-history.ts";
import { ada, at, fsck, logOf, openWorld, scratchFolder, textsOf } from "../scratch.ts";

const ignore: Log = () => undefined;
const recordElsewhere = (request: RecordRequest, log: Log) => recordUntil(request, log, new AbortController().signal);
const requestFor = (folder: string, env: Record<string, string | undefined> = process.env) => ({
  folders: [{ name: "notes", folder }],
  root: "notes",
  env,
  waitMs: 0,
});

describe("a process that records history for another", () => {
  it("HIST-1 records what that one would, and both go on from it", async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "old.md"), "old");
    const { documents, history } = openWorld(folder);
    await documents.write(at("a.md"), "one", ada);
    await documents.write(at("a.md"), "two", ada);
    expect(await recordElsewhere(requestFor(folder), ignore)).toEqual({ kind: "recorded", operations: 3 });
    expect(await textsOf(history, "a.md")).toEqual(["two", "one"]);
    await documents.write(at("a.md"), "three", ada);
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 1 });
    writeFileSync(join(folder, "old.md"), "by hand");
    expect(await recordElsewhere(requestFor(folder), ignore)).toEqual({ kind: "recorded", operations: 1 });
    expect(await history.catchUp()).toEqual({ kind: "recorded", operations: 0 });
    expect((await logOf(history, "old.md")).map(({ author }) => author)).toEqual(["outside", "outside"]);
    expect(fsck(folder)).toBe("");
  });

  it("HIST-3 stands back while another records, and says what is wrong as that one would", async () => {
    const folder = scratchFolder();
    const programs = scratchFolder();
    const { documents, store } = openWorld(folder);
    await documents.write(at("a.md"), "one", ada);
    const alone = store.trail("notes").tryAlone();
    expect(await recordElsewhere(requestFor(folder), ignore)).toEqual({ kind: "busy" });
    alone?.release();
    const without = await recordElsewhere(requestFor(folder, { PATH: programs }), ignore);
    expect(without).toEqual({ kind: "none", reason: expect.stringContaining("Install git") });
    const says = "#!/bin/sh\necho 'fatal: No space left on device' >&2\nexit 128\n";
    writeFileSync(join(programs, "git"), says, { mode: 0o755 });
    const full = recordElsewhere(requestFor(folder, { PATH: `${programs}:${process.env["PATH"]}` }), ignore);
    await expect(full).rejects.toMatchObject({ code: "DISK_FULL" });
  });

  it("HIST-3 is ended where nobody waits for it any more, and the rest is left to others", async () => {
    const folder = scratchFolder();
    const programs = scratchFolder();
    const { documents, history } = openWorld(folder);
    await documents.write(at("a.md"), "one", ada);
    const begun = join(programs, "begun");
    writeFileSync(join(programs, "git"), `#!/bin/sh\ntouch ${begun}\nexec sleep 20\n`, { mode: 0o755 });
    const closing = new AbortController();
    const slow = requestFor(folder, { PATH: `${programs}:${process.env["PATH"]}` });
    const recorded = recordUntil(slow, ignore, closing.signal);
    await expect.poll(() => existsSync(begun), { timeout: 20_000 }).toBe(true);
    closing.abort();
    expect(await recorded).toEqual({ kind: "busy" });
    expect(await recordUntil(slow, ignore, closing.signal)).toEqual({ kind: "busy" });
    expect(await history.catchUp({ waitMs: 20_000 })).toEqual({ kind: "recorded", operations: 1 });
    expect(await textsOf(history, "a.md")).toEqual(["one"]);
  });

  it("HIST-1 records after the process that started it has ended, where that one leaves it to it", async () => {
    const folder = scratchFolder();
    const { documents, history } = openWorld(folder);
    await documents.write(at("a.md"), "one", ada);
    const module = join(import.meta.dirname, "../../../src/history/git/record-elsewhere.ts");
    const request = { folders: [{ name: "notes", folder }], root: "notes", env: { PATH: process.env["PATH"] } };
    const script = `import { recordLater } from ${JSON.stringify(module)}; await recordLater(${JSON.stringify(request)});`;
    execFileSync(process.execPath, ["--input-type=module", "-e", script]);
    const isDone = () => !readdirSync(join(folder, ".recollect")).some((name) => name.startsWith("kept-"));
    await expect.poll(isDone, { timeout: 20_000 }).toBe(true);
    expect(await textsOf(history, "a.md")).toEqual(["one"]);
  });

  it("HIST-1 tells here what was mended there", async () => {
    const folder = scratchFolder();
    const { documents, history, store } = openWorld(folder);
    await documents.write(at("a.md"), "one", ada);
    await history.catchUp();
    store.trail("notes").noteTip(toTipNote("1".repeat(40)));
    const said: unknown[] = [];
    await recordElsewhere(requestFor(folder), (level, event, fields) => said.push([level, event, fields]));
    expect(said).toEqual([["warning", "history", { message: expect.stringContaining("lost") }]]);
  });
});

describe("who records", () => {
  it("HIST-1 many documents are left to another process, few are not, nor what it did not do", async () => {
    const many = scratchFolder();
    for (let part = 0; part < 6; part += 1) {
      mkdirSync(join(many, `f${part}`));
      for (let number = 0; number < 850; number += 1) writeFileSync(join(many, `f${part}/n${number}.md`), `${number}`);
    }
    const few = scratchFolder();
    writeFileSync(join(few, "a.md"), "one");
    const asked: number[] = [];
    const answers: (CatchUp | undefined)[] = [{ kind: "busy" }, undefined];
    const elsewhere = async (waitMs: number) => {
      asked.push(waitMs);
      return answers.shift();
    };
    const small = openWorld(few, { recordElsewhere: elsewhere });
    expect(await small.history.catchUp()).toEqual({ kind: "recorded", operations: 1 });
    expect(asked).toEqual([]);
    let later = 0;
    const recordLater = async () => {
      later += 1;
    };
    const large = openWorld(many, { recordElsewhere: elsewhere, recordLater });
    expect(await large.history.catchUp({ waitMs: 7 })).toEqual({ kind: "busy" });
    expect(await large.history.catchUp()).toEqual({ kind: "recorded", operations: 6 });
    expect(await large.history.catchUp({ leavesMuch: true })).toMatchObject({ kind: "none" });
    expect(later).toBe(1);
    // As many as history has by now.
    expect(await large.history.catchUp()).toEqual({ kind: "recorded", operations: 0 });
    expect(asked).toEqual([7, 0, 0]);
  });
});
