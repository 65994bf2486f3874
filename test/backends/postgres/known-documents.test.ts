import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKnownDocuments, largestKnownBytes } from "../../../src/backends/postgres/known-documents.ts";
import { revisionOf } from "../../../src/kernel/revision.ts";

function documentOf(bytes: number) {
  const content = Buffer.alloc(bytes, "x");
  return { bytes: content, rev: revisionOf(content), modified: 0 };
}

const named = (name: string, count: number) => Array.from({ length: count }, (_, number) => `${name} ${number}`);

describe("PG-1 known documents", () => {
  it("keep those that are seen again and again, however many are seen once", () => {
    const known = createKnownDocuments(1024 * 1024);
    const kept = named("kept", 100);
    for (const key of [...kept, ...kept]) known.set(key, documentOf(2048));
    for (const key of named("new", 10_000)) known.set(key, documentOf(2048));
    expect(kept.filter((key) => known.get(key))).toEqual(kept);
    expect(known.get("new 9999")).toBeDefined();
  });

  it("forget those too once others are seen again and again", () => {
    const known = createKnownDocuments(1024 * 1024);
    const [before, now] = [named("before", 1000), named("now", 1000)];
    for (const keys of [before, now]) {
      for (const key of keys) for (const _ of [1, 2]) known.set(key, documentOf(2048));
    }
    expect(before.filter((key) => known.get(key))).toEqual([]);
    expect(known.get("now 999")).toBeDefined();
  });

  it("are what was set last, or unknown, within their room", () => {
    const [mostBytes, largest] = [20_000, 6000];
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.option(fc.integer({ min: 0, max: largest }))));
    fc.assert(
      fc.property(steps, (all) => {
        const known = createKnownDocuments(mostBytes);
        const last = new Map<string, ReturnType<typeof documentOf> | undefined>();
        for (const [number, size] of all) {
          const document = size === null ? undefined : documentOf(size);
          known.set(String(number), document);
          last.set(String(number), document);
          // The newest is always there: otherwise who learns it would guess wrong again.
          expect(known.get(String(number))).toBe(document);
          const there = [...last.keys()].flatMap((key) => known.get(key) ?? []);
          for (const [key, set] of last) expect([undefined, set]).toContain(known.get(key));
          expect(there.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThanOrEqual(mostBytes);
        }
      }),
    );
  });

  it("are none that is too large, nor what was there before it", () => {
    const known = createKnownDocuments();
    known.set("a", documentOf(largestKnownBytes));
    expect(known.get("a")).toBeDefined();
    known.set("a", documentOf(largestKnownBytes + 1));
    expect(known.get("a")).toBeUndefined();
  });
});
