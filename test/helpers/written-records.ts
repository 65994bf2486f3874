import type { FilesStore } from "../../src/backends/files/store.ts";
import type { Rev } from "../../src/kernel/revision.ts";
import type { Operation, OperationKind, RootHistory } from "../../src/kernel/root-history.ts";
import type { Trail, TrailRecord } from "../../src/kernel/trail.ts";

/** One change of one document, as its store recorded it. */
export interface WrittenRecord extends Omit<TrailRecord, "kind" | "folder" | "line" | "isVoid"> {
  readonly kind: OperationKind;
}

/** What a store recorded of one root, and the revisions that it keeps: all that a history of it can be made of. */
export interface WrittenRecords {
  /** In order for each document. */
  readonly records: readonly WrittenRecord[];
  /** A revision that is kept or current; undefined where there is none such. */
  textOf(path: string, rev: Rev): Promise<string | undefined>;
}

/** Of a root of folders: what history reads there. Only while the store is open. */
export async function readTrail(trail: Trail): Promise<WrittenRecords> {
  const { records } = await trail.records({});
  return { records, textOf: async (path, rev) => toText(trail.bytesOf(path as TrailRecord["path"], rev)) };
}

/** Of all roots of a store of files. */
export async function readTrails(store: FilesStore): Promise<readonly (WrittenRecord & { readonly root: string })[]> {
  const pages = store.roots.map(async (root) => {
    const { records } = await readTrail(store.trail(root));
    return records.map((record) => ({ root, ...record }));
  });
  return (await Promise.all(pages)).flat();
}

/** Of a space: its log, which is its history. */
export async function readLog(history: RootHistory): Promise<WrittenRecords> {
  const newestFirst: Operation[] = [];
  let after: string | undefined;
  do {
    const page = await history.log({ limit: 100, after });
    newestFirst.push(...page.operations);
    after = page.next;
  } while (after !== undefined);
  const operations = newestFirst.toReversed();
  return {
    records: operations.flatMap(toRecords),
    textOf: async (path, rev) => {
      const moments = operations.flatMap(({ id, changes }) =>
        changes.flatMap((change) =>
          change.path === path && change.rev === rev ? [{ id, path: change.path, rev }] : [],
        ),
      );
      const [moment] = moments;
      const [bytes] = moment ? await history.contents([{ ...moment, side: "after" }]) : [];
      return toText(bytes);
    },
  };
}

function toRecords({ id: _, changes, ...stamp }: Operation): WrittenRecord[] {
  return changes.map(({ from, to, ...change }) => {
    const other = from ?? to;
    return { ...stamp, ...change, ...(other === undefined ? {} : { other }) };
  });
}

function toText(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString("utf8");
}
