import type { Search } from "../search/search.ts";
import { type Access, openAccessDatabase } from "./access-database.ts";

/** A document that was handed out, in the root where it lies. */
export interface HandedOut {
  readonly root: string;
  readonly path: string;
}

/** Which documents search and recall handed out, how often and when last; what is not in it never was. */
export interface RecallLedger {
  /** Each document once, however many pieces of it an answer has. */
  record(documents: readonly HandedOut[]): void;
  list(root: string): Access[];
  close(): void;
}

export interface RecallLedgerOptions {
  readonly folder: string;
  /** Where a root lies: projects have roots of the same name. Undefined for one that is not counted. */
  readonly placeOf: (root: string) => string | undefined;
  readonly now?: () => number;
}

/** After the answer that is counted: nobody waits for this. */
const writeAfterMs = 200;

export function openRecallLedger({ folder, placeOf, now = Date.now }: RecallLedgerOptions): RecallLedger {
  const database = openAccessDatabase(folder);
  let pending: { readonly root: string; readonly paths: readonly string[]; readonly time: string }[] = [];
  let timer: NodeJS.Timeout | undefined;

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    const given = pending;
    pending = [];
    for (const { root, paths, time } of given) database.add("recalled", root, paths, time);
  }

  return {
    record: (documents) => {
      const time = new Date(now()).toISOString();
      const byRoot = Map.groupBy(documents, ({ root }) => placeOf(root));
      for (const [root, some] of byRoot) {
        if (root !== undefined) pending.push({ root, paths: [...new Set(some.map(({ path }) => path))], time });
      }
      if (pending.length > 0) timer ??= setTimeout(write, writeAfterMs).unref();
    },
    list: (root) => {
      write();
      const place = placeOf(root);
      return place === undefined ? [] : database.list("recalled", place);
    },
    close: () => {
      write();
      database.close();
    },
  };
}

/** A search whose answers are counted. */
export function countRecalled(search: Search, { record }: Pick<RecallLedger, "record">): Search {
  return {
    ...search,
    search: async (request, onProgress) => {
      const page = await search.search(request, onProgress);
      if (!request.preview) record(page.hits);
      return page;
    },
    recall: async (request, onProgress) => {
      const recalled = await search.recall(request, onProgress);
      record(recalled.items);
      return recalled;
    },
  };
}
