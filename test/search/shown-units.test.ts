import fc from "fast-check";
import { expect, it } from "vitest";
import { shownUnits } from "../../src/search/shown-units.ts";
import { splitDocument } from "../../src/search/units/split-document.ts";

it("SRCH-5 lines are those of an editor, for any text", () => {
  const line = fc.constantFrom("# A", "## B", "text", "", "  ", "```", "---", "title: x", "## 2026-01-01: Entry");
  const kind = fc.constantFrom("memory" as const, "topic" as const);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 25 }), kind, (lines, of) => {
      const content = lines.join("\n");
      const sections = splitDocument({ path: "n.md", kind: of, content });
      const units = shownUnits(content, sections);
      expect(units).toHaveLength(sections.length);
      for (const [ordinal, { start, end, title, breadcrumb }] of sections.entries()) {
        const unit = units[ordinal];
        expect(unit).toMatchObject({ title, breadcrumb, text: content.slice(start, end) });
        expect(unit?.lines.from).toBe(content.slice(0, start).split("\n").length);
        const { from = 0, to = 0 } = unit?.lines ?? {};
        expect(to).toBeGreaterThanOrEqual(from);
        // What is named holds all of the unit that is not blank.
        const named = lines.slice(from - 1, to).join("\n");
        expect(named).toContain(content.slice(start, end).trim().split("\n").at(-1) ?? "");
      }
    }),
  );
});
