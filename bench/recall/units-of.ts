import type { Place, RecallDocument } from "./data.ts";

/** What is found or not: a turn, or a whole function. */
interface Unit extends Place {
  readonly text: string;
}

export function unitsOf({ path, content }: RecallDocument): Unit[] {
  if (isCode(content)) return [{ path, line: 1, text: content }];
  const lines = content.split("\n");
  const starts = lines.flatMap((line, index) => (line.startsWith("## ") ? [index] : []));
  return starts.map((start, at) => ({ path, line: start + 1, text: lines.slice(start, starts[at + 1]).join("\n") }));
}

/** In code, what looks like a heading is a comment. */
export function isCode(content: string): boolean {
  return content.startsWith("```");
}
