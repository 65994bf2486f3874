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
  const places = findings.map(({ line, andAllAfter }) => ({
    from: line - 1,
    to: andAllAfter ? lines.length : endOfPassage(lines, line - 1),
  }));
  const masked = hideLines(text, places);
  return scan(masked).length === 0 ? masked : hideLines(text, [{ from: 0, to: lines.length }]);
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

/** Without these lines, counted from 0; `to` is the one after the last. */
export function hideLines(text: string, places: readonly { readonly from: number; readonly to: number }[]): string {
  if (places.length === 0) return text;
  const lines = text.split("\n");
  for (const { from, to } of places) for (let at = from; at < to; at += 1) lines[at] = hidden(lines[at] ?? "");
  return lines.join("\n");
}

function hidden(line: string): string {
  return maskCharacter.repeat(line.length);
}
