import type { ExistingPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError, type RecollectError } from "../../kernel/errors.ts";
import { readAhead } from "../../kernel/read-ahead.ts";
import { type IndexRow, renderIndex } from "./index-file.ts";
import { parseTopicFile, type RawEntry } from "./topic-file.ts";
import { indexPath, nameOfTopicPath, type TopicName, topicPath } from "./topic-paths.ts";

/** The names of all subtopics, or of those of one topic, from the names of files. */
export async function listTopicNames(documents: Documents, root: string, topic?: string): Promise<TopicName[]> {
  const names: TopicName[] = [];
  const folder = topic === undefined ? {} : { folder: topic as ExistingPath };
  for (let after: string | undefined; ; ) {
    const page = await documents.list({ root, ...folder, ...(after === undefined ? {} : { after }) });
    names.push(
      ...page.entries.flatMap(({ path, remark }) => (remark === undefined ? (nameOfTopicPath(path) ?? []) : [])),
    );
    if (page.next === undefined) return names;
    after = page.next;
  }
}

/** What there is, from the files themselves. A file without entries, or that is no text, has no row. */
export async function scanTopics(documents: Documents, root: string): Promise<IndexRow[]> {
  const rows: IndexRow[] = [];
  const names = await listTopicNames(documents, root);
  for await (const [name, entries = []] of readAhead(names, (one) => readEntries(documents, root, topicPath(one)))) {
    const [newest] = entries;
    if (newest) rows.push({ ...name, entries: entries.length, newest: newest.date });
  }
  return rows;
}

/** What the index should say, and how many rows it must not hold. */
export async function scanForIndex(
  documents: Documents,
  root: string,
): Promise<{ readonly rows: readonly IndexRow[]; readonly leftOut: number }> {
  const found = await scanTopics(documents, root);
  if (await mayBeIndexed(documents, root, found)) return { rows: found, leftOut: 0 };
  const rows: IndexRow[] = [];
  for (const row of found) if (await mayBeIndexed(documents, root, [row])) rows.push(row);
  return { rows, leftOut: found.length - rows.length };
}

/** A topic made by hand may have a secret for its name. Left out, it blocks the stores of no other (GUARD-1). */
export function mayBeIndexed(documents: Documents, root: string, rows: readonly IndexRow[]): Promise<boolean> {
  return documents.accepts({ root, path: indexPath }, renderIndex("", rows));
}

const unreadable: readonly string[] = ["NOT_UTF8", "NOT_A_DOCUMENT", "TOO_LARGE", "PERMISSION_DENIED"];

/** The entries of a file; undefined where it cannot be read, which breaks nothing else (KER-11). */
export async function readEntries(
  documents: Documents,
  root: string,
  path: ExistingPath,
): Promise<readonly RawEntry[] | undefined> {
  try {
    return parseTopicFile((await documents.read({ root, path }))?.content ?? "").entries;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/** Whether it says that one file cannot be read, and not that nothing can. */
export function isUnreadable(error: unknown): error is RecollectError {
  return isRecollectError(error) && unreadable.includes(error.code);
}
