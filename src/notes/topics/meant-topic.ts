import { parseRecordName } from "../../kernel/record-name.ts";
import { topicOfArchivePath } from "./topic-paths.ts";

/** What is meant by a topic as surfaces print it, with a subtopic or without. */
export interface MeantTopic {
  readonly topic: string;
  readonly subtopic: string | undefined;
  /** Of the one lesson that is meant. */
  readonly title: string | undefined;
  readonly isArchive: boolean;
}

/** `ci`, `ci/cache`, `memory/ci/cache.md`, `mem:ci/cache`, `ci/cache › Stale cache`, `archive/ci/2026`. */
export function meantTopic(given: string, subtopic: string | undefined, root: string): MeantTopic {
  if (typeof given !== "string") return { topic: given, subtopic, title: undefined, isArchive: false };
  const { name, titles } = parseRecordName(given);
  const plain = name.replace(/^mem:/, "");
  const path = plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain;
  const title = titles.at(-1);
  const archived = topicOfArchivePath(path.endsWith(".md") ? path : `${path}.md`);
  if (archived !== undefined) return { topic: archived, subtopic, title, isArchive: true };
  const parts = path.split("/");
  const [topic = "", last = ""] = parts;
  const own = last.replace(/\.md$/, "");
  const isBoth = parts.length === 2 && (subtopic === undefined || subtopic === own);
  return isBoth
    ? { topic, subtopic: own, title, isArchive: false }
    : { topic: path, subtopic, title, isArchive: false };
}
