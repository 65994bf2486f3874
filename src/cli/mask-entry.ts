import type { GuardFinding } from "../index.ts";

const leftOut = "(left out: the guard refused it)";
const heading = /^##[ \t]+[\d-]*/;
const label = /^\*\*[^*:\n]{1,40}:\*\*/;

/**
 * The text of an entry without what the guard refuses. A field goes as a whole: a key has many lines, and a finding
 * says only where it begins. Undefined where that is not enough.
 */
export function maskEntry(text: string, scan: (text: string) => readonly GuardFinding[]): string | undefined {
  const found = new Set(scan(text).map(({ line }) => line));
  if (found.size === 0) return text;
  const masked = partsOf(text).map((lines) => {
    const isRefused = lines.some(({ number }) => found.has(number));
    if (!isRefused) return lines.map(({ line }) => line).join("\n");
    const [first = ""] = lines.map(({ line }) => line);
    const name = (heading.exec(first) ?? label.exec(first))?.[0] ?? "";
    return `${name}${name.startsWith("#") ? ": " : " "}${leftOut}`.trim();
  });
  const rest = masked.join("\n");
  return scan(rest).length === 0 ? rest : undefined;
}

interface NumberedLine {
  readonly line: string;
  readonly number: number;
}

/** The heading, and each field: from its label to the next one. */
function partsOf(text: string): NumberedLine[][] {
  const parts: NumberedLine[][] = [[]];
  for (const [index, line] of text.split("\n").entries()) {
    if (index > 0 && (heading.test(line) || label.test(line))) parts.push([]);
    parts.at(-1)?.push({ line, number: index + 1 });
  }
  return parts;
}
