import { whyUnreadable } from "./broken-files.ts";
import type { TopicContext } from "./change-topic.ts";
import { renderIndex } from "./index-file.ts";
import { listPlacedEntries } from "./move-entries.ts";
import { scanForIndex } from "./scan-topics.ts";
import { indexPath } from "./topic-paths.ts";

/** What is wrong with a file of the topics, though entries can be stored all the same. */
export interface TopicProblem {
  readonly path: string;
  readonly says: string;
  readonly remedy?: string;
  /** It is made from the other files, and was not made anew since they changed. */
  readonly isOutdated?: boolean;
}

/** Files that cannot be read, and an index that does not say what there is. */
export async function checkTopics(context: TopicContext): Promise<TopicProblem[]> {
  const { unreadable } = await listPlacedEntries(context);
  return [
    ...(await indexProblems(context)),
    ...unreadable.map((path) => ({ path, says: "cannot be read, so its entries are left out", remedy: toText })),
  ];
}

const toText = "Make it UTF-8 text of less than the limit again, or move it away.";

async function indexProblems({ documents, root }: TopicContext): Promise<TopicProblem[]> {
  const index = { root, path: indexPath };
  const why = await whyUnreadable(documents, index);
  if (why) return [{ path: indexPath, says: `is not updated any more. ${why.message}` }];
  const text = (await documents.read(index))?.content;
  const { rows } = await scanForIndex(documents, root);
  if (text === undefined && rows.length === 0) return [];
  if (text === renderIndex(text, rows)) return [];
  return [
    { path: indexPath, says: "does not say what there is", remedy: "recollect topics reindex", isOutdated: true },
  ];
}
