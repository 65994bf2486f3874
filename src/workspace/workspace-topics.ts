import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { openRecordFiles } from "../backends/files/records.ts";
import { createDocuments } from "../kernel/documents.ts";
import { isRecollectError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { TopicContext } from "../notes/topics/change-topic.ts";
import type { FallbackRecords } from "../notes/topics/fallback-entries.ts";
import {
  createFallbackEntries,
  type EntryIdentity,
  type FallbackEntries,
  recordFallback,
} from "../notes/topics/fallback-entries.ts";
import { localDate } from "../notes/topics/local-date.ts";
import { createTopics, type Topics } from "../notes/topics/topics.ts";
import { planRoots } from "../roots/mount-roots.ts";
import { openBackends } from "../roots/open-backends.ts";
import { ownTopicsFolder } from "../roots/topics-folder.ts";
import { openAccessStats } from "../search/service/access-stats.ts";
import { currentBranch } from "../settings/main-worktree.ts";
import { isInside, realPathOf } from "../settings/real-path.ts";
import { findUntidy } from "../sync/project-git/untidy-note.ts";
import { noTopics, type Session } from "./session.ts";
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
          const backends = await openBackends(base.setup, ownPlan.roots);
          const roots = ownPlan.mounted.map((root) => ({ ...root, store: backends.of(root.name).documents }));
          try {
            return await use({ documents: createDocuments({ roots, limits, guard }), root: ownPlan.topics, stamp });
          } finally {
            await backends.close();
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

/** One record an entry, named by a hash: what an entry says stands in the Markdown alone. */
function openFallbackRecords(options: {
  /** The user's data folder; records lie in `fallback-entries/` below it. */
  readonly folder: string;
  /** Real path of the folder of topics. */
  readonly topics: string;
  readonly now?: () => number;
}): FallbackRecords {
  const { folder, topics, now = Date.now } = options;
  const records = openRecordFiles({
    folder: join(folder, "fallback-entries"),
    schema: z.object({ folder: z.string(), storedAt: z.string() }),
    what: "what was stored while the external memory could not be used",
    remedy: ", and see with “recollect topics move-over --all --dry-run” what is left in the project",
  });
  const nameOf = ({ topic, subtopic, date, title }: EntryIdentity) =>
    createHash("sha256")
      .update(JSON.stringify([topics, topic, subtopic, date, title]))
      .digest("hex");
  return {
    add: (entry) => records.write(nameOf(entry), { folder: topics, storedAt: new Date(now()).toISOString() }),
    has: (entry) => records.read(nameOf(entry)) !== undefined,
    forget: (entry) => void records.remove(nameOf(entry)),
    isEmpty: () => !records.list().some(({ entry }) => entry.folder === topics),
  };
}
