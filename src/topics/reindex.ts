import { RecollectError } from "../core/errors.ts";
import type { Change } from "../core/store.ts";
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
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const before = await documents.read(index);
    const { rows, leftOut } = await scanForIndex(documents, root);
    const result = await documents.commit(
      [index],
      (current): Change[] | "again" => {
        const now = current(index);
        if (now?.rev !== before?.rev) return "again";
        const content = renderIndex(now?.content, rows);
        return content === now?.content ? [] : [{ kind: "put", at: index, content }];
      },
      stamp,
    );
    if (result !== "again") return { topics: rows.length, changed: result.outcomes.length > 0, leftOut };
  }
  throw new RecollectError("BUSY", "Others store entries all the time. Try again.");
}
