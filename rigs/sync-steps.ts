import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseTopicFile } from "../src/notes/topics/topic-file.ts";
import { type Clone, filesOf } from "./sync-clone.ts";

/** One thing that somebody does to a clone; `pick` chooses among what is there. */
export interface Step {
  readonly action: (typeof actions)[number] | "sync";
  readonly word: string;
  readonly pick: number;
}

export interface StepResult {
  /** Words that are in the memory now, and words that were taken out of it. */
  readonly added: readonly string[];
  readonly deleted: readonly string[];
}

/** What is done more often stands there more often. */
export const actions = [
  "store",
  "store",
  "store",
  "edit",
  "edit",
  "text",
  "rename",
  "prune",
  "remove-entry",
  "remove-document",
] as const;

const wordPattern = /w\d+w/g;

export function wordsOf(text: string): string[] {
  return text.match(wordPattern) ?? [];
}

/** By hand, as an editor does it, but for what topics do themselves. */
export async function perform(clone: Clone, { action, word, pick }: Step): Promise<StepResult> {
  const paths = Object.keys(filesOf(clone.folder)).filter((path) => /^topic-/.test(path) && !path.includes("conflict"));
  const path = paths[pick % Math.max(1, paths.length)];
  switch (action) {
    case "sync":
      await clone.sync.run();
      return { added: [], deleted: [] };
    case "store":
      await clone.topics.store({
        topic: `topic-${pick % 3}`,
        subtopic: `sub-${pick % 2}`,
        title: `Entry ${word}`,
        context: "c",
        problem: "p".repeat(pick % 90),
        solution: "s",
      });
      return { added: [word], deleted: [] };
    case "text": {
      const at = `topic-${pick % 3}/text-${pick % 4}.md`;
      const lines = existsSync(join(clone.folder, at)) ? clone.read(at).split("\n") : [];
      lines.splice(pick % (lines.length + 1), 0, `line ${word}`);
      clone.write(at, lines.join("\n"));
      return { added: [word], deleted: [] };
    }
    case "prune":
      await clone.topics.prune();
      return { added: [], deleted: [] };
    default:
      return path === undefined ? { added: [], deleted: [] } : change(clone, path, { action, word, pick });
  }
}

function change(clone: Clone, path: string, { action, word, pick }: Step): StepResult {
  const text = clone.read(path);
  if (action === "remove-document") {
    rmSync(join(clone.folder, path));
    return { added: [], deleted: wordsOf(text) };
  }
  if (action === "rename") {
    const to = path.replace(/[^/]+$/, `named-${pick % 50}.md`);
    if (!existsSync(join(clone.folder, to))) renameSync(join(clone.folder, path), join(clone.folder, to));
    return { added: [], deleted: [] };
  }
  if (action === "edit") {
    const lines = text.split("\n");
    const at = pick % lines.length;
    // Only where no heading or separator is made something else.
    if (/^(##|---)/.test(lines[at] ?? "") || lines[at] === "") return { added: [], deleted: [] };
    lines[at] = `${lines[at]} ${word}`;
    clone.write(path, lines.join("\n"));
    return { added: [word], deleted: [] };
  }
  const { entries } = parseTopicFile(text);
  const gone = entries[pick % Math.max(1, entries.length)];
  if (!gone) return { added: [], deleted: [] };
  clone.write(path, text.replace(gone.raw, ""));
  return { added: [], deleted: wordsOf(gone.raw) };
}
