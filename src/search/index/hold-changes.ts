import { findPlace } from "./apply-change.ts";
import type { Connection } from "./connection.ts";
import { readDocument } from "./document-rows.ts";
import { canHold, type HeldDocument, type HeldSnapshot, type HiddenUnits, snapshotWith } from "./held-documents.ts";
import type { IndexChange, IndexedDocument } from "./index-change.ts";
import { IndexFailure } from "./index-failure.ts";
import type { IndexSnapshot, KeptSnapshot } from "./index-snapshot.ts";

/** Changes that this process has seen and not yet written. What is lost of them with it, the next one sees again. */
export interface HeldChanges {
  readonly size: number;
  get(path: string): HeldDocument | undefined;
  /**
   * False where it is too large to be held with the others. With paths that the database did not have at some version
   * of it: as long as it is that one, they need not be looked for.
   */
  add(change: IndexChange, absent?: ReadonlyMap<string, number>): boolean;
  /** The folders of documents that are held, of those at a path and below it. */
  foldersAt(path: string): readonly string[];
  /** Inside a transaction. Throws an IndexFailure where another process has changed what is held here. */
  over(base: KeptSnapshot, connection: Connection): IndexSnapshot;
  /** Everything, to be written; nothing is held then. */
  take(): Required<IndexChange>;
}

export function holdChanges(): HeldChanges {
  let held = new Map<string, HeldDocument>();
  /** Where the database has them, as far as they were compared with this version of it. */
  const places = new Map<string, HiddenPlace | undefined>();
  const absentAt = new Map<string, number>();
  let version: number | undefined;
  let snapshot: HeldSnapshot | undefined;

  function forgetSnapshot(): void {
    snapshot?.release();
    snapshot = undefined;
  }

  function compare(base: KeptSnapshot, connection: Connection): void {
    if (version !== base.version) {
      forgetSnapshot();
      places.clear();
    }
    version = base.version;
    for (const [path, { seen }] of held) {
      if (places.has(path)) continue;
      const isAbsent = seen === undefined && absentAt.get(path) === version;
      places.set(path, isAbsent ? undefined : findHidden(path, seen, base, connection));
    }
  }

  /** What the database had when the document was read: of one that was held before, what it had before that. */
  function seenOf({ seen }: IndexChange, path: string): HeldDocument["seen"] {
    const before = held.get(path);
    return before ? before.seen : seen?.get(path);
  }

  return {
    get size() {
      return held.size;
    },
    get: (path) => held.get(path),
    add(change, absent) {
      const { put, remove, seen } = change;
      if (!canHold(change, held)) return false;
      // Whoever does not say what was seen means whatever there is, which only the database knows.
      if (![...put.map(({ path }) => path), ...remove].every((path) => seen?.has(path))) return false;
      if (remove.length > 0 || !put.every((document) => isSameText(held.get(document.path)?.document, document))) {
        forgetSnapshot();
      }
      for (const [path, at] of absent ?? []) absentAt.set(path, at);
      // What is put stays, also where it is to be removed as well.
      for (const path of remove) held.set(path, { document: undefined, seen: seenOf(change, path) });
      for (const document of put) held.set(document.path, { document, seen: seenOf(change, document.path) });
      return true;
    },
    foldersAt(path) {
      const folders = [...held.values()].flatMap(({ document }) => (document ? [document.folder] : []));
      return folders.filter((folder) => path === "" || folder === path || folder.startsWith(`${path}/`));
    },
    over(base, connection) {
      compare(base, connection);
      snapshot ??= snapshotWith(base, held, bySegment(places.values()));
      return snapshot;
    },
    take() {
      forgetSnapshot();
      places.clear();
      absentAt.clear();
      const documents = [...held.values()].flatMap(({ document }) => (document ? [document] : []));
      const change = {
        put: documents,
        remove: [...held].flatMap(([path, { document }]) => (document ? [] : [path])),
        seen: new Map([...held].map(([path, { seen }]) => [path, seen])),
      };
      held = new Map();
      return change;
    },
  };
}

/** Whoever searches does not see what else may differ, which is the stamp. */
function isSameText(before: IndexedDocument | undefined, document: IndexedDocument): boolean {
  return before?.units === document.units && before.modified === document.modified;
}

interface HiddenPlace {
  readonly segment: number;
  readonly first: number;
  readonly units: number;
}

/** Undefined where the database does not have it. */
function findHidden(
  path: string,
  seen: number | undefined,
  { segments }: KeptSnapshot,
  connection: Connection,
): HiddenPlace | undefined {
  const known = readDocument(connection, path);
  if (known?.stamp !== seen) throw new IndexFailure("overtaken", "another process has indexed the same documents");
  if (!known) return undefined;
  const { segment, first, units } = findPlace(connection, segments, known);
  return { segment: segment.id, first, units };
}

function bySegment(places: Iterable<HiddenPlace | undefined>): HiddenUnits {
  const hidden = new Map<number, number[]>();
  for (const place of places) {
    if (!place) continue;
    const units = hidden.get(place.segment) ?? [];
    hidden.set(place.segment, units);
    for (let unit = place.first; unit < place.first + place.units; unit++) units.push(unit);
  }
  return hidden;
}
