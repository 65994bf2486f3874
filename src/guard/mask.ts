import type { Finding } from "./finding.ts";

/** Stands for each character that is not shown. No word, so nothing finds it, and as long as what it hides. */
export const maskCharacter = "░";

const endOfKey = /^\s*-----END /;

/**
 * The text as it may be indexed and shown: what the guard found is hidden, from the line where it begins to the end of
 * its paragraph, or of its key. Offsets and lines stay. Where the guard still finds something, nothing is shown.
 */
export function maskFindings(text: string, findings: readonly Finding[], scan: (text: string) => Finding[]): string {
  if (findings.length === 0) return text;
  const lines = text.split("\n");
  for (const { line, andAllAfter } of findings) {
    const last = andAllAfter ? lines.length : endOfPassage(lines, line - 1);
    for (let at = line - 1; at < last; at += 1) lines[at] = hidden(lines[at] ?? "");
  }
  const masked = lines.join("\n");
  return scan(masked).length === 0 ? masked : text.split("\n").map(hidden).join("\n");
}

/** The line after the last one that belongs to what begins in this line. */
function endOfPassage(lines: readonly string[], first: number): number {
  if ((lines[first] ?? "").includes("-----BEGIN ")) {
    const end = lines.findIndex((line, at) => at >= first && endOfKey.test(line));
    return end < 0 ? lines.length : end + 1;
  }
  const blank = lines.findIndex((line, at) => at > first && line.trim() === "");
  return blank < 0 ? lines.length : blank;
}

function hidden(line: string): string {
  return maskCharacter.repeat(line.length);
}
