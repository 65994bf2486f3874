import { asNewName, type ExistingPath } from "../kernel/document-path.ts";
import type { Documents } from "../kernel/documents.ts";
import { RecollectError } from "../kernel/errors.ts";
import type { Moment, RootHistory } from "../kernel/root-history.ts";
import type { Address, Change, Stamp } from "../kernel/store.ts";
import { contentOf, notText, textOf } from "./document-text.ts";
import { operationsOf } from "./operations-of.ts";

/** A folder of a root; all of it without a path. */
export interface FolderAddress {
  readonly root: string;
  readonly folder?: ExistingPath | undefined;
}

/** As it was at this time, or after the operation whose id begins so. */
export type FolderMoment = { readonly time: string } | { readonly operation: string };

export interface RestoredDocument {
  readonly at: Address;
  readonly kind: "restored" | "removed" | "unchanged";
}

/** Every document that was changed there since is as it was, in one operation; the others stay. */
export async function restoreFolder(
  { folder }: FolderAddress,
  moment: FolderMoment,
  { history, documents, stamp }: { history: RootHistory; documents: Documents; stamp: Stamp },
): Promise<readonly RestoredDocument[]> {
  const since = await changedSince(history, folder, moment);
  const reason = `restore of ${folder === undefined ? "everything" : `${folder}/`} as of ${said(moment)}`;
  return restoreMoments([...since.values()], reason, { history, documents, stamp });
}

/** Documents as they were, each at a moment of its own, in one operation. */
export async function restoreMoments(
  moments: readonly Moment[],
  reason: string,
  { history, documents, stamp }: { history: RootHistory; documents: Documents; stamp: Stamp },
): Promise<readonly RestoredDocument[]> {
  const { root } = history;
  const contents = await history.contents(moments);
  const wanted = moments.map(({ path }, index) => {
    const bytes = contents[index];
    const text = bytes && textOf(bytes);
    if (bytes && text === undefined) throw notText(path);
    return { at: { root, path }, text };
  });
  let results: RestoredDocument[] = [];
  if (wanted.length === 0) return results;
  await documents.commit(
    wanted.map(({ at }) => at),
    (current): Change[] | "nothing" => {
      const differing = wanted.filter(({ at, text }) => contentOf(current(at)) !== text);
      const isDifferent = new Set(differing.map(({ at }) => at));
      results = wanted.map(({ at, text }) => {
        if (!isDifferent.has(at)) return { at, kind: "unchanged" };
        return { at, kind: text === undefined ? "removed" : "restored" };
      });
      const changes = differing.map(({ at, text }): Change => {
        if (text === undefined) return { kind: "remove", at };
        return { kind: "put", at: asNewName(at), content: text };
      });
      return changes.length === 0 ? "nothing" : changes;
    },
    { reason, ...stamp },
  );
  return results;
}

/** Each document that has changed since, as the first operation after that moment found it. */
async function changedSince(
  history: RootHistory,
  folder: ExistingPath | undefined,
  moment: FolderMoment,
): Promise<Map<ExistingPath, Moment>> {
  const found = new Map<ExistingPath, Moment>();
  const imported = new Map<ExistingPath, string>();
  const time = "time" in moment ? Date.parse(moment.time) : Number.NEGATIVE_INFINITY;
  for await (const operation of operationsOf(history, { folder })) {
    if ("operation" in moment && operation.id.startsWith(moment.operation)) return found;
    // Clocks of several machines differ: what is older may stand above what is newer.
    if (Date.parse(operation.time) <= time) continue;
    for (const { path, kind, was } of operation.changes) {
      if (found.get(path)?.id !== operation.id) found.set(path, { id: operation.id, path, side: "before", rev: was });
      if (kind === "import") imported.set(path, operation.time);
      else imported.delete(path);
    }
  }
  if ("time" in moment) {
    assertKnown(imported, moment.time);
    return found;
  }
  const says = `No operation on this folder has an id that begins with ${moment.operation}. See its log.`;
  throw new RecollectError("NOT_FOUND", says);
}

/** What was there when recording began was there before: nobody knows since when, nor what it was. */
function assertKnown(imported: ReadonlyMap<ExistingPath, string>, time: string): void {
  const [begin] = [...imported.values()].toSorted();
  if (begin === undefined) return;
  const says = `History begins at ${begin}, and what was there at ${time} is not in it. Give a later time.`;
  throw new RecollectError("NOT_FOUND", says, { data: { begin } });
}

function said(moment: FolderMoment): string {
  return "time" in moment ? moment.time : moment.operation.slice(0, 10);
}
