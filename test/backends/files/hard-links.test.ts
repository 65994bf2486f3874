import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { revisionOf } from "../../../src/app.ts";
import { bestOpenDirectory } from "../../../src/backends/files/directory.ts";
import { openTurns } from "../../../src/backends/files/turns.ts";
import { readTrail } from "../../helpers/written-records.ts";
import { logOf, openWorld, textsOf } from "../../history/scratch.ts";
import { at, openNotes, scratchFolder, stamp } from "./scratch.ts";

/** As a backup by hard links makes it. */
function copyByLinks(from: string, to: string): void {
  execFileSync("cp", ["-al", from, to]);
}

/** All bytes below a folder, but those of SQLite's locks. */
function bytesIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const names = files.map((one) => join(one.parentPath, one.name)).sort();
  return new Map(names.map((name) => [name.slice(folder.length), readFileSync(name, "latin1")]));
}

describe("a folder that was copied by hard links", () => {
  it("KER-2 goes on as before, and so does its copy: neither changes the bytes of the other", async () => {
    const [project, backup] = [join(scratchFolder(), "notes"), join(scratchFolder(), "notes")];
    const first = openNotes(project);
    for (const text of ["one", "two"]) await first.documents.write(at("a.md"), text, stamp);
    await first.documents.write(at("topic/b.md"), "b", stamp);
    copyByLinks(project, backup);
    const before = bytesIn(backup);

    expect((await first.documents.read(at("a.md")))?.content).toBe("two");
    expect((await first.documents.append(at("a.md"), " more", stamp)).kind).toBe("committed");
    expect((await first.documents.move(at("topic/b.md"), at("c.md"), stamp))?.kind).toBe("committed");
    expect((await first.documents.write(at("new.md"), "new", stamp)).kind).toBe("committed");
    expect(bytesIn(backup)).toEqual(before);

    const own = bytesIn(project);
    const second = openNotes(backup);
    expect((await second.documents.append(at("a.md"), " of the copy", stamp)).kind).toBe("committed");
    expect((await second.documents.remove(at("topic/b.md"), stamp))?.kind).toBe("committed");
    expect(bytesIn(project)).toEqual(own);
    expect((await second.documents.read(at("a.md")))?.content).toBe("two of the copy");
    expect((await first.documents.read(at("a.md")))?.content).toBe("two more");
  });

  it("KER-6b keeps a superseded text although the copy is saved in place by its own name", async () => {
    const [project, backup] = [join(scratchFolder(), "notes"), join(scratchFolder(), "notes")];
    mkdirSync(project);
    writeFileSync(join(project, "a.md"), "by a person");
    copyByLinks(project, backup);
    const { documents, store } = openNotes(project);
    await documents.write(at("a.md"), "by an agent", stamp);
    writeFileSync(join(backup, "a.md"), "saved in the backup");
    const { textOf } = await readTrail(store.trail("notes"));
    expect(await textOf("a.md", revisionOf(Buffer.from("by a person")))).toBe("by a person");
    expect(readFileSync(join(project, "a.md"), "utf8")).toBe("by an agent");
  });

  it("HIST-1 records documents that have a second name, in the original and in the copy", async () => {
    const [project, backup] = [join(scratchFolder(), "notes"), join(scratchFolder(), "notes")];
    const first = openWorld(project);
    await first.documents.write(at("a.md"), "one", stamp);
    await first.history.catchUp();
    await first.documents.write(at("a.md"), "two", stamp);
    copyByLinks(project, backup);
    const before = bytesIn(backup);
    writeFileSync(join(project, "b.md"), "by hand");
    linkSync(join(project, "b.md"), join(scratchFolder(), "other-name.md"));
    await first.documents.write(at("a.md"), "three", stamp);
    await first.history.catchUp();
    await first.history.maintain();
    expect(await textsOf(first.history, "a.md")).toEqual(["three", "two", "one"]);
    expect((await logOf(first.history, "a.md")).map(({ author }) => author)).toEqual(Array(3).fill(stamp.author));
    expect(await textsOf(first.history, "b.md")).toEqual(["by hand"]);
    expect(bytesIn(backup)).toEqual(before);
    const second = openWorld(backup);
    await second.history.catchUp();
    expect(await textsOf(second.history, "a.md")).toEqual(["two", "one"]);
  });

  it("KER-2 lists documents that have a second name with a remark", async () => {
    const folder = scratchFolder();
    const { documents } = openNotes(folder);
    await documents.write(at("a.md"), "a", stamp);
    await documents.write(at("b.md"), "b", stamp);
    linkSync(join(folder, "a.md"), join(scratchFolder(), "a.md"));
    const { entries } = await documents.list({ root: "notes", details: true });
    expect(entries.map(({ path, remark, details }) => [path, remark, details?.size])).toEqual([
      ["a.md", "hard-link", 1],
      ["b.md", undefined, 1],
    ]);
    await documents.append(at("a.md"), "!", stamp);
    expect(statSync(join(folder, "a.md")).nlink).toBe(1);
  });

  it("KER-5 draws no number from tickets that have a second name, and replaces them once it has the lock", async () => {
    const [folder, backup] = [scratchFolder(), scratchFolder()];
    const auxiliary = bestOpenDirectory()(folder);
    const turns = openTurns(auxiliary);
    const other = openTurns(auxiliary);
    expect(turns.draw()).toBe(1);
    linkSync(join(folder, "turns"), join(backup, "turns"));
    const before = readFileSync(join(backup, "turns"));
    expect(turns.draw()).toBeUndefined();
    turns.serve(1);
    expect(turns.read()).toEqual({ drawn: 1, served: 1 });
    expect(turns.draw()).toBe(2);
    expect(readFileSync(join(backup, "turns"))).toEqual(before);

    // Another process has the former file open, which has one name again.
    expect(other.draw()).toBe(3);
    other.serve(3);
    expect(turns.read()).toEqual({ drawn: 3, served: 3 });
    expect(readFileSync(join(backup, "turns"))).toEqual(before);
    other.close();
    turns.close();
    auxiliary.close();
  });

  it("KER-7 ends an operation over several documents in the copy alone, where it was cut off", async () => {
    const [project, backup] = [join(scratchFolder(), "notes"), join(scratchFolder(), "notes")];
    const { documents } = openNotes(project);
    await documents.write(at("a.md"), "a", stamp);
    const staged = join(project, ".recollect/new-7");
    writeFileSync(staged, "moved");
    const step = { name: "b.md", rev: revisionOf(Buffer.from("moved")), fresh: 7 };
    const record = {
      kind: "put",
      name: "b.md",
      rev: step.rev,
      author: "agent:tester",
      time: "2026-01-01T00:00:00.000Z",
    };
    const intent = { recollect: "intent", format: 1, batch: "x", coordinator: "", folders: [""], steps: [step] };
    writeFileSync(join(project, ".recollect/intent"), `${JSON.stringify({ ...intent, records: [record] })}\n`);
    copyByLinks(project, backup);
    const before = bytesIn(project);
    expect((await openNotes(backup).documents.read(at("b.md")))?.content).toBe("moved");
    expect(bytesIn(project)).toEqual(before);
    expect((await documents.read(at("b.md")))?.content).toBe("moved");
  });
});

describe("what has the name of a journal and is none", () => {
  it.each([
    ["a link", (path: string) => symlinkSync("../../elsewhere", path)],
    ["a folder", (path: string) => mkdirSync(path)],
    [
      "a second name of another file",
      (path: string) => {
        const other = join(scratchFolder(), "other");
        writeFileSync(other, "text of a person\n");
        linkSync(other, path);
      },
    ],
  ])("KER-9 is to be moved away and never to be deleted: %s", async (_, make) => {
    const folder = scratchFolder();
    const { documents } = openNotes(folder);
    mkdirSync(join(folder, ".recollect"));
    make(join(folder, ".recollect/journal"));
    const write = documents.write(at("a.md"), "a", stamp);
    await expect(write).rejects.toMatchObject({ code: "NOT_ALLOWED", message: expect.stringContaining("Move it out") });
  });
});
