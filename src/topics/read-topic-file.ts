import { isExistingPath } from "../core/document-path.ts";
import type { Documents } from "../core/documents.ts";
import { type Excerpt, excerpt, type LineRange } from "../core/line-range.ts";
import type { Rev } from "../core/revision.ts";

export interface TopicFileRange extends LineRange {
  readonly maxChars?: number | undefined;
}

export interface ReadTopicFile extends Excerpt {
  readonly path: string;
  readonly rev: Rev;
}

const defaultReadChars = 150_000;

/** Whatever search finds in the folder of topics can be read on, also what people put there. */
export async function readTopicFile(
  path: string,
  { maxChars = defaultReadChars, ...range }: TopicFileRange,
  { documents, root }: { readonly documents: Documents; readonly root: string },
): Promise<ReadTopicFile | undefined> {
  if (!isExistingPath(path)) return undefined;
  const document = await documents.read({ root, path });
  return document && { path, rev: document.rev, ...excerpt(document.content, range, maxChars) };
}
