import fc from "fast-check";
import { expect, it } from "vitest";
import type { FoundUnit } from "../../src/search/find-units.ts";
import { rankFound } from "../../src/search/rank-found.ts";
import type { DocumentKind } from "../../src/search/unit.ts";

const now = Date.parse("2026-11-15");

/** By text and meaning, best first, as they are found; some behind all others. */
const found = fc
  .array(fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), day: fc.integer({ min: 0, max: 400 }) }))
  .chain((units) => fc.record({ units: fc.constant(units), behind: fc.integer({ min: 0, max: 10 }) }))
  .map(({ units, behind }) => {
    const sorted = units.toSorted((a, b) => b.share - a.share);
    const all = sorted.map(({ share, day }, at): FoundUnit => foundUnit(at, share, day, at >= sorted.length - behind));
    return { units: all, total: all.length, terms: [], warnings: [] };
  });

function foundUnit(at: number, share: number, daysAgo: number, isBehind: boolean): FoundUnit {
  const hit = {
    index: 0,
    path: `note-${at}.md`,
    ordinal: 0,
    score: share,
    date: new Date(now - daysAgo * 86_400_000).toISOString().slice(0, 10),
    modified: 0,
    kind: "memory" as DocumentKind,
    flagged: false,
    shownAt: at,
    terms: undefined,
  };
  const [text, meaning] = isBehind ? [0, 0] : [share * 0.6, share * 0.4];
  return { hit, text, meaning, isBehind };
}

const weights = { recency: 0.05, recencyHalfLifeDays: 90, context: 0.1 };

function ranked(units: Parameters<typeof rankFound>[0], from: number, count: number, files: readonly string[]) {
  return rankFound(
    units,
    { from, count },
    {
      phrases: [],
      excluded: [],
      context: { files },
      weights,
      now,
      toDate: () => "2026-11-15",
      read: (some) =>
        some.map(({ hit }) => ({ title: hit.path, breadcrumb: [], lines: { from: 1, to: 1 }, text: hit.path })),
    },
  ).units.map(({ hit, score, shown }) => ({ path: hit.path, score, title: shown.title }));
}

it("SRCH-1 a page shows what stands there in the order of all that was found", () => {
  const page = fc.record({ from: fc.integer({ min: 0, max: 30 }), count: fc.integer({ min: 1, max: 30 }) });
  fc.assert(
    fc.property(found, page, fc.boolean(), (all, { from, count }, hasContext) => {
      const files = hasContext ? ["note-3.md", "note-7.md"] : [];
      const whole = ranked(all, 0, Math.max(1, all.units.length), files);
      expect(ranked(all, from, count, files)).toEqual(whole.slice(from, from + count));
      for (const { path, title } of whole) expect(title).toBe(path);
    }),
  );
});
