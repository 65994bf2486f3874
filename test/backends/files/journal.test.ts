import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openFilesStore } from "../../../src/app.ts";
import { openByDescriptor } from "../../../src/backends/files/directory.ts";
import { dropJournal, type JournalSlice, readJournal } from "../../../src/backends/files/journal.ts";
import { appendToJournal } from "../../../src/backends/files/journal-segment.ts";
import { readTrails } from "../../helpers/written-records.ts";
import { at, openNotes, scratchFolder, stamp } from "./scratch.ts";

const record = (name: string) => ({ kind: "put" as const, name, time: "2026-01-01T00:00:00.000Z", author: "agent:x" });

function openJournal() {
  const folder = scratchFolder();
  return { folder, auxiliary: openByDescriptor(folder) };
}

function slice(...args: Parameters<typeof readJournal>): JournalSlice {
  const found = readJournal(...args);
  if (!found) throw new Error("no journal");
  return found;
}

describe("the journal of a folder", () => {
  it("KER-6b passes over a line that a power cut tore, and loses no record after it", () => {
    const { folder, auxiliary } = openJournal();
    appendToJournal(auxiliary, [record("one")]);
    appendFileSync(join(folder, "journal"), '{"kind":"put","name":"to');
    appendToJournal(auxiliary, [record("two")]);
    expect(readJournal(auxiliary, undefined, 10)?.records.map(({ name }) => name)).toEqual(["one", "two"]);
    auxiliary.close();
  });

  it("KER-12 rolls over instead of growing, and keeps positions valid", () => {
    const { folder, auxiliary } = openJournal();
    const long = { ...record("x"), reason: "r".repeat(300_000) };
    const names = Array.from({ length: 10 }, (_, index) => `n${index}`);
    for (const name of names) appendToJournal(auxiliary, [{ ...long, name }]);
    expect(readdirSync(folder).sort()).toEqual(["journal", "journal-1", "journal-2"]);
    const first = slice(auxiliary, undefined, 6);
    const rest = slice(auxiliary, first.end, 100);
    expect([...first.records, ...rest.records].map(({ name }) => name)).toEqual(names);
    dropJournal(auxiliary, first.end);
    expect(slice(auxiliary, first.end, 100).records.map(({ name }) => name)).toEqual(names.slice(6));
    auxiliary.close();
  });

  it("KER-6b goes on with the next number where a process was killed between two segments", () => {
    const { folder, auxiliary } = openJournal();
    appendToJournal(auxiliary, [record("one")]);
    const { end } = slice(auxiliary, undefined, 10);
    renameSync(join(folder, "journal"), join(folder, "journal-1"));
    expect(slice(auxiliary, undefined, 10).records.map(({ name }) => name)).toEqual(["one"]);
    appendToJournal(auxiliary, [record("two")]);
    expect(readFileSync(join(folder, "journal"), "utf8")).toContain('"segment":2');
    expect(slice(auxiliary, end, 10)).toMatchObject({ records: [{ name: "two" }], gap: false });
    auxiliary.close();
  });

  it("KER-6b a missing or emptied journal stops nobody", async () => {
    const folder = scratchFolder();
    const { store, documents } = openNotes(folder);
    await documents.write(at("a.md"), "one", stamp);
    truncateSync(join(folder, ".recollect/journal"));
    await documents.write(at("a.md"), "two", stamp);
    expect((await readTrails(store)).map(({ kind }) => kind)).toEqual(["put"]);
    mkdirSync(join(folder, "sub/.recollect"), { recursive: true });
    expect(await readTrails(store)).toHaveLength(1);
  });

  it("KER-6b tells the other end of a move from its own folder, also where that is another root", async () => {
    const base = scratchFolder();
    const roots = ["notes", "shared"].map((name) => ({ name, folder: join(base, name) }));
    const store = openFilesStore({ now: Date.now, roots });
    onTestFinished(() => store.close());
    const [from, to] = [at("a.md"), at("sub/b.md", "shared")];
    await store.commit([store.resolve(from)], () => [{ kind: "put", at: from, content: "a" }], stamp);
    await store.commit([from, to].map(store.resolve), () => [{ kind: "move", from, to }], stamp);
    const lastOf = (folder: string) => {
      const lines = readFileSync(join(base, folder, ".recollect/journal"), "utf8")
        .trimEnd()
        .split("\n");
      return JSON.parse(lines.at(-1) ?? "");
    };
    expect(lastOf("notes")).toMatchObject({ kind: "move", name: "a.md", other: "../shared/sub/b.md" });
    expect(lastOf("shared/sub")).toMatchObject({ kind: "move", name: "b.md", other: "../../notes/a.md" });
  });
});
