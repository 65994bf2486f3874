import { sealedRoot } from "../../backends/files/sealed-places.ts";
import type { ContentGuard } from "../../kernel/content-guard.ts";
import { brokenRule, isExistingPath } from "../../kernel/document-path.ts";
import { createDocuments } from "../../kernel/documents.ts";
import type { RefusedValues } from "../../kernel/refused-values.ts";
import { fullAccess } from "../../kernel/root-policy.ts";
import type { Outcome } from "../../kernel/store.ts";
import { localDate } from "../../notes/topics/local-date.ts";
import { mergeTopics } from "../../notes/topics/merge-topics.ts";
import { tidyTopics } from "../../notes/topics/tidy-topics.ts";
import { indexPath, isTopicDocument } from "../../notes/topics/topic-paths.ts";
import { createTopics } from "../../notes/topics/topics.ts";
import type { RootPlan } from "../../roots/mount-roots.ts";
import type { Backends } from "../../roots/open-backends.ts";
import { createSync, type Sync } from "../sync.ts";
import type { SyncLimits } from "../sync-git.ts";
import { maxDocumentBytes, syncStamp } from "../working-folder.ts";

export interface OpenSyncOptions {
  readonly backends: Pick<Backends, "of" | "trail">;
  readonly plan: RootPlan;
  /** The root of the topics, and where it lies. */
  readonly root: string;
  readonly folder: string;
  /** Whether that is a clone which is kept for the user. */
  readonly isClone: boolean;
  readonly guard: () => Promise<ContentGuard>;
  /** What must not come back from the remote (HIST-5). */
  readonly purged: Pick<RefusedValues, "refresh" | "find" | "known">;
  /** Told of what was taken over. */
  readonly committed: (outcomes: readonly Outcome[]) => Promise<void>;
  /** Brings into history what journals have. */
  readonly record?: (() => Promise<unknown>) | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly limits: SyncLimits | undefined;
}

/** The topics of a workspace, kept alike with the remote of their repository. */
export function openSync(options: OpenSyncOptions): Sync {
  const { backends, plan, root, folder, isClone, guard, purged, committed, record, env, limits } = options;
  const { documents: store } = backends.of(root);
  // What another backend keeps lies in no folder.
  const others = plan.mounted
    .filter(({ name }) => name !== root && store.roots.includes(name))
    .map((one) => ({ ...one, store }));
  const own = { name: root, policy: fullAccess, store };
  const hidden = new Set([sealedRoot, ...plan.mounted.filter(({ isHidden }) => isHidden).map(({ name }) => name)]);
  const isHidden = (path: string) => {
    // What is in it, too: the place itself may be the name of a file.
    const inside = `${path}/_`;
    return isExistingPath(inside) && hidden.has(store.resolve({ root, path: inside }).root);
  };
  // What is pulled keeps its names and is not refused; it is flagged when it is indexed (GUARD-1).
  const pulled = createDocuments({
    roots: [...others, { ...own, naming: "any" }],
    limits: { documentBytes: maxDocumentBytes },
    committed,
  });
  const tidied = createDocuments({
    roots: [...others, own],
    limits: { documentBytes: maxDocumentBytes },
    guard,
    committed,
  });
  const facade = createTopics({ documents: tidied, root, stamp: syncStamp, today: () => localDate() });
  return createSync({
    folder,
    trail: backends.trail(root),
    documents: pulled,
    // A clone is kept for this memory alone; in a folder of the user there may be work of theirs.
    isOurs: isClone ? (path) => brokenRule(path) === undefined : isTopicDocument,
    isHidden,
    isDerived: (path) => path === indexPath,
    merge: mergeTopics,
    purged: () => {
      const values = purged.known();
      if (values.length === 0) return undefined;
      const key = values.map(({ fingerprint }) => fingerprint).join(" ");
      return { key, find: (bytes) => purged.find(bytes)?.fingerprint };
    },
    record,
    tidy: (toPrune) => tidyTopics(facade, toPrune),
    env,
    now: Date.now,
    limits,
    isClone,
  });
}
