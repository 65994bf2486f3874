import { createHash } from "node:crypto";
import type { NewEntry } from "../../../src/notes/topics/topics.ts";

/** An entry that is the same in every attempt: of any size, in one of three subtopics, every other one dated. */
export function workEntry(label: string, index: number): NewEntry {
  const random = createHash("sha256").update(`${label} ${index}`).digest();
  const [which = 0, size = 0, year = 0, isDated = 0, isLarge = 0] = random;
  return {
    topic: "auth",
    subtopic: ["tokens", "sessions", "keys"][which % 3] ?? "",
    title: `${label}-${index}`,
    context: `PRB-${index}`,
    problem: "## 2020-01-01: looks like an entry\n---",
    solution: "x".repeat(isLarge < 16 ? size * 20 : size),
    ...(isDated % 2 === 0 ? {} : { date: `${2023 + (year % 4)}-0${1 + (size % 9)}-15` }),
  };
}
