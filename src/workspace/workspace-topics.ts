import { createDocuments } from "../core/documents.ts";
import { isRecollectError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { findUntidy } from "../project-git/untidy-note.ts";
import { openFilesStore } from "../stores/files/files-store.ts";
import type { TopicContext } from "../topics/change-topic.ts";
import { createTopics, type Topics } from "../topics/topics.ts";
import { openAccessStats } from "./access-stats.ts";
import { createFallbackEntries, type FallbackEntries, recordFallback } from "./fallback-entries.ts";
import { type FallbackRecords, openFallbackRecords } from "./fallback-records.ts";
import { localDate } from "./local-date.ts";
import { currentBranch } from "./main-worktree.ts";
import { planRoots } from "./mount-roots.ts";
import { isInside, realPathOf } from "./real-path.ts";
import { noTopics, type Session } from "./session.ts";
import { ownTopicsFolder } from "./topics-folder.ts";
import type { WorkspaceBase } from "./workspace-base.ts";

/** The topics of a workspace: those of the project, or an external memory with the project's behind it. */
export interface WorkspaceTopics {
  open(context: TopicContext): Topics;
  /** What lies in the project's own folder; undefined unless an external memory is in use. */
  fallbackEntries(own: Pick<Session, "documents" | "stamp">): FallbackEntries | undefined;
  close(): void;
}

export function createWorkspaceTopics(base: WorkspaceBase): WorkspaceTopics {
  const { settings, project, files, dataFolder, plan, limits, guard, log } = base;
  const { found } = base.topicsFolder;
  const stats =
    plan.topics === undefined
      ? undefined
      : openAccessStats({ folder: dataFolder, root: found?.folder ?? found?.given ?? "" });

  function recordsOf(folder: string): FallbackRecords {
    return openFallbackRecords({ folder: dataFolder, topics: realPathOf(folder) });
  }

  const branch = () => (project === undefined ? undefined : currentBranch(project.folder));

  return {
    open: (context) => {
      const accessed = (paths: readonly string[]) => stats?.record(paths);
      const created = createTopics({ ...context, today: () => localDate(), branch, accessed });
      const folder = found?.folder;
      const opened = folder === undefined ? created : tidyMerged(created, folder, log);
      if (found?.warning === undefined || folder === undefined) return opened;
      return recordFallback(opened, recordsOf(folder), log);
    },
    // By the same plan that a fallback would go by: where that gives no folder, none was ever stored in.
    fallbackEntries: ({ documents, stamp }) => {
      const own = ownTopicsFolder(settings.values, project?.folder);
      const external = found?.isExternal ? found.folder : undefined;
      if (own?.folder === undefined || external === undefined || plan.topics === undefined) return undefined;
      if (overlap(own.folder, external)) return undefined;
      return createFallbackEntries({
        folder: own.given,
        records: recordsOf(own.folder),
        external: { documents, root: plan.topics, stamp },
        withOwn: async (use) => {
          const ownPlan = planRoots(settings, { project: project?.folder, files, topics: own, dataFolder });
          if (ownPlan.topics === undefined) throw ownPlan.topicsError ?? noTopics();
          const ownStore = openFilesStore({ roots: ownPlan.folders, now: Date.now });
          const roots = ownPlan.mounted.map((root) => ({ ...root, store: ownStore }));
          try {
            return await use({ documents: createDocuments({ roots, limits, guard }), root: ownPlan.topics, stamp });
          } finally {
            await ownStore.close();
          }
        },
      });
    },
    close: () => stats?.close(),
  };
}

/** Whether one folder is the other, or lies in it. What cannot be looked at may be anything. */
function overlap(one: string, other: string): boolean {
  try {
    const [left, right] = [realPathOf(one), realPathOf(other)];
    return isInside(left, right) || isInside(right, left);
  } catch (error) {
    if (error instanceof Error && "code" in error) return true;
    throw error;
  }
}

/** Topics whose index is made anew with the first entry that is stored after git merged their files. */
function tidyMerged(topics: Topics, folder: string, log: Log): Topics {
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
