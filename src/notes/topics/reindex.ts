import { RecollectError } from "../../kernel/errors.ts";
import type { Change, Current } from "../../kernel/store.ts";
import { isTooLarge, whyUnreadable, withRemedy } from "./broken-files.ts";
import type { TopicContext } from "./change-topic.ts";
import { renderIndex } from "./index-file.ts";
import { scanForIndex } from "./scan-topics.ts";
import { indexPath } from "./topic-paths.ts";

const maxAttempts = 20;

export interface Reindexed {
  readonly topics: number;
  readonly changed: boolean;
  /** How many are not listed, since the guard refuses their names. */
  readonly leftOut: number;
}

/**
 * Rebuilds the index from the files (TOP-5). They are looked at without locks, so it begins again where the
 * index was changed in the meantime: whoever stores an entry writes the index with it.
 */
export async function reindex(context: TopicContext): Promise<Reindexed> {
  const { documents, root, stamp } = context;
  const index = { root, path: indexPath };
  const why = await whyUnreadable(documents, index);
  if (why) throw why;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const before = await documents.read(index);
    const { rows, leftOut } = await scanForIndex(documents, root);
    // Where there are no topics, there is nothing to list.
    if (!before && rows.length === 0) return { topics: 0, changed: false, leftOut };
    let content = "";
    const plan = (current: Current): Change[] | "again" => {
      const now = current(index);
      if (now?.rev !== before?.rev) return "again";
      content = renderIndex(now?.content, rows);
      return content === now?.content ? [] : [{ kind: "put", at: index, content }];
    };
    try {
      const result = await documents.commit([index], plan, stamp);
      if (result !== "again") return { topics: rows.length, changed: result.outcomes.length > 0, leftOut };
    } catch (error) {
      throw isTooLarge(error, content) ? withRemedy(error) : error;
    }
  }
  throw new RecollectError("BUSY", "Others store entries all the time. Try again.");
}
