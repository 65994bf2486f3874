import { isRecollectError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { findUntidy } from "../project-git/untidy-note.ts";
import type { Topics } from "../topics/topics.ts";
import { realPathOf } from "./real-path.ts";

/** Topics whose index is made anew with the first entry that is stored after git merged their files. */
export function tidyMerged(topics: Topics, folder: string, log: Log): Topics {
  async function tidy(): Promise<void> {
    try {
      const note = findUntidy(realPathOf(folder));
      if (!note) return;
      await topics.reindex();
      note.remove();
    } catch (error) {
      // The entry is stored, whatever becomes of the index.
      if (!isRecollectError(error) && !(error instanceof Error && "code" in error)) throw error;
      log("warning", "topics", { message: error.message });
    }
  }

  return {
    ...topics,
    store: async (entry) => {
      const stored = await topics.store(entry);
      await tidy();
      return stored;
    },
    reindex: async () => {
      const done = await topics.reindex();
      findUntidy(realPathOf(folder))?.remove();
      return done;
    },
  };
}
