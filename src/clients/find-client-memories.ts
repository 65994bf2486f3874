import { closeSync, openSync, readdirSync, readSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { UserFolders } from "./client-places.ts";
import { codeOf } from "./config-file.ts";

/** What a client remembers of a project by itself. */
export interface ClientMemory {
  /** Whose it is, as people call it. */
  readonly title: string;
  readonly folder: string;
  readonly notes: number;
}

const beginningBytes = 16 * 1024;
const mostTranscripts = 20;

/**
 * The notes that Claude Code keeps on a repository, which are Markdown files below the user's folder of Claude Code.
 * Claude Code takes all worktrees of a repository for
 * one project, named by the folder of the main one.
 */
export function findClaudeMemory(mainWorktree: string, { home, env = {} }: UserFolders): ClientMemory | undefined {
  const moved = env["CLAUDE_CONFIG_DIR"];
  const projects = join(moved !== undefined && isAbsolute(moved) ? moved : join(home, ".claude"), "projects");
  for (const top of new Set([mainWorktree, realpathSync(mainWorktree)])) {
    // The client shortens longer names by a hash of its own.
    const slug = top.replaceAll(/[^A-Za-z0-9]/g, "-");
    if (slug.length > 200) continue;
    const folder = join(projects, slug, "memory");
    const notes = namesIn(folder).filter((name) => name.endsWith(".md") && name !== "MEMORY.md").length;
    if (notes > 0 && !isOfAnother(join(projects, slug), top)) return { title: "Claude Code", folder, notes };
  }
  return undefined;
}

/** `/a/b-c` and `/a/b/c` share a name there; the transcripts beside the notes say whose they are. */
function isOfAnother(folder: string, top: string): boolean {
  const transcripts = namesIn(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .slice(0, mostTranscripts);
  const places = transcripts.flatMap((name) => workingFolderIn(join(folder, name)) ?? []);
  return places.length > 0 && !places.some((place) => place === top || place.startsWith(`${top}/`));
}

function workingFolderIn(transcript: string): string | undefined {
  const descriptor = openSync(transcript, "r");
  try {
    const bytes = Buffer.alloc(beginningBytes);
    const text = bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, beginningBytes, 0));
    const found = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
    return found === undefined ? undefined : String(JSON.parse(found));
  } finally {
    closeSync(descriptor);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(codeOf(error))) return [];
    throw error;
  }
}
