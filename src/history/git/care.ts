import type { FoundValue, PurgedRoot, PurgeRequest, RootCare } from "../../kernel/backend.ts";
import type { PurgeForms } from "../../kernel/purge-forms.ts";
import { type FilledFolder, fillFolder, openFolderOperations } from "./fill.ts";
import type { MirrorOptions } from "./mirror.ts";
import { cleanDocuments } from "./purge/clean-documents.ts";
import { findInHistory } from "./purge/find-in-history.ts";
import { findInDocuments, purgeRoot } from "./purge/purge.ts";
import { verifyRoot } from "./verify/verify.ts";

export interface FolderCareOptions extends FilledFolder {
  /** Where a second copy of the history is kept. */
  readonly mirror: MirrorOptions | undefined;
}

/** Looks after a folder: its documents, journals, history and the second copy of that. */
export function createFolderCare(options: FolderCareOptions): RootCare {
  const { trail, env, mirror } = options;
  const { root } = trail;

  function holding(forms: PurgeForms): string[] {
    return findInDocuments(trail, forms).map(({ path }) => forms.cleanPath(path));
  }

  async function find(forms: PurgeForms): Promise<FoundValue> {
    const inHistory = await findInHistory(trail, env, forms);
    return {
      documents: [
        ...holding(forms).map((path) => ({ path, isCurrent: true, revisions: 0 })),
        ...inHistory.documents.map(({ path, revisions }) => ({ path, isCurrent: false, revisions })),
      ],
      elsewhere: inHistory.repositories,
    };
  }

  async function purge({ forms, stamp, fingerprint, now, documents, record }: PurgeRequest): Promise<PurgedRoot> {
    const { left: refused } = await cleanDocuments(trail, documents, forms, stamp);
    // What was superseded just now goes into history like anything else, and is cleaned there.
    if (trail.existingPlace() !== undefined) await record();
    const mark = { author: stamp.author, time: new Date(now()).toISOString(), fingerprint };
    const { left, ...purged } = await purgeRoot({ trail, env, forms, stamp: mark, mirror });
    return {
      ...purged,
      left: [
        ...refused.map(({ path, why }) => `“${path}” in “${root}” could not be cleaned: ${why}`),
        ...left.map((what) => `“${root}”: ${what}`),
      ],
    };
  }

  return {
    verify: (request) => verifyRoot({ ...options, ...request }),
    find,
    holding: async (forms) => holding(forms),
    purge,
    operations: () => openFolderOperations(options),
    fill: (request) => fillFolder(options, request),
  };
}
