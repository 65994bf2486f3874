import { diffOf } from "../../text/diff-lines.ts";

/** A stretch of two texts: lines that both have, or what each has in this place. */
export type Hunk =
  | { readonly kind: "same"; readonly lines: readonly string[] }
  | { readonly kind: "differs"; readonly left: readonly string[]; readonly right: readonly string[] };

/** Two texts by lines, for a person who has to choose. The lines of all hunks, put together, are each text again. */
export function diffLines(left: string, right: string): Hunk[] {
  const { before, after, hunks } = diffOf(left.split("\n"), right.split("\n"));
  const shown: Hunk[] = [];
  let at = 0;
  const same = (to: number) => {
    if (to > at) shown.push({ kind: "same", lines: before.slice(at, to) });
  };
  for (const hunk of hunks) {
    same(hunk.before.from);
    shown.push({
      kind: "differs",
      left: before.slice(hunk.before.from, hunk.before.to),
      right: after.slice(hunk.after.from, hunk.after.to),
    });
    at = hunk.before.to;
  }
  same(before.length);
  return shown;
}

export type Choice = "left" | "right" | "both";

/** The text that choices make; where none was made, what `otherwise` says. */
export function chosenText(hunks: readonly Hunk[], choices: ReadonlyMap<number, Choice>, otherwise: Choice): string {
  return hunks
    .flatMap((hunk, index) => {
      if (hunk.kind === "same") return hunk.lines;
      const choice = choices.get(index) ?? otherwise;
      if (choice === "both") return [...hunk.left, ...hunk.right];
      return choice === "left" ? hunk.left : hunk.right;
    })
    .join("\n");
}
