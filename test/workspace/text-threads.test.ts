import { describe, expect, it, onTestFinished } from "vitest";
import { createGuard } from "../../src/guard/guard.ts";
import { sideBySide } from "../../src/history/merge/side-by-side.ts";
import { createTextThreads } from "../../src/workspace/text-threads.ts";
import { turnsDuring } from "../helpers/turns-during.ts";

function open() {
  const texts = createTextThreads();
  onTestFinished(() => texts.close());
  return texts;
}

/** Short lines in no order, of which both texts have all and which never meet. */
function lines(count: number, seed: number): string {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (state % 50).toString(36);
  };
  return Array.from({ length: count }, next).join("\n");
}

describe("WEB-1 work on long texts", () => {
  it("WEB-1 others have their turn while two texts are compared that differ everywhere, and no row is another", async () => {
    const [before, after] = [lines(20_000, 1), lines(20_000, 7)];
    const expected = sideBySide(before, after);
    const texts = open();
    const work = texts.compare(before, after, 500);
    expect(await turnsDuring(work)).toBeGreaterThan(10);
    expect(await work).toEqual({ rows: expected.slice(0, 500), more: expected.length - 500 });
  });

  it("GUARD-1 others have their turn while a long text is scanned, and nothing in it is passed over", async () => {
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const text = `${"word of a note\n".repeat(60_000)}${secret}\n`;
    const texts = open();
    const work = texts.scan(text, "standard");
    expect(await turnsDuring(work)).toBeGreaterThan(10);
    expect(await work).toEqual(createGuard({ policy: "standard", allowed: new Set() }).scan(text));
    expect(await work).toMatchObject([{ line: 60_001, column: 1 }]);
  });

  it("WEB-1 short texts are worked on at once, by the same rules", async () => {
    const texts = open();
    expect(await texts.compare("a\nb\n", "a\nc\n", 1)).toEqual({
      rows: sideBySide("a\nb\n", "a\nc\n").slice(0, 1),
      more: 1,
    });
    expect(await texts.scan("the master password", "strict")).toEqual(
      createGuard({ policy: "strict", allowed: new Set() }).scan("the master password"),
    );
  });

  it("WEB-1 many at once wait for each other, and each gets its own answer", async () => {
    const texts = open();
    const asked = Array.from({ length: 12 }, (_, at) => `${"same line\n".repeat(4000)}${at}\n`);
    const compared = await Promise.all(asked.map((text) => texts.compare(asked[0] ?? "", text, 10)));
    expect(compared.map(({ rows }) => rows.find(({ kind }) => kind === "changed")?.right?.text)).toEqual([
      undefined,
      ...asked.slice(1).map((_, at) => String(at + 1)),
    ]);
  });
});
