import { diffLines } from "../../text/diff-lines.ts";

const begin = "<<<<<<< ours";
const middle = "=======";
const end = ">>>>>>> theirs";
const marker = /^(?:<{7}|>{7})(?:[ \t].*)?$/gm;

/** Both versions in one text, with markers around what differs: for an editor, never for a document. */
export function bothTexts(ours: string, theirs: string): string {
  const { before, after, hunks } = diffLines(ours, theirs);
  const parts: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    parts.push(...before.slice(at, hunk.before.from).map(ended), `${begin}\n`);
    parts.push(...before.slice(hunk.before.from, hunk.before.to).map(ended), `${middle}\n`);
    parts.push(...after.slice(hunk.after.from, hunk.after.to).map(ended), `${end}\n`);
    at = hunk.before.to;
  }
  return [...parts, ...before.slice(at)].join("");
}

/** Whether a text has markers that came with none of the versions: somebody has not decided yet. */
export function hasNewMarkers(text: string, versions: readonly string[]): boolean {
  const known = new Set(versions.flatMap((version) => version.match(marker) ?? []));
  return (text.match(marker) ?? []).some((line) => !known.has(line));
}

function ended(line: string): string {
  return line.endsWith("\n") ? line : `${line}\n`;
}
