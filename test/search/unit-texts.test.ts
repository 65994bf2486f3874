import fc from "fast-check";
import { expect, it } from "vitest";
import type { Source } from "../../src/core/source.ts";
import { createShownDocuments, type Inspect } from "../../src/search/shown-documents.ts";
import { createUnitTexts } from "../../src/search/unit-texts.ts";
import { splitDocument } from "../../src/search/units/split-document.ts";

const plain = (text: string) => ({ text, flagged: false });

const textsBy = (inspect: Inspect, stamp?: number) => createUnitTexts(createShownDocuments(inspect), () => stamp);

function sourceOf(documents: Readonly<Record<string, string>>) {
  const reads: string[] = [];
  const read = async (path: string) => {
    reads.push(path);
    const content = documents[path];
    return content === undefined ? undefined : { content, stamp: 1, modified: 0 };
  };
  return { reads, source: { read } as Source };
}

it("SRCH-5 lines are those of an editor, for any text", async () => {
  const line = fc.constantFrom("# A", "## B", "text", "", "  ", "```", "---", "title: x", "## 2026-01-01: Entry");
  const kind = fc.constantFrom("memory" as const, "topic" as const);
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 25 }), kind, async (lines, of) => {
      const content = lines.join("\n");
      const { source } = sourceOf({ "n.md": content });
      const texts = textsBy(plain);
      const sections = splitDocument({ path: "n.md", kind: of, content });
      for (const [ordinal, { start, end }] of sections.entries()) {
        const unit = await texts.unit({ source, kind: of, path: "n.md", ordinal });
        expect(unit?.text).toBe(content.slice(start, end));
        expect(unit?.lines.from).toBe(content.slice(0, start).split("\n").length);
        const { from = 0, to = 0 } = unit?.lines ?? {};
        expect(to).toBeGreaterThanOrEqual(from);
        // What is named holds all of the unit that is not blank.
        const named = lines.slice(from - 1, to).join("\n");
        expect(named).toContain(content.slice(start, end).trim().split("\n").at(-1) ?? "");
      }
      expect(await texts.unit({ source, kind: of, path: "n.md", ordinal: sections.length })).toBeUndefined();
    }),
  );
});

it("SRCH-5 a document is read once for one answer, and one that is gone has no units", async () => {
  const { source, reads } = sourceOf({ "n.md": "# A\n\nx\n\n## B\n\ny\n" });
  const texts = textsBy(plain);
  await Promise.all([0, 1, 0].map((ordinal) => texts.unit({ source, kind: "memory", path: "n.md", ordinal })));
  expect(reads).toEqual(["n.md"]);
  expect(await texts.unit({ source, kind: "memory", path: "gone.md", ordinal: 0 })).toBeUndefined();
});

it("GUARD-1 a unit's text and title are those of the text as it may be shown", async () => {
  const { source } = sourceOf({ "n.md": "# A secret\n\nsecret\n" });
  const texts = textsBy((text) => ({ text: text.replaceAll("secret", "░░░░░░"), flagged: true }));
  const unit = await texts.unit({ source, kind: "memory", path: "n.md", ordinal: 0 });
  expect(JSON.stringify(unit)).not.toContain("secret");
});

it("SRCH-5 a document is not read again while the index has it under the stamp that it was read with", async () => {
  const documents: Record<string, string> = { "n.md": "# A\n\nx\n" };
  const { source, reads } = sourceOf(documents);
  const shown = createShownDocuments(plain);
  const titleBy = async (stamp: number | undefined) =>
    (await createUnitTexts(shown, () => stamp).unit({ source, kind: "memory", path: "n.md", ordinal: 0 }))?.section
      .title;
  expect([await titleBy(1), await titleBy(1)]).toEqual(["A", "A"]);
  expect(reads).toHaveLength(1);
  documents["n.md"] = "# B\n\nx\n";
  // Another stamp, or none: something may have changed.
  expect([await titleBy(2), await titleBy(undefined)]).toEqual(["B", "B"]);
  expect(reads).toHaveLength(3);
});
