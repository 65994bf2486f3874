import { isUtf8 } from "node:buffer";
import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { attempt } from "../kernel/attempt.ts";
import { hasIndexMarker } from "../notes/topics/index-file.ts";
import { parseTopicFile } from "../notes/topics/topic-file.ts";
import { indexPath, nameOfTopicPath, topicOfArchivePath } from "../notes/topics/topic-paths.ts";
import type { ResolvedSettings } from "../settings/resolve-settings.ts";

/** Enough files to know what a folder is for. */
const mostFiles = 100;

/**
 * The first file by which a folder called `memory` is something else than our topics: an allocator's sources, say, or
 * another tool's notes (ONE-5). Undefined where the folder is missing, empty, has our index, or holds topic files only,
 * and where the user chose it.
 */
export function findForeignFile({ values, origins }: Pick<ResolvedSettings, "values" | "origins">): string | undefined {
  const { folder } = values.memory_path;
  return folder === undefined || origins.memory_path.source !== "default" ? undefined : firstForeign(folder);
}

function firstForeign(folder: string): string | undefined {
  const index = textOf(join(folder, indexPath)) ?? "";
  if (hasIndexMarker(index)) return undefined;
  let seen = 0;
  for (const path of filesBelow(folder)) {
    const name = relative(folder, path).replaceAll("\\", "/");
    // A person may have written an index of topics.
    if (name === indexPath) continue;
    if (!isTopicFile(name, path)) return name;
    seen += 1;
    if (seen === mostFiles) break;
  }
  return seen === 0 && index.trim() !== "" ? indexPath : undefined;
}

function isTopicFile(name: string, path: string): boolean {
  if (nameOfTopicPath(name) === undefined && topicOfArchivePath(name) === undefined) return false;
  const text = textOf(path);
  return text === undefined || text.trim() === "" || parseTopicFile(text).entries.length > 0;
}

/** Hidden files say nothing: editors, git and Recollect leave them everywhere. */
function* filesBelow(folder: string): Generator<string> {
  const entries = entriesOf(folder).filter(({ name }) => !name.startsWith("."));
  for (const entry of entries) if (entry.isFile()) yield join(folder, entry.name);
  for (const entry of entries) if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name));
}

/** What cannot be read is no evidence; the store says why when it is opened. */
function entriesOf(folder: string): Dirent[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}

/** What is not UTF-8 is no evidence either. */
function textOf(path: string): string | undefined {
  const bytes = attempt(() => readFileSync(path));
  return bytes && isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}
