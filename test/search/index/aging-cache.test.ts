import fc from "fast-check";
import { expect, it } from "vitest";
import { createAgingCache } from "../../../src/search/index/aging-cache.ts";

it("SRCH-3 a cache gives each key its own value, whatever was forgotten, and makes what is missing at once, ascending", () => {
  const keys = fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { maxLength: 20 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5000 }), fc.array(keys), (maxBytes, rounds) => {
      const cache = createAgingCache<string>(maxBytes, (value) => value.length);
      for (const round of rounds) {
        let calls = 0;
        const values = cache.getAll(round, (missing) => {
          calls += 1;
          expect(missing).toEqual(missing.toSorted((a, b) => a - b));
          return missing.map((key) => `value ${key}`);
        });
        expect(calls).toBeLessThanOrEqual(1);
        expect(values).toEqual(round.map((key) => `value ${key}`));
        for (const key of round) expect(cache.get(key, () => `value ${key}`)).toBe(`value ${key}`);
      }
    }),
  );
});
