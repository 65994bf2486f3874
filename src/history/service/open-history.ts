import type { Log } from "../../kernel/log.ts";
import type { RootHistory } from "../../kernel/root-history.ts";
import { historyRoots, mirrorOf } from "../../roots/history-roots.ts";
import { openGitHistory } from "../git/git-history.ts";
import { recordElsewhere, recordLater } from "./record-elsewhere.ts";
import type { HistoriesOptions } from "./workspace-history.ts";

/** The histories of a workspace's folders, which several may read: each what they see, and under their own name. */
export interface OpenedHistories {
  readonly roots: readonly RootHistory[];
  readonly log: Log;
  readonly notices: () => readonly string[];
}

export function openHistories(options: HistoriesOptions): OpenedHistories {
  const notices = new Set<string>();
  const log: Log = (level, event, fields = {}) => {
    if (typeof fields["message"] === "string") notices.add(fields["message"]);
    options.log(level, event, fields);
  };
  const { stores, plan, env, mirrors, keepMs, stays, closing, over } = options;
  const roots = historyRoots(plan).map((root) => {
    const space = stores.spaceOf(root);
    if (stores.database && space !== undefined) {
      return stores.database.history({ root, space, now: Date.now, keepMs: keepMs(root) });
    }
    const own = plan.folders.find(({ name }) => name === root);
    const mirror = own && mirrorOf(own, mirrors);
    const elsewhere = (waitMs: number) =>
      recordElsewhere({ folders: plan.folders, root, env, mirror, waitMs }, log, closing);
    return openGitHistory({
      trail: stores.files.trail(root),
      env,
      now: Date.now,
      keepMs: keepMs(root),
      log,
      mirror,
      over,
      // A command has nobody who waits for another answer.
      recordElsewhere: stays ? elsewhere : undefined,
      recordLater: () => recordLater({ folders: plan.folders, root, env, mirror }),
    });
  });
  return { roots, log, notices: () => [...notices] };
}
