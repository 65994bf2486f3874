import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { TreeConflict } from "../../kernel/merge/tree-conflict.ts";
import { assertAllowed } from "../../kernel/mounted-roots.ts";
import type { Stamp } from "../../kernel/store.ts";
import { createNameOf } from "../../roots/document-names.ts";
import type { RootPlan } from "../../roots/mount-roots.ts";
import type { Sync } from "../../sync/sync.ts";
import { type Conflicts, createConflicts } from "../conflicts/conflicts.ts";

/** Conflicts of everything that holds memory, also where it is read-only: the project's own files are git's business. */
export function openConflicts(options: {
  readonly plan: RootPlan;
  readonly documents: Documents;
  readonly stamp: Stamp;
  readonly reindexTopics: () => Promise<unknown>;
  /** Where the topics lie in a repository. */
  readonly sync: (() => Promise<Pick<Sync, "status" | "dismiss">>) | undefined;
  readonly log: Log;
}): Conflicts {
  const { plan, documents, stamp, sync, log } = options;
  const synced = sync &&
    plan.topics !== undefined && {
      root: plan.topics,
      list: () => unsettledOf(sync, log),
      dismiss: async (conflict: TreeConflict) => {
        // Whoever may change nothing settles nothing either.
        const policy = plan.mounted.find(({ name }) => name === plan.topics)?.policy;
        assertAllowed(policy ?? new Set(), "write", plan.topics ?? "");
        await (await sync()).dismiss(conflict);
      },
    };
  return createConflicts({
    documents,
    roots: plan.folders.filter(({ plain }) => !plain).map(({ name }) => name),
    nameOf: createNameOf(plan),
    stamp,
    synced: synced || undefined,
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

/** A repository that cannot be read keeps nobody from settling what lies elsewhere. */
async function unsettledOf(sync: () => Promise<Pick<Sync, "status">>, log: Log): Promise<readonly TreeConflict[]> {
  try {
    return (await (await sync()).status()).unsettled;
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    log("warning", "conflicts", { message: error.message });
    return [];
  }
}
