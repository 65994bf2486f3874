import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openByDescriptor } from "../../../src/backends/files/directory.ts";
import { dropJournal, readJournal } from "../../../src/backends/files/journal.ts";
import { appendToJournal } from "../../../src/backends/files/journal-segment.ts";
import { revisionOf } from "../../../src/kernel/revision.ts";
import { scratchFolder } from "./scratch.ts";

const record = (name: string) => ({ kind: "put" as const, name, time: "2026-01-01T00:00:00.000Z", author: "agent:x" });

function openJournal() {
  const folder = scratchFolder();
  return { folder, auxiliary: openByDescriptor(folder) };
}

/** As docs/FORMAT.md says it, from the bytes alone. */
function isWhole(lines: readonly string[], from: string): boolean {
  let previous = from;
  return lines.every((line) => {
    const link = line.slice(-34, -2);
    const bare = `${line.slice(0, -'","link":"'.length - 33)}}`;
    const expected = revisionOf(Buffer.from(previous + bare));
    previous = link;
    return link === expected;
  });
}

function linesOf(folder: string, name = "journal"): string[] {
  return readFileSync(join(folder, name), "utf8").trimEnd().split("\n");
}

const linkOfHeader = (header = "") => String(JSON.parse(header).link);

describe("the chain of a journal", () => {
  it("any edit, removal or reorder of its lines is found", () => {
    const { folder, auxiliary } = openJournal();
    for (const name of ["one", "two"]) appendToJournal(auxiliary, [record(name)]);
    appendToJournal(auxiliary, [record("three"), record("four")]);
    const [header, ...lines] = linesOf(folder);
    const first = linkOfHeader(header);
    expect(first).toBe(revisionOf(Buffer.from(JSON.parse(header ?? "").journal)));
    expect(isWhole(lines, first)).toBe(true);
    for (const [index, line] of lines.entries()) {
      expect(isWhole(lines.with(index, line.replace("agent:x", "agent:y")), first)).toBe(false);
      expect(isWhole(lines.with(index, lines[(index + 1) % 4] ?? ""), first)).toBe(false);
      if (index < 3) expect(isWhole(lines.toSpliced(index, 1), first)).toBe(false);
    }
    auxiliary.close();
  });

  it("goes on over segments, and after history has taken them over", () => {
    const { folder, auxiliary } = openJournal();
    const long = { ...record("x"), reason: "r".repeat(300_000) };
    for (let index = 0; index < 5; index += 1) appendToJournal(auxiliary, [{ ...long, name: `n${index}` }]);
    expect(readdirSync(folder).sort()).toEqual(["journal", "journal-1"]);
    const [, ...old] = linesOf(folder, "journal-1");
    const [header, ...lines] = linesOf(folder);
    expect(linkOfHeader(header)).toBe(JSON.parse(old.at(-1) ?? "").link);
    expect(isWhole(lines, linkOfHeader(header))).toBe(true);
    const { end } = readJournal(auxiliary, undefined, 100) ?? {};
    if (end) dropJournal(auxiliary, end);
    appendToJournal(auxiliary, [record("later")]);
    expect(isWhole([...lines, ...linesOf(folder).slice(1)], linkOfHeader(header))).toBe(true);
    auxiliary.close();
  });

  it("KER-13 begins in a journal from before there were links, which is read as before", () => {
    const { folder, auxiliary } = openJournal();
    const header = { recollect: "journal", format: 1, journal: "an-old-one", segment: 1, previousEnd: 0 };
    const old = [header, record("one"), { ...record("two"), reason: ',"link":"' }].map((line) => JSON.stringify(line));
    writeFileSync(join(folder, "journal"), `${old.join("\n")}\n`);
    for (const name of ["three", "four"]) appendToJournal(auxiliary, [record(name)]);
    expect(readJournal(auxiliary, undefined, 10)?.records.map(({ name }) => name)).toEqual([
      "one",
      "two",
      "three",
      "four",
    ]);
    expect(isWhole(linesOf(folder).slice(3), "")).toBe(true);
    auxiliary.close();
  });

  it("KER-6b goes on from the last whole line where a power cut tore one", () => {
    const { folder, auxiliary } = openJournal();
    appendToJournal(auxiliary, [record("one")]);
    appendFileSync(join(folder, "journal"), '{"kind":"put","name":"to');
    appendToJournal(auxiliary, [record("two")]);
    const [header, one, , two] = linesOf(folder);
    expect(isWhole([one ?? "", two ?? ""], linkOfHeader(header))).toBe(true);
    auxiliary.close();
  });
});
