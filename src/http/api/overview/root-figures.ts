import { setImmediate } from "node:timers/promises";
import type { Documents, Session } from "../../../app.ts";
import type { Make } from "../background-cache.ts";

/** What a root holds now. */
export interface RootFigures {
  readonly paths: ReadonlySet<string>;
  readonly bytes: number;
  /** Whether not all was counted, for its number. */
  readonly isCut: boolean;
}

/** The next documents of a root, with their sizes. */
type ListSizes = (after: string | undefined) => Promise<{
  readonly documents: readonly { readonly path: string; readonly size: number }[];
  readonly next: string | undefined;
}>;

/** Some tens of milliseconds, then others have their turn. */
const pageSize = 300;
/** Their names are kept in memory. */
const mostDocuments = 50_000;

export function countDocuments(list: ListSizes, isCounted: (path: string) => boolean): Make<RootFigures> {
  return async (tell) => {
    const paths = new Set<string>();
    let bytes = 0;
    for (let after: string | undefined; ; ) {
      const { documents, next } = await list(after);
      for (const { path, size } of documents.filter((one) => isCounted(one.path))) {
        paths.add(path);
        bytes += size;
      }
      const isCut = next !== undefined && paths.size >= mostDocuments;
      if (next === undefined || isCut) return { paths, bytes, isCut };
      after = next;
      tell({ paths, bytes, isCut: false });
      await setImmediate();
    }
  };
}

/** What a root owns itself: another root that lies in it is counted for itself. */
export function sizesIn({ list }: Pick<Documents, "list">, root: string): ListSizes {
  return async (after) => {
    const page = await list({ root, limit: pageSize, details: true, ...(after === undefined ? {} : { after }) });
    const documents = page.entries
      .filter(({ owner }) => owner === root)
      .flatMap(({ path, details }) => (details ? [{ path, size: details.size }] : []));
    return { documents, next: page.next };
  };
}

export function sizesOfAgent({ agentId, memory }: NonNullable<Session["agent"]>): ListSizes {
  return async (after) => {
    const page = { limit: pageSize, ...(after === undefined ? {} : { after }) };
    const { files, next } = await memory.listMemoryFiles(agentId, page);
    return { documents: files.filter(({ rev }) => rev !== undefined), next };
  };
}
