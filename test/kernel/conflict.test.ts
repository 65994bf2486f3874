import { describe, expect, it } from "vitest";
import { parseExpectation, revisionOf } from "../../src/app.ts";

const rev = revisionOf(Buffer.from("text"));

describe("KER-6 an expectation that comes as text", () => {
  it.each([
    [{}, {}],
    [{ ifRev: rev }, { ifRev: rev }],
    [{ ifRev: rev, mustNotExist: false }, { ifRev: rev }],
    [{ mustNotExist: true }, { mustNotExist: true }],
    [{ ifRev: undefined, mustNotExist: undefined }, {}],
  ])("KER-6 %j is %j", (given, expected) => {
    expect(parseExpectation(given)).toEqual(expected);
  });

  it.each([
    { ifRev: "" },
    { ifRev: "yesterday" },
    { ifRev: rev.toUpperCase() },
    { ifRev: `${rev}0` },
    { ifRev: rev, mustNotExist: true },
    { ifRev: "yesterday", mustNotExist: true },
  ])("KER-6 %j is refused", (given) => {
    expect(() => parseExpectation(given)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});
