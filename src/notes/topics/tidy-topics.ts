import { isRecollectError } from "../../kernel/errors.ts";
import { nameOfTopicPath } from "./topic-paths.ts";
import type { Topics } from "./topics.ts";

/** After a merge: prunes what is over the limits now, and makes the index anew (TOP-4, TOP-5). */
export async function tidyTopics(
  topics: Pick<Topics, "prune" | "reindex" | "list">,
  toPrune: readonly string[],
): Promise<void> {
  for (const path of toPrune) {
    const name = nameOfTopicPath(path);
    if (name) await unlessRefused(() => topics.prune(name));
  }
  await unlessRefused(() => topics.reindex());
}

/** What the guard, a limit or a broken file refuses stays as it is; the merge is done all the same. */
async function unlessRefused(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isRecollectError(error) || ["DISK_FULL", "STORAGE_FAILED", "RECOVERY_NEEDED", "BUSY"].includes(error.code))
      throw error;
  }
}
