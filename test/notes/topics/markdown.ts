import fc from "fast-check";

/** Lines that mean something to Markdown or to us, by themselves or together. */
const nastyLines: readonly string[] = [
  "",
  " ",
  "# Auth",
  "## Notes",
  "## 2026-11-15: A title",
  "## 2026-11-15 — Dash",
  "## 2026-11-14 - hyphen",
  "## 2026-11-13 Only a blank",
  "## 2026-11-12",
  "## 2026-11-12:",
  "##  2026-11-11:No blank:",
  "## 2026-13-01: no month",
  " ## 2026-11-15: indented",
  "### 2026-11-15: deeper",
  "\\## 2026-11-15: escaped",
  "\\\\## 2026-11-15: twice",
  "**Context:** PRB-1",
  "**Problem:**",
  "**Solution:**\tby a tab",
  "**Owner:** somebody",
  "**__proto__:** x",
  "**Archived from:** elsewhere",
  "\\**Context:** escaped",
  "**Code:** ```ts",
  "**Context:** **Problem:** ~~~",
  "---",
  "----- ",
  "===",
  "Setext",
  "```",
  "```ts",
  "````",
  "   ```",
  "    ```",
  "~~~",
  "~~~~ yaml",
  "  ~~~",
  "\\```",
  " \\~~~",
  "```inline```",
  "``` a`b",
  "<!-- comment",
  "-->",
  "<!-- ## 2026-11-15: in a comment -->",
  "> ## 2026-11-15: quoted",
  "- list",
  "text",
  "\u2028",
  "a\u2028b",
  "a\rb",
  "\uFEFF",
  "日本語 😀",
];

const line = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...nastyLines) }, { weight: 1, arbitrary: fc.string() });

/** A whole file, in any state that people and merges leave one in. */
export const markdown: fc.Arbitrary<string> = fc
  .record({
    mark: fc.constantFrom("", "", "\uFEFF"),
    front: fc.constantFrom("", "", "---\nsummary: x\n---\n"),
    lines: fc.array(fc.tuple(line, fc.constantFrom("\n", "\n", "\n", "\r\n")), { maxLength: 40 }),
    windows: fc.boolean(),
    last: fc.constantFrom("", "", "no newline at the end", "---", "```", "## 2020-01-01: last"),
  })
  .map(({ mark, front, lines, windows, last }) => {
    const text = mark + front + lines.map((parts) => parts.join("")).join("") + last;
    return windows ? text.replace(/\r?\n/g, "\r\n") : text;
  });

/** A text that somebody wants to be kept. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n")),
  fc.string({ unit: "grapheme" }),
);

const title: fc.Arbitrary<string> = fc
  .oneof(
    fc.constantFrom(
      "A title",
      "ends with a colon:",
      ":",
      ": x",
      "- dash",
      "— x",
      "a  b",
      "## x",
      "a\u2028b",
      "`c` [d](e)",
    ),
    fc.string({ unit: "grapheme" }),
  )
  .filter((one) => one.trim() !== "" && !/[\r\n]/.test(one));

const date: fc.Arbitrary<string> = fc
  .date({ min: new Date("2019-01-01T00:00:00Z"), max: new Date("2026-12-31T00:00:00Z"), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));

export const entry = fc.record({
  date,
  title,
  context: text,
  problem: text,
  solution: text,
  code: fc.oneof(fc.constant(undefined), text),
});
