import type { ExistingPath } from "../kernel/document-path.ts";
import type { Documents } from "../kernel/documents.ts";
import { isRecollectError, type RecollectError } from "../kernel/errors.ts";
import type { Moment, RootHistory } from "../kernel/root-history.ts";
import type { Address, Stamp } from "../kernel/store.ts";
import { operationsOf } from "./operations-of.ts";
import { previewOf } from "./preview.ts";
import { restoreMoments } from "./restore-folder.ts";

export interface MissingDocument {
  readonly at: Address;
  /** Since when it is gone, as far as history noticed; otherwise when it was last written. */
  readonly since: string;
  /** Why it could not be brought back; undefined where it was, or would be. */
  readonly why?: string;
}

/**
 * Brings back every document that is gone with no record of a deletion (ONE-3), in one operation. Where one of them is
 * refused, by the guard or by its name, the others come back one by one.
 */
export async function restoreMissing({
  history,
  documents,
  stamp,
  dryRun,
}: {
  readonly history: RootHistory;
  readonly documents: Documents;
  readonly stamp: Stamp;
  readonly dryRun: boolean;
}): Promise<readonly MissingDocument[]> {
  const missing = await findMissing(history, await pathsIn(history.root, documents));
  const into = dryRun ? previewOf(documents) : documents;
  const restore = (some: readonly Missing[]) =>
    restoreMoments(
      some.map(({ moment }) => moment),
      "restore of what vanished",
      { history, documents: into, stamp },
    );
  const toMissing = ({ moment, since }: Missing) => ({ at: { root: history.root, path: moment.path }, since });
  try {
    await restore(missing);
    return missing.map(toMissing);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  const results: MissingDocument[] = [];
  for (const one of missing) {
    const why = await restore([one]).then(
      () => undefined,
      (error: unknown) => (isRefusal(error) ? error.message : Promise.reject(error)),
    );
    results.push({ ...toMissing(one), ...(why === undefined ? {} : { why }) });
  }
  return results;
}

/** Of one document, and no reason to leave the others. */
function isRefusal(error: unknown): error is RecollectError {
  const codes = [
    "READ_ONLY",
    "NOT_ALLOWED",
    "INVALID_PATH",
    "SENSITIVE_CONTENT",
    "TOO_LARGE",
    "NOT_A_DOCUMENT",
    "NOT_UTF8",
  ];
  return isRecollectError(error) && codes.includes(error.code);
}

interface Missing {
  readonly moment: Moment;
  readonly since: string;
}

/** The newest change of each document tells: one that took it away by Recollect, or moved it, was meant. */
async function findMissing(history: RootHistory, existing: ReadonlySet<string>): Promise<Missing[]> {
  const seen = new Set<ExistingPath>();
  const found: Missing[] = [];
  for await (const { id, time, changes } of operationsOf(history, {})) {
    const moved = new Set(changes.map(({ from }) => from));
    for (const { path, kind, rev, was } of changes) {
      if (seen.has(path)) continue;
      seen.add(path);
      if (existing.has(path) || moved.has(path)) continue;
      if (rev !== undefined) found.push({ moment: { id, path, side: "after", rev }, since: time });
      else if (kind === "outside") found.push({ moment: { id, path, side: "before", rev: was }, since: time });
    }
  }
  return found;
}

async function pathsIn(root: string, documents: Documents): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  for (let after: string | undefined; ; ) {
    const page = await documents.list({ root, limit: 1000, ...(after === undefined ? {} : { after }) });
    for (const { path } of page.entries) paths.add(path);
    if (page.next === undefined) return paths;
    after = page.next;
  }
}
