import { textOf } from "../../history/document-text.ts";
import { keepBoth } from "../../kernel/merge/keep-both.ts";
import { type DocumentMerge, mergeTextDocument } from "../../kernel/merge/merge-document.ts";
import { bytesOf } from "../../kernel/merge/tree.ts";
import { mergeIndexRows, mergeTopicDocument } from "../../notes/topics/merge-topics.ts";
import { indexPath } from "../../notes/topics/topic-paths.ts";

export interface FileMergeRequest {
  /** In the repository. */
  readonly path: string;
  /** Folders of topics in the repository; "" for all of it. */
  readonly topics: readonly string[];
  /** Empty where both sides made the file: git gives no other word for it. */
  readonly base: Uint8Array;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
}

export interface FileMerge {
  readonly content: Uint8Array;
  /** The other version, where both sides changed the same lines. */
  readonly beside?: Uint8Array | undefined;
  /** Titles of entries of which both versions are in it. */
  readonly doubled: readonly string[];
  /** The folder of topics whose entries are to be counted anew. */
  readonly uncounted?: string | undefined;
}

/** One file as git hands it to a merge driver. Pure, and never with a conflict marker of its own. */
export function mergeFile({ path, topics, base, ours, theirs }: FileMergeRequest): FileMerge {
  const [before, mine, other] = [base, ours, theirs].map(textOf);
  if (mine === undefined || other === undefined) {
    const both = keepBoth(ours, theirs);
    return { content: both.content, beside: both.beside, doubled: [] };
  }
  const folder = topicsOf(path, topics);
  const merged = mergeTexts(path, folder, before === "" ? undefined : before, mine, other);
  const beside = merged.kind === "conflict" ? bytesOf(merged.beside) : undefined;
  const isNew = merged.content !== mine && merged.content !== other;
  return {
    content: bytesOf(merged.content),
    beside,
    doubled: merged.doubled ?? [],
    ...(folder !== undefined && isNew ? { uncounted: folder } : {}),
  };
}

/** The innermost, as roots that overlap have it. */
function topicsOf(path: string, topics: readonly string[]): string | undefined {
  const around = topics.filter((one) => one === "" || path.startsWith(`${one}/`));
  return around.toSorted((one, two) => two.length - one.length)[0];
}

function mergeTexts(
  path: string,
  folder: string | undefined,
  base: string | undefined,
  ours: string,
  theirs: string,
): DocumentMerge {
  if (ours === theirs || theirs === base) return { kind: "merged", content: ours };
  if (ours === base) return { kind: "merged", content: theirs };
  if (folder === undefined) return mergeTextDocument(base, ours, theirs);
  const inTopics = folder === "" ? path : path.slice(folder.length + 1);
  if (inTopics === indexPath) return mergeIndexRows(base, ours, theirs);
  return mergeTopicDocument(inTopics, base, ours, theirs);
}
