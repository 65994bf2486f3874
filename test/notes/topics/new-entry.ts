import type { NewEntry } from "../../../src/notes/topics/topics.ts";

export function newEntry(title: string, more: Partial<NewEntry> = {}): NewEntry {
  const said = { context: "PRB-1", problem: "it broke", solution: "mend it" };
  return { topic: "auth", subtopic: "tokens", title, ...said, ...more };
}
