import { originOf } from "./archive-file.ts";
import { withoutSeparator } from "./join-entries.ts";
import type { RawEntry } from "./topic-file.ts";

/** Whether another entry says the same; a date that was left to the clock is not compared (TOP-3). */
export function sameAs(fresh: RawEntry, withDate: boolean): (entry: RawEntry) => boolean {
  const text = textOf(fresh);
  return (entry) => entry.title === fresh.title && (!withDate || entry.date === fresh.date) && textOf(entry) === text;
}

/** All that an entry says below its heading, but not where it came from. */
export function textOf(entry: RawEntry): string {
  const lines = entry.raw.replaceAll("\r\n", "\n").split("\n");
  const text = withoutSeparator(lines.slice(originOf(entry) === undefined ? 1 : 2).join("\n")).trimEnd();
  // Blank lines are no text, but an indented first line is code.
  return text.replace(/^(?:[ \t]*\n)+/, "");
}
