import { describe, expect, it } from "vitest";
import { createGuard } from "../../src/guard/guard.ts";
import { made } from "../../src/guard/rules/made.ts";
import { openJudge } from "./judge.ts";

const guard = createGuard({ policy: "standard", allowed: new Set() });
const rulesOf = (text: string) => guard.scan(text).map(({ rule }) => rule);
const point = (...codes: readonly number[]) => String.fromCodePoint(...codes);

describe("GUARD-4: invisible characters", () => {
  it.each([
    ["tag characters", `hello${point(0xe0041, 0xe0042)}`],
    ["a tag flag that is none", `${point(0x1f3f4)}${point(0xe0069, 0xe0067, 0xe006e, 0xe006f, 0xe0072, 0xe007f)}`],
    ["zero width space", "in\u200bvisible"],
    ["word joiner", "in\u2060visible"],
    ["a BOM that does not lead", "in\ufeffvisible"],
    ["two BOMs", "\ufeff\ufefftext"],
    ["right-to-left override", "abc\u202efed"],
    ["isolates", "abc\u2066def\u2069"],
    ["a left-to-right mark", "abc\u200e"],
    ["a joiner between Latin letters", "to\u200dken"],
    ["a non-joiner between Latin letters", "to\u200cken"],
    ["a joiner at the end of a Persian word, before Latin", "می\u200cabc"],
    ["two non-joiners", "می\u200c\u200cخواهم"],
    ["a variation selector after a letter", "a\ufe0fb"],
    ["a selector from the supplement after a letter", `a${point(0xe0100)}`],
    ["a Hangul filler", "a\u3164b"],
    ["an invisible operator", "f\u2061(x)"],
    ["interlinear marks", "a\ufff9b\ufffb"],
    ["a soft hyphen beside a digit", "ab\u00ad12"],
  ])("refuses %s", (_, text) => {
    expect(rulesOf(text)).toContain("invisible-character");
  });

  it.each([
    ["emoji with a selector", "❤️ ☎︎ ✔️ ©️ ⚠️"],
    ["keycaps", "1️⃣ #️⃣"],
    ["families and professions", "👩‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 ❤️‍🔥 🧑🏻‍❤️‍🧑🏿"],
    ["the flags of England, Scotland and Wales", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿"],
    ["a leading BOM", "\ufeff# Title\n"],
    ["Persian", "می\u200cخواهم کتاب\u200cها را"],
    ["an Arabic abbreviation", "١٤٤٥ ه\u200d"],
    ["Hindi", "क्\u200dष रा\u200dज न्\u200cयूज़"],
    ["Malayalam", "അവന്\u200d പറഞ്ഞു"],
    ["Sinhala", "ශ්\u200dරී ලංකා"],
    ["variants of ideographs", `葛${point(0xe0100)}城`],
    ["a soft hyphen within a word", "Donau\u00addampf\u00adschiff"],
  ])("passes %s", (_, text) => {
    expect(guard.scan(text)).toEqual([]);
  });

  it("is not fooled: a token split by one is refused for it, and found all the same", () => {
    const token = `${"gh"}p_${made(36)}`;
    for (const character of ["\u200b", "\u00ad", "\u2060", "\0", "\b", point(0xe0041)]) {
      const found = rulesOf(`use ${token.slice(0, 9)}${character}${token.slice(9)} here`);
      expect(found).toContain("github-token");
    }
    expect(rulesOf(`${token.slice(0, 9)}\u200b${token.slice(9)}`)).toContain("invisible-character");
  });

  it("says where it stands, after other invisible ones as well", () => {
    const [finding] = guard.scan(`ab\u00adcd\nx ${"gh"}p_${made(36)}`);
    expect(finding).toMatchObject({ rule: "github-token", line: 2, column: 3 });
  });

  it("does not let an old one excuse a new one elsewhere", async () => {
    const change = { name: "a.md", nameBefore: "a.md", before: "old \u200b here", after: "old here, new \u200b there" };
    const judge = await openJudge({ policy: "standard", allowed: new Set() });
    expect(judge(change)).toHaveLength(1);
  });
});
