import type { Connection } from "./connection.ts";
import { readPathsAt } from "./document-rows.ts";

/**
 * Paths at which a look found no document. Another process may have read one before it went away, and put it into the
 * index after that look: nobody is told of the document again.
 */
export interface GonePaths {
  /** Neither there nor below it is a document. */
  add(path: string): void;
  delete(path: string): void;
  clear(): void;
  /**
   * Inside a transaction, at some version of the database: the documents that it has there nevertheless, except those
   * that the caller is about to take out. Each is told once.
   */
  takeReturned(version: number, connection: Connection, isTakenOut: (path: string) => boolean): readonly string[];
}

/** Whoever holds an older text writes it within seconds, or minutes where very many are indexed. */
const keptMs = 10 * 60_000;
/** To look for each is a read of the database, whenever that was changed. */
const mostPaths = 256;

export function createGonePaths(): GonePaths {
  /** And when each was looked at, the latest last. */
  const paths = new Map<string, number>();
  let checked: number | undefined;

  function forgetOld(): void {
    const oldest = performance.now() - keptMs;
    for (const [path, time] of paths) {
      if (time > oldest && paths.size <= mostPaths) return;
      paths.delete(path);
    }
  }

  return {
    add(path) {
      paths.delete(path);
      paths.set(path, performance.now());
      forgetOld();
    },
    delete: (path) => void paths.delete(path),
    clear: () => paths.clear(),
    takeReturned(version, connection, isTakenOut) {
      if (paths.size === 0 || version === checked) return none;
      checked = version;
      forgetOld();
      const returned: string[] = [];
      for (const path of paths.keys()) {
        const found = readPathsAt(connection, path).filter((one) => !isTakenOut(one));
        if (found.length > 0) paths.delete(path);
        returned.push(...found);
      }
      return returned;
    },
  };
}

const none: readonly string[] = [];
