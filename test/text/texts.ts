import fc from "fast-check";

/** Few lines, so that they come up again and again, and the line ends that there are. */
const line = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("a", "b", "c", "", "---", "## H", "x y", "```") },
  { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
);
const end = fc.oneof({ weight: 8, arbitrary: fc.constant("\n") }, { weight: 1, arbitrary: fc.constant("\r\n") });

export const text = fc.tuple(fc.array(fc.tuple(line, end), { maxLength: 14 }), fc.boolean()).map(([lines, isCut]) =>
  lines
    .map(([words, lineEnd]) => words + lineEnd)
    .join("")
    .slice(0, isCut ? -1 : undefined),
);

interface Edit {
  readonly kind: "insert" | "delete" | "replace";
  readonly at: number;
  readonly lines: readonly string[];
}

export const edit = fc.record({
  kind: fc.constantFrom<Edit["kind"]>("insert", "delete", "replace"),
  at: fc.nat({ max: 30 }),
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
});

/** A text with some of its lines changed. */
export function edited(before: string, edits: readonly Edit[]): string {
  const lines = before.split("\n");
  for (const { kind, at, lines: fresh } of edits) {
    const place = at % (lines.length + 1);
    lines.splice(place, kind === "insert" ? 0 : fresh.length, ...(kind === "delete" ? [] : fresh));
  }
  return lines.join("\n");
}

/** A base and two texts that come from it. */
export const threeTexts = fc
  .tuple(text, fc.array(edit, { maxLength: 4 }), fc.array(edit, { maxLength: 4 }))
  .map(([base, ours, theirs]) => ({ base, ours: edited(base, ours), theirs: edited(base, theirs) }));
