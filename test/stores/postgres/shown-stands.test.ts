import { describe, expect, it } from "vitest";
import { createShownStands } from "../../../src/stores/postgres/shown-stands.ts";

/** What a place answers that has so many changes of a space. */
const stand = (space: string, change: number) => ({
  spaces: [space],
  rows: [{ space, last_change: String(change), purges: "0" }],
});

describe("PG-2 how far each space was in what was shown of it", () => {
  it("is kept of those that were shown last, and of the others nothing but the primary is trusted", () => {
    const stands = createShownStands(2);
    expect(stands.isBehind(stand("c", 1))).toBe(false);
    for (const space of ["a", "b", "a", "c"]) stands.shown(stand(space, 5), stands.moment());
    expect(stands.isBehind(stand("a", 5))).toBe(false);
    expect(stands.isBehind(stand("a", 4))).toBe(true);
    expect(stands.isBehind(stand("c", 5))).toBe(false);
    expect([4, 5, 6].map((change) => stands.isBehind(stand("b", change)))).toEqual([true, true, true]);
    stands.shown(stand("b", 5), stands.moment());
    expect([4, 5].map((change) => stands.isBehind(stand("b", change)))).toEqual([true, false]);
  });

  it("is not taken from an answer that is older than what was forgotten", () => {
    const stands = createShownStands(1);
    const late = stands.moment();
    stands.shown(stand("a", 5), stands.moment());
    stands.shown(stand("b", 5), stands.moment());
    stands.shown(stand("a", 4), late);
    expect(stands.isBehind(stand("a", 4))).toBe(true);
  });
});
