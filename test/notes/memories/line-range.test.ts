import fc from "fast-check";
import { expect, it } from "vitest";
import { excerpt } from "../../../src/kernel/line-range.ts";

const text = "zero\none\ntwo\n";
const all = 1000;

it("MEM-15 lines are counted from 0, and both ends are included", () => {
  expect(excerpt(text, { startLine: 1, endLine: 1 }, all)).toEqual({
    content: "one\n",
    part: { from: 1, to: 1, of: 3 },
  });
  expect(excerpt(text, { startLine: 0, endLine: 1 }, all)).toEqual({
    content: "zero\none\n",
    part: { from: 0, to: 1, of: 3 },
  });
  expect(excerpt(text, { startLine: 2 }, all)).toEqual({ content: "two\n", part: { from: 2, to: 2, of: 3 } });
  expect(excerpt(text, { endLine: 0 }, all)).toEqual({ content: "zero\n", part: { from: 0, to: 0, of: 3 } });
});

it("MEM-15 what covers the whole text is the whole text", () => {
  for (const range of [{}, { startLine: 0 }, { startLine: 0, endLine: 2 }, { endLine: 99 }]) {
    expect(excerpt(text, range, all)).toEqual({ content: text });
  }
});

it("MEM-15 keeps CRLF, and takes a last line without a line break for one", () => {
  expect(excerpt("a\r\nb\r\nc", { startLine: 1 }, all)).toEqual({ content: "b\r\nc", part: { from: 1, to: 2, of: 3 } });
  expect(excerpt("a\r\nb\r\nc", { startLine: 2, endLine: 2 }, all).content).toBe("c");
});

it("MEM-15 an empty text has nothing to show from line 0, and nothing behind it", () => {
  expect(excerpt("", {}, all)).toEqual({ content: "" });
  expect(excerpt("", { startLine: 0, endLine: 5 }, all)).toEqual({ content: "" });
  expect(() => excerpt("", { startLine: 3 }, all)).toThrow("The text is empty");
});

it("MEM-15 an end beyond the last line is the last line, a beginning beyond it is an error that says so", () => {
  expect(excerpt(text, { startLine: 1, endLine: 50 }, all).part).toEqual({ from: 1, to: 2, of: 3 });
  expect(() => excerpt(text, { startLine: 3 }, all)).toThrow("The last line is 2, counted from 0");
  expect(() => excerpt(text, { startLine: 50, endLine: 60 }, all)).toThrow(/Begin before line 50/);
});

it("MEM-15 shows as many whole lines as fit, and of a line that does not fit the beginning", () => {
  expect(excerpt(text, {}, 10)).toEqual({ content: "zero\none\n", part: { from: 0, to: 1, of: 3 } });
  expect(excerpt(text, { startLine: 1 }, 4)).toEqual({ content: "one\n", part: { from: 1, to: 1, of: 3 } });
  expect(excerpt("abcdefgh", {}, 4)).toEqual({ content: "abc…", part: { from: 0, to: 0, of: 1 } });
  expect(excerpt("😀😀😀", {}, 4)).toEqual({ content: "😀…", part: { from: 0, to: 0, of: 1 } });
});

it.each([[{ startLine: -1 }], [{ startLine: 1.5 }], [{ endLine: Number.NaN }], [{ startLine: 2, endLine: 1 }]])(
  "MEM-15 refuses %j",
  (range) => {
    expect(() => excerpt(text, range, all)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  },
);

it("MEM-15 parts that follow each other give the text again, whatever the limit", () => {
  const lines = fc.array(fc.string({ maxLength: 20 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(lines, fc.integer({ min: 21, max: 60 }), fc.boolean(), (given, limit, ends) => {
      const whole = given.join("\n") + (ends ? "\n" : "");
      let collected = "";
      for (let startLine = 0; ; ) {
        const { content, part } = excerpt(whole, { startLine }, limit);
        collected += content;
        expect(content.length).toBeLessThanOrEqual(limit);
        if (!part || part.to + 1 === part.of) break;
        startLine = part.to + 1;
      }
      expect(collected).toBe(whole);
    }),
  );
});
