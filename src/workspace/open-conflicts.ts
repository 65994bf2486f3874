import type { Documents } from "../core/documents.ts";
import { isRecollectError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Stamp } from "../core/store.ts";
import { type Conflicts, createConflicts } from "../history/conflicts/conflicts.ts";
import { createNameOf } from "./document-names.ts";
import type { RootPlan } from "./mount-roots.ts";

/** Conflicts of everything that holds memory, also where it is read-only: the project's own files are git's business. */
export function openConflicts(options: {
  readonly plan: RootPlan;
  readonly documents: Documents;
  readonly stamp: Stamp;
  readonly reindexTopics: () => Promise<unknown>;
  readonly log: Log;
}): Conflicts {
  const { plan, documents, stamp, log } = options;
  return createConflicts({
    documents,
    roots: plan.folders.filter(({ plain }) => !plain).map(({ name }) => name),
    nameOf: createNameOf(plan),
    stamp,
    settled: async (root) => {
      if (root !== plan.topics) return;
      try {
        await options.reindexTopics();
      } catch (error) {
        // It is settled, whatever becomes of the index.
        if (!isRecollectError(error)) throw error;
        log("warning", "conflicts", { message: error.message });
      }
    },
  });
}
