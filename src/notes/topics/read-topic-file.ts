import type { Documents } from "../../kernel/documents.ts";
import { type Excerpt, excerpt, type LineRange } from "../../kernel/line-range.ts";
import type { Rev } from "../../kernel/revision.ts";
import { indexPath, isShownPath } from "./topic-paths.ts";

export interface TopicFileRange extends LineRange {
  readonly maxChars?: number | undefined;
}

export interface ReadTopicFile extends Excerpt {
  readonly path: string;
  readonly rev: Rev;
}

const defaultReadChars = 150_000;

/**
 * Whatever search finds in the folder of topics can be read on, also what people put there, and nothing else: people
 * keep a `.env` in such a folder, too, and a file may have a secret for its name.
 */
export async function readTopicFile(
  path: string,
  { maxChars = defaultReadChars, ...range }: TopicFileRange,
  { documents, root }: { readonly documents: Documents; readonly root: string },
): Promise<ReadTopicFile | undefined> {
  if (!isShownPath(path)) return undefined;
  const at = documents.resolve({ root, path });
  if (at.root !== root) return undefined;
  if (!(await documents.accepts({ root, path: indexPath }, path))) return undefined;
  const document = await documents.read(at);
  return document && { path, rev: document.rev, ...excerpt(document.content, range, maxChars) };
}
