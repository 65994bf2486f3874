import fc from "fast-check";
import { expect, test } from "vitest";
import { createByteWriter, writtenBytes } from "../../../src/search/index/byte-writer.ts";
import {
  accumulate,
  copyRenumbered,
  copyUnits,
  impactIn,
  packPosting,
  readPostings,
  writePostings,
} from "../../../src/search/index/posting-list.ts";

const gaps = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 900 }));
const postings = fc
  .array(fc.tuple(gaps, fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 600, size: "max" })
  .map((pairs) => {
    let unit = -1;
    return pairs.map(([gap, impact]) => {
      unit += gap;
      return { unit, impact };
    });
  })
  .filter((list) => (list.at(-1)?.unit ?? 0) < 2 ** 24);

test("SRCH-2 a list of postings gives back each unit and its impact, and no other", () => {
  fc.assert(
    fc.property(postings, fc.array(fc.nat({ max: 9000 })), (list, others) => {
      const writer = createByteWriter(16);
      writePostings(
        writer,
        Uint32Array.from(list, ({ unit, impact }) => packPosting(unit, impact)),
        0,
        list.length,
      );
      const bytes = writtenBytes(writer);
      const read = readPostings(bytes, 0, bytes.length);
      expect(read.count).toBe(list.length);
      const units = new Uint32Array(list.length);
      expect(copyUnits(read, units)).toBe(list.length);
      expect([...units]).toEqual(list.map(({ unit }) => unit));
      const impacts = new Map(list.map(({ unit, impact }) => [unit, impact]));
      const asked = [...impacts.keys(), ...others];
      expect(asked.map((unit) => impactIn(read, unit))).toEqual(asked.map((unit) => impacts.get(unit) ?? 0));
      const last = (list.at(-1)?.unit ?? 0) + 1;
      const sums = new Int32Array(last);
      accumulate(read, 3, sums);
      expect(list.map(({ unit }) => sums[unit])).toEqual(list.map(({ impact }) => 3 * impact));
      expect(sums.filter((sum) => sum > 0).length).toBe(list.length);
      const renumber = Int32Array.from({ length: last }, (_, unit) => (unit % 2 === 0 ? unit / 2 : -1));
      const packed = new Uint32Array(list.length);
      const end = copyRenumbered(read, renumber, packed, 0);
      const even = list.filter(({ unit }) => unit % 2 === 0);
      expect([...packed.subarray(0, end)]).toEqual(even.map(({ unit, impact }) => packPosting(unit / 2, impact)));
    }),
    { numRuns: 60 },
  );
});
