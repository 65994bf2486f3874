import type { Documents } from "../kernel/documents.ts";
import { isRecollectError, RecollectError } from "../kernel/errors.ts";
import type { Address, Change, StoredDocument } from "../kernel/store.ts";

/** Documents whose commits are planned, and not carried out. What a policy or the guard would say stays unasked. */
export function previewOf(documents: Documents): Documents {
  const commit = async (addresses: readonly Address[], plan: (current: CurrentOf) => unknown): Promise<unknown> => {
    const known = new Map<string, StoredDocument | undefined>();
    for (const at of addresses) known.set(keyOf(documents.resolve(at)), await readAny(documents, at));
    const planned = plan((at) => known.get(keyOf(documents.resolve(at))));
    if (!Array.isArray(planned)) return planned;
    for (const change of planned as readonly Change[]) assertUnprotected(documents, change);
    return { kind: "committed", outcomes: [] };
  };
  return { ...documents, commit: commit as Documents["commit"] };
}

type CurrentOf = (at: Address) => StoredDocument | undefined;

function keyOf({ root, path }: Address): string {
  return `${root}\0${path}`;
}

/** One that is no text says so when its text is asked for. */
async function readAny(documents: Documents, at: Address): Promise<StoredDocument | undefined> {
  try {
    return await documents.read(at);
  } catch (error) {
    if (!isRecollectError(error) || error.code !== "NOT_UTF8") throw error;
    return {
      get content(): string {
        throw error;
      },
      rev: "" as StoredDocument["rev"],
      modified: 0,
    };
  }
}

function assertUnprotected(documents: Documents, change: Change): void {
  for (const { root, path } of change.kind === "move" ? [change.from, change.to] : [change.at]) {
    if (!documents.isProtected({ root, path })) continue;
    throw new RecollectError("READ_ONLY", `“${path}” in “${root}” is read-only.`, { data: { root, path } });
  }
}
