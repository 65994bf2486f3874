import { withLineFeeds } from "../../text/split-lines.ts";
import { diffLines } from "./line-diff.ts";

/** What was typed, with the line ends of the text that it was made of: lines that are the same keep theirs (KER-11). */
export function withEndsOf(stored: string, typed: string): string {
  const plain = withLineFeeds(typed);
  if (!stored.includes("\r")) return plain;
  const ends = stored.match(/\r\n|\r|\n/g) ?? [];
  const [usual = "\n"] = [...new Set(ends)].sort((one, other) => countOf(ends, other) - countOf(ends, one));
  if (ends.every((end) => end === usual)) return plain.replaceAll("\n", usual);
  // Each line of the one side goes with its own end; what is new takes the usual one.
  let at = 0;
  const lines = diffLines(withLineFeeds(stored), plain).flatMap((hunk) => {
    if (hunk.kind === "differs") {
      at += hunk.left.length;
      return hunk.right.map((line) => [line, usual] as const);
    }
    return hunk.lines.map((line) => {
      at += 1;
      return [line, ends[at - 1] ?? usual] as const;
    });
  });
  let text = "";
  for (const [index, [line, end]] of lines.entries()) {
    // Right after each other these two would be one end, and an empty line would be gone.
    const apart = line === "" && end === "\n" && text.endsWith("\r") ? "\r" : end;
    text += index === lines.length - 1 ? line : line + apart;
  }
  return text;
}

function countOf(ends: readonly string[], wanted: string): number {
  return ends.filter((end) => end === wanted).length;
}
